"""Checkpoints as one file of arrays: ``.npz`` and ``.safetensors``, there and back.

archive_exports.py  to_npz, to_safetensors
imports.py          from_npz, from_safetensors
contents.py         how each tensor of a checkpoint is stored
transfers.py        the bytes, checked and copied by two threads

`format` has the formats, `read` opens such files.
"""
