"""Functions whose result is the op that the call names, as in TF 1.15.

``tf.random_uniform(shape, name="z")`` made ``z:0``, by which scripts feed it or find it in a frozen
graph; 2.x makes ``z/RandomUniform:0`` alone.
"""

import functools
import importlib
import inspect

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.seeds import counting


def _ending_in_own_name(function):
    """The function of a module, whose result gets the name of the scope that it has opened."""

    def provide(real, used):
        plain = getattr(real, function)
        signature = inspect.signature(plain)

        @functools.wraps(plain)
        def named(*arguments, **options):
            from tfgraphtools._tf import v1

            result = plain(*arguments, **options)
            if not isinstance(result, v1.Tensor) or v1.executing_eagerly():
                return result
            scope = _opened_scope(result.op)
            if scope is None:
                return result
            if signature.bind(*arguments, **options).arguments.get("name") is not None:
                used()
            with counting.paused(result.graph):
                return v1.identity(result, name=scope + "/")

        return named

    return provide


def _opened_scope(op):
    """The name of the scope that a call opened around its last op, or None."""
    outer = op.graph.get_name_scope()
    before = outer + "/" if outer else ""
    if not op.name.startswith(before):
        return None
    opened, _, rest = op.name[len(before) :].partition("/")
    return before + opened if rest else None


def _op_of(module, function):
    """A function that was an op in 1.15; today's opens a scope around the op."""

    def provide(real, used):
        plain = getattr(real, function)

        @functools.wraps(plain)
        def named(*arguments, **options):
            from tensorflow.python.framework import composite_tensor

            if any(isinstance(one, composite_tensor.CompositeTensor) for one in arguments):
                return plain(*arguments, **options)
            if inspect.signature(plain).bind(*arguments, **options).arguments.get("name"):
                used()
            ops = importlib.import_module("tensorflow.python.ops." + module)
            return getattr(ops, function)(*arguments, **options)

        return named

    return provide


def _reduce_logsumexp(real, used):
    plain = real.reduce_logsumexp
    signature = inspect.signature(plain)

    @functools.wraps(plain)
    def reduce_logsumexp(*arguments, **options):
        from tfgraphtools._tf import v1

        result = plain(*arguments, **options)
        if not isinstance(result, v1.Tensor) or v1.executing_eagerly():
            return result
        if signature.bind(*arguments, **options).arguments.get("name"):
            used()
        with counting.paused(result.graph):
            return v1.identity(result, name=result.op.name + "/Add/")

    return reduce_logsumexp


def _linspace(real, used):
    plain = real.linspace

    @functools.wraps(plain)
    def linspace(start, stop, num, name=None, axis=0):
        from tensorflow.python.ops import gen_math_ops

        from tfgraphtools._tf import v1

        is_old = axis == 0 and _is_float(start) and _is_float(stop)
        if v1.executing_eagerly() or not is_old:
            return plain(start, stop, num, name=name, axis=axis)
        used()
        return gen_math_ops.lin_space(start, stop, num, name=name)

    return linspace


def _is_float(end):
    """Whether 1.15's op takes it; no op is created to find out."""
    import numpy as np

    from tfgraphtools._tf import v1

    if isinstance(end, (v1.Tensor, v1.Variable)):
        return end.dtype.base_dtype.is_floating and end.shape.rank in (None, 0)
    return np.ndim(end) == 0 and np.asarray(end).dtype.kind == "f"


_UNIFORM = "random_uniform(..., name='z') gives z:0; z/RandomUniform:0 in 2.x"
_TENSORDOT = "tensordot(..., name='t') gives t:0; t/MatMul:0 in 2.x"
_OPS = "{0}(..., name='f') gives f:0, as in 1.15"
_SUM = "reduce_logsumexp(..., name='s') gives s/Add:0, as in 1.15, and s:0"
_LINSPACE = "linspace of scalars is one op, linspace:0 with name='linspace'; made of several in 2.x"

TABLE = Table(
    "functions whose result has the name that the call gives",
    "calls",
    [
        Row(name, since, why, provide)
        for names, since, why, provide in (
            (
                "tensorflow.random_uniform",
                "TF 2.0",
                _UNIFORM,
                _ending_in_own_name("random_uniform"),
            ),
            ("tensorflow.random.uniform", "TF 2.0", _UNIFORM, _ending_in_own_name("uniform")),
            (
                "tensorflow.tensordot tensorflow.linalg.tensordot",
                "TF 2.0",
                _TENSORDOT,
                _ending_in_own_name("tensordot"),
            ),
            *(
                ("tensorflow.math." + op, "TF 2.2", _OPS.format(op), _op_of(module, op))
                for op, module in (
                    ("xdivy", "gen_math_ops"),
                    ("bessel_i0e", "gen_special_math_ops"),
                    ("bessel_i1e", "gen_special_math_ops"),
                )
            ),
            (
                "tensorflow.reduce_logsumexp tensorflow.math.reduce_logsumexp",
                "TF 2.2",
                _SUM,
                _reduce_logsumexp,
            ),
            ("tensorflow.linspace tensorflow.lin_space", "TF 2.0", _LINSPACE, _linspace),
        )
        for name in names.split()
    ],
)
