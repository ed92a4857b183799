"""Which way to freeze a variable is the fastest one that is exact for it."""

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training.freezing import compact as _compact
from tfgraphtools.training.freezing import locks as _locks
from tfgraphtools.training.freezing import updates as _updates
from tfgraphtools.training.freezing import ways as _ways
from tfgraphtools.training.steps import optimizers as _optimizers

#: Optimizers whose update by a sparse gradient changes no row but its own.
#: (Adam is not one of them: all rows go on by their moments.)
_ROW_LOCAL = (
    v1.train.AdadeltaOptimizer,
    v1.train.AdagradDAOptimizer,
    v1.train.AdagradOptimizer,
    v1.train.FtrlOptimizer,
    v1.train.GradientDescentOptimizer,
    v1.train.MomentumOptimizer,
    v1.train.ProximalAdagradOptimizer,
    v1.train.ProximalGradientDescentOptimizer,
    v1.train.RMSPropOptimizer,
)

#: Optimizers whose dense update is one kernel that writes variable and slots in place.
_CORE = _ROW_LOCAL + (v1.train.AdamOptimizer,)

_ROW_SIZE = 16  # elements from which on a row is worth an index


def inside(optimizer, grad, variable, mask, slots, fused):
    """The way inside the optimizer's update of the variable, or None.

    Args:
      optimizer: what is wrapped, wrappers included.
      grad, variable: one pair of the step.
      mask: the variable's `VariableMask`.
      slots: what happens to frozen elements of slots.
      fused: True if XLA may be used.
    """
    if fused:
        _check_fused(optimizer, grad, variable, slots)
        return _updates.Fused(mask)
    if slots != "keep" or not _only_hooks_change(optimizer, variable):
        return None
    if mask.is_scalar:
        return _updates.Skip(mask)
    if _tf.is_mirrored(variable):  # the variables of the other ways would be mirrored too
        return None
    array, sparse = mask.array(), isinstance(grad, tf.IndexedSlices)
    if array is not None and not sparse and _compact.Compact.fits(array):
        return _compact.Compact(array)
    if _locks.is_on_server(variable) and not (sparse and _is_row_local(optimizer)):
        return _updates.Beside(mask)
    return None


def around(optimizer, grad, variable, mask):
    """The way around the whole step that puts the frozen elements back."""
    hooks_only = _only_hooks_change(optimizer, variable)
    if isinstance(grad, tf.IndexedSlices) and hooks_only and _is_row_local(optimizer):
        return _ways.TouchedRows(mask, grad)
    row_size = (variable.shape.num_elements() or 0) // max(1, (variable.shape.as_list() or [1])[0])
    array = mask.array()
    in_place = hooks_only and _is_updated_in_place(optimizer, grad, variable)
    few_rows = array is None or array.mean() <= _ways.Rows.MOST
    if mask.is_of_rows and row_size >= _ROW_SIZE and few_rows:
        return _ways.Rows(mask, in_place)
    if array is not None and not mask.is_scalar and array.mean() <= _ways.Elements.MOST:
        return _ways.Elements(array, in_place)
    return _ways.Copy(mask)


def compact_slots(optimizer, grad, variable, mask, small):
    """The way that keeps slots for the trainable elements alone.

    Args:
      optimizer, grad, variable, mask: as for `inside`.
      small: what an earlier step of the variable has as `CompactSlots.small`, or None.

    Raises:
      OptimizerKindError: it is not to be had for this variable.
    """
    array = mask.array()
    reasons = [
        (array is None, "a mask known only when a step runs"),
        (array is not None and array.all(), "a variable without a trainable element"),
        (isinstance(grad, tf.IndexedSlices), "a sparse gradient"),
        (_tf.is_mirrored(variable), "a variable with a copy in every replica"),
        (not _only_hooks_change(optimizer, variable), "an update that no hook makes"),
    ]
    _check(
        f"FreezeOptimizer slots='compact' for {_select.listing([variable])}",
        "an array with trainable elements, and a dense gradient",
        reasons,
        "Use slots='keep', which freezes under any mask.",
    )
    return _compact.CompactSlots(array, variable, small)


def _only_hooks_change(optimizer, variable):
    """True if nothing but an optimizer's hook, which can be intercepted, changes the variable."""
    leaves = _optimizers.leaves(optimizer)
    wrappers = [one for one in _optimizers.chain(optimizer) if one not in leaves]
    return (
        _tf.components(variable)[0].constraint is None
        and all(getattr(one, "changes_nothing_itself", False) for one in wrappers)
        and all(type(one).apply_gradients is v1.train.Optimizer.apply_gradients for one in leaves)
    )


def _is_row_local(optimizer):
    return all(type(leaf) in _ROW_LOCAL for leaf in _optimizers.leaves(optimizer))


def _is_updated_in_place(optimizer, grad, variable):
    """True if after the step the variable and its slots are memory that nothing else shares.

    The kernels of the core optimizers copy what is shared before they write.
    """
    return (
        _tf.is_resource_variable(variable)
        and not isinstance(grad, tf.IndexedSlices)
        and variable.dtype.base_dtype in (tf.float16, tf.float32, tf.float64)
        and all(type(leaf) in _CORE for leaf in _optimizers.leaves(optimizer))
    )


def _check_fused(optimizer, grad, variable, slots):
    reasons = [
        (_tf.IS_TF1, "TF 1.15"),
        (not _tf.is_resource_variable(variable), "a ref variable"),
        (isinstance(grad, tf.IndexedSlices), "a sparse gradient"),
        (_tf.is_mirrored(variable), "a variable with a copy in every replica"),
        (slots != "keep", f"slots={slots!r}"),
        (not _only_hooks_change(optimizer, variable), "an update that no hook makes"),
    ]
    _check(
        f"FreezeOptimizer fused=True for {_select.listing([variable])}",
        "a dense gradient of a resource variable on TF 2",
        reasons,
        "Leave fused out: the result is the same, and bit for bit the optimizer's own.",
    )


def _check(place, wanted, reasons, next_step):
    """Raises with all the reasons that hold."""
    found = [reason for holds, reason in reasons if holds]
    if found:
        raise OptimizerKindError(place, wanted, " and ".join(found), next_step)
