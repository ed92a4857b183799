"""Callbacks for ops that are created in a graph, or imported into it.

An op cannot be changed later: a session that has run it does not accept changes.
"""

import functools

from tfgraphtools.compat.engine import replacing, skipped, state
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow import ownership

#: type of an op -> [(name of a fix, function to call with each such op), ...]
_looks = {}

_ROW = Fix("graphs.new_ops", None, "looks at the new ops of user code's graphs")


def look_at(kinds, look, fix):
    """Calls a function with each new op of some types in a graph of user code, until `restore`.

    Args:
      kinds: the types.
      look: a function of an op.
      fix: the name of the fix that this is, under which `skipped` reports a failure.
    """
    if not _looks:
        _create_op.apply()
        _add_ops.apply()
        state.at_restore(_looks.clear)
    for kind in kinds:
        entry = fix, look
        _looks.setdefault(kind, []).append(entry)
        state.at_restore(functools.partial(_looks[kind].remove, entry))


def _is_looked_at(graph, op_type, *arguments, **options):
    return op_type in _looks and ownership.is_users(graph)


def _is_of_users(graph, *arguments, **options):
    return ownership.is_users(graph)


@replacing.replaces(
    "tensorflow.python.framework.ops:Graph._create_op_internal", row=_ROW, when=_is_looked_at
)
def _create_op(original, self, op_type, *arguments, **options):
    op = original(self, op_type, *arguments, **options)
    for fix, look in _looks[op_type]:
        skipped.apply(fix, look, op)
    return op


@replacing.replaces(
    "tensorflow.python.framework.ops:Graph._add_new_tf_operations", row=_ROW, when=_is_of_users
)
def _add_ops(original, self, *arguments, **options):
    imported = original(self, *arguments, **options)
    for op in imported:
        for fix, look in _looks.get(op.type, ()):
            skipped.apply(fix, look, op)
    return imported
