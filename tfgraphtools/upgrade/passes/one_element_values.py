"""Arrays that TensorFlow and Keras return where a program expects a number.

``session.run(b)`` after ``b = tf.Variable(tf.zeros([1]))`` or ``b = tf.argmax(logits, 1)``, and
what a model predicts. What may also be a number may count: ``.item()`` gives the same of both.
"""

import ast

from tfgraphtools.analysis.assignments import assigned_values
from tfgraphtools.analysis.scopes import index_of, nodes_of

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

#: Functions of TensorFlow whose result is a number, unless they are told an axis.
_REDUCING = ("argmax", "argmin", "norm", "l2_loss", "size", "rank", "count_nonzero")
_AXES = frozenset(("axis", "dimension", "reduction_indices"))

#: How many names a tensor is followed through.
_DEEPEST = 20

_MODELS = ("Sequential", "Model", "load_model")
_PREDICTING = ("predict", "predict_on_batch", "predict_classes")


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
        self._tensors = {}  # name -> whether it is a tensor; False while that is asked
        self._depth = 0  # of names in the values of names

    def __contains__(self, node):
        """Tells whether an expression is an array of one dimension or more."""
        if isinstance(node, ast.Subscript):  # one row of what a model predicts
            is_row = isinstance(index_of(node), (ast.Constant, ast.Name))
            return is_row and (
                self._is_prediction(node.value) or self._all(node.value, self._is_prediction)
            )
        return self._is_prediction(node) or self._is_fetched(node)

    def pairs(self, assignment):
        """Yields (target, its fetch) of ``a, b = session.run([x, y])``."""
        fetches = assignment.value.args[:1] if _calls(assignment.value, "run") else []
        for fetched in fetches:
            for target in assignment.targets:
                several = getattr(target, "elts", []), getattr(fetched, "elts", [])
                if len(several[0]) == len(several[1]):
                    yield from zip(*several)

    def is_tensor(self, node):
        """Tells whether an expression is a tensor, or variable, that has a dimension."""
        if isinstance(node, ast.Name):
            if node.id not in self._tensors:
                self._tensors[node.id] = False
                self._depth += 1
                is_near = self._depth <= _DEEPEST
                self._tensors[node.id] = is_near and self._all(node, self.is_tensor)
                self._depth -= 1
            return self._tensors[node.id]
        if isinstance(node, ast.UnaryOp):
            return self.is_tensor(node.operand)
        if isinstance(node, ast.BinOp):
            return any(map(self.is_tensor, (node.left, node.right)))
        name = self._names.here(node.func) or "" if isinstance(node, ast.Call) else ""
        if not name.startswith("tensorflow."):
            return False
        leaf = name.rpartition(".")[2]
        if leaf == "Variable":
            return bool(node.args) and self._has_one(node.args[0])
        if leaf in ("get_variable", "matmul"):
            return leaf == "matmul" or self._has_one(node)
        if leaf in _REDUCING or leaf.startswith("reduce_") or ".losses." in name:
            return len(node.args) > 1 or any(word.arg in _AXES for word in node.keywords)
        return any(map(self.is_tensor, node.args))

    def _is_fetched(self, node):
        fetched = node.args[0] if _calls(node, "run") and node.args else None
        if _calls(node, "eval"):
            fetched = node.func.value
        return fetched is not None and self.is_tensor(fetched)

    def _is_prediction(self, node):
        is_prediction = any(_calls(node, method) for method in _PREDICTING)
        return is_prediction and self._all(node.func.value, self._makes_model)

    def _makes_model(self, value):
        name = self._names.here(value.func) or "" if isinstance(value, ast.Call) else ""
        return "keras." in name and name.rpartition(".")[2] in _MODELS

    def _has_one(self, value):
        """Tells whether an initial value shows that it has one element and a dimension."""
        if isinstance(value, ast.List):
            return len(value.elts) == 1 and not isinstance(value.elts[0], ast.Starred)
        name = self._names.here(value.func) or "" if isinstance(value, ast.Call) else ""
        leaf = name.rpartition(".")[2]
        if leaf not in _SHAPES:
            return False
        place = _SHAPES[leaf]
        shapes = [*value.args[place : place + 1]]
        shapes += [word.value for word in value.keywords if word.arg == "shape"]
        sizes = [getattr(size, "value", 0) for s in shapes for size in getattr(s, "elts", [])]
        return bool(sizes) and all(size == 1 for size in sizes)

    def _all(self, node, is_such):
        """Tells whether all values of a name are such."""
        assigned = self._assigned.get(node.id, ()) if isinstance(node, ast.Name) else ()
        return bool(assigned) and all(map(is_such, assigned))


def _calls(node, method):
    return isinstance(node, ast.Call) and getattr(node.func, "attr", None) == method
