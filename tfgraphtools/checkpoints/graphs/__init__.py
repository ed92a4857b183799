"""Graphs beside checkpoints: read a ``.meta``, export it with its values.

graph_exports, graph_parts, cuts, graph_values   `to_saved_model`, `to_frozen`
metagraph                      a ``.meta`` read without TensorFlow
contrib_ops                    which module of contrib has an op
"""
