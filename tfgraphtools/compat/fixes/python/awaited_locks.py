"""``with await lock:`` of asyncio's locks, conditions and semaphores, which Python 3.9 dropped."""

import ast
import contextlib
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking


@walking
def awaited_locks(tree):
    """Makes ``with await lock`` call a helper: nothing but the value tells that it is a lock."""
    return _Locks() if trees.nodes_of(tree, ast.AsyncFunctionDef) else None


class _Locks(Visitor):
    def visit_With(self, node):
        for item in node.items:
            if isinstance(item.context_expr, ast.Await):
                lock = item.context_expr.value
                item.context_expr.value = trees.call("__python37_lock__", lock, at=lock)
        return node


def awaitable(value):
    """Returns what gives, awaited, a context that releases the lock; what is no lock as it is."""
    asyncio = sys.modules.get("asyncio")
    locks = (asyncio.Lock, asyncio.Condition, asyncio.Semaphore) if asyncio else ()
    if not isinstance(value, locks):
        return value
    rows.used(ROW)
    return _acquired(value)


async def _acquired(lock):
    await lock.acquire()
    context = contextlib.ExitStack()
    context.callback(lock.release)
    return context


ROW = rows.Fix(
    "asyncio.Lock",
    "Python 3.9",
    "`with await lock:` holds the lock",
    awaited_locks,
    cannot="write async with lock:",
)
TABLE = rows.Table("locks of asyncio", "syntax", [ROW])
HELPERS = {"__python37_lock__": awaitable}
