"""Metadata of a written model: its graph, its checkpoint, and the inputs of its comparison."""

import hashlib
import os

_PREFIX = "tfgraphtools."
_BLOCK = 1 << 20


def metadata(place, checkpoint, ranges):
    """Returns {key: text}.

    Args:
      place: the file of the graph.
      checkpoint: the prefix of the values, or None. Its index holds a checksum of each tensor.
      ranges: {input: (the least, the largest value)} of what it was compared on.
    """
    described = {}
    index = f"{checkpoint}.index"
    for key, path in [("graph", place), ("checkpoint", index)]:
        if os.path.isfile(path):
            described[f"{_PREFIX}{key}.sha256"] = _digest(path)
    for name, bounds in ranges.items():
        described[f"{_PREFIX}compared.{name}"] = in_words(bounds)
    return described


def in_words(bounds):
    """Returns (the least, the largest value) as text."""
    return "{:.6g} to {:.6g}".format(*bounds)


def in_onnx(data, described):
    """Returns a serialized ONNX model with metadata."""
    import onnx

    added = onnx.ModelProto()
    for key, text in described.items():
        added.metadata_props.add(key=key, value=text)
    return data + added.SerializeToString()  # fields that are repeated are joined


def in_tflite(data, described):
    """Returns a TFLite model with metadata: a buffer of text for each key."""
    from tensorflow.lite.python import schema_py_generated as schema
    from tensorflow.lite.tools import flatbuffer_utils

    # TF 2.15 and older write no model of 2 GiB, for which the newer function is.
    read = getattr(flatbuffer_utils, "read_model_from_bytearray", None)
    model = (read or flatbuffer_utils.convert_bytearray_to_object)(bytearray(data))
    model.metadata = model.metadata or []
    for key, text in described.items():
        buffer, row = schema.BufferT(), schema.MetadataT()
        buffer.data = list(text.encode())
        row.name, row.buffer = key, len(model.buffers)
        model.buffers.append(buffer)
        model.metadata.append(row)
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))


def _digest(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(_BLOCK), b""):
            digest.update(block)
    return digest.hexdigest()
