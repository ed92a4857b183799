"""Quotients that have to be integers, by where they go: ``range(n / 2)``, ``x[:n / 2]``.

Python 2 refuses a float there, as Python 3 does, so both operands were integers. A variable
counts that only holds quotients in its function and goes into such a place there.
"""

import ast

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
_SCOPES = (ast.FunctionDef, ast.Lambda, ast.ClassDef)


def quotients(tree):
    """Returns the ids of the `ast.BinOp`s of a tree that divide integers, as their use shows."""
    divisions = set()
    for scope in [tree, *(node for node in ast.walk(tree) if isinstance(node, _SCOPES))]:
        own = list(own_nodes(scope))
        assigned = _assigned(own)
        waiting = [place for node in own for place in _whole_places(node)]
        seen = set()
        while waiting:
            for part in _parts(waiting.pop()):
                if isinstance(part, ast.Name) and part.id not in seen:
                    seen.add(part.id)
                    waiting += assigned.get(part.id) or ()
                elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div):
                    divisions.add(id(part))
    return divisions


def own_nodes(scope):
    """Yields the nodes of a scope, without those of functions and classes in it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, _SCOPES):
            yield from own_nodes(child)


def _whole_places(node):
    """Returns the expressions of a node that have to be integers."""
    if isinstance(node, ast.Slice):
        return [part for part in (node.lower, node.upper, node.step) if part is not None]
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("range", "xrange"):
        return node.args
    return []


def _parts(node):
    """Yields an expression, and those of which it is the sum, product or quotient."""
    yield node
    if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
        yield from _parts(node.left)
        yield from _parts(node.right)
    elif isinstance(node, ast.UnaryOp):
        yield from _parts(node.operand)


def _assigned(own):
    """Returns variable -> what is assigned to it; None where something else binds it, too."""
    values_of, target_ids = {}, set()
    for node in own:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            if isinstance(node.targets[0], ast.Name):
                values_of.setdefault(node.targets[0].id, []).append(node.value)
                target_ids.add(id(node.targets[0]))
    for node in own:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            if id(node) not in target_ids:
                values_of[node.id] = None
        elif isinstance(node, ast.Global):
            values_of.update(dict.fromkeys(node.names))
    return values_of
