"""Static shapes that 1.15 knew and 2.x does not, and ranks that 1.15's kernels took.

2.x takes the batch of a transposed convolution from its input, whose batch is
often unknown, where 1.15 took it from the shape that was asked for. The softmax
of oneDNN stops with `AbortedError` at tensors of seven dimensions.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _set_shape(result, shape, row):
    """Merges what 1.15 knew into a static shape; the row is used where that tells something."""
    before = str(result.shape)  # there is no list of an unknown rank
    result.set_shape(shape)
    if str(result.shape) != before:
        rows.used(row)


def _keep_the_shape_asked_for():
    from tensorflow.python.framework import tensor_util
    from tensorflow.python.ops import gen_nn_ops

    plain = gen_nn_ops.conv2d_backprop_input

    @functools.wraps(plain)
    def conv2d_backprop_input(input_sizes, *arguments, **options):
        result = plain(input_sizes, *arguments, **options)
        if hasattr(result, "op"):  # not in eager execution
            asked = tensor_util.constant_value_as_shape(result.op.inputs[0])
            if asked.ndims == 4 and not result.shape.is_fully_defined():
                _set_shape(result, asked, _CONVOLUTION)
        return result

    state.set_attribute(gen_nn_ops, "conv2d_backprop_input", conv2d_backprop_input)


_CONVOLUTION = Row(
    "shapes.conv2d_transpose",
    "TF 2.3",
    "the static shape of a transposed convolution is output_shape, including the batch",
    _keep_the_shape_asked_for,
)


def _merge_the_batches():
    from tensorflow.python.ops import gen_linalg_ops

    plain = gen_linalg_ops.matrix_triangular_solve

    @functools.wraps(plain)
    def matrix_triangular_solve(matrix, rhs, *arguments, **options):
        result = plain(matrix, rhs, *arguments, **options)
        if hasattr(result, "op"):  # not in eager execution
            one, other = (value.shape for value in result.op.inputs)
            if one.ndims == other.ndims and one.ndims and one[:-2].is_compatible_with(other[:-2]):
                batch = one[:-2].merge_with(other[:-2])
                _set_shape(result, batch.concatenate(other[-2:]), _TRIANGULAR)
        return result

    state.set_attribute(gen_linalg_ops, "matrix_triangular_solve", matrix_triangular_solve)


_TRIANGULAR = Row(
    "shapes.triangular_solve",
    "TF 2.2",
    "the solution has the static batch of either argument; 2.x may broadcast it",
    _merge_the_batches,
)


def _know_the_broadcast_parameters():
    from tensorflow.python.framework import tensor_util
    from tensorflow.python.ops import array_ops, random_ops

    from tfgraphtools._tf import v1

    plain = random_ops.random_gamma

    @functools.wraps(plain)
    def random_gamma(*arguments, **options):
        result = plain(*arguments, **options)
        if hasattr(result, "op"):  # not in eager execution
            # maximum(tiny, gamma(shape, broadcast_to(alpha)) / beta)
            gamma, beta = result.op.inputs[1].op.inputs
            shape, broadcast = gamma.op.inputs
            both = array_ops.broadcast_static_shape(broadcast.op.inputs[0].shape, beta.shape)
            _set_shape(result, tensor_util.constant_value_as_shape(shape).concatenate(both), _GAMMA)
        return result

    for module, name in ((random_ops, "random_gamma"), (v1, "random_gamma"), (v1.random, "gamma")):
        state.set_attribute(module, name, random_gamma)


_GAMMA = Row(
    "shapes.random_gamma",
    "TF 2.0",
    "dimensions that alpha or beta know are known of random_gamma, where another is unknown",
    _know_the_broadcast_parameters,
)


#: The dimensions that oneDNN's softmax says it takes.
_MOST = 5


def _flatten_many_dimensions():
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import array_ops, gen_nn_ops

    plain = gen_nn_ops.softmax

    @functools.wraps(plain)
    def softmax(logits, name=None):
        logits = ops.convert_to_tensor(logits)
        if (logits.shape.ndims or 0) <= _MOST:
            return plain(logits, name=name)
        rows.used(_SOFTMAX)
        with ops.name_scope(name, "Softmax", [logits]) as scope:
            flat = array_ops.reshape(logits, [-1, array_ops.shape(logits)[-1]])
            result = array_ops.reshape(plain(flat), array_ops.shape(logits), name=scope)
        if hasattr(result, "op"):  # not in eager execution
            result.set_shape(logits.shape)
        return result

    state.set_attribute(gen_nn_ops, "softmax", softmax)


_SOFTMAX = Row(
    "shapes.softmax",
    "TF 2.9",
    "softmax works on tensors of seven or more dimensions, which oneDNN's kernel refuses",
    _flatten_many_dimensions,
)


def _hold_the_shape_as_it_is():
    """Makes a sparse placeholder of a known shape hold it as a constant, which may be fed."""
    from tensorflow.python.framework import ops, sparse_tensor
    from tensorflow.python.ops import array_ops

    from tfgraphtools._tf import v1

    plain = array_ops.sparse_placeholder

    @functools.wraps(plain)
    def sparse_placeholder(dtype, shape=None, name=None):
        is_tensor = isinstance(shape, v1.Tensor)
        if shape is None or v1.executing_eagerly() or not (is_tensor or _is_known(shape)):
            return plain(dtype, shape, name)
        rows.used(_PLACEHOLDER)
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

    forbid = ops.Graph.prevent_feeding

    @functools.wraps(forbid)
    def prevent_feeding(self, tensor):
        # whoever looks at the constant's value forbids it, and the whole placeholder is fed
        if not getattr(tensor, "_is_shape_of_placeholder", False):
            forbid(self, tensor)

    state.set_attribute(ops.Graph, "prevent_feeding", prevent_feeding)

    state.set_attribute(array_ops, "sparse_placeholder", sparse_placeholder)
    state.set_attribute(v1, "sparse_placeholder", sparse_placeholder)
    state.set_attribute(v1.sparse, "placeholder", sparse_placeholder)


def _is_known(shape):
    return all(getattr(size, "value", size) not in (None, -1) for size in shape)


_PLACEHOLDER = Row(
    "shapes.sparse_placeholder",
    "TF 2.0",
    "results made from a sparse placeholder have its static shape: sparse_tensor_to_dense",
    _hold_the_shape_as_it_is,
)


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

TABLE = Table(
    "static shapes", "patches", [_CONVOLUTION, _TRIANGULAR, _GAMMA, _SOFTMAX, _PLACEHOLDER]
)
