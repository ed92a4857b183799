"""Converters of single ops for `pfor`, where TensorFlow's own are slow or missing."""

import contextlib
import functools

from absl import flags as _flags

from tfgraphtools._tf.api import IS_TF1, tf, where
from tfgraphtools._tf.filter_gradients import Window, filter_gradients
from tfgraphtools._tf.loop_converters import of_loops
from tfgraphtools._tf.tf_internals import Internal

_pfor = Internal("tensorflow.python.ops.parallel_for.pfor", "Vectorized loops")
_handle_data = Internal("tensorflow.python.ops.handle_data_util", "Vectorized loops")


@contextlib.contextmanager
def converters():
    """Installs our converters; other users of `pfor` keep TensorFlow's."""
    known = _pfor._pfor_converter_registry
    before = dict(known)
    ours = dict(_MISSING, ZerosLike=_zeros_like(before["ZerosLike"]), **_filter_converters())
    if not IS_TF1:  # TF 2 has most of them, and falls back to a loop by itself
        ours = {kind: ours[kind] for kind in ours if kind not in before or kind in _BETTER}
    known.update(ours)
    if IS_TF1:
        known.update({kind: _or_loop(known[kind]) for kind in before})
    known.update(of_loops())
    try:
        with _fallback(), _reserved_lists():
            yield
    finally:
        known.clear()
        known.update(before)


@contextlib.contextmanager
def _fallback():
    """Computes an op without a converter one iteration after the other, as TF 2 does."""
    if not IS_TF1:
        yield
        return
    flag = _flags.FLAGS["op_conversion_fallback_to_while_loop"]
    before, flag.value = flag.value, True
    try:
        yield
    finally:
        flag.value = before


@contextlib.contextmanager
def _reserved_lists():
    """Makes an empty list a list of rows: TF 2 would read its elements."""
    if IS_TF1:
        yield
        return
    before = _pfor._stack_tensor_list

    def stacked(handle, dtype, rows, element_shape=None):
        if handle.op.type != "TensorListReserve":
            return before(handle, dtype, rows, element_shape)
        shape = _pfor._stack_tensor_list_shape(handle.op.inputs[0], rows)
        return _pfor.list_ops.tensor_list_reserve(shape, handle.op.inputs[1], dtype)

    _pfor._stack_tensor_list = stacked
    try:
        yield
    finally:
        _pfor._stack_tensor_list = before


def _or_loop(converter):
    """Falls back to one iteration after the other, where a converter cannot."""

    def convert(pfor_input):
        try:
            return converter(pfor_input)
        except (AssertionError, TypeError, ValueError):
            return _pfor._fallback_converter(pfor_input)

    return convert


def _filters(kind):
    """Returns a converter of a filter's gradient, for images that differ between iterations."""
    loop = _or_loop(_pfor._pfor_converter_registry.get(kind, _pfor._fallback_converter))

    def convert(pfor_input):
        shape = pfor_input.op.outputs[0].shape
        if not pfor_input.input(0)[1] or not shape.is_fully_defined() or pfor_input.input(1)[1]:
            return loop(pfor_input)
        pfor_input.stack_inputs(stack_indices=[2])
        images, grads = pfor_input.stacked_input(0), pfor_input.stacked_input(2)
        if images.shape.rank is None or grads.shape.rank is None:
            return loop(pfor_input)
        spatial = slice(1, -1)
        if pfor_input.get_attr("data_format").startswith(b"NC"):
            spatial = slice(2, None)
            images, grads = _channels_last(images), _channels_last(grads)
        if images.shape.as_list()[-1] is None:
            return loop(pfor_input)
        window = Window(
            shape.as_list()[:-2],
            list(pfor_input.get_attr("strides"))[spatial],
            list(pfor_input.get_attr("dilations"))[spatial],
            _paddings(pfor_input, spatial),
        )
        depthwise = kind.startswith("Depthwise")
        gradient = filter_gradients(images, grads, shape.as_list(), window, depthwise)
        return [_pfor.wrap(gradient, True)]

    return convert


def _paddings(pfor_input, spatial):
    padding = pfor_input.get_attr("padding").decode()
    if padding != "EXPLICIT":
        return padding
    numbers = list(pfor_input.get_attr("explicit_paddings"))
    return list(zip(numbers[::2], numbers[1::2]))[spatial]


def _channels_last(stacked):
    """Returns [examples, images, channels, *sizes] with the channels at the end."""
    rank = stacked.shape.rank
    return tf.transpose(stacked, [0, 1] + list(range(3, rank)) + [2])


def _rows(inputs):
    """Returns a converter of an op that takes each row of these inputs by itself."""
    return lambda pfor_input: _pfor._convert_flatten_batch(pfor_input, pfor_input.op_type, inputs)


def _rows_of_shape(inputs):
    """Returns a converter of an op whose first input is the shape of its output."""
    return lambda pfor_input: _pfor._convert_flatten_batch_shape_input(
        pfor_input, pfor_input.op_type, inputs, 0
    )


def _elementwise(pfor_input):
    """Converts an op that takes tensors of any rank, all of one shape."""
    pfor_input.stack_inputs()
    inputs = [pfor_input.stacked_input(i) for i in range(pfor_input.num_inputs)]
    return [_pfor.wrap(output, True) for output in _same_op(pfor_input, inputs)]


def _last_dimension(pfor_input):
    """Converts an op of the last dimension of its first input."""
    inputs = [pfor_input.stacked_input(0)] + [
        pfor_input.unstacked_input(i) for i in range(1, pfor_input.num_inputs)
    ]
    return [_pfor.wrap(output, True) for output in _same_op(pfor_input, inputs)]


def _same_op(pfor_input, inputs):
    kinds = [output.dtype for output in pfor_input.outputs]
    return _pfor._create_op(
        pfor_input.op_type, inputs, kinds, attrs=pfor_input.op.node_def.attr
    ).outputs


def _padded(pfor_input):
    """Converts a padding: it adds nothing to the dimension of the examples."""
    paddings = pfor_input.unstacked_input(1)
    paddings = tf.concat([tf.zeros([1, 2], paddings.dtype), paddings], 0)
    others = [pfor_input.unstacked_input(i) for i in range(2, pfor_input.num_inputs)]
    outputs = _same_op(pfor_input, [pfor_input.stacked_input(0), paddings] + others)
    return [_pfor.wrap(output, True) for output in outputs]


def _reversed(pfor_input):
    rank, axes = pfor_input.op.inputs[0].shape.rank, pfor_input.unstacked_input(1)
    axes = where(axes < 0, axes + rank, axes) + 1
    return [_pfor.wrap(tf.reverse(pfor_input.stacked_input(0), axes), True)]


def _space_to_batch(pfor_input):
    """Converts it with blocks first in the output's first dimension and images last."""
    images, block, paddings = (
        pfor_input.stacked_input(0),
        pfor_input.unstacked_input(1),
        pfor_input.unstacked_input(2),
    )
    size = tf.shape(images)
    merged = tf.reshape(images, tf.concat([[-1], size[2:]], 0))
    spaced = tf.space_to_batch_nd(merged, block, paddings)
    blocks, tail = tf.reduce_prod(block), tf.shape(spaced)[1:]
    spaced = tf.reshape(spaced, tf.concat([[blocks, size[0], size[1]], tail], 0))
    spaced = _swapped(spaced, pfor_input.outputs[0].shape.rank + 2)
    spaced = tf.reshape(spaced, tf.concat([[size[0], blocks * size[1]], tail], 0))
    return [_pfor.wrap(spaced, True)]


def _batch_to_space(pfor_input):
    images, block, crops = (
        pfor_input.stacked_input(0),
        pfor_input.unstacked_input(1),
        pfor_input.unstacked_input(2),
    )
    size, blocks = tf.shape(images), tf.reduce_prod(block)
    own = size[1] // blocks
    split = tf.reshape(images, tf.concat([[size[0], blocks, own], size[2:]], 0))
    split = _swapped(split, pfor_input.op.inputs[0].shape.rank + 2)
    joined = tf.reshape(split, tf.concat([[-1], size[2:]], 0))
    joined = tf.compat.v1.batch_to_space_nd(joined, block, crops)
    shape = tf.concat([[size[0], own], tf.shape(joined)[1:]], 0)
    return [_pfor.wrap(tf.reshape(joined, shape), True)]


def _swapped(tensor, rank):
    """Exchanges the first two dimensions."""
    return tf.transpose(tensor, [1, 0] + list(range(2, rank)))


def _zeros_like(of_tensors):
    """Returns a converter of zeros; a list of tensors is one value, whose elements have the rows.

    Args:
      of_tensors: TensorFlow's own converter.
    """

    def convert(pfor_input):
        value, is_stacked, _ = pfor_input.input(0)
        if value.dtype != tf.variant:
            return of_tensors(pfor_input)
        zeros = tf.raw_ops.ZerosLike(x=value)
        _handle_data.copy_handle_data(value, zeros)
        return _pfor.wrap(zeros, is_stacked)

    return convert


def _gather(pfor_input):
    """Converts an embedding lookup in a resource variable that all iterations share."""
    rows = tf.raw_ops.ResourceGather(
        resource=pfor_input.unstacked_input(0),
        indices=pfor_input.stacked_input(1),
        dtype=pfor_input.get_attr("dtype"),
    )
    return [_pfor.wrap(rows, True)]


def _sparse_cross_entropy(pfor_input):
    """Returns the losses of all iterations as those of one batch."""
    pfor_input.stack_inputs()
    logits, labels = pfor_input.stacked_input(0), pfor_input.stacked_input(1)
    shape = tf.shape(logits)
    loss, backprop = tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(
        features=tf.reshape(logits, [-1, shape[2]]), labels=tf.reshape(labels, [-1])
    )
    return [
        _pfor.wrap(tf.reshape(loss, shape[:2]), True),
        _pfor.wrap(tf.reshape(backprop, shape), True),
    ]


def _prevented(pfor_input):
    """Converts the sparse cross entropy's gradient, which has no second derivative."""
    return [_pfor.wrap(pfor_input.stacked_input(0), True)]


_FILTER_OPS = (
    "Conv2DBackpropFilter",
    "Conv3DBackpropFilterV2",
    "DepthwiseConv2dNativeBackpropFilter",
)


@functools.lru_cache(maxsize=None)
def _filter_converters():
    """Returns the converters of `_FILTER_OPS`, which rest on TensorFlow's own."""
    return {kind: _filters(kind) for kind in _FILTER_OPS}


#: TF 2.21 loops over filters, pads the examples' dimension, and has no zeros of lists.
_BETTER = _FILTER_OPS + (
    "DepthwiseConv2dNative",
    "DepthwiseConv2dNativeBackpropInput",
    "PadV2",
    "ZerosLike",
)
_MISSING = {
    "AvgPool3D": _rows([0]),
    "AvgPool3DGrad": _rows_of_shape([1]),
    "BatchToSpaceND": _batch_to_space,
    "Conv3D": _rows([0]),
    "Conv3DBackpropInputV2": _rows_of_shape([2]),
    "DepthToSpace": _rows([0]),
    "DepthwiseConv2dNative": _rows([0]),
    "DepthwiseConv2dNativeBackpropInput": _rows_of_shape([2]),
    "LRN": _rows([0]),
    "LRNGrad": _rows([0, 1, 2]),
    "LeakyRelu": _elementwise,
    "LeakyReluGrad": _elementwise,
    "MirrorPad": _padded,
    "MirrorPadGrad": _padded,
    "PadV2": _padded,
    "PreventGradient": _prevented,
    "ResizeBilinear": _rows([0]),
    "ResizeBilinearGrad": _rows([0, 1]),
    "ResizeNearestNeighbor": _rows([0]),
    "ResizeNearestNeighborGrad": _rows([0]),
    "ResourceGather": _gather,
    "ReverseV2": _reversed,
    "SpaceToBatchND": _space_to_batch,
    "SpaceToDepth": _rows([0]),
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_cross_entropy,
    "TopKV2": _last_dimension,
}
