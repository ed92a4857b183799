"""``tf.linalg.tridiagonal_solve`` as 1.15 gives it.

1.15 transposes the solution back where it has transposed the right-hand side, so that both have
one shape. It fails where a pivot is 0; 2.x gives NaN or infinite numbers.

Source: ``linalg_impl`` and the kernel ``tridiagonal_solve_op`` of TF 1.15.
"""

import functools

from tfgraphtools.compat.engine.rows import Row, Table


def _tridiagonal_solve(real, used):
    plain = real.tridiagonal_solve

    @functools.wraps(plain)
    def tridiagonal_solve(
        diagonals,
        rhs,
        diagonals_format="compact",
        transpose_rhs=False,
        conjugate_rhs=False,
        name=None,
        partial_pivoting=True,
    ):
        from tfgraphtools._tf import v1

        result = plain(
            diagonals, rhs, diagonals_format, transpose_rhs, conjugate_rhs, name, partial_pivoting
        )
        result = _checked(result, [*_parts(diagonals, diagonals_format), rhs])
        if transpose_rhs and result.shape.ndims == _rank(diagonals, diagonals_format):
            used()
            result = v1.linalg.matrix_transpose(result)
        return result

    return tridiagonal_solve


def _parts(diagonals, diagonals_format):
    return diagonals if diagonals_format == "sequence" else [diagonals]


def _rank(diagonals, diagonals_format):
    """Of the matrix: a right-hand side of the same rank is a matrix too."""
    import numpy as np

    main = diagonals[1] if diagonals_format == "sequence" else diagonals
    rank = len(main.shape) if hasattr(main, "shape") else np.ndim(main)
    return rank + (diagonals_format == "sequence")


def _checked(result, given):
    """The result, of which it is an error to be infinite or NaN when nothing given was."""
    from tfgraphtools._tf import v1

    was_finite, is_finite = (
        v1.reduce_all(v1.stack([v1.reduce_all(v1.math.is_finite(v1.abs(x))) for x in values]))
        for values in (given, [result])
    )
    failure = (
        "tridiagonal_solve: expected a matrix that can be inverted, got a pivot of 0. "
        "If partial_pivoting is False, pass True; otherwise the matrix is singular."
    )
    succeeded = v1.logical_or(v1.logical_not(was_finite), is_finite)
    with v1.control_dependencies([v1.Assert(succeeded, [failure])]):
        return v1.identity(result)


TABLE = Table(
    "tridiagonal systems",
    "calls",
    [
        Row(
            "tensorflow.linalg.tridiagonal_solve",
            "TF 2.1",
            "the solution is transposed like the right-hand side; a pivot of 0 is an error",
            _tridiagonal_solve,
        )
    ],
)
