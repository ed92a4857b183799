"""Every use of a name that means something of a library, with what it is today."""

import ast
import builtins
from typing import Any, List, NamedTuple, Optional

from tfgraphtools.analysis import library_uses
from tfgraphtools.analysis.scopes import BUILT_IN_OF_PYTHON2, meaning, nodes_of, parents_of
from tfgraphtools.compat.rewrites.attribute_names import OLD_ATTRIBUTES
from tfgraphtools.upgrade import targets


class Use(NamedTuple):
    """A chain ``a.b.c`` in the source whose root is a library's.

    Fields:
      root: the `ast.Name`.
      scope: the scope in which it is read.
      steps: the nodes of ``a``, ``a.b``, ``a.b.c``.
      names: the dotted name of each of them; None from where it is not known.
      binding: the import or assignment that binds the root; None for a builtin.
      parent: the node around the chain.
      stored: whether the chain is assigned or deleted.
    """

    root: Any
    scope: Any
    steps: List[Any]
    names: List[Optional[str]]
    binding: Any
    parent: Any
    stored: bool

    @property
    def line(self):
        """The line of the use."""
        return self.root.lineno


def uses(tree, file_scopes, names):
    """Yields the `Use`s in a module, in the order of its scopes.

    Args:
      tree: the `ast.Module`.
      file_scopes: its `scopes.Scopes`.
      names: its `resolving.Names`.
    """
    parents = parents_of(tree)
    for root, scope in file_scopes.names:
        bindings = meaning(scope.bindings(root.id))
        first = names.of_name(root.id, scope)
        if first is None and not bindings:
            first = _builtin(root.id, names)
        if first is None:
            continue
        steps, dotted, node = [root], [first], root
        parent = parents.get(node)
        while isinstance(parent, ast.Attribute) and parent.value is node:
            node = parent
            steps.append(node)
            dotted.append(names.step(dotted[-1], node.attr))
            parent = parents.get(node)
        stored = not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        binding = bindings[0] if bindings else None
        yield Use(root, scope, steps, dotted, binding, parent, stored)


def _builtin(name, names):
    if (name in BUILT_IN_OF_PYTHON2 or hasattr(builtins, name)) and names.may_be_of_star(name):
        return None
    dotted = "builtins." + name
    if targets.is_conditional(dotted):  # open: it is looked at how it is called
        return dotted
    if name not in BUILT_IN_OF_PYTHON2 or hasattr(builtins, name):
        return None
    return dotted if targets.of(dotted) is not None else None


def old_attributes(tree, file_scopes, names):
    """Yields (the `ast.Attribute`, row, its name today or "") of reads of attributes that are gone.

    Only of values: ``module.name`` is a name. Not where the file defines or assigns one of that
    name.
    """
    defined = {
        node.name for node in nodes_of(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    attributes = [node for node in nodes_of(tree) if isinstance(node, ast.Attribute)]
    defined |= {node.attr for node in attributes if isinstance(node.ctx, ast.Store)}
    scopes = {id(root): scope for root, scope in file_scopes.names}
    imported = imported_roots(tree)
    for node in attributes:
        if node.attr not in OLD_ATTRIBUTES:
            continue
        row, roots, today = OLD_ATTRIBUTES[node.attr]
        if not isinstance(node.ctx, ast.Load) or node.attr in defined:
            continue
        if (roots and imported.isdisjoint(roots)) or _names_something(node.value, scopes, names):
            continue
        if row == "numpy.ndarray.newbyteorder" and _is_dtype(node.value):
            continue
        yield node, row, today


def _is_dtype(node):
    """Tells whether an expression is ``x.dtype`` or ``np.dtype(...)``, whose methods are there."""
    node = node.func if isinstance(node, ast.Call) else node
    return getattr(node, "attr", getattr(node, "id", None)) == "dtype"


def imported_roots(tree):
    """Returns the roots of what a module imports: "numpy" of ``import numpy.random``."""
    return {name.partition(".")[0] for name, _ in library_uses.imported_names(tree)}


def _names_something(node, scopes, names):
    """Tells whether an expression is a module or a module's attribute, and no value."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    scope = scopes.get(id(root)) if isinstance(root, ast.Name) else None
    return (
        scope is not None and bool(scope.bindings(root.id)) and (names.of(node, scope) is not None)
    )


def shadowed(file_scopes, names):
    """Yields (name, line) of imports of TensorFlow whose name is bound to other things, too."""
    for name, bindings in file_scopes.module.names.items():
        bindings = meaning(bindings)
        imports = [b for b in bindings if b.kind == "import"]
        others = [b for b in bindings if b.kind == "other"]
        for binding in imports if others else ():
            dotted = names.of_binding(binding) or ""
            if dotted.partition(".")[0] == "tensorflow":
                yield name, binding.statement.lineno
