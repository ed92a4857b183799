"""Assignment through a column of a frame: ``df['a'][mask] = v``, ``df.a.fillna(0, inplace=True)``.

Until pandas 3 the column was a view of the frame, which changed with it. It is a copy now,
and nothing says that the assignment is lost. Such statements of user code write the
column back.
"""

import ast
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking

ROW = rows.Fix(
    "pandas.chained_assignment",
    "pandas 3.0",
    "df['a'][mask] = v and df['a'].fillna(0, inplace=True) change the frame",
    cannot="write df.loc[mask, 'a'] = v",
)

_INDEXERS = ("loc", "iloc", "at", "iat")


def assign(value, owner, key, is_name, indexer, place):
    """Does ``owner[key][place] = value``, or with ``owner.key`` and through an indexer."""
    column = getattr(owner, key) if is_name else owner[key]
    (getattr(column, indexer) if indexer else column)[place] = value
    _write_back(owner, key, column)


def call(owner, key, is_name, method, *arguments, **options):
    """Does ``owner[key].method(..., inplace=True)``."""
    column = getattr(owner, key) if is_name else owner[key]
    if "inplace" in options and _is_column(owner, key, column):
        options["inplace"] = False
        column = getattr(column, method)(*arguments, **options)
        _write_back(owner, key, column)
        return None
    result = getattr(column, method)(*arguments, **options)
    _write_back(owner, key, column)
    return result


def _write_back(owner, key, column):
    if _is_column(owner, key, column):
        rows.used(ROW)
        owner[key] = column


def _is_column(owner, key, column):
    """Tells whether it is a column of this frame, all rows of it."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(owner, pandas.DataFrame):
        return False
    is_series = isinstance(column, pandas.Series) and isinstance(key, (str, int, tuple))
    return is_series and key in owner.columns and len(column) == len(owner)


@walking
def _chained(tree):
    """Makes such statements of a module that imports pandas write the column back."""
    return _Statements() if "pandas" in trees.imported_roots(tree) else None


class _Statements(Visitor):
    def visit_Assign(self, node):
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            return node
        inner, indexer = target.value, None
        if isinstance(inner, ast.Attribute) and inner.attr in _INDEXERS:
            inner, indexer = inner.value, inner.attr
        column = _column(inner)
        if column is None:
            return node
        owner, key, is_name = column
        place = _expression(target.slice)
        arguments = [node.value, owner, key, _constant(is_name), _constant(indexer), place]
        call = trees.call("__pandas_assign__", *arguments, at=node)
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(call), node))

    def visit_AugAssign(self, node):
        """Rewrites ``df['a'][mask] += v`` if evaluating its parts twice changes nothing."""
        target = node.target
        inner = getattr(target, "value", None)
        if isinstance(inner, ast.Attribute) and inner.attr in _INDEXERS:
            inner = inner.value
        if not isinstance(inner, ast.Subscript) or not isinstance(inner.value, ast.Name):
            return node
        if any(isinstance(part, (ast.Call, ast.Await)) for part in ast.walk(target)):
            return node
        read = ast.parse(ast.unparse(target), mode="eval").body
        total = ast.BinOp(read, node.op, node.value)
        total = self.later(ast.fix_missing_locations(ast.copy_location(total, node)))
        return self.visit_Assign(ast.copy_location(ast.Assign([target], total), node))

    def visit_Expr(self, node):
        original = node.value
        if not isinstance(original, ast.Call) or not isinstance(original.func, ast.Attribute):
            return node
        column, method = _column(original.func.value), original.func.attr
        is_in_place = method == "update" or any(map(_is_in_place, original.keywords))
        if column is None or not is_in_place:
            return node
        owner, key, is_name = column
        arguments = [owner, key, _constant(is_name), _constant(method), *original.args]
        call = trees.call("__pandas_call__", *arguments, at=node)
        call.keywords = original.keywords
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(call), node))


def _is_in_place(word):
    return word.arg == "inplace" and getattr(word.value, "value", None) is True


def _column(node):
    """Returns (owner, key, whether it is an attribute's name) of ``owner[key]``, ``owner.key``."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, (ast.Slice, ast.Tuple)):
        return node.value, _expression(node.slice), False
    if isinstance(node, ast.Attribute) and not node.attr.startswith("__"):
        return node.value, _constant(node.attr), True
    return None


def _expression(place):
    """Returns the place of a subscript as an expression."""
    if isinstance(place, ast.Slice):
        none = _constant(None)
        bounds = [place.lower or none, place.upper or none, place.step or none]
        return ast.Call(trees.name_load("__pandas_slice__"), bounds, [])
    if isinstance(place, ast.Tuple):
        return ast.Tuple([_expression(item) for item in place.elts], ast.Load())
    return place


def _constant(value):
    return ast.Constant(value)


TABLE = rows.Table("assignment through a column", "syntax", [ROW._replace(run=_chained)])

HELPERS = {"__pandas_assign__": assign, "__pandas_call__": call, "__pandas_slice__": slice}
