"""Internals that 2.x does without, where a few lines do what they did."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.tensorflow.internals.rebuilt import (
    cells,
    op_definitions,
    running,
    tensors,
)

TABLE = Table(
    "internals that were removed",
    "names",
    [*tensors.ROWS, *op_definitions.ROWS, *cells.ROWS, *running.ROWS],
)
