"""Converters for `pfor` of loops of control flow v1, with their backward pass.

`pfor` decides for each loop whether the values of a stack or a TensorArray differ between the
iterations of `pfor`, and so the forward and the backward loop may decide differently. Here
they never do: what a stack of floats and what a TensorArray holds always differs.
"""

from tfgraphtools._tf.api import tf
from tfgraphtools._tf.tf_internals import Internal

_pfor = Internal("tensorflow.python.ops.parallel_for.pfor", "Vectorized loops")
_ARRAYS = ("TensorArrayGradV3", "TensorArrayGradWithShape", "TensorArrayV3")


def of_loops():
    """Returns ``{type of op: converter}``."""
    converters = {
        "StackPopV2": _pop,
        "StackPushV2": _push,
        "TensorArrayGatherV3": _gather,
        "TensorArrayGradV3": _grad,
        "TensorArrayReadV3": _read,
        "TensorArrayScatterV3": _scatter,
        "TensorArrayWriteV3": _write,
    }
    known = _pfor._pfor_converter_registry
    return {kind: _of_inside(converters[kind], known[kind]) for kind in converters}


def _of_inside(ours, theirs):
    """Returns our converter for what one iteration made, TensorFlow's for what all share."""

    def convert(pfor_input):
        creator = _creator(pfor_input.op.inputs[0])
        return (ours if pfor_input.pfor.op_is_inside_loop(creator) else theirs)(pfor_input)

    return convert


def _creator(handle):
    """Returns the op that made a stack or a TensorArray."""
    while handle.op.type in ("Enter", "Identity"):
        handle = handle.op.inputs[0]
    if handle.op.type != "StackV2" and handle.op.type not in _ARRAYS:
        raise NotImplementedError(f"a TensorArray out of {handle.op.type}")
    return handle.op


def _push(pfor_input):
    """Saves a value for the backward pass: of all examples together, but for integers."""
    _check_all_active(pfor_input)
    creator, floats = _creator(pfor_input.op.inputs[0]), pfor_input.op.inputs[1].dtype.is_floating
    key = (creator.graph, creator.name)
    if _pfor._stack_cache.setdefault(key, floats or pfor_input.input(1)[1]):
        pfor_input.stack_inputs(stack_indices=[1])
    elif pfor_input.input(1)[1]:
        raise NotImplementedError("a loop that saves integers of all examples, then of each")
    saved = tf.raw_ops.StackPushV2(
        handle=pfor_input.unstacked_input(0),
        elem=pfor_input.input(1)[0],
        swap_memory=pfor_input.get_attr("swap_memory"),
    )
    return _pfor.wrap(saved, _pfor._stack_cache[key])


def _pop(pfor_input):
    _check_all_active(pfor_input)
    creator, kind = _creator(pfor_input.op.inputs[0]), pfor_input.get_attr("elem_type")
    popped = tf.raw_ops.StackPopV2(handle=pfor_input.unstacked_input(0), elem_type=kind)
    return _pfor.wrap(popped, _pfor._stack_cache[creator.graph, creator.name])


def _write(pfor_input):
    _check_all_active(pfor_input)
    pfor_input.stack_inputs(stack_indices=[2])
    flow = tf.raw_ops.TensorArrayWriteV3(
        handle=pfor_input.unstacked_input(0),
        index=pfor_input.unstacked_input(1),
        value=pfor_input.stacked_input(2),
        flow_in=_flow(pfor_input, 3),
    )
    return _pfor._stack(flow, pfor_input.pfor.loop_len_vector)


def _read(pfor_input):
    _check_all_active(pfor_input)
    value = tf.raw_ops.TensorArrayReadV3(
        handle=pfor_input.unstacked_input(0),
        index=pfor_input.unstacked_input(1),
        flow_in=_flow(pfor_input, 2),
        dtype=pfor_input.get_attr("dtype"),
    )
    return _pfor.wrap(value, True)


def _gather(pfor_input):
    values = tf.raw_ops.TensorArrayGatherV3(
        handle=pfor_input.unstacked_input(0),
        indices=pfor_input.unstacked_input(1),
        flow_in=_flow(pfor_input, 2),
        dtype=pfor_input.get_attr("dtype"),
    )
    return _pfor.wrap(_pfor._transpose_first_two_dims(values), True)


def _scatter(pfor_input):
    pfor_input.stack_inputs(stack_indices=[2])
    flow = tf.raw_ops.TensorArrayScatterV3(
        handle=pfor_input.unstacked_input(0),
        indices=pfor_input.unstacked_input(1),
        value=_pfor._transpose_first_two_dims(pfor_input.stacked_input(2)),
        flow_in=_flow(pfor_input, 3),
    )
    return _pfor._stack(flow, pfor_input.pfor.loop_len_vector)


def _grad(pfor_input):
    """Returns the array of gradients: `pfor` would add the examples' dimension a second time."""
    handle, flow = tf.raw_ops.TensorArrayGradV3(
        handle=pfor_input.unstacked_input(0),
        flow_in=_flow(pfor_input, 1),
        source=pfor_input.get_attr("source"),
    )
    return [_pfor.wrap(handle, False), _pfor._stack(flow, pfor_input.pfor.loop_len_vector)]


def _flow(pfor_input, position):
    """Returns the flow, which only orders ops: where it is stacked, its rows are equal."""
    flow, stacked, _ = pfor_input.input(position)
    return flow[0] if stacked else flow


def _check_all_active(pfor_input):
    if pfor_input.pfor.all_indices_partitioned:
        raise NotImplementedError(
            "a loop that runs longer for some examples than for others (dynamic_rnn with "
            "sequence_length is one)"
        )
