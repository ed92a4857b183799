"""Checkpoints as one file of arrays: ``.npz`` and ``.safetensors``, there and back.

exports.py    to_npz, to_safetensors
imports.py    from_npz, from_safetensors
contents.py   what becomes of each tensor of a checkpoint
transfers.py  the bytes, checked and copied by two threads

`format` has the formats, `read` opens such files.
"""
