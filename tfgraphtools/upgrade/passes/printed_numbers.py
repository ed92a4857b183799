"""Lists of numbers that a run gave and a module prints: ``[0.5]``, ``[np.float32(0.5)]`` today.

A single number is printed as before; in a list, tuple or dictionary NumPy 2 names its type.
"""

import ast

from tfgraphtools.analysis.scopes import nodes_of

#: Methods that give numbers of NumPy, or several of them.
_GIVING = {"run", "eval"}
_GIVING_SEVERAL = {"evaluate", "evaluate_generator", "test_on_batch", "train_on_batch"}

#: Functions of NumPy, and methods of its arrays, that give one number without an axis.
_REDUCING = frozenset(
    "amax amin argmax argmin average count_nonzero max mean median min prod std sum var".split()
)

_DISPLAYS = (ast.List, ast.Tuple, ast.Set)


def shows_numbers(tree):
    """Tells whether a module prints a list, tuple or dictionary of what sessions gave."""
    nodes = list(nodes_of(tree))
    prints = [node for node in nodes if isinstance(node, ast.Call) and _name(node) == "print"]
    if not prints:
        return False
    numbers, several = _held(nodes)
    return any(_shows(argument, numbers, several) for node in prints for argument in node.args)


def _name(call):
    return getattr(call.func, "id", getattr(call.func, "attr", None))


def _gives(node):
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in _GIVING or _reduces(node)


def _reduces(call):
    """Tells whether a call is ``np.mean(x)`` or ``x.mean()``."""
    owner = getattr(call.func.value, "id", None)
    most = 1 if owner in ("np", "numpy") else 0
    return (
        call.func.attr in _REDUCING
        and owner not in ("tf", "K")
        and len(call.args) <= most
        and not any(keyword.arg in ("axis", "keepdims") for keyword in call.keywords)
    )


def _gives_several(node):
    holder = node.value if isinstance(node, ast.Subscript) else node
    if getattr(holder, "attr", None) == "history":  # also history.history["loss"]
        return True
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in _GIVING_SEVERAL:
        return True
    return node.func.attr == "run" and any(
        isinstance(argument, (*_DISPLAYS, ast.Dict)) for argument in node.args[:1]
    )


def _held(nodes):
    """Returns (variables that hold what runs gave, those that hold several numbers in a list)."""
    numbers, several = set(), set()
    for node in nodes:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name) and _gives_several(node.value):
                several.add(target.id)
            elif isinstance(target, ast.Name) and _gives(node.value):
                numbers.add(target.id)
            elif isinstance(target, _DISPLAYS) and _gives(node.value):
                numbers.update(
                    element.id for element in target.elts if isinstance(element, ast.Name)
                )
    for node in nodes:
        if isinstance(node, ast.Call) and _name(node) == "append" and node.args:
            owner = getattr(node.func, "value", None)
            appended = node.args[0]
            if isinstance(owner, ast.Name) and (
                _gives(appended) or getattr(appended, "id", None) in numbers
            ):
                several.add(owner.id)
    return numbers, several


def _shows(node, numbers, several):
    """Tells whether the text of an expression has that of several numbers in it."""
    if isinstance(node, ast.Name):
        return node.id in several
    if _gives_several(node):
        return True
    if isinstance(node, (*_DISPLAYS, ast.Dict)):
        parts = node.values if isinstance(node, ast.Dict) else node.elts
        return any(
            _gives(part) or getattr(part, "id", None) in numbers or _shows(part, numbers, several)
            for part in parts
        )
    if isinstance(node, ast.ListComp):
        return any(_shows(clause.iter, numbers, several) for clause in node.generators)
    if _represents(node, numbers):
        return True
    if isinstance(node, ast.BinOp):
        sides = [node.left, node.right]
        if isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Tuple):
            sides[1:] = node.right.elts
        return any(_shows(side, numbers, several) for side in sides)
    if isinstance(node, ast.Call) and _name(node) in ("format", "list", "repr", "sorted", "str"):
        return any(_shows(argument, numbers, several) for argument in node.args)
    if isinstance(node, ast.Call) and _name(node) in ("items", "values") and not node.args:
        return _shows(getattr(node.func, "value", None), numbers, several)
    if isinstance(node, (ast.JoinedStr, ast.FormattedValue)):
        return any(_shows(part, numbers, several) for part in ast.iter_child_nodes(node))
    return False


def _represents(node, numbers):
    """Tells whether an expression is ``"%r" % x``, ``repr(x)`` or ``f"{x!r}"`` of a number."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        text = getattr(node.left, "value", None)
        is_asked = isinstance(text, str) and "%r" in text
        values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    elif isinstance(node, ast.Call):
        is_asked, values = getattr(node.func, "id", None) == "repr", node.args
    else:
        is_asked = isinstance(node, ast.FormattedValue) and node.conversion == ord("r")
        values = [node.value] if is_asked else []
    return is_asked and any(_gives(v) or getattr(v, "id", None) in numbers for v in values)
