"""Optimizers that TensorFlow has for Keras alone or not at all, for graph mode."""
