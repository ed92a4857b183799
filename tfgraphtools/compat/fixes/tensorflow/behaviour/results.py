"""Functions of TensorFlow whose numbers changed although their names did not.

Where 2.x gives 0 for 0/0, 1.15 gave NaN, which a script sees; integers and floats
are divided, and images scaled, as 1.15 did. Sources: TF 1.15's ``embedding_ops``,
``math_grad``, ``image_ops_impl`` and the kernel of TruncateDiv.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import ModuleWith
from tfgraphtools.compat.fixes.tensorflow.behaviour.numbers import edges
from tfgraphtools.compat.fixes.tensorflow.behaviour.shapes import ragged
from tfgraphtools.compat.seeds import counting


def _divide_weights_plainly():
    """Makes `embedding_lookup_sparse` divide by a sum of weights of 0: NaN, as before."""
    from tensorflow.python.ops import embedding_ops, gen_math_ops, math_ops

    def divide(x, y, name=None):
        rows.used(_SPARSE)
        return gen_math_ops.real_div(x, y, name=name)

    state.set_attribute(embedding_ops, "math_ops", ModuleWith(math_ops, div_no_nan=divide))


_SPARSE = Row(
    "tensorflow.nn.embedding_lookup_sparse",
    "TF 2.5",
    "a row without ids, or whose weights sum to 0, is NaN; 0 in 2.x",
    _divide_weights_plainly,
)


def _sum_halves_as_floats():
    """Makes `embedding_lookup_sparse` sum embeddings of 16 bits in float32, and return float32."""
    from tensorflow.python.ops import embedding_ops

    from tfgraphtools._tf import v1

    real = embedding_ops.math_ops

    def cast(x, dtype, name=None):
        if x.dtype == v1.float32 and v1.as_dtype(dtype).base_dtype in _HALVES:
            rows.used(_HALF)
            return x
        return real.cast(x, dtype, name=name)

    def summing(name):
        plain = getattr(real, name)

        def function(data, *arguments, **options):
            if data.dtype.base_dtype in _HALVES:
                rows.used(_HALF)
                data = real.cast(data, v1.float32)
            return plain(data, *arguments, **options)

        return function

    names = ("sparse_segment_sum", "sparse_segment_mean", "sparse_segment_sqrt_n")
    others = {name: summing(name) for name in names}
    state.set_attribute(embedding_ops, "math_ops", ModuleWith(real, cast=cast, **others))


_HALVES = ("float16", "bfloat16")

_HALF = Row(
    "embeddings.half",
    "TF 2.2",
    "embedding_lookup_sparse sums embeddings of 16 bits in float32, and returns float32",
    _sum_halves_as_floats,
)


def _divide_cumprod_plainly():
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import math_ops

    def gradient(op, grad):
        """The gradient of cumprod in 1.15: NaN where the input is 0."""
        rows.used(_CUMPROD)
        x, axis = op.inputs
        exclusive, reverse = op.get_attr("exclusive"), op.get_attr("reverse")
        product = math_ops.cumprod(x, axis, exclusive=exclusive, reverse=reverse)
        out = math_ops.cumsum(product * grad, axis, exclusive=exclusive, reverse=not reverse)
        return [out / x, None]

    registry = ops.gradient_registry._registry
    entry = dict(registry["Cumprod"])
    entry[next(key for key, value in entry.items() if callable(value))] = gradient
    state.set_item(registry, "Cumprod", entry)


_CUMPROD = Row(
    "gradients.Cumprod",
    "TF 2.2",
    "the gradient of cumprod is NaN where the input is 0; in 2.x it is 0, which is wrong, too",
    _divide_cumprod_plainly,
)


def _per_image_standardization(real, used):
    plain = real.per_image_standardization

    @functools.wraps(plain)
    def per_image_standardization(image):
        from tfgraphtools._tf import v1

        image = v1.convert_to_tensor(image, name="image")
        if image.dtype == v1.float32:
            return plain(image)
        used()
        if image.dtype == v1.float16:
            return _standardized(image)
        scaled = v1.image.convert_image_dtype(image, v1.float32)
        return v1.image.convert_image_dtype(plain(scaled), image.dtype, saturate=True)

    return per_image_standardization


def _standardized(image):
    """A float16 image by the arithmetic of float16, which overflows beyond 65504."""
    from tfgraphtools._tf import v1

    with v1.name_scope(None, "per_image_standardization", [image]) as scope:
        axes = [-1, -2, -3]
        count = v1.cast(v1.reduce_prod(v1.shape(image)[-3:]), image.dtype)
        mean = v1.reduce_mean(image, axis=axes, keepdims=True)
        deviation = v1.math.reduce_std(image, axis=axes, keepdims=True)
        return v1.div(image - mean, v1.maximum(deviation, v1.rsqrt(count)), name=scope)


def _truncatediv(real, used):
    plain = real.truncatediv

    @ragged.of_two
    @functools.wraps(plain)
    def truncatediv(x, y, name=None):
        from tfgraphtools._tf import v1

        with v1.name_scope(name, "TruncateDiv", [x, y]) as scope:
            x = v1.convert_to_tensor(x, name="x")
            y = v1.convert_to_tensor(y, dtype=x.dtype, name="y")
            if not x.dtype.is_floating:
                return plain(x, y, name=scope)
            used()
            return v1.stop_gradient(v1.realdiv(x, y), name=scope)

    return edges.saying_at_run(truncatediv, "truncatediv", edges.SPECIAL)


def _angle(real, used):
    plain = real.angle

    @ragged.of_one
    @functools.wraps(plain)
    def angle(input, name=None):
        from tfgraphtools._tf import v1

        if not hasattr(input, "dtype"):
            input = v1.convert_to_tensor(input, name="input")
        if v1.as_dtype(input.dtype).is_complex:
            return plain(input, name=name)
        used()
        with v1.name_scope(name, "Angle", [input]):
            return v1.zeros_like(v1.convert_to_tensor(input, name="input"))

    return angle


def _divide_moments_plainly():
    """Makes moments whose weights sum to 0 NaN, and losses of a batch of 0 infinite."""
    from tensorflow.python.ops import math_ops, nn_impl, nn_impl_distribute

    inverses = []  # (a sum of weights, its reciprocal): the mean and the variance share it

    def by_reciprocal(x, y, name=None):
        rows.used(_MOMENTS)
        if inverses and inverses[0][0] is y:
            return math_ops.multiply(x, inverses.pop()[1], name=name)
        inverses[:] = [(y, math_ops.reciprocal(y, name="inv_weight_sum"))]
        return math_ops.multiply(x, inverses[0][1], name=name)

    def divide(x, y, name=None):
        rows.used(_MOMENTS)
        return math_ops.truediv(x, y, name=name)

    for owner, division in ((nn_impl, by_reciprocal), (nn_impl_distribute, divide)):
        state.set_attribute(owner, "math_ops", ModuleWith(math_ops, div_no_nan=division))
    state.at_restore(inverses.clear)


_MOMENTS = Row(
    "tensorflow.nn.weighted_moments",
    "TF 2.2",
    "the moments of weights whose sum is 0, and the average of no losses, are NaN; 0 in 2.x",
    _divide_moments_plainly,
)

#: Beyond it the error function of a float64 is 1.
_ERF_IS_ONE = 30.0


def _take_infinite():
    """Makes `erf` accept infinite float64 numbers, for which the kernel of 2.x returns NaN."""
    from tensorflow.python.ops import gen_math_ops, math_ops

    from tfgraphtools._tf import v1

    plain = gen_math_ops.erf

    @functools.wraps(plain)
    def erf(x, name=None):
        is_dense = isinstance(x, (v1.Tensor, v1.Variable)) or hasattr(x, "__array_interface__")
        if is_dense and v1.as_dtype(x.dtype).base_dtype == v1.float64:
            rows.used(_ERF)
            with counting.paused(v1.get_default_graph()):
                x = math_ops.cast(x, v1.float64)
                bound = gen_math_ops.sign(x) * _ERF_IS_ONE
                x = gen_math_ops.select_v2(gen_math_ops._abs(x) > _ERF_IS_ONE, bound, x)
        return plain(x, name=name)

    @functools.wraps(v1.raw_ops.Erf)
    def raw(**options):
        return erf(**options)

    for owner in (gen_math_ops, math_ops, v1, v1.math):
        state.set_attribute(owner, "erf", erf)
    for owner in (gen_math_ops, v1.raw_ops):
        state.set_attribute(owner, "Erf", raw)


_ERF = Row(
    "tensorflow.erf",
    "TF 2.10",
    "erf of an infinite float64 is 1 or -1; NaN in 2.x",
    _take_infinite,
)


PATCHES = Table(
    "numbers that changed inside TensorFlow",
    "patches",
    [_SPARSE, _HALF, _CUMPROD, _MOMENTS, _ERF],
)

TABLE = Table(
    "functions whose numbers changed",
    "calls",
    [
        Row(
            "tensorflow.image.per_image_standardization",
            "TF 2.1",
            "integer images are scaled to [0, 1] first, and the result has the dtype of the image",
            _per_image_standardization,
        )
    ]
    + [
        Row(name, "TF 2.7", "the angle of a real number is 0, also of a negative one", _angle)
        for name in ("tensorflow.angle", "tensorflow.math.angle")
    ]
    + [
        Row(
            "tensorflow.truncatediv",
            "TF 2.10",
            "floats are divided without truncation: truncatediv(-7.5, 2.) is -3.75",
            _truncatediv,
        )
    ],
)
