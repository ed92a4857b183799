"""Arithmetic of Python's own numbers, which needs no helper: loop counters, lengths, constants.

A variable of a function holds only Python's numbers if everything that the function binds to it
does: constants, the items of ``range``, ``len()``, ``int()`` or ``float()``, and arithmetic of
such. Arguments, variables of a module and results of other calls may be NumPy's.
"""

import ast

from tfgraphtools.compat.engine.translate import trees

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NAMED = getattr(ast, "NamedExpr", ())  # since Python 3.8
_OPERATIONS = (ast.BinOp, ast.Compare, ast.AugAssign)

#: Functions that return Python's own numbers or text, whatever they get.
_ALWAYS = {"bool", "float", "hash", "id", "int", "len", "ord", "str"}

#: Functions that return Python's own numbers if they get such.
_KEEPING = {"abs", "max", "min"}

#: Builtins that may bind a local variable, which the source does not show.
_HIDDEN = {"eval", "exec", "locals", "vars"}


def in_tree(tree):
    """Returns the operations and comparisons in a module whose operands are Python's, as a set.

    Args:
      tree: an `ast.Module`, before other rewrites.
    """
    functions = [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    if not functions:
        return frozenset()
    builtins = (_ALWAYS | _KEEPING | {"range", "enumerate"}) - trees.bound_names(tree)
    if any(_is_star(node) for node in ast.walk(tree)):
        builtins = frozenset()
    operations = set()
    for function in functions:
        operations.update(_Function(function, builtins).operations())
    return operations


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
        """Returns the nodes whose operands are Python's own."""
        if self._hides:
            return set()
        names, pythons = self._names_of_pythons(), set()
        for node in reversed(self._nodes):  # parts before the whole
            if isinstance(node, ast.Name):
                is_pythons = node.id in names
            elif isinstance(node, ast.AugAssign):
                is_pythons = getattr(node.target, "id", None) in names
            else:
                parts = self._parts(node)
                is_pythons = parts is not None and pythons.issuperset(parts)
            if is_pythons:
                pythons.add(node)
        return {node for node in pythons if isinstance(node, _OPERATIONS)}

    def _names_of_pythons(self):
        """Returns the variables that hold nothing but Python's numbers and text."""
        needs = {name: self._needs(values) for name, values in self._values.items()}
        names = {name for name, needed in needs.items() if needed is not None}
        needing = {}  # name -> the names whose values need it
        for name in names:
            for needed in needs[name]:
                needing.setdefault(needed, []).append(name)
        waiting = list(needing.keys() - names)
        while waiting:
            for name in needing.get(waiting.pop(), ()):
                if name in names:
                    names.discard(name)
                    waiting.append(name)
        return names

    def _needs(self, values):
        """Returns the variables that must be Python's for these expressions to be, or None."""
        names, waiting = set(), list(values)
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name):
                names.add(node.id)
                continue
            parts = self._parts(node)
            if parts is None:
                return None
            waiting += parts
        return names

    def _read(self, function):
        bound = {id(n) for n in self._nodes if _binds(n)}
        for node in self._nodes:
            for target, value in _assigned(node, self._builtins):
                self._values.setdefault(target.id, []).append(value)
                bound.discard(id(target))
        others = [n.id for n in self._nodes if id(n) in bound]
        others += self._read_outside_of_comprehensions()
        arguments = function.args
        others += [a.arg for a in ast.walk(arguments) if isinstance(a, ast.arg)]
        for node in ast.walk(function):
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                others += node.names
            elif isinstance(node, ast.alias):
                others.append((node.asname or node.name).partition(".")[0])
            elif isinstance(node, _NAMED):  # perhaps in a default of a function within
                others.append(node.target.id)
            elif isinstance(node, ast.ExceptHandler) or isinstance(
                node, (*_FUNCTIONS, ast.ClassDef)
            ):
                others.append(node.name)
        if hasattr(ast, "MatchAs"):  # its names are no ast.Name
            if any(isinstance(n, ast.Match) for n in self._nodes):
                self._hides = True
        for name in others:
            self._values.setdefault(name, []).append(None)

    def _read_outside_of_comprehensions(self):
        """Returns names read outside of comprehensions that the function does not bind there."""
        own = {node for n in self._nodes if isinstance(n, _COMPREHENSIONS) for node in _its_own(n)}
        names = [n for n in self._nodes if isinstance(n, ast.Name) and n not in own]
        return {n.id for n in names if not _binds(n)} - {n.id for n in names if _binds(n)}

    def _parts(self, node):
        """Returns what must be Python's for an expression to be Python's; None if it never is."""
        if isinstance(node, ast.Constant):
            return ()
        if isinstance(node, ast.UnaryOp):
            return (node.operand,)
        if isinstance(node, ast.BinOp):
            return (node.left, node.right)
        if isinstance(node, ast.Compare):
            return (node.left, *node.comparators)
        if isinstance(node, ast.IfExp):
            return (node.body, node.orelse)
        if isinstance(node, ast.Call) and not node.keywords:
            name = getattr(node.func, "id", None)
            if name in self._builtins and name in _ALWAYS:
                return ()
            if name in self._builtins and name in _KEEPING and (name == "abs" or node.args[1:]):
                return node.args
        return None


def _its_own(comprehension):
    """Yields the places of a comprehension's variables: only its first iterable is outside."""
    targets = {
        node.id
        for generator in comprehension.generators
        for node in ast.walk(generator.target)
        if isinstance(node, ast.Name)
    }
    outer = set(ast.walk(comprehension.generators[0].iter))
    for node in ast.walk(comprehension):
        if isinstance(node, ast.Name) and node.id in targets and node not in outer:
            yield node


def _own_nodes(function):
    """Yields the nodes of a function's body, without the bodies of others within it."""
    waiting = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


def _binds(node):
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)


def _assigned(node, builtins):
    """Yields (`ast.Name`, its value) of what a node binds; a value that is known only."""
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
        has_star = any(isinstance(part, ast.Starred) for part in value.elts)
        if len(target.elts) == len(value.elts) and not has_star:
            for part, its in zip(target.elts, value.elts):
                yield from _pairs(part, its)
