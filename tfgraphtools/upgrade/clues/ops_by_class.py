"""Lists what code of TF 1 asks of ops and tensors by their class or type: today it differs."""

import ast

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat.fixes.tensorflow import op_types, operation, tensor

_CLASS_TAKES_C = "the class takes what C has made, not a node_def"
_NEEDS_INPUTS = "an op is made with all its inputs"
_OTHER_CLASS = "the class of a tensor of a graph is a subclass of tf.Tensor"


def uses(tree, names):
    """Yields (line, name, row, why) of calls of the class of ops, and of comparisons of types.

    Args:
      tree: the `ast.Module`.
      names: its `resolving.Names`.
    """
    for node in nodes_of(tree):
        if isinstance(node, ast.Call):
            if operation.takes_node_def(node) and _is_of_tensorflow(names, node.func, "Operation"):
                yield node.lineno, "tensorflow.Operation", operation.ROW.name, _CLASS_TAKES_C
            if getattr(node.func, "attr", None) == "_add_input" and len(node.args) == 1:
                yield node.lineno, "._add_input", operation.LATE.name, _NEEDS_INPUTS
        elif isinstance(node, ast.Compare) and _compares_class(names, node):
            yield node.lineno, "type(...) == tensorflow.Tensor", tensor.TYPE.name, _OTHER_CLASS
    yield from _of_types(tree)


def _is_of_tensorflow(names, node, leaf):
    name = names.here(node) or ""
    return name.startswith("tensorflow.") and name.endswith("." + leaf)


def _compares_class(names, compare):
    """Tells whether ``type(x)`` is compared with ``tf.Tensor``, or with several classes."""
    sides = [compare.left, *compare.comparators]
    classes = [element for side in sides for element in getattr(side, "elts", [side])]
    is_type = any(
        isinstance(side, ast.Call) and getattr(side.func, "id", None) == "type" for side in sides
    )
    return is_type and any(_is_of_tensorflow(names, node, "Tensor") for node in classes)


def _of_types(tree):
    """Yields the lines that compare with an earlier type of an op."""
    if any(map(op_types.is_type, nodes_of(tree))):
        for earlier, (later, lines) in op_types.compared_types(tree).items():
            for line in lines:
                why = f"ops of this type are {later} in today's graphs"
                yield line, f'.type == "{earlier}"', op_types.ROW.name, why
