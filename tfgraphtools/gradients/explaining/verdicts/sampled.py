"""Gradients in runs with numbers drawn at random: what rules call zero may be NaN, or a number."""

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1

_MOST_OPS, _MOST_ELEMENTS, _MOST_MILLISECONDS = 1000, 1_000_000, 2000
_UNKNOWN_LENGTH = 2
#: Stateful ops that may run in a copy: their state lives there.
_WITHIN_A_RUN = ("Assert", "Stack", "TensorArray", "TensorList")
#: Ops that make an infinite or undefined number of a finite one.
_POLES = frozenset(
    [
        "Acosh", "Atanh", "Cosh", "Digamma", "Div", "Exp", "Expm1", "Inv", "InvGrad", "Lgamma",
        "Log", "Log1p", "Polygamma", "Pow", "RealDiv", "Reciprocal", "ReciprocalGrad", "Rsqrt",
        "RsqrtGrad", "Sinh", "Sqrt", "SqrtGrad", "Xdivy", "Xlogy", "Zeta",
    ]
)  # fmt: skip
#: How the runs draw the numbers of variables and placeholders.
_DRAWS = (
    lambda random, shape: random.uniform(0.5, 1.5, shape),
    lambda random, shape: random.uniform(2.0, 3.0, shape),
    lambda random, shape: random.normal(size=shape),
)


def is_never_finite(gradient, seed):
    """Tells whether a gradient is NaN or infinite in runs with different numbers.

    False also where such runs are not possible.

    Args:
      gradient: a tensor or IndexedSlices of a graph that is thrown away.
      seed: the placeholder that the backward pass starts from.
    """
    values = _values(gradient, seed, _POLES)
    return bool(values) and not any(np.all(np.isfinite(value)) for value in values)


def is_ever_nonzero(gradient, seed):
    """Tells whether a gradient is a number other than zero in a run; see `is_never_finite`."""
    values = _values(gradient, seed) or []
    return any(np.any(np.isfinite(value) & (value != 0)) for value in values)


def _values(gradient, seed, types=None):
    """Returns the values of a gradient in some runs; None where no runs are possible.

    Args:
      types: the types of ops of which one must be there; any ops if None.
    """
    values = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
    if len(_tf.upstream_ops([values])) > _MOST_OPS:
        return None
    try:
        definition = v1.graph_util.extract_sub_graph(seed.graph.as_graph_def(), [values.op.name])
        for node in definition.node:  # tf.gradients starts so, too
            if node.name == seed.op.name and seed.shape.is_fully_defined():
                node.CopyFrom(_ones(seed))
        return _values_in_runs(definition, values.name, types)
    except Exception:  # pylint: disable=broad-except  # an op that fails outside of its own graph
        return None


def _ones(seed):
    node = _tf.zeros_node(seed.op.name, seed)
    value = np.ones(seed.shape.as_list(), seed.dtype.as_numpy_dtype)
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value))
    return node


def _values_in_runs(definition, name, types):
    values = []
    with v1.Graph().as_default() as graph:
        v1.import_graph_def(definition, name="")
        ops = [op for op, _ in _tf.all_operations(graph)]
        has_types = types is None or any(op.type in types for op in ops)
        if len(ops) > _MOST_OPS or not has_types or not all(map(_may_run, ops)):
            return None
        feeds, assigns = _sources(graph)
        options = v1.RunOptions(timeout_in_ms=_MOST_MILLISECONDS)
        with _tf.plain_session(graph) as session:
            for number, draw in enumerate(_DRAWS):
                random = np.random.RandomState(number)
                feed = {source: _value(feeds[source], draw, random) for source in sorted(feeds)}
                session.run(assigns, feed, options=options)
                values.append(session.run(name, feed, options=options))
    return values


def _may_run(op):
    """Returns True for an op that leaves nothing behind when a copy of it runs."""
    if not _tf.is_stateful(op) or _tf.is_random(op) or op.type in _tf.CALLS:
        return True
    known = op.type in _tf.VARIABLES or op.type in _tf.RESOURCE_READERS
    return known or op.type.startswith(_WITHIN_A_RUN)


def _sources(graph):
    """Returns ({tensor to feed: (shape, dtype)}, ops that assign fed values to variables)."""
    feeds, assigns = {}, []
    for op in graph.get_operations():
        if op.type.startswith("Placeholder"):
            feeds[op.outputs[0].name] = op.outputs[0].shape, op.outputs[0].dtype.base_dtype
        elif op.type in _tf.VARIABLES:
            dtype = tf.as_dtype(op.get_attr("dtype"))
            shape = tf.TensorShape(op.get_attr("shape"))
            value = v1.placeholder(dtype, shape)
            feeds[value.name] = shape, dtype
            if op.type == "VarHandleOp":
                write = tf.raw_ops.AssignVariableOp(resource=op.outputs[0], value=value)
            else:
                write = v1.assign(op.outputs[0], value).op
            assigns.append(write)
    return feeds, assigns


def _value(source, draw, random):
    """Returns numbers of a shape and dtype: random floats, zeros for integers, or True."""
    shape, dtype = source
    lengths = [_UNKNOWN_LENGTH if length is None else length for length in shape.as_list()]
    if np.prod(lengths) > _MOST_ELEMENTS:
        raise ValueError("too many elements")
    if dtype.is_bool:
        return np.ones(lengths, bool)
    if dtype.is_integer:
        return np.zeros(lengths, dtype.as_numpy_dtype)
    return np.asarray(draw(random, lengths), dtype.as_numpy_dtype)
