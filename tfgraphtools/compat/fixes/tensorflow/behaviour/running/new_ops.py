"""Callbacks for ops that are created in a graph, or imported into it.

An op cannot be changed later: a session that has run it does not accept changes.
"""

import functools

from tfgraphtools.compat.engine import skipped, state

#: type of an op -> [(name of a fix, function to call with each such op), ...]
_looks = {}


def look_at(kinds, look, fix):
    """Calls a function with each new op of some types, until `state.restore`.

    Args:
      kinds: the types.
      look: a function of an op.
      fix: the name of the fix that this is, under which `skipped` reports a failure.
    """
    if not _looks:
        _watch()
    for kind in kinds:
        entry = fix, look
        _looks.setdefault(kind, []).append(entry)
        state.at_restore(functools.partial(_looks[kind].remove, entry))


def _watch():
    from tensorflow.python.framework import ops

    create, imported = ops.Graph._create_op_internal, ops.Graph._add_new_tf_operations

    @functools.wraps(create)
    def _create_op_internal(self, op_type, *arguments, **options):
        op = create(self, op_type, *arguments, **options)
        for fix, look in _looks.get(op_type, ()):
            skipped.apply(fix, look, op)
        return op

    @functools.wraps(imported)
    def _add_new_tf_operations(self, *arguments, **options):
        found = imported(self, *arguments, **options)
        for op in found:
            for fix, look in _looks.get(op.type, ()):
                skipped.apply(fix, look, op)
        return found

    state.set_attribute(ops.Graph, "_create_op_internal", _create_op_internal)
    state.set_attribute(ops.Graph, "_add_new_tf_operations", _add_new_tf_operations)
    state.at_restore(_looks.clear)
