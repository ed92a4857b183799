"""Attributes that objects had once: what to take where today's object lacks them.

``value.iteritems`` of user code asks here; only a miss finds its fallback, so that
an object that has the attribute (a user's own class with a method ``next``) keeps
it, and no class of anybody is changed.
"""

import ast

from tfgraphtools.compat.engine import nodes, rows
from tfgraphtools.compat.engine.rewrite.walk import Visitor, walking

#: attribute -> [(row, root of the module that must be imported, or None; fallback), ...]
_FALLBACKS = {}


def fallback_row(name, since, why, fallbacks, module=None):
    """A row for attributes that are gone.

    Args:
      name, since, why: the row's.
      fallbacks: attribute -> function of the object that gives its value; it
        raises AttributeError for an object that never had it.
      module: where given, only files that import this module are concerned.
    """
    row = rows.Row(name, since, why)
    for attribute, fallback in fallbacks.items():
        _FALLBACKS.setdefault(attribute, []).append((row, module, fallback))
    return row


def read(value, name):
    """``value.name``, or what it was once; what user code calls."""
    try:
        return getattr(value, name)
    except AttributeError as error:
        for row, _, fallback in _FALLBACKS.get(name, ()):
            if not rows.is_off(row.name):
                try:
                    found = fallback(value)
                except AttributeError:
                    continue
                rows.used(row)
                return found
        raise error


@walking
def ask(tree):
    """Has the tree's reads of such attributes ask `read`."""
    return _Reads(nodes.imported_roots(tree))


class _Reads(Visitor):
    def __init__(self, imported):
        self.asked = {
            attribute
            for attribute, fallbacks in _FALLBACKS.items()
            for row, module, _ in fallbacks
            if (module is None or module in imported) and not rows.is_off(row.name)
        }

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if node.attr not in self.asked or not isinstance(node.ctx, ast.Load):
            return node
        name = nodes.text(node.attr, node)
        return nodes.call("__once_attribute__", node.value, name, at=node)


HELPERS = {"__once_attribute__": read}

TABLE = rows.Table(
    "attributes that objects had once",
    "syntax",
    [rows.Row("attributes", None, "reads of attributes that are gone ask for what they were", ask)],
)
