"""Checkpoints as one file of arrays: ``.npz`` and ``.safetensors``, there and back.

exports.py            to_npz, to_safetensors
imports.py            from_npz, from_safetensors, open_archive
contents.py           what becomes of each tensor of a checkpoint
transfers.py          the bytes, checked and copied by two threads
npz_files.py          the zip file and the headers inside it
safetensors_files.py  the header of the other one
manifests.py          what the formats cannot say, and names that they cannot hold
store.py              such a file read as a checkpoint
"""
