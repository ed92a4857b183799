"""The library names that a source uses, by their full names.

``import tensorflow as tf; layers = tf.layers; layers.dense(x)`` uses
``tensorflow.layers.dense`` in the line of the call. Names are followed through imports and
plain assignments; what is stored elsewhere, or asked for by a computed string, is not seen.
"""

import ast
from typing import NamedTuple, Set, Tuple

from tfgraphtools.analysis.resolving import Names
from tfgraphtools.analysis.scopes import IMPORT, Scopes, nodes_of


class Use(NamedTuple):
    """A dotted name, the line in which it is used, and whether it is imported there as a module."""

    name: str
    line: int
    is_module: bool = False


class Uses(NamedTuple):
    """What a source does with the names of libraries.

    Fields:
      uses: the `Use` of each name that is imported or read, in the order of the source.
      calls: (full name, its `ast.Call`) of each call of a library's function.
      assigned: the names that are assigned (``tf.flag = 3``) or deleted.
    """

    uses: Tuple[Use, ...]
    calls: Tuple[Tuple[str, ast.Call], ...]
    assigned: Set[str]


def imported_names(tree):
    """Yields (dotted name, statement) of the absolute imports of a module.

    Example:
      >>> [name for name, _ in imported_names(ast.parse("import a.b\\nfrom c import d, e"))]
      ['a.b', 'c.d', 'c.e']
    """
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((f"{node.module}.{alias.name}", node) for alias in node.names)


#: The attribute of a tree in which its `Uses` are kept.
_KEPT = "_tfgraphtools_uses"


def of(tree):
    """Returns the `Uses` of a module.

    Args:
      tree: an `ast.Module`.

    Example:
      >>> of(ast.parse("import tensorflow as tf\\nx = tf.zeros([2])")).uses
      (Use(name='tensorflow', line=1, is_module=True),
       Use(name='tensorflow.zeros', line=2, is_module=False))
    """
    uses = getattr(tree, _KEPT, None)
    if uses is None:
        uses = _read(tree)
        setattr(tree, _KEPT, uses)
    return uses


def _read(tree):
    names = _Names(Scopes(tree), "", _NoFiles())
    placed, calls, assigned, inner = [], [], set(), set()
    for node in nodes_of(tree):  # a node comes before what it consists of
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            placed += [(node, use) for use in _imported(node)]
        elif isinstance(node, ast.Call):
            name = names.here(node.func)
            if name is not None:
                calls.append((name, node))
            elif _is_getattr(node) and names.here(node.args[0]) is not None:
                name = f"{names.here(node.args[0])}.{_text(node.args[1])}"
                placed.append((node, Use(name, node.lineno)))
        elif isinstance(node, ast.Attribute):
            name = None if node in inner else names.here(node)
            inner.add(node.value)
            if name is not None and isinstance(node.ctx, ast.Load):
                placed.append((node, Use(name, node.lineno)))
            elif name is not None:
                assigned.add(name)
    placed.sort(key=lambda pair: (pair[0].lineno, pair[0].col_offset))
    return Uses(tuple(use for _, use in placed), tuple(calls), assigned)


class _Names(Names):
    """Where several imports bind a name to different things, the last one counts."""

    def _of_bindings(self, bindings, depth):
        name = super()._of_bindings(bindings, depth)
        if name is None and bindings and all(binding.kind == IMPORT for binding in bindings):
            return self.of_binding(bindings[-1])
        return name


class _NoFiles:
    """Finds no module of the codebase: its own names have no full name."""

    def find(self, level, module, path):
        """Returns None."""


def _imported(node):
    if isinstance(node, ast.Import):
        return [Use(alias.name, node.lineno, is_module=True) for alias in node.names]
    if node.level or not node.module:
        return []  # the codebase's own
    return [
        Use(node.module, node.lineno, is_module=True)
        if alias.name == "*"
        else Use(f"{node.module}.{alias.name}", node.lineno)
        for alias in node.names
    ]


def _is_getattr(node):
    """Tells whether a call is ``getattr(x, "name")``, which is a use of the name as well."""
    is_named = isinstance(node.func, ast.Name) and node.func.id == "getattr"
    return is_named and len(node.args) == 2 and _text(node.args[1]) is not None


def _text(node):
    value = getattr(node, "value", None)
    return value if isinstance(value, str) else None
