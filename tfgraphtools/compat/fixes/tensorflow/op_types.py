"""``op.type == "Add"``: the types under which a graph held its ops once.

``x + y`` built an ``Add`` until 1.14, and builds an ``AddV2`` since: what reads a graph
by the types of its ops looks for names that are no longer in it. A module that compares with
the earlier type and never names the later was written when there was only the earlier.
"""

import ast

from tfgraphtools.compat.engine.rows import Fix, Table, used
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking

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

#: Builtins of user code that stand for ``op.type`` and ``op.node_def.op``.
_FUNCTION = "__tfgraphtools_op_type_of__"
_OF_NODE = "__tfgraphtools_op_of_node__"


def op_type_of(owner, known):
    """Returns ``owner.type``; of an op, under the earlier name if that is among `known`."""
    later = owner.type
    earlier = EARLIER.get(later) if isinstance(later, str) else None
    return earlier if earlier in known.split() and _is_operation(owner) else later


def op_of_node(node, known):
    """Returns ``node.op`` of an op's ``node_def``, by the earlier name if that is in `known`."""
    earlier = EARLIER.get(node.op) if isinstance(node.op, str) else None
    return earlier if earlier in known.split() else node.op


def _is_operation(owner):
    from tfgraphtools._tf import v1

    return isinstance(owner, v1.Operation)


class _Reads(Visitor):
    def __init__(self, known):
        self.known = " ".join(sorted(known))

    def visit_Attribute(self, node):
        function = _FUNCTION if node.attr == "type" else _OF_NODE if _is_of_node(node) else None
        if function is None or not isinstance(node.ctx, ast.Load):
            return node
        used(ROW)
        return trees.call(function, node.value, trees.constant(self.known, node), at=node)


def _is_of_node(node):
    """Tells whether it reads ``x.node_def.op``."""
    return node.attr == "op" and getattr(node.value, "attr", None) == "node_def"


def is_type(node):
    """Tells whether it reads ``x.type`` or ``x.node_def.op``."""
    return isinstance(node, ast.Attribute) and (node.attr == "type" or _is_of_node(node))


class _Compared(ast.NodeVisitor):
    """The words that a module compares with, or holds in a list, a dict... to look them up."""

    def __init__(self):
        self.lines = {}  # word -> its lines

    def _take(self, node, *parts):
        for part in parts:
            self.lines.setdefault(trees.string_value(part), []).append(node.lineno)
        self.generic_visit(node)

    def visit_Compare(self, node):
        self._take(node, node.left, *node.comparators)

    def visit_List(self, node):
        self._take(node, *node.elts)

    visit_Tuple = visit_Set = visit_List

    def visit_Dict(self, node):
        self._take(node, *node.keys)

    def visit_Call(self, node):
        if any(map(is_type, node.args)):  # assertEqual(op.type, "Add")
            self._take(node, *node.args)
        elif getattr(node.func, "attr", None) != "gradient_override_map":  # {"Add": what to do}
            self.generic_visit(node)


def compared_types(tree):
    """Returns {earlier type of an op with which a module compares: (today's, lines)}."""
    named = trees.string_constants(tree)
    if "tensorflow" not in trees.imported_roots(tree) or named.isdisjoint(EARLIER.values()):
        return {}
    compared = _Compared()
    compared.visit(tree)
    return {
        old: (new, compared.lines[old])
        for new, old in EARLIER.items()
        if old in compared.lines and new not in named
    }


@walking
def _translate(tree):
    known = compared_types(tree)
    return _Reads(known) if known else None


HELPERS = {_FUNCTION: op_type_of, _OF_NODE: op_of_node}

ROW = Fix(
    "tensorflow.Operation.type",
    "TF 1.15",
    "the type of x + y is Add (of a GatherV2 it is Gather...) for a module that compares with the "
    "old type and never names the new one",
    _translate,
    cannot="AddV2, GatherV2... replace Add, Gather: compare with both",
)

TABLES = (Table("types of ops", "syntax", [ROW]),)
