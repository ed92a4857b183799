"""Static shapes that 1.15 knew and 2.x does not, and ranks that 1.15's kernels took.

2.x takes the batch of a transposed convolution from its input, whose batch is
often unknown, where 1.15 took it from the shape that was asked for. The softmax
of oneDNN stops with `AbortedError` at tensors of seven dimensions.
"""

import functools

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_V1 = "tfgraphtools._tf:v1."


def _set_shape(result, shape, fix):
    """Merges what 1.15 knew into a static shape; the fix is used where that tells something."""
    before = str(result.shape)  # there is no list of an unknown rank
    result.set_shape(shape)
    if str(result.shape) != before:
        fix.used()


@replaces(
    "tensorflow.python.ops.gen_nn_ops:conv2d_backprop_input",
    name="shapes.conv2d_transpose",
    since="TF 2.3",
    why="the static shape of a transposed convolution is output_shape, including the batch",
    cannot="call set_shape(output_shape) on the result",
)
def _conv2d_backprop_input(original, input_sizes, *arguments, **options):
    from tensorflow.python.framework import tensor_util

    result = original(input_sizes, *arguments, **options)
    if hasattr(result, "op"):  # not in eager execution
        shape = tensor_util.constant_value_as_shape(result.op.inputs[0])
        if shape.ndims == 4 and not result.shape.is_fully_defined():
            _set_shape(result, shape, _conv2d_backprop_input)
    return result


@replaces(
    "tensorflow.python.ops.gen_linalg_ops:matrix_triangular_solve",
    name="shapes.triangular_solve",
    since="TF 2.2",
    why="the solution has the static batch of either argument; 2.x may broadcast it",
)
def _triangular_solve(original, matrix, rhs, *arguments, **options):
    result = original(matrix, rhs, *arguments, **options)
    if hasattr(result, "op"):  # not in eager execution
        one, other = (value.shape for value in result.op.inputs)
        if one.ndims == other.ndims and one.ndims and one[:-2].is_compatible_with(other[:-2]):
            batch = one[:-2].merge_with(other[:-2])
            _set_shape(result, batch.concatenate(other[-2:]), _triangular_solve)
    return result


@replaces(
    "tensorflow.python.ops.random_ops:random_gamma",
    also=(_V1 + "random_gamma", _V1 + "random.gamma"),
    name="shapes.random_gamma",
    since="TF 2.0",
    why="dimensions that alpha or beta know are known of random_gamma, where another is unknown",
)
def _random_gamma(original, *arguments, **options):
    from tensorflow.python.framework import tensor_util
    from tensorflow.python.ops import array_ops

    result = original(*arguments, **options)
    if hasattr(result, "op"):  # not in eager execution
        # maximum(tiny, gamma(shape, broadcast_to(alpha)) / beta)
        gamma, beta = result.op.inputs[1].op.inputs
        shape, broadcast = gamma.op.inputs
        both = array_ops.broadcast_static_shape(broadcast.op.inputs[0].shape, beta.shape)
        static = tensor_util.constant_value_as_shape(shape).concatenate(both)
        _set_shape(result, static, _random_gamma)
    return result


#: The dimensions that oneDNN's softmax says it takes.
_MOST = 5


@replaces(
    "tensorflow.python.ops.gen_nn_ops:softmax",
    name="shapes.softmax",
    since="TF 2.9",
    why="softmax works on tensors of seven or more dimensions, which oneDNN's kernel refuses",
)
def _softmax(original, logits, name=None):
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import array_ops

    logits = ops.convert_to_tensor(logits)
    if (logits.shape.ndims or 0) <= _MOST:
        return original(logits, name=name)
    _softmax.used()
    with ops.name_scope(name, "Softmax", [logits]) as scope:
        flat = array_ops.reshape(logits, [-1, array_ops.shape(logits)[-1]])
        result = array_ops.reshape(original(flat), array_ops.shape(logits), name=scope)
    if hasattr(result, "op"):  # not in eager execution
        result.set_shape(logits.shape)
    return result


_PLACEHOLDER = Row(
    "shapes.sparse_placeholder",
    "TF 2.0",
    "results made from a sparse placeholder have its static shape: sparse_tensor_to_dense",
)


@replaces(
    "tensorflow.python.ops.array_ops:sparse_placeholder",
    also=(_V1 + "sparse_placeholder", _V1 + "sparse.placeholder"),
    row=_PLACEHOLDER,
)
def _sparse_placeholder(original, dtype, shape=None, name=None):
    """Makes a placeholder of a known shape hold it as a constant, which may be fed."""
    from tensorflow.python.framework import sparse_tensor

    from tfgraphtools._tf import v1

    is_tensor = isinstance(shape, v1.Tensor)
    if shape is None or v1.executing_eagerly() or not (is_tensor or _is_known(shape)):
        return original(dtype, shape, name)
    _sparse_placeholder.used()
    values, indices, known = (
        None if name is None else f"{name}/{part}" for part in ("values", "indices", "shape")
    )
    rank = shape.get_shape()[0] if is_tensor else len(shape)
    dense_shape = v1.convert_to_tensor(shape, dtype=v1.int64, name=known)
    result = sparse_tensor.SparseTensor(
        values=v1.placeholder(dtype, [None], values),
        indices=v1.placeholder(v1.int64, [None, rank], indices),
        dense_shape=dense_shape,
    )
    dense_shape.graph._unfeedable_tensors.discard(dense_shape)
    dense_shape._is_shape_of_placeholder = True
    return result


def _is_shape_of_placeholder(graph, tensor):
    return getattr(tensor, "_is_shape_of_placeholder", False)


@replaces(
    "tensorflow.python.framework.ops:Graph.prevent_feeding",
    row=_PLACEHOLDER,
    when=_is_shape_of_placeholder,
)
def _prevent_feeding(original, self, tensor):
    """Whoever looks at the constant's value forbids to feed it, and the placeholder is fed."""


def _is_known(shape):
    return all(getattr(size, "value", size) not in (None, -1) for size in shape)


def _of_three_dimensions(name):
    """A function of images that takes one of unknown rank for a single image, [y, x, channel]."""

    def provide(real, used):
        plain = getattr(real, name)

        @functools.wraps(plain)
        def function(image, *arguments, **options):
            from tfgraphtools._tf import v1

            image = v1.convert_to_tensor(image, name="image")
            if image.shape.ndims is None:
                used()
                image = v1.identity(image)
                image.set_shape([None, None, None])
            return plain(image, *arguments, **options)

        return function

    return provide


_OF_IMAGES = (
    "flip_left_right flip_up_down random_flip_left_right random_flip_up_down rot90 transpose "
    "transpose_image encode_png random_jpeg_quality adjust_jpeg_quality"
).split()

IMAGES = Table(
    "static shapes of images",
    "calls",
    [
        Row(
            "tensorflow.image." + name,
            "TF 2.2",
            "an image of unknown rank has three dimensions",
            _of_three_dimensions(name),
        )
        for name in _OF_IMAGES
    ],
)

TABLE = replacing.table(
    "static shapes",
    _conv2d_backprop_input,
    _triangular_solve,
    _random_gamma,
    _softmax,
    _sparse_placeholder,
    _prevent_feeding,
    kind="patches",
)
