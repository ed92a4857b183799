"""The joint norm of gradients, as a tensor and as a summary."""

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training import _types
from tfgraphtools.training.transforming import transform_parts as _parts


def global_norm(pairs: _types.Pairs) -> tf.Tensor:
    """Returns the L2 norm of all gradients together, as `clip_by_global_norm` measures it.

    Adds ops to the graph and does nothing else. Rows that IndexedSlices name twice are summed
    first; a gradient of None does not count.

    Args:
      pairs: a list of (gradient, variable), as `compute_gradients` returns it.

    Returns:
      A scalar tensor: float32, or float64 where a gradient is float64.

    Example:
      >>> pairs = optimizer.compute_gradients(loss)
      >>> norm = global_norm(pairs)                 # before anything clips them
      >>> step = optimizer.apply_gradients(pairs)

    Raises:
      ArgumentError: something else than pairs, or gradients of integers.
    """
    pairs = _parts.of_graph(pairs, "global_norm(pairs)")
    with v1.name_scope("global_norm"):
        return _tf.Norm([grad for grad, _ in pairs if grad is not None]).value()


def summarize_global_norm(name: str = "gradients/global_norm") -> _types.Transform:
    """Writes the joint L2 norm of the gradients that reach it to a summary, and passes them on.

    Does nothing to the gradients. The summary goes into the collection of summaries: fetch
    ``tf.compat.v1.summary.merge_all()`` in the run of the step. Around an optimizer that
    does not step in each run, the norm is that of the gradients of the steps only, and the
    summary cannot be fetched in the other runs: use `global_norm` there.

    Args:
      name: of the summary.

    Example:
      >>> chain(summarize_global_norm("norm/before"), clip_by_global_norm(1.0))
    """

    @_parts.named("summarize_global_norm")
    def summarized(pairs):
        pairs = _parts.of_graph(pairs, "summarize_global_norm")
        v1.summary.scalar(name, global_norm(pairs))
        return pairs

    return summarized
