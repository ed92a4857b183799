"""The variable of a list comprehension, which stayed in the scope around it.

``[x for x in items]`` left `x` at the last item. Only the comprehensions whose variable the
scope reads elsewhere are rewritten: ``[x for _x in items if (x := _x,)]``. Not those of a
class's body, and not those that another one loops over: Python 3 allows no assignment there.
"""

import ast

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.table import COMPREHENSIONS

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.Lambda)


def keep_variables(tree):
    """Changes the list comprehensions of a tree, where it matters."""
    if not hasattr(ast, "NamedExpr"):  # Python 3.7, which compiles no user code
        return
    for node, names in leaking(tree):
        _keep(node, names)


def leaking(tree):
    """Returns [(list comprehension, those of its variables that the scope around it reads)]."""
    leaks = []
    scopes = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.FunctionDef))]
    for scope in scopes:
        comprehensions = list(_lists_in(scope))
        kept = {
            name for name in set().union(*map(_bound_by, comprehensions)) if _is_read(scope, name)
        }
        for node in comprehensions:
            if kept & _bound_by(node):
                leaks.append((node, kept & _bound_by(node)))
    return leaks


def _lists_in(node):
    """Returns the list comprehensions of a scope that may assign to its variables."""
    for child in _inside(node):
        if isinstance(child, ast.ListComp):
            yield child
        yield from _lists_in(child)


def _inside(node):
    """Returns the nodes below a node in the same scope, where an assignment may stand."""
    if isinstance(node, ast.ListComp):
        parts = [node.elt]
        for generator in node.generators:
            parts += generator.ifs
    elif isinstance(node, (ast.Module, ast.FunctionDef)):
        parts = node.body
    else:
        parts = ast.iter_child_nodes(node)
    closed = (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.SetComp, ast.DictComp)
    return [part for part in parts if not isinstance(part, (*closed, ast.GeneratorExp))]


def _bound_by(comprehension):
    """Returns the names that a comprehension loops over."""
    return {
        part.id
        for generator in comprehension.generators
        for part in ast.walk(generator.target)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _is_read(scope, name):
    """Tells whether a scope reads `name` outside the comprehensions that bind it."""
    return any(_reads(part, name) for part in scope.body)


def _reads(node, name):
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Store)
    if isinstance(node, _FUNCTIONS) and name in _locals_of(node):
        outside = [*node.args.defaults, *getattr(node, "decorator_list", ())]
        return any(_reads(part, name) for part in outside)
    if isinstance(node, ast.For) and _sets_at_each_step(node, name):
        return _reads(node.iter, name) or any(_reads(part, name) for part in node.orelse)
    if isinstance(node, _COMPREHENSIONS) and name in _bound_by(node):
        first = node.generators[0].iter
        nested = (part for part in ast.walk(node) if part is not node)
        again = any(isinstance(n, ast.ListComp) and name in _bound_by(n) for n in nested)
        return again or _reads(first, name)
    return any(_reads(child, name) for child in ast.iter_child_nodes(node))


def _sets_at_each_step(loop, name):
    """Tells whether the body of a loop reads the loop's own variable of that name only.

    A function or a generator that is made there may read it after the loop.
    """
    targets = {
        part.id: isinstance(part.ctx, ast.Store)
        for part in ast.walk(loop.target)
        if isinstance(part, ast.Name)
    }
    is_target = targets.get(name, False) and all(targets.values())
    inside = (node for part in loop.body for node in ast.walk(part))
    return is_target and not any(
        isinstance(node, (*_FUNCTIONS, ast.GeneratorExp))
        or (isinstance(node, ast.ListComp) and name in _bound_by(node))
        for node in inside
    )


def _locals_of(function):
    """Returns the names that a function binds itself."""
    every = function.args
    names = {
        parameter.arg
        for parameter in [*every.args, *every.kwonlyargs, every.vararg, every.kwarg]
        if parameter
    }
    body = function.body if isinstance(function.body, list) else [function.body]
    shared = set()
    for part in (inner for statement in body for inner in ast.walk(statement)):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
        elif isinstance(part, ast.Global):
            shared.update(part.names)
    return names - shared


def _keep(node, names):
    """Makes one comprehension assign its variables of these names to the scope's."""
    rows.used(COMPREHENSIONS)
    for generator in node.generators:
        assigned = []
        for part in ast.walk(generator.target):
            if isinstance(part, ast.Name) and part.id in names:
                target = ast.Name(id=part.id, ctx=ast.Store())
                part.id = "__each_" + part.id.strip("_") + "__"
                value = ast.Name(id=part.id, ctx=ast.Load())
                assigned.append(ast.NamedExpr(target=target, value=value))
        if assigned:
            test = ast.Tuple(elts=assigned, ctx=ast.Load())  # which is true
            for part in ast.walk(test):
                ast.copy_location(part, node)
            generator.ifs.insert(0, test)
