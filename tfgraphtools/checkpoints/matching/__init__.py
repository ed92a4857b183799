"""Pairs of units, of a checkpoint and of a model, for Keras and PyTorch alike.

tensor_units.py     a checkpoint's tensors in units: a layer's, a recurrent cell's
unit_fits.py        the fit of two units; reordered_fits.py, of one along a map
unit_matching.py    which goes with which, or why that is not certain
draft_maps.py       a draft of the rules where that is not
unit_rules.py       what the caller says of units: rules, and what to leave out
rnn.py, cudnn.py    the gates of recurrent cells, from one order into another
"""
