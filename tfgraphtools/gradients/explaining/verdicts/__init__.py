"""The verdicts of TensorFlow on copies of a graph."""
