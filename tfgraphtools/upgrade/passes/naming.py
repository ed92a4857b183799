"""The names that a module uses, written as today's: the edits of each use."""

import ast

from tfgraphtools.compat import rewrites
from tfgraphtools.upgrade import targets, uses
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, RUNTIME
from tfgraphtools.upgrade.passes import call_arguments, last_resort
from tfgraphtools.upgrade.passes.forms import old_forms, ragged, runtime_calls
from tfgraphtools.upgrade.passes.work import is_of_runtime
from tfgraphtools.upgrade.text import Edit


def edits(work):
    """Returns the `Edit`s of all uses of a module."""
    changes = []
    for use in uses.uses(work.tree, work.scopes, work.names):
        changes += _of_one(work, use)
    return changes


def _of_one(work, use):
    """Returns the edits of one use; counts whether its import is still needed."""
    alias = id(use.binding.alias) if use.binding is not None and use.binding.alias else None
    if id(use.root) in work.dropped:
        work.count(alias, False)
        return []
    guarded = work.is_guarded(use.root) and not _is_through_contrib(work, alias)
    if guarded and not last_resort.is_use(work, use.line, _target(work, use)[1]):
        work.count(alias, True)
        return []
    place, target = _target(work, use)
    if place is None:
        work.count(alias, True)
        return _renamed_root(work, use)
    work.see(*use.names, target.to)
    edits, serves = _apply(work, use, place, target)
    work.count(alias, serves)
    if alias is not None and not serves:
        work.reasons[alias] = target.fix
    return edits


def _is_through_contrib(work, alias):
    """Tells whether a name goes through an import of contrib that no guard surrounds.

    The module needs contrib then, so what guards the use is no question of the version.
    """
    plan = work.plans.get(alias)
    return plan is not None and plan.name.startswith("tensorflow.contrib")


def _target(work, use):
    """Returns (how many steps of the chain a rewrite is about, its `Target`).

    Both are None where no rewrite is about it.
    """
    last = len(use.steps) - (1 if use.stored else 0)
    for place in range(last, 0, -1):
        name = use.names[place - 1]
        if name is None or name.startswith("@"):
            continue
        target = work.of(name)
        if target is not None and target.fix != targets.IMPORT:
            return place, target
        if targets.is_conditional(name) or old_forms.are_known(name):
            form = _old_form(work, use, place, name)
            if form is not None:
                return place, form
    for place in range(last, 0, -1):
        name = use.names[place - 1]
        target = work.of(name) if name else None
        if target is not None:
            return place, target
    return None, None


def _old_form(work, use, place, name):
    call = _call(use, place)
    rewrite = rewrites.rewrite_of(name)
    old = targets.Target(getattr(rewrite, "to", None), name, rewrite)
    if name in work.choice.select and work.takes(old):
        return old
    form = _written_form(work, call, name, old)
    words = getattr(rewrite, "keywords", ())
    is_old = form is None and (_has_keyword(call, words) or runtime_calls.is_one(work, call, name))
    return old if is_old else form


def _written_form(work, call, name, old):
    """Returns the `Target` of a call whose arguments only old code writes so; None for another."""
    if call is None or not work.is_old:
        return None
    if name in ragged.FUNCTIONS:
        return ragged.target(work, call, old)
    if name == "matplotlib.pyplot.scatter" and work.codebase.makes_matrices():
        return old
    positions = old_forms.of(name, call)
    if positions is old_forms.OLD:
        return old
    keywords = {
        old: new
        for old, new in old_forms.OLD_KEYWORDS.get(name, {}).items()
        if any(keyword.arg == old for keyword in call.keywords)
    }
    if positions is None and not keywords:
        return None
    if not isinstance(positions, dict):
        positions = tuple(positions or ())
    rewrite = rewrites.Call(None, keywords, positions)
    moved = work.of(name)
    return targets.Target(moved.to if moved else name, name, rewrite)


def _call(use, place):
    """Returns the call of the first `place` steps of a use, or None."""
    if place != len(use.steps):
        return None
    parent = use.parent
    return parent if isinstance(parent, ast.Call) and parent.func is use.steps[-1] else None


def _renamed_root(work, use):
    """Returns the edit of a use whose import has another name now, and which is what it was."""
    root = work.speller.root(use)
    if root is None or root == use.root.id:
        return []
    start, end = work.text.span(use.root)
    return [Edit(start, end, root, targets.IMPORT, use.line)]


def _apply(work, use, place, target):
    """Returns (edits, whether the import of the root is still needed)."""
    name = use.names[place - 1]
    if isinstance(target.rewrite, rewrites.Stays) or target.to is None:
        if not isinstance(target.rewrite, rewrites.Syntax):
            reason = getattr(target.rewrite, "reason", "")
            if place > 1 or use.binding is None:
                work.note(use.line, name, CANNOT, target.fix, reason)
        return _renamed_root(work, use), True
    if not work.choice.allows(target.fix):
        return _renamed_root(work, use), True
    if not work.choice.runtime and is_of_runtime(target.to):
        work.refused(use.line, name, target)
        return _renamed_root(work, use), True
    changed = []
    to = target.to
    call = _call(use, place)
    if call is None and place == len(use.steps):
        to = getattr(target.rewrite, "uncalled", None) or to
    if isinstance(target.rewrite, rewrites.Call) and call is not None:
        try:
            changed = call_arguments.edits(call, target.rewrite, work.text, target.fix)
        except call_arguments.NotWrittenOut:
            if not target.rewrite.runtime or not work.choice.runtime:
                why = "its arguments are not written out: check this call"
                work.note(use.line, name, CANNOT, target.fix, why)
                return _renamed_root(work, use), True
            to = target.rewrite.runtime
    if call is not None and getattr(target.rewrite, "wrapped", None):
        changed = changed + _wrapped(work, call, target)
    new, serves = work.speller.spell(use, place, to, target.fix)
    return _replaced(work, use, place, name, target, new, changed), serves


def _wrapped(work, call, target):
    """Returns the edits that pass a call's result to a function, unless that is done already."""
    leaf = target.rewrite.wrapped.rpartition(".")[2]
    if work.text.text[: work.text.span(call)[0]].rstrip().endswith(leaf + "("):
        return []
    local = work.speller.add(target.rewrite.wrapped, target.fix, call.lineno)
    return work.text.around(call, local + "(", ")", target.fix)


def _replaced(work, use, place, name, target, new, changed):
    start = work.text.span(use.root)[0]
    end = work.text.span(use.steps[place - 1])[1]
    old = work.text.text[start:end]
    dotted = ".".join([use.root.id, *(step.attr for step in use.steps[1:place])])
    if (
        "".join(old.replace("\\\n", "").split()) != dotted
    ):  # a comment inside, or an f-string's wrong position
        work.note(use.line, name, CANNOT, target.fix, f"write {new} there by hand")
        return []
    if dotted != new or changed:
        status = RUNTIME if is_of_runtime(target.to) else REWRITTEN
        work.note(use.line, name, status, target.fix, new)
    elif is_of_runtime(target.to):
        work.note(use.line, name, RUNTIME, target.fix, target.to)
    if dotted == new:
        return changed
    return [Edit(start, end, new, target.fix, use.line), *changed]


def _has_keyword(call, words):
    return call is not None and any(keyword.arg in words for keyword in call.keywords)
