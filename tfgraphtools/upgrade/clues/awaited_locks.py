"""Lists ``with await lock:``, which Python 3.9 refuses; what a call gives, awaited, is no lock."""

import ast

from tfgraphtools.analysis.scopes import nodes_of

_ROW = "asyncio.Lock"
_WHY = "Python 3.9 and later cannot await a lock"


def uses(tree, names):
    """Yields (line, name, row, why) where a name or an attribute is awaited for a ``with``.

    Args:
      tree: the `ast.Module`.
      names: its `resolving.Names`.
    """
    for node in nodes_of(tree):
        if isinstance(node, ast.With):
            awaited = [item.context_expr for item in node.items]
            awaited = [value for value in awaited if isinstance(value, ast.Await)]
            if any(isinstance(value.value, (ast.Name, ast.Attribute)) for value in awaited):
                yield node.lineno, _ROW, _ROW, _WHY
