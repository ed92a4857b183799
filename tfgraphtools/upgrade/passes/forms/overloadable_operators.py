"""``tf.Tensor.OVERLOADABLE_OPERATORS``, which holds ``==`` and ``!=`` since TF 1.15.

A class that takes all of them over, as was the custom, is not equal to itself then.
"""

import ast

from tfgraphtools.analysis.scopes import nodes_of, parents_of
from tfgraphtools.upgrade.findings import REWRITTEN

_ATTRIBUTE = "OVERLOADABLE_OPERATORS"
_FIX = "tensorflow.Tensor." + _ATTRIBUTE
_COMPARISONS = ("__eq__", "__ne__")
_LESS = ' - {"__eq__", "__ne__"}'


def edits(work):
    """Returns the `Edit`s that leave comparisons out; none where the module itself names one."""
    if not work.role.is_tf1 or _ATTRIBUTE not in work.text.text or not work.choice.allows(_FIX):
        return []
    if any(_word(node) in _COMPARISONS for node in nodes_of(work.tree)):
        return []
    parents, changes = parents_of(work.tree), []
    for node in nodes_of(work.tree):
        if isinstance(node, ast.Attribute) and node.attr == _ATTRIBUTE and _is_read(work, node):
            is_alone = isinstance(parents[node], (ast.For, ast.comprehension, ast.Assign))
            work.note(node.lineno, _FIX, REWRITTEN, _FIX, _ATTRIBUTE + _LESS)
            opening, closing = ("", _LESS) if is_alone else ("(", _LESS + ")")
            changes += work.text.around(node, opening, closing, _FIX)
    return changes


def _word(node):
    """Returns the attribute or text that a node names; a method that is defined so says nothing."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.value if isinstance(node, ast.Constant) else None


def _is_read(work, node):
    """Tells whether it is TensorFlow's own set that is read."""
    name = work.names.here(node) or ""
    return isinstance(node.ctx, ast.Load) and name.startswith("tensorflow.")
