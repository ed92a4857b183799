"""Graphs beside checkpoints: read a ``.meta``, export it with its values.

exports, parts, cuts, values   `to_saved_model`, `to_frozen`
metagraph                      a ``.meta`` read without TensorFlow
contrib_ops                    which module of contrib has an op
"""
