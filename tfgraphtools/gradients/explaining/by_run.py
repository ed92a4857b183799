"""Gradients that no run can change but by the seed: one run tells whether they are zero.

A backward pass is linear in the seed. Where its coefficients are constants (x - x, a slice
that leaves x out, a padding), it gives zeros for a random seed only if it always does.
"""

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1

_MOST_OPS, _MOST_ELEMENTS = 1000, 100_000
#: Stateful ops whose state lives in one run.
_WITHIN_A_RUN = ("TensorArray", "Stack")


def is_always_zero(gradient, seed, free):
    """True if a gradient is zero for every seed, by a run; False where a run cannot tell.

    Args:
      gradient: tensor or IndexedSlices of a graph that is thrown away.
      seed: the placeholder that the backward pass starts from.
      free: the names of the ops that depend on an x.
    """
    if isinstance(gradient, tf.IndexedSlices):
        gradient = gradient.values
    size = seed.shape.num_elements()
    ops = _tf.upstream_ops([gradient], controls=True)
    if size is None or size > _MOST_ELEMENTS or len(ops) > _MOST_OPS:
        return False
    if any(op.name in free or not _is_constant(op) for op in ops - {seed.op}):
        return False
    draw = np.random.RandomState(0).uniform(0.5, 1.5, seed.shape.as_list())
    try:
        value = _run(gradient, seed, draw.astype(seed.dtype.as_numpy_dtype))
    except Exception:  # pylint: disable=broad-except  # an op that fails outside of its own graph
        return False
    return value.size > 0 and not np.any(value)


def _run(gradient, seed, value):
    """The value of the gradient, in a graph of its own: a body's graph has no sessions."""
    whole = seed.graph.as_graph_def()
    part = v1.graph_util.extract_sub_graph(whole, [gradient.op.name])
    with v1.Graph().as_default() as graph:
        v1.import_graph_def(part, name="")
        with v1.Session(graph=graph) as session:
            return session.run(gradient.name, {seed.name: value})


def _is_constant(op):
    """True if no run can change what an op does, the bodies that it calls included."""
    if op.type.startswith("Placeholder"):
        return False
    names = _tf.called_names(op)
    if not names:
        return not _tf.is_stateful(op) or op.type.startswith(_WITHIN_A_RUN)
    for name in names:
        body = _tf.function_graph(op.graph, _tf.function_definition(op.graph, name))
        arguments = {argument.op for argument in body.inputs}
        if not all(_is_constant(one) for one in body.get_operations() if one not in arguments):
            return False
    return True
