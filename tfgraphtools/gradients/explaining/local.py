"""Gradients of single ops: whether one passes from an output to each of the inputs.

TF's registry does not tell: Floor *has* a gradient function, which returns
None. So the op is rebuilt alone in a scratch graph and differentiated there,
once for each kind of op in a graph, not for each op.
"""

import os

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.gradients.explaining import causes
from tfgraphtools.gradients.explaining.zero_rules import Zeros

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


class LocalGradients:
    """Answers for ops of one graph, remembered by what can matter to the answer."""

    def __init__(self):
        self._known = {}

    def blocks(self, op, output, position, is_zero):
        """Returns None if the gradient passes from that output to that input, else (cause, detail).

        Args:
          is_zero: ``is_zero(tensor)``: True for an input of the op that is always zero.
        """
        dtype = op.inputs[position].dtype.base_dtype
        if op.type in _KNOWN:
            return None if position in _KNOWN[op.type] else (causes.RETURNED_NONE, "")
        if op.type == "StopGradient":
            return (causes.NO_BACKPROP if _stops_a_loop(op) else causes.STOPPED), ""
        if not _tf.has_gradients(dtype):
            return causes.DTYPE, dtype.name
        if not _tf.has_gradients(op.outputs[output].dtype):
            return causes.DTYPE, op.outputs[output].dtype.base_dtype.name
        is_write = _tf.is_ref(op.inputs[0]) and _tf.writes(op)  # its output is the variable itself
        if is_write and _is_registered(op):
            return causes.ASSIGN, repr(_tf.variables_behind(op.inputs[0])[0].name)
        zeros = tuple(_is_small(source) and is_zero(source) for source in op.inputs)
        key = (_signature(op), zeros, output)
        if key not in self._known:
            self._known[key] = _differentiate(op, output, zeros)
        return self._known[key][position]


def _stops_a_loop(op):
    """Returns True for the stop_gradient by which control flow v2 does back_prop=False."""
    frames = _tf.traceback_of(op)
    for number in range(len(frames) - 1, -1, -1):
        filename, _, function, _ = frames[number]
        if not filename.startswith(_tf.PACKAGE_FOLDERS):
            return False  # the user's own, in the body of a loop perhaps
        if function == "while_loop" and os.path.basename(filename) == "while_v2.py":
            return True
    return False


def _is_registered(op):
    """Returns True for an op that has a gradient function, or is declared to have none."""
    try:
        _tf.lookup_gradient(op)
    except LookupError:
        return False
    return True


def _signature(op):
    """Returns all of an op that can decide whether a gradient passes."""
    attributes = sorted(
        (name, value.SerializeToString())
        for name, value in op.node_def.attr.items()
        if name not in ("_class", "_output_shapes", "value", "shape")
    )
    inputs = tuple(tensor.dtype.base_dtype.name for tensor in op.inputs)
    return op.type, tuple(attributes), inputs


def _is_small(tensor):
    """Returns True for a tensor with gradients that is small enough to stand as a constant."""
    size = tensor.shape.num_elements()
    return _tf.has_gradients(tensor.dtype) and size is not None and size < _SMALL


def _differentiate(op, output, zeros):
    """Returns [None or (cause, detail)] for each input; ``zeros`` tells which are zero."""
    count = len(op.inputs)
    try:
        if not _tf.is_legacy_call(op) and _tf.lookup_gradient(op) is None:
            return [(causes.NOT_DIFFERENTIABLE, "")] * count
    except LookupError:
        own = _tf.gradient_override(op)
        return [(causes.LOST, repr(own)) if own else (causes.UNREGISTERED, "")] * count
    try:
        return _differentiate_alone(op, output, zeros)
    except Exception as error:  # pylint: disable=broad-except  # any gradient function's error
        detail = "{}: {}".format(type(error).__name__, " ".join(str(error).split())[:120])
        return [(causes.GRADIENT_ERROR, detail)] * count


def _differentiate_alone(op, output, zeros):
    """Returns [None or (cause, detail)] for each input, by tf.gradients with the op alone.

    An input of an op outside is a placeholder, but for zeros and small constants,
    which a gradient function may look at.
    """
    node = _tf.node_copy(op)
    nodes = [
        _source(f"input_{i}", *source_and_zero)
        for i, source_and_zero in enumerate(zip(op.inputs, zeros))
    ]
    del node.input[:]
    node.input.extend(source.name for source in nodes)
    node.name = "op"
    node.attr.pop("_class", None)
    scratch = _tf.capturing_graph()
    with scratch.as_default():
        _tf.copy_functions(op.graph, scratch)
        _tf.import_nodes(scratch, nodes + [node], [], {}, "")
        alone = scratch.get_operation_by_name("op")
        _tf.copy_call_gradient(op, alone)
        places = [i for i, t in enumerate(op.inputs) if _tf.has_gradients(t.dtype)]
        y = alone.outputs[output]
        seed = v1.placeholder(y.dtype.base_dtype, y.shape)
        gradients = v1.gradients(y, [alone.inputs[i] for i in places], seed)
    zeros = Zeros(scratch, seed)
    stops = dict(zip(places, (_stop(gradient, zeros) for gradient in gradients)))
    return [stops.get(i, (causes.RETURNED_NONE, "")) for i in range(len(op.inputs))]


def _source(name, tensor, zero):
    """Returns the NodeDef that stands for an input."""
    if zero:
        return _tf.zeros_node(name, tensor)
    node = _tf.node_copy(tensor.op) if tensor.op.type == "Const" else None
    if node is None or node.ByteSize() > _SMALL:
        node = _tf.placeholder_node(name, tensor)
    node.name = name
    del node.input[:]
    node.attr.pop("_class", None)
    return node


def _stop(gradient, zeros):
    if gradient is None:
        return causes.RETURNED_NONE, ""
    gradient = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
    return (causes.RETURNED_ZEROS, "") if zeros.is_zero(gradient) else None
