"""Anything that holds tensors, read as a mapping from names to arrays.

opening, paths         which files a path names; `open_checkpoint`
checkpoint             `Checkpoint`, the mapping
stores, archive_store  what it reads: bundles, V1 tables, archives
archives               `open_archive`
files, values          bytes, and the arrays made of them
"""
