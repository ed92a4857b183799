"""``isinstance(x, tf.Variable)``: the base of all variables, which has that name in TF 2's API.

1.x's name is the class of ref variables alone today; weights of Keras are none of them.
"""

import ast

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat.fixes.tensorflow import variables
from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.text import Edit

_FIX = variables.CLASS.name
_NAMES = ("tensorflow.Variable", "tensorflow.compat.v1.Variable")


def edits(work):
    """Returns the `Edit`s of the classes that a module asks for."""
    if not work.is_old or not work.choice.allows(_FIX):
        return []
    changes = []
    for call in nodes_of(work.tree):
        is_call = isinstance(call, ast.Call) and len(call.args) == 2
        if is_call and getattr(call.func, "id", None) in ("isinstance", "issubclass"):
            for node in getattr(call.args[1], "elts", call.args[1:]):
                if isinstance(node, ast.Attribute) and work.names.here(node) in _NAMES:
                    end = work.text.span(node.value)[1]
                    work.note(node.lineno, "tf.Variable", REWRITTEN, _FIX, "tf.compat.v2.Variable")
                    changes.append(Edit(end, end, ".compat.v2", _FIX, node.lineno))
    return changes
