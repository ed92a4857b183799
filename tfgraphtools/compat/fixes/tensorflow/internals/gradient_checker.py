"""``gradient_checker_v2``: Jacobians with a row per input element, which later became a column."""

import functools

from tfgraphtools.compat.engine.rows import Row, Table


def _transposed(real, used):
    plain = real.compute_gradient

    @functools.wraps(plain)
    def compute_gradient(f, x, delta=1e-3):
        used()
        return tuple([jacobian.T for jacobian in kind] for kind in plain(f, x, delta=delta))

    return compute_gradient


TABLE = Table(
    "the second checker of gradients",
    "calls",
    [
        Row(
            "tensorflow.python.ops.gradient_checker_v2.compute_gradient",
            "TF 2.2",
            "Jacobians have a row for each element of the input; a column in 2.x",
            _transposed,
        )
    ],
)
