"""Optimizers that see frozen elements move, or mix them with the others.

Restoring the frozen elements does not keep them out of the update of the others,
where that is computed from all of them: one NaN among them reaches all.
"""

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training.steps import optimizer_chain as _optimizers

#: Those whose state mixes the elements: none of it belongs to one of them.
_MIXED_STATE = ("GGTOptimizer", "ShampooOptimizer")

#: Those that scale the step of a variable by norms of the whole of it.
_WHOLE_NORMS = ("LARSOptimizer",)


def takes_norms(optimizers):
    """Tells whether frozen elements' gradients must be zeroed before one of these sees them."""
    return any(type(optimizer).__name__ in _WHOLE_NORMS for optimizer in optimizers)


def check_coupled(optimizer):
    """Warns where an optimizer `takes_norms`.

    Raises:
      OptimizerKindError: the optimizer cannot freeze single elements exactly.
    """
    for part in _optimizers.chain(optimizer):
        if hasattr(part, "_ema"):
            _refuse_averages(type(part).__name__)
    kinds = {type(leaf).__name__ for leaf in _optimizers.leaves(optimizer)}
    for kind in sorted(kinds.intersection(_MIXED_STATE)):
        raise OptimizerKindError(
            f"FreezeOptimizer around {kind}",
            "an optimizer that keeps the state of each element apart",
            "one that mixes all elements of a variable",
            "Freeze whole variables: PartitionOptimizer([..., Group('frozen', selector, None)]).",
        )
    norms = sorted(kinds.intersection(_WHOLE_NORMS))
    for kind in norms:
        v1.logging.warning(
            "FreezeOptimizer around %s: the norms that scale its steps are those of whole "
            "variables, frozen elements included (with gradients of zero).",
            kind,
        )


def _refuse_averages(kind):
    raise OptimizerKindError(
        f"FreezeOptimizer around {kind}",
        "an optimizer that does not read the variables after its step",
        "moving averages, which would take in frozen elements before they are put back",
        f"Put it around the whole: {kind}(FreezeOptimizer(...)).",
    )


def zeroed(grad, mask):
    """Returns the gradient with zeros where frozen, whatever it is there."""
    if isinstance(grad, tf.IndexedSlices):
        frozen = mask.gathered(grad.indices)
        values = _tf.select(frozen, tf.zeros_like(grad.values), grad.values)
        return tf.IndexedSlices(values, grad.indices, grad.dense_shape)
    if not tf.is_tensor(grad):
        raise OptimizerKindError(
            "FreezeOptimizer under a tf.distribute strategy",
            "an optimizer that keeps the elements of a variable apart",
            "one that scales its steps by norms of the whole",
            "Freeze whole variables: PartitionOptimizer([..., Group('frozen', selector, None)]).",
        )
    return _tf.select(mask.tensor(), tf.zeros_like(grad), grad)
