"""``tf.math``: sums, quotients and products."""

import numbers
import operator

from tfgraphtools.compat.engine.rewrite_kinds import Call
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.tensorflow.name_scope import has_name, named_result
from tfgraphtools.compat.seeds import counting


@in_place_of(
    "tensorflow.add tensorflow.math.add",
    "TF 2.6",
    "builds an op Add, which gradient_override_map({'Add': ...}) finds; 2.x builds AddV2",
)
def _add(original, used, x, y, name=None):
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import gen_math_ops
    from tensorflow.python.ops.ragged import ragged_tensor

    if ragged_tensor.is_ragged(x) or ragged_tensor.is_ragged(y):
        return original(x, y, name=name)
    if "Add" in ops.get_default_graph()._gradient_override_map:
        used()
    return gen_math_ops.add(x, y, name=name)


@in_place_of(
    "tensorflow.divide tensorflow.math.divide",
    "TF 2.2",
    "arrays and numbers are not converted to tensors, as in 1.15",
)
def _divide(original, used, x, y, name=None):
    """Divides what is no tensor as Python does. Source: ``math_ops.divide`` of TF 1.15."""
    from numpy import ndarray

    from tfgraphtools.compat.fixes.numpy.arithmetic import promotion

    if name is None and all(isinstance(value, (ndarray, numbers.Number)) for value in (x, y)):
        used()
        return promotion.binary(operator.truediv, "Div")(x, y)
    return original(x, y, name)


_tensordot = in_place_of(
    "tensorflow.tensordot tensorflow.linalg.tensordot",
    "TF 2.0",
    "tensordot(..., name='t') gives t:0; t/MatMul:0 in 2.x",
)(named_result)


@in_place_of(
    "tensorflow.reduce_logsumexp tensorflow.math.reduce_logsumexp",
    "TF 2.2",
    "reduce_logsumexp(..., name='s') gives s/Add:0, as in 1.15, and s:0",
)
def _reduce_logsumexp(original, used, *arguments, **options):
    from tfgraphtools._tf import v1

    result = original(*arguments, **options)
    if not isinstance(result, v1.Tensor) or v1.executing_eagerly():
        return result
    if has_name(original, arguments, options):
        used()
    with counting.paused(result.graph):
        return v1.identity(result, name=result.op.name + "/Add/")


@in_place_of(
    "tensorflow.linspace tensorflow.lin_space",
    "TF 2.0",
    "linspace of scalars is one op, linspace:0 with name='linspace'; made of several in 2.x",
)
def _linspace(original, used, start, stop, num, name=None, axis=0):
    from tensorflow.python.ops import gen_math_ops

    from tfgraphtools._tf import v1

    is_old = axis == 0 and _is_float(start) and _is_float(stop)
    if v1.executing_eagerly() or not is_old:
        return original(start, stop, num, name=name, axis=axis)
    used()
    return gen_math_ops.lin_space(start, stop, num, name=name)


def _is_float(end):
    """Tells whether 1.15's op takes it; no op is created to find out."""
    import numpy as np

    from tfgraphtools._tf import v1

    if isinstance(end, (v1.Tensor, v1.Variable)):
        return end.dtype.base_dtype.is_floating and end.shape.rank in (None, 0)
    return np.ndim(end) == 0 and np.asarray(end).dtype.kind == "f"


def _batch_matmul(real):
    def batch_matmul(x, y, adj_x=None, adj_y=None, name=None):
        return real.matmul(x, y, adjoint_a=bool(adj_x), adjoint_b=bool(adj_y), name=name)

    return batch_matmul


_BATCH_MATMUL = Fix(
    "tensorflow.batch_matmul",
    "TF 1.0",
    "is matmul with adj_x and adj_y",
    _batch_matmul,
    Call(
        "tensorflow.compat.v1.matmul",
        {"x": "a", "y": "b", "adj_x": "adjoint_a", "adj_y": "adjoint_b"},
        ("", "", "adjoint_a", "adjoint_b", "name"),
        "tfgraphtools.tf1.batch_matmul",
    ),
)

TABLES = (
    Table(
        "functions of numbers",
        "calls",
        [*_add, *_divide, *_tensordot, *_reduce_logsumexp, *_linspace],
    ),
    Table("products from before 1.0", "names", [_BATCH_MATMUL]),
)
