"""``tf.linalg``: a matrix without a root or an inverse is an error in TF 1.15, inf or NaN in 2.x.

Sources: the kernels of Cholesky and MatrixTriangularSolve of TF 1.15.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces
from tfgraphtools.compat.seeds import counting

_V1 = "tfgraphtools._tf:v1."


@replaces(
    "tensorflow.python.ops.gen_linalg_ops:cholesky",
    also=(
        "tensorflow.python.ops.linalg_ops:cholesky",
        _V1 + "cholesky",
        _V1 + "linalg.cholesky",
    ),
    name="tensorflow.cholesky",
    since="TF 2.7",
    why="a matrix that is not positive definite raises InvalidArgumentError; NaN in 2.x",
)
def _cholesky(original, input, name=None):
    from tfgraphtools._tf import v1

    _cholesky.used()
    with v1.name_scope(name, "Cholesky", [input]) as scope:
        input = v1.convert_to_tensor(input)
        root = original(input)
    with counting.paused(v1.get_default_graph()), v1.name_scope("cholesky_check"):
        was_nan, is_nan = (v1.reduce_any(v1.math.is_nan(v1.abs(x))) for x in (input, root))
        succeeded = v1.logical_or(was_nan, v1.logical_not(is_nan))
        failure = "Cholesky decomposition was not successful. The input might not be valid."
        with v1.control_dependencies([v1.Assert(succeeded, [failure])]):
            return v1.identity(root, name=scope)


@replaces(
    "tensorflow.python.ops.gen_linalg_ops:matrix_triangular_solve",
    name="tensorflow.matrix_triangular_solve",
    since="TF 2.5",
    why="a matrix that is not invertible raises InvalidArgumentError; inf or NaN in 2.x",
)
def _triangular_solve(original, matrix, rhs, lower=True, adjoint=False, name=None):
    from tfgraphtools._tf import v1

    _triangular_solve.used()
    matrix = v1.convert_to_tensor(matrix)
    with counting.paused(v1.get_default_graph()), v1.name_scope("triangular_check"):
        pivots = v1.abs(v1.linalg.diag_part(matrix))
        is_regular = v1.reduce_all(v1.not_equal(pivots, 0))
        check = v1.Assert(is_regular, ["Input matrix is not invertible."])
        with v1.control_dependencies([check] * (check is not None)):  # None in eager execution
            matrix = v1.identity(matrix)
    return original(matrix, rhs, lower=lower, adjoint=adjoint, name=name)


@replaces(
    "tensorflow.python.ops.linalg_ops:matrix_triangular_solve",
    also=(_V1 + "matrix_triangular_solve", _V1 + "linalg.triangular_solve"),
    row=_triangular_solve.row,
)
def _public_triangular_solve(original, *arguments, **options):
    """Makes the op with the name of the call; 2.x opens a scope around it."""
    from tensorflow.python.ops import gen_linalg_ops

    return gen_linalg_ops.matrix_triangular_solve(*arguments, **options)


TABLES = (
    replacing.table(
        "matrices without a root or an inverse",
        _cholesky,
        _triangular_solve,
        _public_triangular_solve,
        kind="patches",
    ),
)
