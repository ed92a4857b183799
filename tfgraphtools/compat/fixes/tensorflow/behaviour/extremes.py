"""Maxima and minima of arrays with NaN: 1.15 left NaN out, and 2.x gives NaN.

Measured on 1.15.5 on the CPU: the reductions drop every NaN (of NaN alone they give -inf
or inf), at any place and of any size, except where each result has one element to look
at, which is copied. Two ops before the reduction do the same.
"""

import functools

from tfgraphtools.compat.engine.rows import Row, Table


def _dropping(name):
    """reduce_max or reduce_min that leaves out NaN."""
    worst = float("-inf" if name.endswith("max") else "inf")

    def provide(real, used):
        plain = getattr(real, name)

        @functools.wraps(plain)
        def reduce(input_tensor, axis=None, *arguments, **options):
            from tfgraphtools._tf import v1

            given = options.get("reduction_indices") if axis is None else axis
            x = v1.convert_to_tensor(input_tensor)
            if x.dtype.is_floating and _has_more_than_one(x.shape, given):
                used()
                x = _without_nan(x, worst, name)
            return plain(x, axis, *arguments, **options)

        return reduce

    return provide


def _has_more_than_one(shape, axis):
    """Whether a result may have several elements to look at."""
    if shape.ndims is None:
        return True
    try:
        axes = range(shape.ndims) if axis is None else [axis] if isinstance(axis, int) else axis
        return any(shape.as_list()[one] != 1 for one in axes)
    except (TypeError, IndexError):  # a tensor, or no axis of it, which TensorFlow will say
        return True


def _without_nan(x, worst, name):
    from tfgraphtools._tf import v1
    from tfgraphtools.compat.seeds import counting

    graph = v1.get_default_graph()
    # Default seeds follow from the number of ops, so the gradient may make none, either.
    overridden = {"SelectV2": _gradient_without_ops()} if counting.is_installed() else {}
    with counting.paused(graph), v1.name_scope(name + "_without_nan"):
        with graph.gradient_override_map(overridden):
            return v1.where_v2(v1.is_nan(x), v1.constant(worst, x.dtype), x)


@functools.lru_cache(maxsize=None)
def _gradient_without_ops():
    """The name of a gradient that goes through: that of the reduction is zero at each NaN."""
    from tfgraphtools._tf import v1

    name = "TfgraphtoolsWithoutNan"
    v1.RegisterGradient(name)(lambda op, gradient: (None, None, gradient))
    return name


TABLE = Table(
    "maxima and minima of NaN",
    "calls",
    [
        Row(
            f"tensorflow.{module}{name}",
            "TF 2.5",
            "NaN is left out, as TF 1.15 did; 2.x gives NaN",
            _dropping(name),
        )
        for module in ("", "math.")
        for name in ("reduce_max", "reduce_min")
    ],
)
