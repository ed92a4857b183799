"""Augmented assignments that call a helper for the operator: ``a[i] += b`` and ``x.n += b``.

The language reference has it so: the parts of the target first, each once; then what the target
holds; then the right side; then the operator; and the result goes to where the target was, even
where the right side has bound its names again. Where nothing can bind them again, they are read
twice, which nobody can see and is faster.
"""

import ast

from tfgraphtools.compat.engine.translate import tree_walk, trees

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class InPlace:
    """The augmented assignments of a tree.

    Args:
      tree: an `ast.Module`, before other rewrites.
    """

    def __init__(self, tree):
        self._tree = tree

    def assigned(self, node, helper, later=lambda statement: statement):
        """Returns the statements that do ``target op= value`` by ``helper(target, value)``.

        Args:
          node: an `ast.AugAssign`.
          helper: the name of the function that gives the new value.
          later: gives what other rewrites make of an assignment inside of another statement.
        """
        target = node.target
        if isinstance(target, ast.Name) or self._is_steady(node, target):
            result = trees.call(helper, trees.as_read(target), node.value, at=node)
            statement = self._like(node, target, result)
        elif self.is_in_function(node):
            held = []
            target.value = self.held(node, target.value, "__owner__", held)
            if isinstance(target, ast.Subscript):
                index = _as_expression(target.slice)
                target.slice = self.held(node, index, "__index__", held)
            result = trees.call(helper, trees.as_read(target), node.value, at=node)
            stored = later(self._like(node, target, result))
            return in_order(held, stored if isinstance(stored, list) else [stored], node)
        else:
            place = self._place(node, target)
            function = trees.name_at(helper, node)
            statement = ast.Expr(value=trees.call(PUT, place, node.value, function, at=node))
        return tree_walk.located(statement, node)

    def _like(self, node, target, value):
        """Returns an assignment of which is known what is known of an augmented one."""
        statement = ast.Assign(targets=[target], value=value, type_comment=None)
        self._known()[statement] = self._facts_of(node)
        return tree_walk.located(statement, node)

    def is_in_function(self, node):
        """Tells whether an assignment is a function's own, which may have variables of ours."""
        return self._facts_of(node)[2]

    def held(self, node, part, name, statements):
        """Returns what stands for a part of an assignment: itself, if it stays what it is.

        Else it is a variable of this name, which one more of the statements sets.
        """
        if _is_constant(part) or _is_one_of(self._facts_of(node)[0] | _OURS, part):
            return part
        variable = ast.copy_location(ast.Name(id=name, ctx=ast.Store()), node)
        assigned = ast.Assign(targets=[variable], value=part, type_comment=None)
        statements.append(ast.copy_location(assigned, node))
        return trees.name_at(name, node)

    def _is_steady(self, node, target):
        """Tells whether the parts of a target stay what they are, whatever else is evaluated."""
        names = self._facts_of(node)[0]
        parts = [target.value, getattr(target, "slice", None)]
        return all(part is None or _is_constant(part) or _is_one_of(names, part) for part in parts)

    def _place(self, node, target):
        """Returns the expression of an `Item` or `Field`."""
        if isinstance(target, ast.Subscript):
            return trees.call(ITEM, target.value, _as_expression(target.slice), at=target)
        name = _mangled(target.attr, self._facts_of(node)[1])
        return trees.call(FIELD, target.value, trees.constant(name, target), at=target)

    def _facts_of(self, node):
        """Returns (variables that only its function binds, name of the class, is in a function)."""
        return self._known().get(node, _NO_FACTS)

    def _known(self):
        return trees.once(self._tree, _facts_of_assignments)


_NO_FACTS = frozenset(), "", False

#: The variables that hold parts of assignments.
_OURS = frozenset(("__owner__", "__index__", "__value__"))
_ASSIGNMENTS = (ast.AugAssign, ast.Assign)


def in_order(held, statements, at):
    """Returns the statements of `InPlace.held`, then others, which forget the variables."""
    if held:
        names = [ast.Name(id=each.targets[0].id, ctx=ast.Del()) for each in held]
        finished = ast.Try(
            body=statements, handlers=[], orelse=[], finalbody=[ast.Delete(targets=names)]
        )
        statements = [*held, finished]
    return [tree_walk.located(each, at) for each in statements]


def _facts_of_assignments(tree):
    """Returns {assignment: what `InPlace._facts_of` returns of it}."""
    return dict(_facts_of_scopes(tree))


def _facts_of_scopes(tree):
    """Yields (assignment, what `InPlace._facts_of` returns of it)."""
    class_of = {tree: ""}
    shared = set(_bound_from_elsewhere(tree))
    for scope, by_type in trees.scopes_of(tree):
        name = scope.name if isinstance(scope, ast.ClassDef) else class_of[scope]
        class_of.update(dict.fromkeys(trees.among(by_type, trees.SCOPES), name))
        assignments = trees.among(by_type, _ASSIGNMENTS)
        if assignments:
            is_function = isinstance(scope, _FUNCTIONS)
            own = frozenset(_variables(scope, by_type) - shared if is_function else ())
            for node in assignments:
                yield node, (own, name, is_function)


def _bound_from_elsewhere(tree):
    """Yields the names that a function within, or an expression, may bind: nobody looks where."""
    for node in trees.nodes_of(tree, ast.Global, ast.Nonlocal):
        yield from node.names
    for node in trees.nodes_of(tree, ast.NamedExpr):
        if isinstance(node.target, ast.Name):  # of a tree that is wrong, Python says so
            yield node.target.id


def _variables(scope, by_type):
    """Returns the arguments of a function, and what its statements bind."""
    inside = {
        name.id
        for node in by_type.get(ast.comprehension, ())
        for name in ast.walk(node.target)
        if isinstance(name, ast.Name)
    }
    bound = {node.id for node in by_type.get(ast.Name, ()) if node.ctx.__class__ is ast.Store}
    arguments = {part.arg for part in trees.children(scope.args) if part.__class__ is ast.arg}
    return (bound | arguments) - inside  # Python 2's comprehensions bind in the function


def _is_constant(part):
    """Tells whether it is the same object each time."""
    part = getattr(part, "value", part) if type(part).__name__ == "Index" else part  # Python 3.8
    return isinstance(part, ast.Constant)


def _is_one_of(names, part):
    part = part.value if type(part).__name__ == "Index" else part
    part = getattr(part, "asked_name", part)  # another rewrite asks about the name, and no more
    return isinstance(part, ast.Name) and part.id in names


def _as_expression(index):
    """Returns an index as an expression: slices are calls, which are written only in brackets."""
    kind = type(index).__name__
    if kind == "Slice":
        parts = [part or trees.constant(None, index) for part in _bounds(index)]
        return trees.call(SLICE, *parts, at=index)
    if kind == "Tuple":
        return _tuple_of(index.elts, index)
    if kind == "ExtSlice":  # Python 3.8, as is the next
        return _tuple_of(index.dims, index)
    return index.value if kind == "Index" else index


def _bounds(index):
    return index.lower, index.upper, index.step


def _tuple_of(items, at):
    whole = ast.Tuple(elts=[_as_expression(item) for item in items], ctx=ast.Load())
    return ast.copy_location(whole, at)


def _mangled(name, class_name):
    """Returns the name of an attribute as Python looks it up in the body of a class."""
    owner = class_name.lstrip("_")
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{owner}{name}" if is_private and owner else name


# What the rewritten code calls ------------------------------------------------------


class Item:
    """An item, ``owner[index]``: its parts and what it holds."""

    __slots__ = ("index", "owner", "value")

    def __init__(self, owner, index):
        self.owner, self.index = owner, index
        self.value = owner[index]

    def store(self, value):
        """Makes the item hold another value."""
        self.owner[self.index] = value


class Field:
    """An attribute, ``owner.name``: its parts and what it holds."""

    __slots__ = ("name", "owner", "value")

    def __init__(self, owner, name):
        self.owner, self.name = owner, name
        self.value = getattr(owner, name)

    def store(self, value):
        """Makes the attribute hold another value."""
        setattr(self.owner, self.name, value)


def put(place, value, function):
    """Makes a place hold ``function(what it held, value)``."""
    place.store(function(place.value, value))


PUT, SLICE = "__python_put__", "__python_slice__"
ITEM, FIELD = "__python_item__", "__python_field__"

HELPERS = {PUT: put, ITEM: Item, FIELD: Field, SLICE: slice}
