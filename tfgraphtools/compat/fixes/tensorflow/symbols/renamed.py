"""Names from before 1.0 that only were renamed: the old name is the new function."""

from tfgraphtools.compat.engine.rows import Row, Table

#: Names that 0.12 did not have any more; it still had all the others.
_GONE_BY_0_12 = {
    "image.per_image_whitening",
    "inv",
    "list_diff",
    "listdiff",
    "nn.deconv2d",
    "summary.SummaryWriter",
}

#: old name -> the name of the same thing, both in ``tensorflow``.
RENAMED = {
    "batch_cholesky": "cholesky",
    "batch_cholesky_solve": "cholesky_solve",
    "batch_fft": "fft",
    "batch_fft2d": "fft2d",
    "batch_fft3d": "fft3d",
    "batch_ifft": "ifft",
    "batch_ifft2d": "ifft2d",
    "batch_ifft3d": "ifft3d",
    "batch_matrix_band_part": "matrix_band_part",
    "batch_matrix_determinant": "matrix_determinant",
    "batch_matrix_diag": "matrix_diag",
    "batch_matrix_diag_part": "matrix_diag_part",
    "batch_matrix_inverse": "matrix_inverse",
    "batch_matrix_set_diag": "matrix_set_diag",
    "batch_matrix_solve": "matrix_solve",
    "batch_matrix_solve_ls": "matrix_solve_ls",
    "batch_matrix_transpose": "matrix_transpose",
    "batch_matrix_triangular_solve": "matrix_triangular_solve",
    "batch_self_adjoint_eig": "self_adjoint_eig",
    "batch_self_adjoint_eigvals": "self_adjoint_eigvals",
    "batch_svd": "svd",
    "complex_abs": "abs",
    "concat_v2": "concat",
    "image.per_image_whitening": "image.per_image_standardization",
    "inv": "reciprocal",
    "list_diff": "setdiff1d",
    "listdiff": "setdiff1d",
    "merge_all_summaries": "summary.merge_all",
    "merge_summary": "summary.merge",
    "mul": "multiply",
    "neg": "negative",
    "nn.bidirectional_rnn": "nn.static_bidirectional_rnn",
    "nn.deconv2d": "nn.conv2d_transpose",
    "nn.rnn": "nn.static_rnn",
    "nn.state_saving_rnn": "nn.static_state_saving_rnn",
    "pack": "stack",
    "select": "where",
    "sub": "subtract",
    "summary.SummaryWriter": "summary.FileWriter",
    "train.SummaryWriter": "summary.FileWriter",
    "unpack": "unstack",
}


def _provider(path):
    def provide(real):
        from tfgraphtools._tf import v1

        value = v1
        for part in path.split("."):
            value = getattr(value, part)
        return value

    return provide


def _since(old):
    return "TF 0.12" if old.startswith("batch_") or old in _GONE_BY_0_12 else "TF 1.0"


TABLE = Table(
    "names from before 1.0 that were renamed",
    "names",
    [
        Row("tensorflow." + old, _since(old), f"called tf.{new} now", _provider(new))
        for old, new in RENAMED.items()
    ],
)
