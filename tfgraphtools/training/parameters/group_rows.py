"""Groups as rows of a table: name, selector, rate and decay."""

import numbers
from typing import Callable, Optional, Sequence, Tuple

from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _types
from tfgraphtools.training.decay import DecoupledWeightDecayOptimizer
from tfgraphtools.training.partition import Group, PartitionOptimizer


def grouped(
    make: Callable[[_types.Scalar], v1.train.Optimizer],
    rows: Sequence[Tuple[str, _types.Selector, Optional[_types.Scalar], _types.Scalar]],
    name: str = "Partition",
) -> PartitionOptimizer:
    """Returns a `PartitionOptimizer` of one optimizer for each row of rate and decay.

    It does nothing to variables of a row whose rate is None: no gradient is computed for them.

    Args:
      make: ``make(rate)`` returns a new optimizer, such as ``tf.compat.v1.train.AdamOptimizer``.
      rows: ``(name, selector, rate, decay)``: the rate is passed to ``make``, None leaves the
        group alone; the decay is that of `DecoupledWeightDecayOptimizer`, the fraction that a
        step takes off, 0 for none.
      name: of the scope of ops and state.

    Example:
      >>> optimizer = grouped(tf.compat.v1.train.AdamOptimizer, [
      ...     ("kernels", ".*/kernel", 1e-3, 1e-5),
      ...     ("others", ".*/(bias|gamma|beta)", 1e-3, 0),
      ...     ("embedding", "embedding", None, 0)])

    Raises:
      ArgumentError: a row of another form; as `Group`, `DecoupledWeightDecayOptimizer` and
        `PartitionOptimizer` do.
    """
    if not callable(make):
        raise ArgumentError(
            "grouped",
            "a function of the rate that makes an optimizer",
            f"{make!r} of type {type(make).__name__}",
            "Pass the class: grouped(tf.compat.v1.train.AdamOptimizer, rows).",
        )
    return PartitionOptimizer([_group(make, row) for row in rows], name=name)


def _group(make, row):
    if not isinstance(row, (tuple, list)) or len(row) != 4:
        raise ArgumentError(
            "grouped rows",
            "rows of (name, selector, rate, decay)",
            repr(row),
            "Pass [('kernels', '.*/kernel', 1e-3, 1e-5)].",
        )
    name, selector, rate, decay = row
    if rate is None:
        return Group(name, selector, None)
    optimizer = make(rate)
    if not (isinstance(decay, numbers.Real) and decay == 0):
        optimizer = DecoupledWeightDecayOptimizer(optimizer, [(selector, decay)])
    return Group(name, selector, optimizer)
