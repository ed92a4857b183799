"""Graphs of TF 1 as source code that people read, train and own.

ir           nodes with symbolic dimensions and values; no TensorFlow op that only moves shapes
passes       what makes a graph simpler, for every target
patterns     layers by what they compute, one file a layer; they know no target
scopes       modules and their calls, from the names of variables and ops
statements   expressions and statements of Python, and their layout
torch        the writer for PyTorch: tables of ops and layers
keras        the same for Keras 3
"""
