"""Arithmetic of Python's own numbers, which needs no helper: loop counters, lengths, constants.

A variable of a function holds only Python's numbers if everything that the function binds to it
does: constants, the items of ``range``, ``len()``, ``int()`` or ``float()``, and arithmetic of
such; so do texts, what their methods give, and truths: ``not x``, ``x is None``, ``x in xs``.
Arguments, variables of a module and results of other calls may be NumPy's.
"""

import ast

from tfgraphtools.compat.engine.translate import trees

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_OPERATIONS = (ast.BinOp, ast.Compare, ast.AugAssign)
_ASSIGNING = (ast.Assign, ast.AugAssign, ast.For, ast.comprehension)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_MATCH = getattr(ast, "Match", None)  # since Python 3.10
_USES = (ast.Call, ast.FormattedValue)

#: Functions that return Python's own numbers or text, whatever they get.
_ALWAYS = frozenset(
    "ascii bin bool callable chr float format hasattr hash hex id int isinstance issubclass len "
    "oct ord repr str".split()
)

#: Functions that return Python's own numbers if they get such.
_KEEPING = {"abs", "max", "min", "round"}

#: Methods of text that return text, numbers or truths.
_OF_TEXT = frozenset(name for name in dir(str) if not name.startswith("_")) - {
    "encode",  # bytes have items of their own
    "partition",
    "rpartition",
    "rsplit",
    "split",
    "splitlines",
}

#: Comparisons that give a truth of Python's, whatever they compare.
_TRUTHS = frozenset((ast.Is, ast.IsNot, ast.In, ast.NotIn))

#: Builtins over which a loop gives Python's own numbers.
_LOOPS = {"range", "enumerate"}

#: Builtins that may bind a local variable, which the source does not show.
_HIDDEN = {"eval", "exec", "locals", "vars"}


def in_tree(tree):
    """Returns the operations and comparisons in a module whose operands are Python's, as a set.

    Items by a variable that is Python's, as in ``x[i]``, are in it, too; calls of the builtins
    that other rewrites look at, whose arguments are; and what is Python's in an f-string.

    Args:
      tree: an `ast.Module`, before other rewrites.
    """
    return trees.once(tree, _operations_of_pythons)


def _operations_of_pythons(tree):
    names = trees.bound_names(tree)
    builtins = (_ALWAYS | _KEEPING | _LOOPS) - names if "*" not in names else ()
    operations, elsewhere = set(), {}
    for scope, by_type in reversed(trees.scopes_of(tree)):  # those within before those around
        elsewhere[scope] = _bound_elsewhere(by_type, elsewhere)
        if scope.__class__ in _FUNCTIONS:
            operations.update(_Function(scope, by_type, elsewhere[scope]).of_pythons(builtins))
    return operations


def _bound_elsewhere(by_type, of_scopes):
    """Returns names that a scope and those in it bind in a way that says nothing of their values.

    Args:
      by_type: the nodes of the scope, by type.
      of_scopes: {scope: such names}, of the scopes in it.
    """
    names = []
    for kind in by_type.keys() & _ELSEWHERE.keys():
        for node in by_type[kind]:
            names += _ELSEWHERE[kind](node)
    for scope in trees.among(by_type, trees.SCOPES):
        names += of_scopes[scope]
    return names


class _Function:
    """What one function computes and binds, without the functions that it defines.

    Args:
      scope: its node.
      by_type: the nodes of its own code, by type.
      elsewhere: names that it binds in a way that says nothing of their values.
    """

    def __init__(self, scope, by_type, elsewhere):
        self._scope, self._by_type, self._elsewhere = scope, by_type, elsewhere
        self._names = by_type.get(ast.Name, ())
        self._items = [
            node for node in by_type.get(ast.Subscript, ()) if node.slice.__class__ is ast.Name
        ]
        self._operations = [node for node in trees.among(by_type, _USES) if _is_use(node)]
        self._operations += trees.among(by_type, _OPERATIONS)

    def _hides(self):
        """Tells whether it may bind variables that its `ast.Name` nodes do not show."""
        return _MATCH in self._by_type or any(node.id in _HIDDEN for node in self._names)

    def of_pythons(self, builtins):
        """Returns the operations whose operands are Python's own.

        Args:
          builtins: the names of builtins that the module does not bind.
        """
        if not (self._operations or self._items) or self._hides():
            return ()
        names, known = self._names_of_pythons(builtins), {}
        for node in reversed(self._operations):  # parts before the whole, mostly
            _is_pythons(node, names, known, builtins)
        pythons = {node for node, is_pythons in known.items() if is_pythons}
        return pythons.union(item for item in self._items if item.slice.id in names)

    def _names_of_pythons(self, builtins):
        """Returns the variables that hold nothing but Python's numbers and text."""
        needs = {name: _needs(values, builtins) for name, values in self._values(builtins).items()}
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

    def _values(self, builtins):
        """Returns {variable: the expressions that are bound to it}, of those that all are known."""
        values, known = {}, set()
        for node in trees.among(self._by_type, _ASSIGNING):
            for target, value in _assigned(node, builtins):
                values.setdefault(target.id, []).append(value)
                known.add(target)
        if not values:
            return values
        bound = [name for name in self._names if name.ctx.__class__ is not ast.Load]
        others = {name.id for name in bound if name not in known}
        others |= self._read_outside_of_comprehensions()
        others.update(self._elsewhere, [self._scope.name], self._arguments())
        return {name: values[name] for name in values.keys() - others}

    def _arguments(self):
        parts = trees.children(self._scope.args)
        return [part.arg for part in parts if part.__class__ is ast.arg]

    def _read_outside_of_comprehensions(self):
        """Returns names read outside of comprehensions that the function does not bind there."""
        comprehensions = trees.among(self._by_type, _COMPREHENSIONS)
        inside = {name for node in comprehensions for name in _own_names(node)}
        read, bound = set(), set()
        for name in self._names if inside else ():
            if name not in inside:
                (read if name.ctx.__class__ is ast.Load else bound).add(name.id)
        return read - bound


#: type of node -> the names that it binds, in whatever scope within a function it stands.
_ELSEWHERE = {
    ast.Global: lambda node: node.names,
    ast.Nonlocal: lambda node: node.names,
    ast.alias: lambda node: [(node.asname or node.name).partition(".")[0]],
    ast.ExceptHandler: lambda node: [node.name],
    ast.ClassDef: lambda node: [node.name],
    ast.FunctionDef: lambda node: [node.name],
    ast.AsyncFunctionDef: lambda node: [node.name],
    ast.arg: lambda node: [node.arg],
}
if hasattr(ast, "NamedExpr"):  # since Python 3.8; perhaps in a default of a function within
    _ELSEWHERE[ast.NamedExpr] = lambda node: [getattr(node.target, "id", None)]


def _needs(values, builtins):
    """Returns the variables that must be Python's for these expressions to be, or None."""
    names, waiting = set(), list(values)
    while waiting:
        node = waiting.pop()
        if node.__class__ is ast.Name:
            names.add(node.id)
            continue
        operands = _operands(node, builtins)
        if operands is None:
            return None
        waiting += operands
    return names


#: Builtins whose calls are rewritten.
_REWRITTEN = frozenset(
    "bool complex float int max min print range repr sorted str __python2_print__ "
    "__python2_range__ __python2_str__ __python2_xrange__".split()
)

#: The fields of operations, calls and f-strings that hold what they use.
_PARTS = ("left", "right", "comparators", "args", "value")


def _is_use(node):
    """Tells whether it is a value in an f-string, or a call of a builtin that is rewritten."""
    if node.__class__ is ast.FormattedValue:
        return node.format_spec is None
    is_rewritten = getattr(node.func, "id", None) in _REWRITTEN
    return is_rewritten and bool(node.args) and not node.keywords


def _is_pythons(operation, names, known, builtins):
    """Tells whether an operation is Python's, by the variables that are.

    Args:
      operation: its node.
      names: the variables that are.
      known: {operation: whether it is}, which gets those in it, too.
      builtins: the names of builtins that the module does not bind.
    """
    if operation not in known:
        if operation.__class__ is ast.AugAssign:
            known[operation] = getattr(operation.target, "id", None) in names
        else:
            known[operation] = _has_pythons(operation, names, known, builtins)
    return known[operation]


def _has_pythons(node, names, known, builtins):
    """Tells whether the parts of an operation are Python's."""
    waiting = trees.children(node, _PARTS)
    while waiting:
        node = waiting.pop()
        if node.__class__ is ast.Name:
            if node.id not in names:
                return False
        elif node.__class__ in _OPERATIONS and _operands(node, builtins) != ():
            if not _is_pythons(node, names, known, builtins):
                return False
        else:
            operands = _operands(node, builtins)
            if operands is None:
                return False
            waiting += operands
    return True


def _operands(node, builtins):
    """Returns what must be Python's for an expression to be Python's; None if it never is."""
    kind = node.__class__
    if kind is ast.Constant or kind is ast.JoinedStr:
        return ()
    if kind is ast.Tuple:
        return node.elts
    if kind is ast.UnaryOp:
        return () if node.op.__class__ is ast.Not else (node.operand,)
    if kind is ast.BinOp:
        if node.op.__class__ is ast.Mod and _is_text(node.left):
            return ()
        return (node.left, node.right)
    if kind is ast.Compare:
        if _TRUTHS.issuperset(map(type, node.ops)):
            return ()
        return (node.left, *node.comparators)
    if kind is ast.IfExp:
        return (node.body, node.orelse)
    if kind is ast.Call and node.func.__class__ is ast.Attribute:
        return () if node.func.attr in _OF_TEXT and _is_text(node.func.value) else None
    if kind is ast.Call and not node.keywords:
        name = getattr(node.func, "id", None)
        if name in builtins and name in _ALWAYS:
            return ()
        if name in builtins and name in _KEEPING and (name == "abs" or node.args[1:]):
            return node.args
    return None


def _is_text(node):
    """Tells whether an expression is a text that stands in the source."""
    return node.__class__ is ast.JoinedStr or trees.string_value(node) is not None


def _own_names(comprehension):
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
        if _has_constants(node.iter) and isinstance(target, ast.Name):
            yield target, ast.Constant(value=0)
            return
        if name == "enumerate" and isinstance(target, ast.Tuple):
            target = target.elts[0] if len(node.iter.args) == 1 else None
        elif name != "range":
            return
        if name in builtins and isinstance(target, ast.Name):
            yield target, ast.Constant(value=0)


def _has_constants(node):
    """Tells whether an expression is a text, or a list of nothing but constants."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return all(isinstance(item, ast.Constant) for item in node.elts)
    return trees.string_value(node) is not None


def _pairs(target, value):
    if isinstance(target, ast.Name):
        yield target, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        has_star = any(isinstance(part, ast.Starred) for part in value.elts)
        if len(target.elts) == len(value.elts) and not has_star:
            for part, its in zip(target.elts, value.elts):
                yield from _pairs(part, its)
