"""Every use of a library's name in a tree, by its full name.

``import tensorflow as tf; layers = tf.layers; layers.dense(x)`` uses
``tensorflow.layers.dense`` in the line of the call. Names are followed through
imports and plain assignments, in the order of the source; what is stored
elsewhere, or asked for by a string, is not seen.
"""

import ast
from typing import NamedTuple


class Use(NamedTuple):
    """A dotted name, the line in which it is used, and whether it is imported there as a module."""

    name: str
    line: int
    is_module: bool = False


def uses(tree):
    """The uses in a module, in the order of its source.

    Args:
      tree: an `ast.Module`.

    Example:
      >>> uses(ast.parse("import tensorflow as tf\\nx = tf.zeros([2])"))
      [Use(name='tensorflow', line=1, is_module=True),
       Use(name='tensorflow.zeros', line=2, is_module=False)]
    """
    found = []
    _Reader(found, {}, set()).visit(tree)
    return found


def calls(tree):
    """``(full name, its ast.Call)`` of the calls of a library's functions in a module."""
    found = []
    _CallReader(found, {}, set()).visit(tree)
    return found


def assigned(tree):
    """The dotted names of libraries that a module assigns (``tf.flag = 3``) or deletes."""
    found = set()
    _Reader([], {}, found).visit(tree)
    return found


class _Reader(ast.NodeVisitor):
    """Reads one scope; a scope within it is read by another that knows the same names."""

    def __init__(self, found, bound, assigned):
        self._found = found
        self._assigned = assigned
        self._bound = bound  # {name in the source: dotted name}

    def visit_Import(self, node):
        for alias in node.names:
            self._use(alias.name, node, is_module=True)
            if alias.asname:
                self._bound[alias.asname] = alias.name
            else:
                root = alias.name.partition(".")[0]
                self._bound[root] = root

    def visit_ImportFrom(self, node):
        if node.level or not node.module:
            for alias in node.names:  # the codebase's own
                self._bound.pop(alias.asname or alias.name, None)
            return
        for alias in node.names:
            if alias.name == "*":
                self._use(node.module, node, is_module=True)
                continue
            full = f"{node.module}.{alias.name}"
            self._use(full, node)
            self._bound[alias.asname or alias.name] = full

    def visit_Attribute(self, node):
        full = self._dotted(node)
        if full is None:
            self.generic_visit(node)
        elif isinstance(node.ctx, ast.Load):
            self._use(full, node)
        else:
            self._assigned.add(full)

    def visit_Assign(self, node):
        self.visit(node.value)
        full = self._dotted(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._bind(target.id, full)
            else:
                self.visit(target)

    def visit_Call(self, node):
        # getattr(tf, "name") is a use of the name as well.
        if _is_getattr(node):
            owner = self._dotted(node.args[0])
            if owner is not None:
                self._use(f"{owner}.{_text(node.args[1])}", node)
        self.generic_visit(node)

    def visit_FunctionDef(self, node):
        for outside in node.decorator_list + node.args.defaults + node.args.kw_defaults:
            if outside is not None:
                self.visit(outside)
        self._bind(node.name, None)
        arguments = node.args.args + node.args.kwonlyargs + [node.args.vararg, node.args.kwarg]
        own = {argument.arg for argument in arguments if argument is not None}
        self._inside(node.body, own)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        for outside in node.decorator_list + node.bases + node.keywords:
            self.visit(outside)
        self._bind(node.name, None)
        self._inside(node.body, ())

    def _inside(self, statements, own):
        bound = {name: full for name, full in self._bound.items() if name not in own}
        reader = type(self)(self._found, bound, self._assigned)
        for statement in statements:
            reader.visit(statement)

    def _bind(self, name, full):
        if full is None:
            self._bound.pop(name, None)
        else:
            self._bound[name] = full

    def _dotted(self, node):
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._bound:
            return None
        return ".".join([self._bound[node.id], *reversed(parts)])

    def _use(self, name, node, is_module=False):
        self._found.append(Use(name, node.lineno, is_module))


class _CallReader(_Reader):
    """Collects the calls instead of the uses."""

    def visit_Call(self, node):
        full = self._dotted(node.func)
        if full is not None:
            self._found.append((full, node))
        self.generic_visit(node)

    def _use(self, name, node, is_module=False):
        pass


def _is_getattr(node):
    is_named = isinstance(node.func, ast.Name) and node.func.id == "getattr"
    return is_named and len(node.args) == 2 and _text(node.args[1]) is not None


def _text(node):
    value = getattr(node, "value", getattr(node, "s", None))
    return value if isinstance(value, str) else None
