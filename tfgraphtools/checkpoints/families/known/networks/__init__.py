"""Convolutional networks, into timm and Keras."""
