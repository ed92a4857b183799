"""``tensorflow.python.framework.fast_tensor_util``: arrays appended to a ``TensorProto``.

TF 1.15 compiled these functions; TF 2.x keeps those in Python that it used where none were
compiled, under names that begin with ``Slow``.

Source: tensorflow/python/framework/fast_tensor_util.pyx of TF 1.15.5.
"""

#: Field of the message -> the kinds of arrays whose numbers it holds.
_FIELDS = {
    "float_val": "Float32",
    "double_val": "Float64",
    "int_val": "Int32 Int16 Int8 UInt16 UInt8",
    "int64_val": "Int64",
    "uint32_val": "UInt32",
    "uint64_val": "UInt64",
    "bool_val": "Bool",
}


def _appends(field):
    def append(tensor_proto, nparray):
        getattr(tensor_proto, field).extend(nparray.tolist())

    return append


def _appends_halves(tensor_proto, nparray):
    tensor_proto.half_val.extend(nparray.view("uint16").tolist())


def _appends_parts(field):
    def append(tensor_proto, nparray):
        parts = nparray.view(nparray.real.dtype).tolist()
        getattr(tensor_proto, field).extend(parts)

    return append


def AppendObjectArrayToTensorProto(tensor_proto, nparray):
    """Appends strings."""
    from tensorflow.python.util import compat

    tensor_proto.string_val.extend([compat.as_bytes(x) for x in nparray])


for _field, _kinds in _FIELDS.items():
    for _kind in _kinds.split():
        globals()["Append" + _kind + "ArrayToTensorProto"] = _appends(_field)
AppendFloat16ArrayToTensorProto = AppendBFloat16ArrayToTensorProto = _appends_halves
AppendComplex64ArrayToTensorProto = _appends_parts("scomplex_val")
AppendComplex128ArrayToTensorProto = _appends_parts("dcomplex_val")
