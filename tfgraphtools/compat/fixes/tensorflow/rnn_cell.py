"""``tf.nn.rnn_cell`` and ``tf.nn.seq2seq``: helpers of hand-written cells, names of before 1.0."""

import importlib

from tfgraphtools.compat.engine.rewrite_kinds import Runtime
from tfgraphtools.compat.engine.rows import Fix, Table


def _like_rnncell(real):
    def like_rnncell(cell):
        parts = ("output_size", "state_size", "zero_state")
        return callable(cell) and all(hasattr(cell, part) for part in parts)

    return like_rnncell


def _linear_of_cells(real):
    """Returns the helper that hand-written cells call: ``[a, b] x W + b``.

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


def _seq2seq(real):
    return importlib.import_module("tensorflow.contrib.legacy_seq2seq")


def _cell_wrapper(name):
    return lambda real: getattr(importlib.import_module("tensorflow.contrib.rnn"), name)


_WRAPPERS = ("EmbeddingWrapper", "InputProjectionWrapper", "OutputProjectionWrapper")
_CONTRIB = "tfgraphtools.tf1.contrib."
_MOVED = "tf.contrib.rnn since 1.0"
_KERNEL, _MATRIX = "[a, b] x kernel + bias", "[a, b] x Matrix + Bias"

TABLES = (
    Table(
        "cells of recurrent networks",
        "names",
        [
            Fix("tensorflow." + name, *row)
            for name, *row in (
                ("nn.rnn_cell.linear", "TF 1.0", _MATRIX, _linear_of_cells),
                ("nn.rnn_cell._linear", "TF 1.0", _MATRIX, _linear_of_cells),
                ("python.ops.rnn_cell._linear", "TF 1.0", _KERNEL, _linear_of_cells),
                ("python.ops.rnn_cell.linear", "TF 0.12", _MATRIX, _linear_of_cells),
                ("python.ops.rnn_cell_impl._linear", "TF 1.5", _KERNEL, _linear_of_cells),
                (
                    "python.ops.rnn_cell_impl._like_rnncell",
                    "TF 1.10",
                    "whether an object has the attributes of a cell",
                    _like_rnncell,
                ),
                (
                    "nn.seq2seq",
                    "TF 1.0",
                    "tf.contrib.legacy_seq2seq since 1.0",
                    _seq2seq,
                    Runtime(_CONTRIB + "legacy_seq2seq"),
                ),
                *(
                    (
                        "nn.rnn_cell." + wrapper,
                        "TF 1.0",
                        _MOVED,
                        _cell_wrapper(wrapper),
                        Runtime(_CONTRIB + "rnn." + wrapper),
                    )
                    for wrapper in _WRAPPERS
                ),
            )
        ],
    ),
)
