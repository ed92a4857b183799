"""``type(x) is tf.Tensor``: a tensor of a graph is of a subclass now."""

import ast

from tfgraphtools.compat.engine import nodes
from tfgraphtools.compat.engine.rewrite.walk import Visitor, walking
from tfgraphtools.compat.engine.rows import Row, Table, used

#: Builtin of user code that stands for ``type(x)``.
_FUNCTION = "__tfgraphtools_type_of__"


def type_of(builtin, value):
    """``builtin(value)``, where ``builtin`` is `type`: tf.Tensor for a tensor of a graph."""
    kind = builtin(value)
    if builtin is type and kind.__name__ == "SymbolicTensor":
        from tensorflow.python.framework import ops, tensor

        if kind is ops.SymbolicTensor:
            used(ROW)
            return tensor.Tensor
    return kind


class _TypeCalls(Visitor):
    """Makes every ``type(x)`` a call of `type_of`."""

    def visit_Call(self, node):
        self.generic_visit(node)
        is_type = isinstance(node.func, ast.Name) and node.func.id == "type"
        if not is_type or len(node.args) != 1 or node.keywords:
            return node
        if isinstance(node.args[0], ast.Starred):
            return node
        function = ast.copy_location(ast.Name(_FUNCTION, ast.Load()), node.func)
        return ast.copy_location(ast.Call(function, [node.func, node.args[0]], []), node)


@walking
def _translate(tree):
    return _TypeCalls() if nodes.mentions(tree, "type") else None


HELPERS = {_FUNCTION: type_of}

ROW = Row(
    "tensorflow.type",
    "TF 2.14",
    "type(x) of a tensor of a graph is tf.Tensor; in 2.x it is a subclass",
    _translate,
    cannot="write isinstance(x, tf.Tensor) instead of type(x) == tf.Tensor",
)

TABLE = Table("types of tensors", "syntax", [ROW])
