"""Lists ``with await lock:``, which Python 3.9 refuses; what a call gives, awaited, is no lock."""

import ast

from tfgraphtools.analysis.scopes import nodes_of

ROW = "asyncio.Lock"
WHY = "Python 3.9 and later cannot await a lock"
REMEDY = "write async with lock:"


def lines(tree):
    """Yields the lines where a name or an attribute is awaited for a ``with``."""
    for node in nodes_of(tree):
        if isinstance(node, ast.With):
            awaited = [item.context_expr for item in node.items]
            awaited = [value for value in awaited if isinstance(value, ast.Await)]
            if any(isinstance(value.value, (ast.Name, ast.Attribute)) for value in awaited):
                yield node.lineno
