"""The choice of one pass over memory for what a wrapper does beside the optimizer's update."""

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training.steps import variable_locks as _locks

#: Elements of a variable from which on the time that XLA compiles is soon won back.
LEAST = 1 << 20

#: What ``fused=`` may be.
CHOICES = (None, True, False)


def is_used(fused, variable, place, sparse=False):
    """Tells whether a variable is changed in one pass.

    Args:
      fused: the user's choice; None: where it pays, and is exact.
      variable: that is changed.
      place: the wrapper, to name in an error.
      sparse: True if only some rows change.

    Raises:
      OptimizerKindError: it was asked for and cannot be.
    """
    if fused is False:
        return False
    reasons = _reasons(variable, sparse)
    if fused is None:
        is_large = not reasons and variable.shape.num_elements() >= LEAST
        return is_large and not _tf.has_accelerator()
    if reasons:
        raise OptimizerKindError(
            f"{place} fused=True for {_select.listing([variable])}",
            "a resource variable of float32 or float64 on TF 2, all of whose elements change",
            " and ".join(reasons),
            "Leave fused out: the result is the same.",
        )
    return True


def is_in_place(variable):
    """Tells whether a kernel can change a variable by its own value in place, in one pass.

    The value of a ref variable is its memory; a resource variable is copied before the kernel
    writes, as the value shares it.
    """
    dtype = variable.dtype.base_dtype
    is_ref = not _tf.is_mirrored(variable) and not _tf.is_resource_variable(variable)
    return is_ref and dtype in (tf.float32, tf.float64)


def _reasons(variable, sparse):
    """Returns why a variable cannot be changed in one pass, in words."""
    if _tf.IS_TF1:
        return ["TF 1.15"]
    first = _tf.components(variable)[0]
    dtype = first.dtype.base_dtype
    reasons = [
        (not _tf.is_resource_variable(first), "a ref variable"),
        (_tf.is_mirrored(variable), "a variable with a copy in every replica"),
        (dtype not in _tf.ONE_PASS_DTYPES, dtype.name),
        (not first.shape.is_fully_defined(), "a variable of unknown shape"),
        (_locks.is_on_server(first), "a variable on a server"),
        (sparse, "a gradient of some rows"),
        (_tf.is_in_v1_loop(), "a step inside a loop of control flow v1"),
    ]
    return [reason for holds, reason in reasons if holds]
