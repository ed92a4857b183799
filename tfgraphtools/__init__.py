"""Keep TensorFlow 1 graph code training, running and migrating.

The map of the package; nothing here imports TensorFlow:

    tfgraphtools.gradients     gradient overrides, straight-through functions
    tfgraphtools.training      parameter groups, learning-rate multipliers, frozen elements
    tfgraphtools.checkpoints   reading, checking and rewriting checkpoints
    tfgraphtools.errors        every error that this library raises

``from tfgraphtools import gradients, training, checkpoints`` loads the parts
that are named, and no others.
"""

__version__ = "0.1.0"
