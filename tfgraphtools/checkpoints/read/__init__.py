"""Anything that holds tensors, read as a mapping from names to arrays.

opening, paths, kinds, state_files   which files a path names; `open_checkpoint`
checkpoint             `Checkpoint`, the mapping
stores, archive_store, keras_store, tensors   what it reads: bundles, V1 tables, archives
archives               `open_archive`
files, values, boxes   bytes, and the arrays made of them
"""
