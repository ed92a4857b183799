"""The TensorFlow 1 view of TF 2.x for old scripts (nothing is built here yet)."""
