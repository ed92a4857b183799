"""Columns of ids that TensorFlow makes sparse and looks up: embeddings, indicators, linear models.

An ``embedding_columns`` layer reads ids, of which those below 0 are missing; it gives the sum or
the mean of their rows, and zeros where all are missing. Its setting ``mode`` says which.
"""

import numpy as np

from tfgraphtools.graphs.source_code.ir import ir_nodes, ir_reading
from tfgraphtools.graphs.source_code.patterns import layer_nodes, matching
from tfgraphtools.graphs.source_code.patterns.layer_nodes import KERNEL

_MODES = {"SparseSegmentMean": "mean", "SparseSegmentSum": "sum"}
_FILLED = ("SparseFillEmptyRows", ("GatherV2", "indices", "kept"), ("GatherV2", "values", "kept"))
_ROWS = ("|".join(_MODES), "rows", "places", ("Cast", ("StridedSlice", _FILLED)))
_LOOKED_UP = ("Select", ("Tile", ("Reshape", "is_empty")), ("ZerosLike", "result"), "result")
_NOT_MISSING = ("Reshape", ("Where", ("GreaterEqual", "values", "zero")))


def _column(program, node):
    bound = matching.match(node.output, _LOOKED_UP)
    rows = bound and matching.match(bound["result"], _ROWS)
    if not rows or not layer_nodes.is_layer(rows["rows"], "embedding"):
        return None
    unique = rows["places"].node
    filled = bound["result"].node.inputs[2].node.inputs[0].node.inputs[0].node
    if unique.op != "Unique" or rows["rows"].node.inputs[0].node is not unique:
        return None
    if unique.inputs[0].node is not filled or bound["is_empty"].node is not filled:
        return None
    kept = matching.match(rows["kept"], _NOT_MISSING)
    if kept is None or kept["values"] is not rows["values"] or matching.scalar(kept["zero"]) != 0:
        return None
    ids = _ids(rows["values"], node)
    table = layer_nodes.parameters_of(rows["rows"].node)[KERNEL]
    if ids is None or node.output.dims is None or len(node.output.dims) != 2:
        return None
    settings = {**layer_nodes.settings_of(rows["rows"].node), "mode": _MODES[bound["result"].op]}
    kind, parameters = "embedding_columns", {KERNEL: table}
    layer = rows["rows"].node
    return layer_nodes.layer(kind, layer, [ids], parameters, settings, node.output.dims)


def _ids(values, node):
    """Returns the matrix of ids of which a list has those that are not missing, or None."""
    matrix = _dense(values)
    if matrix is not None:
        return matrix
    bound = matching.match(values, ("Add|AddV2", ("Reshape", "matrix"), ("Mul", "count", "places")))
    if bound is None or matching.scalar(bound["count"]) is None or bound["places"].op != "Tile":
        return None
    matrix, columns = bound["matrix"], bound["places"].node.inputs[0].array
    dims = matrix.dims or ()
    if len(dims) != 2 or columns is None or not np.array_equal(columns, np.arange(dims[1])):
        return None
    offsets = ir_reading.constant((columns * matching.scalar(bound["count"])).astype(matrix.dtype),
                                  node.name)  # fmt: skip
    if dims[1] == 1:
        return matrix
    return ir_nodes.made(
        "AddV2", node.name, [matrix, offsets], dims, matrix.dtype, position=node.position
    )


def _dense(values):
    """Returns the matrix of ``GatherNd(matrix, Where(matrix != -1))``, or None."""
    pattern = ("GatherNd", "matrix", ("Where", ("NotEqual", "matrix", "missing")))
    bound = matching.match(values, pattern)
    is_matrix = bound is not None and len(bound["matrix"].dims or ()) == 2
    return bound["matrix"] if is_matrix and matching.scalar(bound["missing"]) == -1 else None


def _made_dense(program, node):
    """Returns the matrix that an op makes sparse and another one dense."""
    places, _, values, missing = node.inputs
    matrix = _dense(values)
    if matrix is None or values.node.inputs[1] is not places or matching.scalar(missing) != -1:
        return None
    return matrix if matrix.dims == node.output.dims else None


RULES = {"Select": [_column], "SparseToDense": [_made_dense]}
