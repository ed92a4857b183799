"""Does a gradient pass from one output of an op to each of its inputs?

TF's registry does not tell: Floor *has* a gradient function, which returns
None. So the op is rebuilt alone in a scratch graph and differentiated there,
once for each kind of op in a graph, not for each op.
"""

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.gradients.explaining import causes

_SMALL = 4096  # bytes of a constant input that goes along into the scratch graph

#: Ops on handles and lists, whose gradient needs more than the op: inputs that get one.
_KNOWN = {
    "ReadVariableOp": (0,),
    "ResourceGather": (0,),
    "ResourceGatherNd": (0,),
    "VariableShape": (),
    "TensorArrayConcatV3": (1,),
    "TensorArrayGatherV3": (2,),
    "TensorArrayReadV3": (2,),
    "TensorArrayScatterV3": (2, 3),
    "TensorArraySizeV3": (),
    "TensorArraySplitV3": (1, 3),
    "TensorArrayWriteV3": (2, 3),
    "TensorListConcat": (0,),
    "TensorListConcatV2": (0,),
    "TensorListElementShape": (),
    "TensorListFromTensor": (0,),
    "TensorListGather": (0,),
    "TensorListGetItem": (0,),
    "TensorListLength": (),
    "TensorListPopBack": (0,),
    "TensorListPushBack": (0, 1),
    "TensorListReserve": (),
    "TensorListResize": (0,),
    "TensorListScatter": (0,),
    "TensorListSetItem": (0, 2),
    "TensorListSplit": (0,),
    "TensorListStack": (0,),
}


def has_gradients(dtype):
    """True for the dtypes that TF walks backward."""
    dtype = dtype.base_dtype
    return dtype.is_floating or dtype.is_complex or dtype in (tf.resource, tf.variant)


class LocalGradients:
    """Answers for ops of one graph, remembered by what can matter to the answer."""

    def __init__(self):
        self._known = {}

    def blocks(self, op, output, position):
        """None if the gradient passes from that output to that input, else (cause, detail)."""
        dtype = op.inputs[position].dtype.base_dtype
        if op.type in _KNOWN:
            return None if position in _KNOWN[op.type] else (causes.RETURNED_NONE, "")
        if op.type == "StopGradient":
            return causes.STOPPED, ""
        if not has_gradients(dtype):
            return causes.DTYPE, dtype.name
        if not has_gradients(op.outputs[output].dtype):
            return causes.DTYPE, op.outputs[output].dtype.base_dtype.name
        key = (_signature(op), output)
        if key not in self._known:
            self._known[key] = _differentiate(op, output)
        return self._known[key][position]


def _signature(op):
    """All of an op that can decide whether a gradient passes."""
    attributes = sorted(
        (name, value.SerializeToString())
        for name, value in op.node_def.attr.items()
        if name not in ("_class", "_output_shapes", "value", "shape")
    )
    return op.type, tuple(attributes), tuple(t.dtype.base_dtype.name for t in op.inputs)


def _differentiate(op, output):
    """[None or (cause, detail)] for each input."""
    count = len(op.inputs)
    try:
        if _tf.lookup_gradient(op) is None:
            return [(causes.NOT_DIFFERENTIABLE, "")] * count
    except LookupError:
        own = _tf.gradient_override(op)
        return [(causes.LOST, repr(own)) if own else (causes.UNREGISTERED, "")] * count
    try:
        passes = _differentiate_alone(op, output)
    except Exception as error:  # pylint: disable=broad-except  # any gradient function's error
        if _tf.gradient_override(op) is not None:
            return [None] * count  # it needs tensors of its own graph: it was written to pass
        detail = "{}: {}".format(type(error).__name__, " ".join(str(error).split())[:120])
        return [(causes.GRADIENT_ERROR, detail)] * count
    return [None if one else (causes.RETURNED_NONE, "") for one in passes]


def _differentiate_alone(op, output):
    """For each input whether tf.gradients has a gradient for it, with the op alone."""
    node = _tf.node_copy(op)
    del node.input[:]
    nodes = []
    for position, tensor in enumerate(op.inputs):
        name = f"input_{position}"
        source = _tf.node_copy(tensor.op) if tensor.op.type == "Const" else None
        if source is None or source.ByteSize() > _SMALL:
            source = _tf.placeholder_node(name, tensor)
        source.name = name
        del source.input[:]
        source.attr.pop("_class", None)
        nodes.append(source)
        node.input.append(name)
    node.name = "op"
    node.attr.pop("_class", None)
    with v1.Graph().as_default() as scratch:
        _tf.copy_functions(op.graph, scratch)
        _tf.import_nodes(scratch, nodes + [node], [], {}, "")
        alone = scratch.get_operation_by_name("op")
        wanted = [i for i, t in enumerate(op.inputs) if has_gradients(t.dtype)]
        found = v1.gradients(alone.outputs[output], [alone.inputs[i] for i in wanted])
    passes = dict(zip(wanted, (one is not None for one in found)))
    return [passes.get(i, False) for i in range(len(op.inputs))]
