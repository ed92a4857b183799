"""Maxima, minima and signs of NaN: 1.15 left NaN out, and 2.x gives NaN.

Measured on 1.15.5 on the CPU, for float32 and float64, at any place and of any size:

- reductions drop every NaN (of NaN alone they give -inf or inf), except where each result
  has one element to look at, which is copied; so do the maxima and minima of segments;
- ``maximum(x, y)`` is ``y if x < y else x``: NaN in x stays, NaN in y is dropped;
- the sign of NaN is 0.

Two ops before the op of 2.x do the same. They are left out for what is known to hold no NaN.
"""

import functools

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.behaviour.shapes import ragged


def _dropping(name):
    """reduce_max or reduce_min that leaves out NaN."""

    def provide(real, used):
        plain = getattr(real, name)

        @functools.wraps(plain)
        def reduce(input_tensor, axis=None, *arguments, **options):
            from tfgraphtools._tf import v1

            if ragged.is_ragged(input_tensor):
                return plain(input_tensor, axis, *arguments, **options)
            given = options.get("reduction_indices") if axis is None else axis
            x = v1.convert_to_tensor(input_tensor)
            if x.dtype.is_floating and has_more_than_one(x.shape, given):
                used()
                x = _without_nan(x, _worst(name), name)
            return plain(x, axis, *arguments, **options)

        return reduce

    return provide


def has_more_than_one(shape, axis):
    """Whether a result may have several elements to look at."""
    if shape.ndims is None:
        return True
    try:
        axes = range(shape.ndims) if axis is None else [axis] if isinstance(axis, int) else axis
        return any(shape.as_list()[one] != 1 for one in axes)
    except (TypeError, IndexError):  # a tensor, or no axis of it, which TensorFlow will say
        return True


def _choosing(name):
    """maximum or minimum that drops NaN of its second argument."""

    def provide(real, used):
        plain = getattr(real, name)

        @ragged.of_two
        @functools.wraps(plain)
        def choose(x, y, name=None):
            from tfgraphtools._tf import v1

            if not _may_hold_nan(y):
                return plain(x, y, name)
            used()
            y = v1.convert_to_tensor(
                y, v1.as_dtype(x.dtype).base_dtype if v1.is_tensor(x) else None
            )
            graph = v1.get_default_graph()
            y = _without_nan(y, _worst(plain.__name__), plain.__name__, keeps_gradient=True)
            with graph.gradient_override_map(_gradient_of_given(plain.__name__.title())):
                return plain(x, y, name)

        return choose

    return provide


def _choosing_in_segments(name):
    """segment_max or segment_min that leaves out NaN, unless it is alone in its segment."""

    def provide(real, used):
        plain = getattr(real, name)

        @functools.wraps(plain)
        def reduce(data, segment_ids, name=None):
            from tfgraphtools._tf import v1

            x, ids = v1.convert_to_tensor(data), v1.convert_to_tensor(segment_ids)
            shape = x.shape
            if _may_hold_nan(x):
                used()
                x = _without_nan(x, _worst(plain.__name__), plain.__name__, unless=ids)
            result = plain(x, ids, name)
            if shape.rank and result.shape.rank is None:  # as the rank of the ids is
                result.set_shape([None, *shape[1:]])
            return result

        return reduce

    return provide


def _sign(real, used):
    @ragged.of_one
    @functools.wraps(real.sign)
    def sign(x, name=None):
        if _may_hold_nan(x):
            used()
            x = _without_nan(x, 0.0, "sign")
        return real.sign(x, name)

    return sign


def _worst(name):
    """What is not chosen by a function of this name unless there is nothing else."""
    return float("-inf" if "max" in name else "inf")


def _may_hold_nan(value):
    """Whether a value or tensor may hold NaN: not if it is known and holds none."""
    import numpy as np

    if hasattr(value, "values") and hasattr(value, "indices"):  # a sparse tensor
        return False
    dtype = getattr(value, "dtype", None)
    if hasattr(dtype, "is_floating"):
        if not dtype.is_floating:
            return False
        value = _known(value)
    try:
        return bool(np.isnan(np.asarray(value, np.float64)).any())
    except (TypeError, ValueError):  # unknown, or a list of tensors
        return True


def _known(tensor):
    """The constant value of a tensor, which may be fed nevertheless; None if it is unknown."""
    from tensorflow.python.framework import tensor_util

    graph = getattr(tensor, "graph", None)
    if graph is None:
        return tensor_util.constant_value(tensor)
    # The look at it forbids to feed it, and whatever it is computed from.
    before = graph._unfeedable_tensors
    graph._unfeedable_tensors = type(before)()
    try:
        return tensor_util.constant_value(tensor)
    finally:
        graph._unfeedable_tensors = before


def _without_nan(x, instead, name, keeps_gradient=False, unless=None):
    """`x` with another number for each NaN.

    Args:
      x: a tensor of floats, or what becomes one.
      instead: the number.
      name: of the function that drops NaN.
      keeps_gradient: whether the gradient of a NaN is that of the number.
      unless: the segments of the rows; NaN stays where a segment has one row.
    """
    from tfgraphtools._tf import v1
    from tfgraphtools.compat.seeds import counting

    graph = v1.get_default_graph()
    # Default seeds follow from the number of ops, so the gradient may make none, either:
    # that of the op behind is zero at each NaN.
    through = keeps_gradient or counting.is_installed()
    with counting.paused(graph), v1.name_scope(name + "_without_nan"):
        x = v1.convert_to_tensor(x)
        dropped = v1.is_nan(x)
        if unless is not None:
            dropped = v1.logical_and(dropped, v1.logical_not(_alone(unless, x)))
        with graph.gradient_override_map({"SelectV2": gradient_through()} if through else {}):
            return v1.where_v2(dropped, v1.constant(instead, x.dtype), x)


def _alone(ids, x):
    """Which rows are the only one of their segment; of a shape that broadcasts with `x`."""
    from tfgraphtools._tf import v1

    counts = v1.gather(v1.segment_sum(v1.ones_like(ids), ids), ids)
    ones = v1.ones_like(v1.shape(x)[1:])
    return v1.reshape(v1.equal(counts, 1), v1.concat([v1.shape(ids), ones], 0))


@functools.lru_cache(maxsize=None)
def gradient_through():
    """The name of a gradient that goes through to what was given."""
    from tfgraphtools._tf import v1

    name = "TfgraphtoolsWithoutNan"
    v1.RegisterGradient(name)(lambda op, gradient: (None, None, gradient))
    return name


def _gradient_of_given(kind):
    """{op type: gradient}: that of the op, of the numbers that were given, NaN among them.

    1.15 gives the gradient to y wherever ``x >= y`` is not true, as of NaN it is not.
    """
    from tfgraphtools._tf import v1

    if kind in v1.get_default_graph()._gradient_override_map:  # the user's own
        return {}
    return {kind: _registered_of_given(kind)}


@functools.lru_cache(maxsize=None)
def _registered_of_given(kind):
    from tensorflow.python.framework import ops

    from tfgraphtools._tf import v1

    name = f"Tfgraphtools{kind}OfGiven"

    @v1.RegisterGradient(name)
    def gradient(op, grad):
        return ops.gradient_registry.lookup(kind)(_Given(op), grad)

    return name


class _Given:
    """An op as it would be with the second input that was given, before NaN was dropped."""

    def __init__(self, op):
        maker = op.inputs[1].op
        self._op = op
        self.inputs = (op.inputs[0], maker.inputs[2] if maker.type == "SelectV2" else op.inputs[1])

    def __getattr__(self, name):
        return getattr(self._op, name)


def _rows(makers, names, why):
    return [
        Row(f"tensorflow.{module}{name}", "TF 2.5", why, makers(name))
        for module in ("", "math.")
        for name in names
    ]


TABLE = Table(
    "maxima and minima of NaN",
    "calls",
    [
        *_rows(
            _dropping,
            ("reduce_max", "reduce_min"),
            "ignores NaN, as in TF 1.15; NaN in 2.x",
        ),
        *_rows(
            _choosing,
            ("maximum", "minimum"),
            "ignores NaN in the second argument, as in TF 1.15; NaN in 2.x",
        ),
        *_rows(
            _choosing_in_segments,
            ("segment_max", "segment_min"),
            "ignores NaN, as in TF 1.15; in 2.x the result depends on the position of NaN",
        ),
        *_rows(
            lambda name: _sign, ("sign",), "the sign of NaN is 0, as in TF 1.15; in 2.x it is NaN"
        ),
    ],
)
