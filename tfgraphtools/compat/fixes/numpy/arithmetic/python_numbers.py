"""Arithmetic of Python's own numbers, which needs no helper: loop counters, lengths, constants.

A variable of a function holds only Python's numbers if everything that the function binds to it
does: constants, the items of ``range``, ``len()``, ``int()`` or ``float()``, and arithmetic of
such. Arguments, variables of a module and results of other calls may be NumPy's.
"""

import ast

from tfgraphtools.compat.engine import nodes

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)

#: Functions that return Python's own numbers or text, whatever they get.
_ALWAYS = {"bool", "float", "hash", "id", "int", "len", "ord", "str"}

#: Functions that return Python's own numbers if they get such.
_KEEPING = {"abs", "max", "min"}

#: What may bind a local variable, and is not seen in the source.
_HIDDEN = {"eval", "exec", "locals", "vars"}


def in_tree(tree):
    """Returns the ids of the operations and comparisons in a module whose operands are Python's.

    Args:
      tree: an `ast.Module`, before other rewrites.
    """
    functions = [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    if not functions:
        return frozenset()
    builtins = (_ALWAYS | _KEEPING | {"range", "enumerate"}) - nodes.bound_names(tree)
    if any(_is_star(node) for node in ast.walk(tree)):
        builtins = frozenset()
    found = set()
    for function in functions:
        found.update(_Function(function, builtins).operations())
    return found


def _is_star(node):
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


class _Function:
    """One function, without those that it defines.

    Args:
      node: its `ast.FunctionDef`.
      builtins: the names of builtins that the module does not bind.
    """

    def __init__(self, node, builtins):
        self._builtins = builtins
        self._nodes = list(_own_nodes(node))
        self._values = {}  # name -> the expressions that are bound to it; None for others
        self._hides = any(getattr(n, "id", None) in _HIDDEN for n in self._nodes)
        if not self._hides:
            self._read(node)

    def operations(self):
        """Yields the ids of the nodes whose operands are Python's own."""
        if self._hides:
            return
        names = {name for name, values in self._values.items() if None not in values}
        before = None
        while before != names:
            before = names
            names = {n for n in names if all(self._is_pythons(v, before) for v in self._values[n])}
        for node in self._nodes:
            if isinstance(node, (ast.BinOp, ast.Compare)):
                if self._is_pythons(node, names):
                    yield id(node)
            elif isinstance(node, ast.AugAssign) and getattr(node.target, "id", None) in names:
                yield id(node)

    def _read(self, function):
        bound = {id(n) for n in self._nodes if _binds(n)}
        for node in self._nodes:
            for target, value in _assigned(node, self._builtins):
                self._values.setdefault(target.id, []).append(value)
                bound.discard(id(target))
        others = [n.id for n in self._nodes if id(n) in bound]
        arguments = function.args
        others += [a.arg for a in ast.walk(arguments) if isinstance(a, ast.arg)]
        for node in ast.walk(function):
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                others += node.names
            elif isinstance(node, ast.alias):
                others.append((node.asname or node.name).partition(".")[0])
            elif isinstance(node, ast.ExceptHandler) or isinstance(
                node, (*_FUNCTIONS, ast.ClassDef)
            ):
                others.append(node.name)
        if hasattr(ast, "MatchAs"):  # its names are no ast.Name
            if any(isinstance(n, ast.Match) for n in self._nodes):
                self._hides = True
        for name in others:
            self._values.setdefault(name, []).append(None)

    def _is_pythons(self, node, names):
        """Tells whether an expression is a number or text of Python's own."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            return node.id in names
        if isinstance(node, ast.UnaryOp):
            return self._is_pythons(node.operand, names)
        if isinstance(node, ast.BinOp):
            parts = (node.left, node.right)
        elif isinstance(node, ast.Compare):
            parts = (node.left, *node.comparators)
        elif isinstance(node, ast.IfExp):
            parts = (node.body, node.orelse)
        elif isinstance(node, ast.Call) and not node.keywords:
            name = getattr(node.func, "id", None)
            if name not in self._builtins or name not in _ALWAYS | _KEEPING:
                return False
            if name in _ALWAYS:
                return True
            parts = node.args if len(node.args) != 1 or name == "abs" else [node.func]
        else:
            return False
        return all(self._is_pythons(part, names) for part in parts)


def _own_nodes(function):
    """The nodes of a function's body, without the bodies of others within it."""
    waiting = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


def _binds(node):
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)


def _assigned(node, builtins):
    """(`ast.Name`, its value) of what a node binds; a value that is known only."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _pairs(target, node.value)
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        name = ast.Name(id=node.target.id, ctx=ast.Load())
        yield node.target, ast.BinOp(left=name, op=node.op, right=node.value)
    elif isinstance(node, (ast.For, ast.comprehension)):
        name = getattr(getattr(node.iter, "func", None), "id", None)
        target = node.target
        if name == "enumerate" and isinstance(target, ast.Tuple):
            target = target.elts[0] if len(node.iter.args) == 1 else None
        elif name != "range":
            return
        if name in builtins and isinstance(target, ast.Name):
            yield target, ast.Constant(value=0)


def _pairs(target, value):
    if isinstance(target, ast.Name):
        yield target, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        if len(target.elts) == len(value.elts):
            for part, its in zip(target.elts, value.elts):
                yield from _pairs(part, its)
