"""``tf.Tensor.OVERLOADABLE_OPERATORS``: what a class takes over to stand for a tensor.

Since TF 1.15 ``==`` and ``!=`` are among them. A class that takes all of them over, as
was the custom (a parameter, a random variable, a proxy), then compares tensors where
it compared itself: it is not equal to itself, or asks itself without end.
"""

import ast

from tfgraphtools.compat.engine import nodes
from tfgraphtools.compat.engine.rewrite.walk import Visitor, walking
from tfgraphtools.compat.engine.rewrites.kinds import Syntax
from tfgraphtools.compat.engine.rows import Row, Table, used

_ATTRIBUTE = "OVERLOADABLE_OPERATORS"

#: Builtin of user code that stands for reading the attribute.
_FUNCTION = "__tfgraphtools_operators_of__"

_COMPARISONS = frozenset({"__eq__", "__ne__"})


def operators_of(owner):
    """``owner.OVERLOADABLE_OPERATORS`` without comparisons, where they are a tensor's."""
    found = getattr(owner, _ATTRIBUTE)
    return found - _COMPARISONS if isinstance(found, (set, frozenset)) else found


class _Reads(Visitor):
    def visit_Attribute(self, node):
        self.generic_visit(node)
        if node.attr != _ATTRIBUTE or not isinstance(node.ctx, ast.Load):
            return node
        used(ROW)
        return nodes.call(_FUNCTION, node.value, at=node)


@walking
def _translate(tree):
    # A module that names a comparison knows that it is among them.
    is_modern = nodes.words(tree) & _COMPARISONS or not nodes.mentions(tree, _ATTRIBUTE)
    return None if is_modern else _Reads()


HELPERS = {_FUNCTION: operators_of}

ROW = Row(
    "tensorflow.Tensor.OVERLOADABLE_OPERATORS",
    "TF 1.15",
    "does not contain == and != unless the module names them: an object of a class that copied "
    "them would not equal itself",
    _translate,
    rewrite=Syntax("tensorflow.Tensor.OVERLOADABLE_OPERATORS"),
)

TABLE = Table("operators of tensors", "syntax", [ROW])
