"""Arrays that TensorFlow and Keras return where a program expects a number.

``session.run(b)`` after ``b = tf.Variable(tf.zeros([1]))``, and what a model predicts.
"""

import ast

from tfgraphtools.analysis.scopes import assigned_values, index_of, nodes_of

#: Functions of TensorFlow that make a tensor of a shape -> the place of the shape.
_SHAPES = {
    "zeros": 0,
    "ones": 0,
    "random_normal": 0,
    "random_uniform": 0,
    "truncated_normal": 0,
    "constant": 2,
    "get_variable": 1,
}

_MODELS = ("Sequential", "Model", "load_model")


class ReturnedArrays:
    """The expressions of a module that are arrays by what TensorFlow and Keras return.

    Args:
      tree: the `ast.Module`.
      names: its `resolving.Names`.
    """

    def __init__(self, tree, names):
        self._names = names
        values, bound = assigned_values(nodes_of(tree))
        self._assigned = {
            name: assigned for name, assigned in values.items() if bound[name] == len(assigned)
        }

    def __contains__(self, node):
        """Tells whether an expression is an array of one dimension or more."""
        if isinstance(node, ast.Subscript):  # one row of what a model predicts
            return isinstance(index_of(node), ast.Constant) and self._is_prediction(node.value)
        return self._is_prediction(node) or self._is_fetched(node)

    def pairs(self, assignment):
        """Yields (target, what it holds) of ``a, b = session.run([x, y])``, the fetches for it."""
        fetches = assignment.value.args[:1] if _calls(assignment.value, "run") else []
        for target in assignment.targets:
            several = getattr(target, "elts", []), getattr((fetches or [None])[0], "elts", [])
            if several[0] and len(several[0]) == len(several[1]):
                yield from zip(*several)

    def is_variable(self, node):
        """Tells whether an expression is a variable of one element that has a dimension."""
        return self._all(node, self._makes_variable)

    def _is_fetched(self, node):
        fetched = node.args[0] if _calls(node, "run") and node.args else None
        if _calls(node, "eval"):
            fetched = node.func.value
        return fetched is not None and self.is_variable(fetched)

    def _is_prediction(self, node):
        return _calls(node, "predict") and self._all(node.func.value, self._makes_model)

    def _makes_model(self, value):
        name = self._names.here(value.func) or "" if isinstance(value, ast.Call) else ""
        return "keras." in name and name.rpartition(".")[2] in _MODELS

    def _makes_variable(self, value):
        name = self._names.here(value.func) or "" if isinstance(value, ast.Call) else ""
        if name.endswith(".Variable"):
            return bool(value.args) and self._has_one(value.args[0])
        return name.endswith(".get_variable") and self._has_one(value)

    def _has_one(self, value):
        """Tells whether an initial value shows that it has one element and a dimension."""
        if isinstance(value, ast.List):
            return len(value.elts) == 1 and not isinstance(value.elts[0], ast.Starred)
        name = self._names.here(value.func) or "" if isinstance(value, ast.Call) else ""
        leaf = name.rpartition(".")[2]
        if not name.startswith("tensorflow.") or leaf not in _SHAPES:
            return False
        place = _SHAPES[leaf]
        shapes = [*value.args[place : place + 1]]
        shapes += [word.value for word in value.keywords if word.arg == "shape"]
        sizes = [getattr(size, "value", 0) for s in shapes for size in getattr(s, "elts", [])]
        return bool(sizes) and all(size == 1 for size in sizes)

    def _all(self, node, is_such):
        assigned = self._assigned.get(node.id, ()) if isinstance(node, ast.Name) else ()
        return bool(assigned) and all(map(is_such, assigned))


def _calls(node, method):
    return isinstance(node, ast.Call) and getattr(node.func, "attr", None) == method
