"""The writer for Keras 3, channels last as in TensorFlow: tables of ops and layers."""
