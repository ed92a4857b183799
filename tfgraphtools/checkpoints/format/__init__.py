"""The bytes of checkpoints and archives, in plain Python; NumPy only where values are decoded.

sstable, snappy, checksums           tables, their compression and their checksums
bundle, v1, ordered_code, extents    the index of V2, the tables of V1, partitioned tensors
object_graph                         the graph in an object-based checkpoint
dtypes, exact_floats, strings, wire  types of TensorFlow, string tensors, protobuf's wire format
npz_files, safetensors_files, members, manifests   archives, and what they cannot say
"""
