"""Helpers of RNN cells that hand-written cells call."""

from tfgraphtools.compat.engine.rows import Row


def _like_rnncell(real):
    def like_rnncell(cell):
        parts = ("output_size", "state_size", "zero_state")
        return callable(cell) and all(hasattr(cell, part) for part in parts)

    return like_rnncell


def linear_of_cells(real):
    """The helper that hand-written cells call: ``[a, b] x W + b``.

    Until 1.0 its signature was (args, output_size, bias, bias_start, scope), and its
    variables were "Matrix" and "Bias" in that scope.
    """

    def linear(args, output_size, bias, *old, bias_start=None, scope=None, **initializers):
        if old and not isinstance(old[0], (int, float)):
            initializers.update(zip(("bias_initializer", "kernel_initializer"), old))
        elif old:
            bias_start, scope = (old + (scope,))[:2]
        if bias_start is None and scope is None:
            return _product(args, output_size, bias, ("kernel", "bias"), **initializers)
        from tfgraphtools._tf import v1

        start = v1.constant_initializer(bias_start or 0.0)
        with v1.variable_scope(scope or "Linear"):
            return _product(args, output_size, bias, ("Matrix", "Bias"), bias_initializer=start)

    return linear


def _product(args, size, bias, names, bias_initializer=None, kernel_initializer=None):
    from tfgraphtools._tf import v1

    args = list(args) if isinstance(args, (list, tuple)) else [args]
    joined = args[0] if len(args) == 1 else v1.concat(args, 1)
    shape = [int(joined.shape[1]), size]
    kernel = v1.get_variable(names[0], shape, dtype=joined.dtype, initializer=kernel_initializer)
    product = v1.matmul(joined, kernel)
    if not bias:
        return product
    start = v1.zeros_initializer() if bias_initializer is None else bias_initializer
    offset = v1.get_variable(names[1], [size], dtype=joined.dtype, initializer=start)
    return v1.nn.bias_add(product, offset)


ROWS = [
    Row("tensorflow.python." + name, *row)
    for name, *row in (
        ("ops.rnn_cell._linear", "TF 1.0", "[a, b] x kernel + bias", linear_of_cells),
        ("ops.rnn_cell.linear", "TF 0.12", "[a, b] x Matrix + Bias", linear_of_cells),
        ("ops.rnn_cell_impl._linear", "TF 1.5", "[a, b] x kernel + bias", linear_of_cells),
        (
            "ops.rnn_cell_impl._like_rnncell",
            "TF 1.10",
            "whether an object has the attributes of a cell",
            _like_rnncell,
        ),
    )
]
