"""``op.type == "Add"``: the types under which a graph held its ops once.

``x + y`` built an ``Add`` until 1.14, and builds an ``AddV2`` since: what reads a graph
by the types of its ops looks for names that are no longer in it. A module that names
the earlier type and not the later one was written when there was only the earlier.
"""

import ast

from tfgraphtools.compat.attributes import imported_roots
from tfgraphtools.compat.python2 import nodes
from tfgraphtools.compat.rows import Row, Table, used

#: the type of today -> what 1.x built in its place, with the same meaning and first inputs
EARLIER = {
    "AddV2": "Add",
    "BatchMatMulV2": "BatchMatMul",
    "FusedBatchNormV3": "FusedBatchNorm",
    "GatherV2": "Gather",
    "MatrixDiagPartV3": "MatrixDiagPart",
    "MatrixDiagV3": "MatrixDiag",
    "MatrixSetDiagV3": "MatrixSetDiag",
}

#: Builtin of user code that stands for ``op.type``.
_FUNCTION = "__tfgraphtools_op_type_of__"


def op_type_of(owner, known):
    """``owner.type``; where it is an op's, under the earlier name if that is among `known`."""
    found = owner.type
    earlier = EARLIER.get(found) if isinstance(found, str) else None
    return earlier if earlier in known.split() and _is_operation(owner) else found


def _is_operation(owner):
    from tfgraphtools._tf import v1

    return isinstance(owner, v1.Operation)


class _Reads(ast.NodeTransformer):
    def __init__(self, known):
        self.known = " ".join(sorted(known))

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if node.attr != "type" or not isinstance(node.ctx, ast.Load):
            return node
        used(ROW)
        return nodes.call(_FUNCTION, node.value, nodes.text(self.known, node), at=node)


def _translate(tree, path):
    named = nodes.texts(tree)
    known = {old for new, old in EARLIER.items() if old in named and new not in named}
    if not known or "tensorflow" not in imported_roots(tree):
        return tree
    return _Reads(known).visit(tree)


HELPERS = {_FUNCTION: op_type_of}

ROW = Row(
    "tensorflow.Operation.type",
    "TF 1.15",
    "an op of x + y is an Add (a GatherV2 a Gather...) for a module that names the earlier "
    "type and not the later",
    _translate,
)

TABLE = Table("types of ops", "syntax", [ROW])
