"""Small pieces of trees that the passes build."""

import ast


def load(name):
    """A name that is read."""
    return ast.Name(id=name, ctx=ast.Load())


def call(helper, *arguments, at):
    """``helper(*arguments)``, placed where the node `at` stands."""
    made = ast.Call(func=load(helper), args=list(arguments), keywords=[])
    return ast.fix_missing_locations(ast.copy_location(made, at))


def through(helper, node):
    """The call ``f(...)`` as ``helper(f, ...)``."""
    node.args.insert(0, node.func)
    node.func = ast.copy_location(load(helper), node.func)
    return node


def text(value, at):
    """A constant, placed where the node `at` stands."""
    return ast.copy_location(ast.Constant(value=value, kind=None), at)


def word(node):
    """The text that a node is as a constant; None for any other."""
    value = getattr(node, "s" if type(node).__name__ == "Str" else "value", None)
    return value if isinstance(value, str) else None


def words(tree):
    """The texts that stand in a tree as constants."""
    return set(filter(None, map(word, ast.walk(tree))))


def insert_first(tree, statement):
    """Puts a statement behind the module's docstring and its imports from ``__future__``."""
    place = 0
    for place_after, node in enumerate(tree.body, 1):
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            place = place_after
    if not place and ast.get_docstring(tree, clean=False) is not None:
        place = 1
    tree.body.insert(place, statement)


def assigned_in_place(node, combined):
    """``target op= value`` as statements that assign ``combined(target read, value)``.

    Whatever the target evaluates is evaluated once, as before.

    Args:
      node: an `ast.AugAssign`.
      combined: function of two expressions that gives the new value's.
    """
    statements = []
    target = steady(node.target, statements, node)
    assigned = ast.Assign(targets=[target], value=combined(read(target), node.value))
    assigned.type_comment = None
    statements.append(ast.copy_location(assigned, node))
    return [ast.fix_missing_locations(statement) for statement in statements]


def read(target):
    """The same expression, read instead of assigned."""
    made = _copy(target)
    made.ctx = ast.Load()
    return made


def _copy(node):
    if not isinstance(node, ast.AST):
        return [_copy(item) for item in node] if isinstance(node, list) else node
    made = type(node)(**{name: _copy(value) for name, value in ast.iter_fields(node)})
    return ast.copy_location(made, node)


def steady(node, statements, at):
    """`node` as an expression that may be evaluated twice; the rest is kept in temporaries."""
    if node is None or isinstance(node, (ast.Name, ast.Constant)):
        return node
    if type(node).__name__ in ("Num", "Str", "NameConstant"):  # Python 3.7's constants
        return node
    if isinstance(node, ast.Attribute):
        node.value = steady(node.value, statements, at)
        return node
    if isinstance(node, ast.Subscript):
        node.value = steady(node.value, statements, at)
        node.slice = steady(node.slice, statements, at)
        return node
    if isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            setattr(node, part, steady(getattr(node, part), statements, at))
        return node
    if isinstance(node, ast.Tuple):
        node.elts = [steady(item, statements, at) for item in node.elts]
        return node
    if type(node).__name__ in ("Index", "ExtSlice"):  # up to Python 3.8
        for name, value in ast.iter_fields(node):
            parts = value if isinstance(value, list) else [value]
            held = [steady(part, statements, at) for part in parts]
            setattr(node, name, held if isinstance(value, list) else held[0])
        return node
    name = f"__part{len(statements)}__"
    kept = ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=node)
    kept.type_comment = None
    statements.append(ast.copy_location(kept, at))
    return ast.copy_location(load(name), node)


def bound_names(tree):
    """Every name that a module binds anywhere; ``"*"`` when it imports all of another."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names
