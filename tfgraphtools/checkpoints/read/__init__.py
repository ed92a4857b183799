"""Anything that holds tensors, read as a mapping from names to arrays.

opening, paths, archive_names, state_files   which files a path names; `open_checkpoint`
checkpoint             `Checkpoint`, the mapping
tensor_stores, archive_store, keras_store   what it reads: bundles, V1 tables, archives
stored_tensors         types, shapes and parts, as stores know them
archive_kinds          `open_archive`
local_files, read_values, boxes   bytes, and the arrays made of them
"""
