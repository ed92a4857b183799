"""Removed attributes of objects: what to use if today's object lacks them.

``value.iteritems`` of user code asks here; only a miss finds its fallback, so that
an object that has the attribute (a user's own class with a method ``next``) keeps
it, and no class of anybody is changed. Attributes that are still there, of another
kind, are asked for here first.
"""

import ast

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rewrite_kinds import Runtime
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking

#: attribute -> [(row, root of the module that must be imported, or None; fallback), ...]
_FALLBACKS = {}

#: Those of them that are asked before the object is.
_FIRST = set()

_NOTHING = object()

#: What an object is, the source does not say: the runtime asks it.
ASKED = Runtime("tfgraphtools.tf1.attribute")


def fallback_row(name, since, why, fallbacks, module=None, first=(), rewrite=None, cannot=None):
    """Returns a row for attributes that are gone.

    Args:
      name, since, why: the row's.
      fallbacks: attribute -> function of the object that gives its value; it
        raises AttributeError for an object that never had it.
      module: where given, only files that import this module are concerned.
      first: those of the attributes that the objects still have, as something else.
      rewrite, cannot: the row's.
    """
    row = rows.Fix(name, since, why, rewrite=rewrite, cannot=cannot)
    _FIRST.update(first)
    for attribute, fallback in fallbacks.items():
        _FALLBACKS.setdefault(attribute, []).append((row, module, fallback))
    return row


def rows_of(attribute, root):
    """Returns the rows that give this attribute back to objects of a library."""
    return [
        row
        for row, module, _ in _FALLBACKS.get(attribute, ())
        if root in (module, row.name.partition(".")[0])
    ]


def read(value, name):
    """Returns ``value.name``, or what it was once; user code calls this."""
    old_value = _once(value, name) if name in _FIRST else _NOTHING
    if old_value is not _NOTHING:
        return old_value
    try:
        return getattr(value, name)
    except AttributeError as error:
        old_value = _once(value, name)
        if old_value is _NOTHING:
            raise error
        return old_value


def _once(value, name):
    """Returns what the attribute was once, of a value that had it; else `_NOTHING`."""
    for row, _, fallback in _FALLBACKS.get(name, ()):
        if not rows.is_off(row.name):
            try:
                old_value = fallback(value)
            except AttributeError:
                continue
            rows.used(row)
            return old_value
    return _NOTHING


@walking
def ask(tree):
    """Makes the tree's reads of such attributes ask `read`."""
    imported = trees.imported_roots(tree)
    asked = {
        attribute
        for attribute in _FALLBACKS.keys() & trees.read_attributes(tree)
        for row, module, _ in _FALLBACKS[attribute]
        if (module is None or module in imported) and not rows.is_off(row.name)
    }
    return _Reads(asked, trees.modules_of(tree)) if asked else None


class _Reads(Visitor):
    def __init__(self, asked, modules):
        self.modules = modules  # their attributes are rows of the tables of names
        self.asked = asked

    def visit_Attribute(self, node):
        if node.attr not in self.asked or not isinstance(node.ctx, ast.Load):
            return node
        if isinstance(node.value, ast.Name) and node.value.id in self.modules:
            return node
        name = trees.constant(node.attr, node)
        return trees.call("__once_attribute__", node.value, name, at=node)


HELPERS = {"__once_attribute__": read}

TABLE = rows.Table(
    "removed attributes",
    "syntax",
    [
        rows.Fix(
            "attributes",
            None,
            "reads of attributes that were removed return their old values",
            ask,
            ASKED,
        )
    ],
)
