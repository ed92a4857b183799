"""Lists what NumPy and TensorFlow refuse by value, where the source shows the value.

Floats as sizes, arrays that are compared with an empty list, lists of slices as an index.
"""

import ast

from tfgraphtools.analysis.assignments import assigned_values
from tfgraphtools.analysis.scopes import index_of, nodes_of
from tfgraphtools.compat.fixes.numpy import indices

_SIZES, _DIMENSIONS = "numpy.float_size", "tensorflow.Dimension"
_INDICES = "numpy.list_of_indices"

#: Functions of TensorFlow whose shape may hold a float without a fraction -> its place.
_SHAPES = {
    "TensorShape": 0,
    "zeros": 0,
    "ones": 0,
    "get_variable": 1,
    "placeholder": 1,
    "placeholder_with_default": 1,
    "sparse_placeholder": 1,
}

#: Functions of NumPy whose result is always an array.
_MAKING = frozenset(
    "arange argwhere array asarray empty flatnonzero full intersect1d linspace ones setdiff1d "
    "union1d unique zeros".split()
)


def uses(tree, names):
    """Yields (line, name, row, why) of the values that a module shows.

    Args:
      tree: the `ast.Module`.
      names: its `resolving.Names`.
    """
    nodes = nodes_of(tree)
    values = _Values(nodes, names)
    for node in nodes:
        if isinstance(node, ast.Call):
            name, sizes = _sizes(node, names)
            if any(map(values.is_float, sizes)):
                is_numpys = name.startswith(("numpy.", ".reshape"))
                why = "a size is an integer, and this is a float"
                yield node.lineno, name, _SIZES if is_numpys else _DIMENSIONS, why
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            sides = (node.left, node.comparators[0])
            is_equality = isinstance(node.ops[0], (ast.Eq, ast.NotEq))
            if is_equality and any(map(_is_empty, sides)) and any(map(values.is_array, sides)):
                why = "NumPy 2 refuses to compare the shapes, or to tell the truth of the result"
                yield node.lineno, "array == []", "numpy.compared", why
        elif isinstance(node, ast.Subscript) and values.is_many(index_of(node)):
            yield node.lineno, "array[[...]]", _INDICES, "NumPy 1.23 takes a list for one index"


def _sizes(call, names):
    """Returns (name of a function that takes sizes, the expressions of the sizes)."""
    name = names.here(call.func) or ""
    leaf = getattr(call.func, "attr", "")
    places, word = (), "shape"
    if name.startswith("numpy."):
        is_refused = leaf != "repeat"  # which takes whole floats
        places, word = indices.FLOATS_AT.get(leaf, ()) if is_refused else (), "size"
    elif leaf in ("reshape", "set_shape") and not name:
        name, places = "." + leaf, None if leaf == "reshape" else (0,)
    elif name.startswith("tensorflow."):
        places = (_SHAPES[leaf],) if leaf in _SHAPES else ()
    sizes = call.args if places is None else [call.args[p] for p in places if p < len(call.args)]
    if places != ():
        sizes = [*sizes, *(keyword.value for keyword in call.keywords if keyword.arg == word)]
    return name, sizes


def _is_empty(node):
    return isinstance(node, ast.List) and not node.elts


class _Values:
    """What expressions of a module are, by all values that it assigns to names."""

    def __init__(self, nodes, names):
        values, bound = assigned_values(nodes)
        bound.update(node.arg for node in nodes if isinstance(node, ast.arg))
        self._names = names
        self._assigned = {
            name: assigned for name, assigned in values.items() if bound[name] == len(assigned)
        }

    def _all(self, node, is_such):
        """Tells whether all values of a name are such; of ``n = n + 1`` none is known."""
        assigned = self._assigned.pop(node.id, ())
        are_such = bool(assigned) and all(map(is_such, assigned))
        if assigned:
            self._assigned[node.id] = assigned
        return are_such

    def is_float(self, node):
        """Tells whether an expression is a float, or a shape that holds one."""
        if isinstance(node, (ast.List, ast.Tuple)):
            return any(map(self.is_float, node.elts))
        if isinstance(node, ast.BinOp):
            is_division = isinstance(node.op, ast.Div)
            return is_division or any(map(self.is_float, (node.left, node.right)))
        if isinstance(node, ast.Constant):
            return type(node.value) is float
        return isinstance(node, ast.Name) and self._all(node, self.is_float)

    def is_array(self, node):
        """Tells whether an expression is an array of NumPy."""
        if isinstance(node, ast.Subscript):  # np.where(x)[0]
            called = getattr(node.value, "func", None)
            return called is not None and self._names.here(called) in (
                "numpy.where",
                "numpy.nonzero",
            )
        if isinstance(node, ast.Call):
            name = self._names.here(node.func) or ""
            return name.startswith("numpy.") and name[len("numpy.") :] in _MAKING
        return isinstance(node, ast.Name) and self._all(node, self.is_array)

    def is_many(self, node):
        """Tells whether an expression is a list of sequences or slices."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult)):
            return self.is_many(node.left) or self.is_many(node.right)
        if isinstance(node, ast.List):
            return any(map(self._is_sequence, node.elts))
        if isinstance(node, ast.ListComp):
            return self._is_sequence(node.elt) or self._is_copy(node)
        return isinstance(node, ast.Name) and self._all(node, self.is_many)

    def _is_copy(self, comprehension):
        """Tells whether it is ``[x for x in values]`` of what may be arrays."""
        clause = comprehension.generators[0]
        copied = getattr(comprehension.elt, "id", None)
        is_copy = copied is not None and copied == getattr(clause.target, "id", None)
        return is_copy and not clause.ifs and not self._are_numbers(clause.iter)

    def _are_numbers(self, node):
        if isinstance(node, (ast.List, ast.Tuple)):
            return not any(map(self._is_sequence, node.elts))
        if isinstance(node, ast.Call):
            return getattr(node.func, "id", None) == "range"
        return isinstance(node, ast.Name) and self._all(node, self._are_numbers)

    def _is_sequence(self, node):
        if isinstance(node, ast.Constant):
            return node.value is None or node.value is Ellipsis
        is_call = isinstance(node, ast.Call)
        is_slice = is_call and getattr(node.func, "id", None) in ("slice", "range")
        return is_slice or isinstance(node, ast.List) or self.is_array(node)
