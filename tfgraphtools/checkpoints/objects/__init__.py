"""TF 1 checkpoints for the objects of TF 2, and back.

object_based, conversions   `to_object_based`
name_based                  `to_name_based`
object_places, object_groups, object_matching   whose variable is whose
refusals, skeletons, object_state               what fits nowhere; what is there already
"""
