"""Matrices without a root or an inverse: an InvalidArgumentError in TF 1.15, inf or NaN in 2.x.

Sources: the kernels of Cholesky and MatrixTriangularSolve of TF 1.15.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.seeds import counting


def _refuse_what_has_no_root():
    """Makes `cholesky` fail for a matrix that is not positive definite; 2.x returns NaN."""
    from tensorflow.python.ops import gen_linalg_ops, linalg_ops

    from tfgraphtools._tf import v1

    plain = gen_linalg_ops.cholesky

    @functools.wraps(plain)
    def cholesky(input, name=None):
        rows.used(_CHOLESKY)
        with v1.name_scope(name, "Cholesky", [input]) as scope:
            input = v1.convert_to_tensor(input)
            root = plain(input)
        with counting.paused(v1.get_default_graph()), v1.name_scope("cholesky_check"):
            was_nan, is_nan = (v1.reduce_any(v1.math.is_nan(v1.abs(x))) for x in (input, root))
            if input.dtype.is_complex:
                is_nan = v1.logical_or(is_nan, _is_no_root(v1, root, input))
            succeeded = v1.logical_or(was_nan, v1.logical_not(is_nan))
            failure = "Cholesky decomposition was not successful. The input might not be valid."
            with v1.control_dependencies([v1.Assert(succeeded, [failure])]):
                return v1.identity(root, name=scope)

    for owner in (gen_linalg_ops, linalg_ops, v1, v1.linalg):
        if hasattr(owner, "cholesky"):
            state.set_attribute(owner, "cholesky", cholesky)


def _is_no_root(v1, root, matrix):
    """Whether no root exists: for such a complex matrix 2.x returns uninitialized memory."""
    product = v1.matmul(root, root, adjoint_b=True)
    error = v1.abs(v1.matrix_band_part(product - matrix, -1, 0))
    largest = v1.reduce_max(v1.abs(matrix), axis=[-2, -1], keepdims=True)
    return v1.reduce_any(v1.logical_not(error <= 1e-2 * largest))


_CHOLESKY = Row(
    "tensorflow.cholesky",
    "TF 2.7",
    "a matrix that is not positive definite raises InvalidArgumentError; NaN in 2.x",
    _refuse_what_has_no_root,
)


def _refuse_what_has_no_inverse():
    """Makes `triangular_solve` fail for a matrix with 0 on its diagonal; 2.x returns inf or NaN.

    It is an op again, and has the name that the call gives; 2.x opens a scope around the op.
    """
    from tensorflow.python.ops import gen_linalg_ops, linalg_ops

    from tfgraphtools._tf import v1

    plain = gen_linalg_ops.matrix_triangular_solve

    @functools.wraps(plain)
    def matrix_triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
        rows.used(_TRIANGULAR)
        matrix = v1.convert_to_tensor(matrix)
        with counting.paused(v1.get_default_graph()), v1.name_scope("triangular_check"):
            pivots = v1.abs(v1.linalg.diag_part(matrix))
            is_regular = v1.reduce_all(v1.not_equal(pivots, 0))
            check = v1.Assert(is_regular, ["Input matrix is not invertible."])
            with v1.control_dependencies([check] * (check is not None)):  # None in eager execution
                matrix = v1.identity(matrix)
        return plain(matrix, rhs, lower=lower, adjoint=adjoint, name=name)

    @functools.wraps(linalg_ops.matrix_triangular_solve)
    def public(*arguments, **options):
        return gen_linalg_ops.matrix_triangular_solve(*arguments, **options)

    state.set_attribute(gen_linalg_ops, "matrix_triangular_solve", matrix_triangular_solve)
    for owner in (linalg_ops, v1):
        state.set_attribute(owner, "matrix_triangular_solve", public)
    state.set_attribute(v1.linalg, "triangular_solve", public)


_TRIANGULAR = Row(
    "tensorflow.matrix_triangular_solve",
    "TF 2.5",
    "a matrix that is not invertible raises InvalidArgumentError; inf or NaN in 2.x",
    _refuse_what_has_no_inverse,
)

TABLE = Table("matrices without a root or an inverse", "patches", [_CHOLESKY, _TRIANGULAR])
