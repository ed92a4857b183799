"""Removed attributes of libraries' objects: renamed, or read through the runtime."""

import ast

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.upgrade import uses
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, RUNTIME
from tfgraphtools.upgrade.passes.work import RUNTIME_ROOT
from tfgraphtools.upgrade.text import Edit

#: What a method is called today where it is called without arguments.
_BARE = {"as_matrix": "to_numpy"}


def edits(work):
    """Returns the edits of reads of removed attributes of libraries' objects."""
    changes = []
    bare = {
        id(call.func)
        for call in nodes_of(work.tree)
        if isinstance(call, ast.Call) and not call.args and not call.keywords
    }
    for node, row, today in uses.old_attributes(work.tree, work.scopes, work.names):
        if not work.choice.allows(row) or work.is_guarded(node):
            continue
        end = work.text.span(node)[1]
        start = end - len(node.attr)
        name = "." + node.attr
        if work.text.text[start:end] != node.attr:
            continue
        today = today or (_BARE.get(node.attr) if id(node) in bare else "")
        if today:
            work.note(node.lineno, name, REWRITTEN, row, "." + today)
            changes.append(Edit(start, end, today, row, node.lineno))
        elif not work.choice.runtime:
            why = f"only {RUNTIME_ROOT}.attribute provides it (--no-runtime)"
            work.note(node.lineno, name, CANNOT, row, why)
        else:
            changes += asked(work, node, row)
    return changes


def asked(work, node, row):
    """Returns the edits by which the runtime is asked for an attribute."""
    local = work.speller.add(RUNTIME_ROOT + ".attribute", row, node.lineno)
    work.note(node.lineno, "." + node.attr, RUNTIME, row, local)
    start, middle = work.text.span(node.value)
    end = work.text.span(node)[1]
    while work.text.text[middle:end].lstrip().startswith(")"):  # the value's own parentheses
        middle = work.text.text.index(")", middle) + 1
        start = work.text.text.rindex("(", 0, start)
    new = f', "{node.attr}")'
    return [
        Edit(start, start, local + "(", row, node.lineno),
        Edit(middle, end, new, row, node.lineno),
    ]
