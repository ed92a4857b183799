"""Fallback imports behind ``except`` for an older TF 1; they have to work where ``try`` fails.

try:
    linear = tf.nn.rnn_cell.linear
except AttributeError:
    from tensorflow.python.ops.rnn_cell import _linear as linear
"""

import ast

from tfgraphtools.analysis import library_uses
from tfgraphtools.analysis.scopes import dotted
from tfgraphtools.compat import rewrites
from tfgraphtools.upgrade import targets


def is_use(work, line, target):
    """Tells whether a use has another name today, which the ``try`` before it does not use.

    Args:
      work: the `Work`.
      line: the line of the use.
      target: its `targets.Target`, or None.
    """
    tried = work.handled.get(line) if work.role.is_tf1 else None
    if tried is None or target is None or not isinstance(target.rewrite, rewrites.Rename):
        return False
    nodes = [node for statement in tried for node in ast.walk(statement)]
    words = {getattr(part, word, "") for part in nodes for word in ("attr", "name")}
    return target.to.startswith(targets.V1) and target.to.rpartition(".")[2] not in words


def is_import(work, statement):
    """Tells whether an import stands behind a ``try`` that needs a name which no TF has today."""
    tried = work.handled.get(statement.lineno) if work.role.is_tf1 else None
    return tried is not None and any(
        _is_gone(work, name) for part in tried for name in _names(work, part)
    )


def _is_gone(work, name):
    target = work.of(name) if name else None
    return target is not None and target.fix != targets.IMPORT


def _names(work, statement):
    yield from (name for name, _ in library_uses.imported_names(statement))
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute):
            root, _ = dotted(node)
            if root is not None and isinstance(root.ctx, ast.Load):
                yield work.names.here(node)
