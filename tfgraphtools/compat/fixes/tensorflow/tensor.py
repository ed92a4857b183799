"""``tf.Tensor``: its type, the operators that classes take over from it, and its private shape."""

import ast

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rewrite_kinds import Syntax
from tfgraphtools.compat.engine.rows import Fix, Table, used
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking

#: Builtin of user code that stands for ``type(x)``.
_TYPE_OF = "__tfgraphtools_type_of__"


def type_of(builtin, value):
    """Calls ``builtin(value)``, where ``builtin`` is `type`: tf.Tensor for a tensor of a graph."""
    kind = builtin(value)
    if builtin is type and kind.__name__ == "SymbolicTensor":
        from tensorflow.python.framework import ops, tensor

        if kind is ops.SymbolicTensor:
            used(TYPE)
            return tensor.Tensor
    return kind


class _TypeCalls(Visitor):
    """A visitor that makes every ``type(x)`` a call of `type_of`."""

    def visit_Call(self, node):
        is_type = isinstance(node.func, ast.Name) and node.func.id == "type"
        if not is_type or len(node.args) != 1 or node.keywords:
            return node
        if isinstance(node.args[0], ast.Starred):
            return node
        function = ast.copy_location(ast.Name(_TYPE_OF, ast.Load()), node.func)
        return ast.copy_location(ast.Call(function, [node.func, node.args[0]], []), node)


@walking
def _translate_types(tree):
    return _TypeCalls() if trees.mentions(tree, "type") else None


TYPE = Fix(
    "tensorflow.type",
    "TF 2.14",
    "type(x) of a tensor of a graph is tf.Tensor; in 2.x it is a subclass",
    _translate_types,
    cannot="write isinstance(x, tf.Tensor) instead of type(x) == tf.Tensor",
)

_ATTRIBUTE = "OVERLOADABLE_OPERATORS"

#: Builtin of user code that stands for reading the attribute.
_OPERATORS_OF = "__tfgraphtools_operators_of__"

_COMPARISONS = frozenset({"__eq__", "__ne__"})


def operators_of(owner):
    """Returns ``owner.OVERLOADABLE_OPERATORS`` without comparisons, where they are a tensor's.

    Since TF 1.15 ``==`` and ``!=`` are among them. A class that takes all of them over, as
    was the custom (a parameter, a random variable, a proxy), then compares tensors where
    it compared itself: it is not equal to itself, or asks itself without end.
    """
    names = getattr(owner, _ATTRIBUTE)
    return names - _COMPARISONS if isinstance(names, (set, frozenset)) else names


class _OperatorReads(Visitor):
    def visit_Attribute(self, node):
        if node.attr != _ATTRIBUTE or not isinstance(node.ctx, ast.Load):
            return node
        used(OPERATORS)
        return trees.call(_OPERATORS_OF, node.value, at=node)


@walking
def _translate_operators(tree):
    # A module that names a comparison knows that it is among them.
    is_modern = trees.string_constants(tree) & _COMPARISONS or not trees.mentions(tree, _ATTRIBUTE)
    return None if is_modern else _OperatorReads()


OPERATORS = Fix(
    "tensorflow.Tensor.OVERLOADABLE_OPERATORS",
    "TF 1.15",
    "does not contain == and != unless the module names them: an object of a class that copied "
    "them would not equal itself",
    _translate_operators,
    rewrite=Syntax("tensorflow.Tensor.OVERLOADABLE_OPERATORS"),
)

HELPERS = {_TYPE_OF: type_of, _OPERATORS_OF: operators_of}

_SHAPE = Fix(
    "tensorflow.Tensor._shape",
    "TF 2.13",
    "tensor._shape is tensor.shape; in 2.x a list and a bool",
    cannot="write tensor.shape",
)


def _get_shape(self):
    """Returns the static shape; in 2.x ``_shape`` is what C++ gives, a list and a bool."""
    _of_graphs.used()
    return self.shape


def _set_shape(self, value):
    raise ValueError("Tensor._shape cannot be assigned, use Tensor.set_shape instead.")


_of_graphs, _of_all = (
    replacing.adds(f"tensorflow.python.framework.{owner}._shape", row=_SHAPE, through=())(
        property(_get_shape, _set_shape)
    )
    for owner in ("ops:SymbolicTensor", "tensor:Tensor")
)

TABLES = (
    Table("types and operators of tensors", "syntax", [TYPE, OPERATORS]),
    replacing.table("the private shape of tensors", _of_graphs, _of_all, kind="patches"),
)
