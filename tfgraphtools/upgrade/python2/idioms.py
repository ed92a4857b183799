"""Python 2 in source that Python 3 parses: sorts that compare, formatted prints, lazy lists.

And generators that end by StopIteration.
"""

import ast

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat.fixes.python import generators
from tfgraphtools.compat.fixes.python2 import lists, mixed
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, RUNTIME
from tfgraphtools.upgrade.passes import importing
from tfgraphtools.upgrade.text import Edit


def edits(work):
    """Returns the `Edit`s of all spellings of Python 2 in a module."""
    changes = _lists(work) if work.choice.allows(lists.ROW.name) else []
    for node in nodes_of(work.tree):
        if isinstance(node, ast.Call) and work.choice.allows(mixed.SORT.name):
            changes += _sort(work, node)
        elif isinstance(node, ast.Expr) and work.choice.allows(mixed.FORMATTED.name):
            changes += _print(work, node)
        elif isinstance(node, ast.FunctionDef) and work.choice.allows(generators.ROW.name):
            changes += _return(work, node) or _ends_by_next(work, node)
    return changes


def default_encoding(work):
    """Removes ``reload(sys)`` and ``sys.setdefaultencoding("utf8")``: text is UTF-8."""
    fix = "sys.setdefaultencoding"
    calls = [
        statement
        for statement in work.tree.body
        if _is_call(statement) and not work.is_guarded(statement)
    ]
    removed_calls = [
        statement
        for statement in calls
        if _sets_utf8(statement.value) and work.names.here(statement.value.func) == fix
    ]
    if not removed_calls or not work.choice.allows(fix):
        return []
    removed_calls += [statement for statement in calls if _reloads_sys(work, statement.value)]
    for node in removed_calls:
        work.note(node.lineno, fix, REWRITTEN, fix, "no longer needed: text is UTF-8")
        work.dropped |= {id(part) for part in ast.walk(node) if isinstance(part, ast.Name)}
    return [importing.removed(node, work.text, fix) for node in removed_calls]


def _is_call(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _sets_utf8(call):
    values = [getattr(argument, "value", None) for argument in call.args]
    return len(values) == 1 and str(values[0]).lower() in ("utf8", "utf-8", "utf_8")


def _reloads_sys(work, call):
    leaf = getattr(call.func, "id", getattr(call.func, "attr", None))
    return leaf == "reload" and len(call.args) == 1 and work.names.here(call.args[0]) == "sys"


def _wrapped(work, node, opening, fix, line):
    work.note(line, opening + "...)", REWRITTEN, fix, opening + "...)")
    return work.text.around(node, opening, ")", fix)


def _lists(work):
    """Returns ``list(...)`` around what is used as a list and is none any more."""
    changes = []
    for node in dict.fromkeys(lists.used_as_lists(work.tree)):
        if lists.is_view(node) and not (
            work.role.is_tf1 or isinstance(node.func.value, (ast.Dict, ast.DictComp))
        ):
            continue  # other classes have keys() and values() as well
        if lists.is_view(node) and _is_of_hparams(node.func):
            continue
        changes += _wrapped(work, node, "list(", lists.ROW.name, node.lineno)
    return changes


def _is_of_hparams(node):
    """Tells whether ``values()`` is that of an `HParams`, a dictionary."""
    owner = node.value
    name = getattr(owner, "attr", getattr(owner, "id", ""))
    return node.attr == "values" and name.lower().endswith(("hparams", "hparam", "hps"))


def _sort(work, node):
    """Returns ``key=functools.cmp_to_key(f)`` for a function that compares."""
    name = getattr(node.func, "attr", getattr(node.func, "id", None))
    fix, line = mixed.SORT.name, node.lineno
    if name == "sort" and isinstance(node.func, ast.Attribute):
        comparers = node.args[:1]
    elif name == "sorted" and isinstance(node.func, ast.Name):
        comparers = node.args[1:2]
    else:
        return []
    for keyword in node.keywords:
        if keyword.arg == "cmp":
            start, end = work.text.span(keyword.value)
            begin = work.text.text.rindex("cmp", 0, start)
            opening = f"key={work.speller.add('functools.cmp_to_key', fix, line)}("
            work.note(line, f"{name}(cmp=...)", REWRITTEN, fix, opening + "...)")
            return [Edit(begin, start, opening, fix, line), Edit(end, end, ")", fix, line)]
    if comparers and _compares(work, comparers[0]):
        opening = f"key={work.speller.add('functools.cmp_to_key', fix, line)}("
        return _wrapped(work, comparers[0], opening, fix, line)
    return []


def _compares(work, node):
    """Tells whether an argument is a function of two values: `cmp`, a lambda, or one defined here.

    An array's ``sort`` takes an axis there.
    """
    functions = [node] if isinstance(node, ast.Lambda) else []
    if isinstance(node, ast.Name):
        bindings = work.scopes.scope_of(node).bindings(node.id)
        if node.id == "cmp" and not bindings:
            return True
        functions = [
            part
            for part in nodes_of(work.tree)
            if isinstance(part, ast.FunctionDef) and part.name == node.id and bindings
        ]
    return any(len(function.args.args) == 2 for function in functions)


def _print(work, node):
    """Returns ``print(x % y)`` for ``print(x) % y``."""
    first = node.value.elts[0] if isinstance(node.value, ast.Tuple) else node.value
    if not isinstance(first, ast.BinOp):
        return []
    while isinstance(first, ast.BinOp):
        first = first.left
    if not isinstance(first, ast.Call) or getattr(first.func, "id", None) != "print":
        return []
    if len(first.args) != 1 or first.keywords or "print" in work.scopes.module.names:
        return []
    start, end = work.text.span(first.func)[1], work.text.span(node)[1]
    work.note(node.lineno, "print(...) % ...", REWRITTEN, mixed.FORMATTED.name, "print(... % ...)")
    opening = work.text.text[start : work.text.text.index("(", start)]
    return [
        Edit(start, start + len(opening), "(", mixed.FORMATTED.name, node.lineno),
        Edit(end, end, ")", mixed.FORMATTED.name, node.lineno),
    ]


def _ends_by_next(work, function):
    """Returns the edits that decorate a generator which ends where ``next(x)`` finds nothing."""
    fix, line, leaf = generators.ROW.name, function.lineno, "ends_at_stop_iteration"
    decorators = {
        getattr(decorator, "id", getattr(decorator, "attr", None))
        for decorator in function.decorator_list
    }
    if leaf in decorators or not generators.stops_by_next(function):
        return []
    if not work.choice.runtime:
        work.note(line, function.name, CANNOT, fix, "return where next(...) raises StopIteration")
        return []
    new = "@" + work.speller.add("tfgraphtools.tf1.python2." + leaf, fix, line)
    work.note(line, function.name, RUNTIME, fix, new)
    return [work.text.decorated(function, new, fix)]


def _return(work, function):
    """Returns ``return`` for the ``raise StopIteration`` of a generator."""
    own = list(generators.own_nodes(function))
    if not any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own):
        return []
    fix, changes, guarded = generators.ROW.name, [], generators.guarded(own)
    for node in filter(generators.is_raise, own):
        if id(node) in guarded:
            continue  # the generator handles it itself
        work.note(node.lineno, "raise StopIteration", REWRITTEN, fix, "return")
        changes.append(Edit(*work.text.span(node), "return", fix, node.lineno))
    return changes
