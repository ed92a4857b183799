"""Which parts of a source `run` never reaches, or may fail without harm."""

import ast
import os
import sys

from tfgraphtools.analysis import guards

#: What a condition may read, and its value under `run`.
_VALUES = {
    "TYPE_CHECKING": False,
    "typing.TYPE_CHECKING": False,
    "six.PY2": False,
    "six.PY3": True,
    "os.name": os.name,
    "sys.platform": sys.platform,
    "sys.version": sys.version,
    "sys.version_info": tuple(sys.version_info[:3]),
    "sys.version_info.major": sys.version_info[0],
    "sys.version_info.minor": sys.version_info[1],
    "tf.__version__": "1.15.5",
    "tensorflow.__version__": "1.15.5",
}


def live(tree):
    """The tree without the branches whose condition is known to fail.

    Conditions on the version of Python, on the platform and on constants are known;
    all others may hold. The tree itself is not changed.
    """
    return _Live().visit(ast.parse("")) if tree is None else _Live().visit(_copy(tree))


def _copy(node):
    """The node with lists and statements of its own; expressions are shared."""
    if not isinstance(node, (ast.stmt, ast.Module, ast.ExceptHandler)):
        return node
    made = type(node)()
    made.__dict__.update(vars(node))
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(made, name, [_copy(one) for one in value])
    return made


class _Live(ast.NodeTransformer):
    def visit_If(self, node):
        known = value_of(node.test)
        if known is None:
            return self.generic_visit(node)
        body = node.body if known[0] else node.orelse
        found = []
        for statement in body:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new]
        return found or ast.copy_location(ast.Pass(), node)

    def visit_IfExp(self, node):
        known = value_of(node.test)
        return node if known is None else (node.body if known[0] else node.orelse)


def value_of(node):
    """(value,) of a condition, or None where only running it tells."""
    try:
        return (_value(node),)
    except (LookupError, TypeError, ValueError):
        return None


_COMPARE = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


def _value(node):
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _COMPARE[type(node.ops[0])](_value(node.left), _value(node.comparators[0]))
    if isinstance(node, ast.BoolOp):
        return _of_several(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _value(node.operand)
    if isinstance(node, ast.Subscript):
        index = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
        if isinstance(index, ast.Slice):
            ends = [None if end is None else _value(end) for end in (index.lower, index.upper)]
            return _value(node.value)[slice(*ends)]
        return _value(node.value)[_value(index)]
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _VALUES[dotted(node)]
    return ast.literal_eval(node)


def _of_several(node):
    """``and`` and ``or``, of which one part may decide."""
    decides = isinstance(node.op, ast.Or)
    unknown = None
    for part in node.values:
        try:
            if bool(_value(part)) is decides:
                return decides
        except (LookupError, TypeError, ValueError) as error:
            unknown = error
    if unknown is not None:
        raise unknown
    return not decides


def dotted(node):
    """``a.b.c`` of a node that is such a name; KeyError for any other."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise KeyError(node)
    return ".".join([node.id, *reversed(parts)])


def uncalled_lines(trees):
    """{path: lines} of functions that nothing in the code base names.

    Args:
      trees: path -> tree.
    """
    mentioned, defined = set(), []
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                mentioned.add(node.id)
            elif isinstance(node, ast.Attribute):
                mentioned.add(node.attr)
            elif isinstance(node, ast.alias):
                mentioned.add(node.name.rpartition(".")[2])
            elif isinstance(getattr(node, "value", None), str):
                mentioned.add(node.value)
            elif isinstance(node, ast.FunctionDef) and not node.decorator_list:
                defined.append((path, node))
    lines = {}
    for path, node in defined:
        is_called_by_name = node.name.startswith(("__", "test", "visit_", "on_"))
        if node.name not in mentioned and not is_called_by_name:
            lines.setdefault(path, set()).update(guards.lines_of(node.body))
    return lines
