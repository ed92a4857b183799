"""Special functions at their poles, and at infinity, as TF 1.15 computed them.

At 0, -1, -2... 2.x returns NaN if the sign of the infinity depends on the side; 1.15 returned
inf. Beyond the range of floats 1.15 returned NaN, and 2.x returns the limit.

Source: Eigen's ``digamma_impl``, ``zeta_impl`` and ``polygamma_impl`` as of 1.15, and
its ``bessel_i0``, ``bessel_i1`` and their gradients.
"""

import functools
import math

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.behaviour import extremes
from tfgraphtools.compat.fixes.tensorflow.behaviour.shapes import ragged
from tfgraphtools.compat.seeds import counting


def _is_pole(x):
    from tfgraphtools._tf import v1

    return v1.logical_and(x <= 0, v1.equal(x, v1.floor(x)))


def _is_lost(base, exponent):
    """Whether all summands ``base ** -exponent`` are 0, so that 1.15 computed 0 times infinity."""
    from tfgraphtools._tf import v1

    vanishes = v1.logical_and(base > 0, v1.equal(v1.pow(base, -exponent), 0))
    overflows = v1.logical_or(v1.is_inf(base), exponent > _overflow(base.dtype))
    return v1.logical_and(vanishes, overflows)


@functools.lru_cache(maxsize=None)
def _overflow(dtype):
    """The largest x for which ``x (x + 1) ... (x + 22)``, a factor of the series, is finite."""
    low, high, most = 1.0, 1e20, math.log(float(dtype.max))
    while high - low > 1e-6 * low:
        middle = (low + high) / 2
        is_finite = sum(math.log(middle + k) for k in range(23)) < most
        low, high = (middle, high) if is_finite else (low, middle)
    return low


def _chosen(condition, instead, result):
    """`instead` where the condition holds; the gradient is always that of `result`."""
    from tfgraphtools._tf import v1

    if v1.executing_eagerly():
        chosen = v1.where_v2(condition, v1.cast(instead, result.dtype), result)
        return v1.custom_gradient(lambda result: (chosen, lambda gradient: gradient))(result)
    through = {"SelectV2": extremes.gradient_through()}
    with v1.get_default_graph().gradient_override_map(through):
        return v1.where_v2(condition, v1.cast(instead, result.dtype), result)


def _digamma(result, x):
    return _chosen(_is_pole(x), float("inf"), result)


def _zeta(result, x, q):
    from tfgraphtools._tf import v1

    result = _chosen(v1.logical_and(_is_pole(q), x > 1), float("inf"), result)
    return _chosen(v1.logical_and(x > 1, _is_lost(q, x)), float("nan"), result)


def _polygamma(result, a, x):
    from tfgraphtools._tf import v1

    is_whole = v1.logical_and(a >= 0, v1.equal(a, v1.floor(a)))
    is_negative = v1.logical_and(a > 0, v1.equal(v1.floormod(a, 2), 0))
    limit = v1.where_v2(is_negative, v1.cast(float("-inf"), a.dtype), float("inf"))
    result = _chosen(v1.logical_and(is_whole, _is_pole(x)), limit, result)
    is_series = v1.logical_and(is_whole, a > 0)
    return _chosen(v1.logical_and(is_series, _is_lost(x, a + 1)), float("nan"), result)


#: The functions, and the names of their inputs.
_INPUTS = {"digamma": ("x",), "zeta": ("x", "q"), "polygamma": ("a", "x")}


def _restore_poles():
    for name, restore in (("digamma", _digamma), ("zeta", _zeta), ("polygamma", _polygamma)):
        _restore(name, restore)
    _replace_gradient("BesselI1e", _gradient_of_bessel_i1e)


def _restore(name, restore):
    """Makes `restore` change the result of the op of this name."""
    from tensorflow.python.ops import gen_math_ops, math_ops

    from tfgraphtools._tf import v1

    plain, inputs = getattr(gen_math_ops, name), _INPUTS[name]

    @functools.wraps(plain)
    def function(*arguments, **options):
        rows.used(_POLES)
        given = dict(zip((*inputs, "name"), arguments), **options)
        with v1.name_scope(given.pop("name", None), name.title()) as scope:
            result = plain(**given)
        with counting.paused(v1.get_default_graph()), v1.name_scope(name + "_poles"):
            tensors = [v1.convert_to_tensor(given[x], result.dtype) for x in inputs]
            return v1.identity(restore(result, *tensors), name=scope)

    if len(inputs) == 1:
        function = ragged.of_one(function)
    for owner in (gen_math_ops, math_ops, v1, v1.math):
        if hasattr(owner, name):
            state.set_attribute(owner, name, function)


def _bessel(name):
    def provide(real, used):
        plain = getattr(real, name)

        @functools.wraps(plain)
        def bessel(x, name=None):
            from tfgraphtools._tf import v1

            used()
            with v1.name_scope(name, plain.__name__, [x]):
                scaled = getattr(v1.math, plain.__name__ + "e")
                return v1.exp(v1.abs(x)) * scaled(x)

        return bessel

    return provide


def _replace_gradient(kind, gradient):
    from tensorflow.python.framework import ops

    registry = ops.gradient_registry._registry
    entry = dict(registry[kind])
    entry[next(key for key, value in entry.items() if callable(value))] = gradient
    state.set_item(registry, kind, entry)


def _gradient_of_bessel_i1e(op, grad):
    """The gradient of 1.15: 0.5 if the input is tiny or NaN."""
    from tfgraphtools._tf import v1

    rows.used(_POLES)
    x, y = op.inputs[0], op.outputs[0]
    with v1.control_dependencies([grad]):
        tiny = v1.constant(_epsilon(x.dtype), x.dtype)
        is_large = v1.abs(x) > tiny
        safe = v1.where_v2(is_large, x, tiny)
        slope = v1.math.bessel_i0e(safe) - y * (v1.sign(safe) + v1.math.reciprocal(safe))
        half = v1.constant(0.5, x.dtype)
        return v1.math.multiply_no_nan(v1.where_v2(is_large, slope, half), grad)


def _epsilon(dtype):
    import numpy as np

    return np.finfo(dtype.as_numpy_dtype).eps


_POLES = Row(
    "special_functions.poles",
    "TF 2.4",
    "digamma, zeta and polygamma are infinite at a pole and NaN beyond the range of floats; 2.x "
    "does the reverse. The gradient of bessel_i1e at 0 is 0.5",
    _restore_poles,
)


def _differentiate_abs():
    from tfgraphtools._tf import v1

    def gradient(op, grad):
        """The gradient of 1.15, in which the sign of NaN is 0."""
        x = op.inputs[0]
        sign = v1.sign(x)
        if x.dtype.is_floating:
            rows.used(_ABS)
            with counting.paused(v1.get_default_graph()):
                sign = v1.where_v2(v1.is_nan(x), v1.zeros([], x.dtype), sign)
        return grad * sign

    _replace_gradient("Abs", gradient)


_ABS = Row(
    "gradients.Abs",
    "TF 2.5",
    "the gradient of abs is 0 where the input is NaN; NaN in 2.x",
    _differentiate_abs,
)

TABLE = Table(
    "special functions at their poles",
    "patches",
    [_POLES, _ABS],
)

CALLS = Table(
    "Bessel functions with the formulas of 1.15",
    "calls",
    [
        Row(
            "tensorflow.math." + name,
            "TF 2.4",
            "computed from the scaled function: the gradient at 0 is 0.5; 1 in 2.x",
            _bessel(name),
        )
        for name in ("bessel_i0", "bessel_i1")
    ],
)
