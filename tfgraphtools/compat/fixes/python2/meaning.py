"""Code that both Pythons parse and read differently, with the meaning of Python 2.

For modules that were written for Python 2 as a whole; what the new nodes call
is in `helpers`.
"""

import ast

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import in_place, trees
from tfgraphtools.compat.fixes.python2 import classes, comprehensions, dialect, ordering
from tfgraphtools.compat.fixes.python2.library import binary_files
from tfgraphtools.compat.fixes.python2.table import (
    BUILTINS,
    CLASSES,
    COMPREHENSIONS,
    DIVISION,
    EXCEPTIONS,
    IMPORTS,
    LISTS,
    NUMBERS,
    ORDER,
    PRINT,
    UNICODE,
)

#: built-in function -> (row, helper that stands for it in a Python 2 module)
_FUNCTIONS = {
    "map": (LISTS, "__python2_map__"),
    "filter": (LISTS, "__python2_filter__"),
    "zip": (LISTS, "__python2_zip__"),
    "range": (LISTS, "__python2_range__"),
    "round": (BUILTINS, "__python2_round__"),
    "input": (BUILTINS, "__python2_input__"),
    "max": (ORDER, "__python2_max__"),
    "min": (ORDER, "__python2_min__"),
    "sorted": (ORDER, "__python2_ordered__"),
    "oct": (NUMBERS, "__python2_oct__"),
    "hex": (NUMBERS, "__python2_hex__"),
    "open": (binary_files.ROW, "__python2_open__"),
}

#: built-in class -> (row, helper that stands for it where it is called)
_CLASSES = {
    "bytearray": (binary_files.ROW, "__python2_bytearray__"),
    "bytes": (binary_files.ROW, "__python2_bytes__"),
    "long": (NUMBERS, "__python2_long__"),
    "str": (binary_files.ROW, "__python2_str__"),
    "unicode": (UNICODE, "__python2_unicode__"),
}

#: Methods of text, files and sockets that take text and bytes alike.
_TAKE_BYTES = {"join", "send", "sendall", "write"}

_HANDLED = {"exc_type", "exc_value", "exc_traceback"}


#: The name of an exception until it has the name that the module gives it.
_CAUGHT = "__caught__"

#: The function that a tree calls at its start: see `helpers`.
_MARK = "__python2_module__"


def as_python2(tree, why):
    """Returns the tree of a module that was written for Python 2, with Python 2's meaning.

    Args:
      tree: its `ast.Module`; it is changed.
      why: the row by which it counts as Python 2.
    """
    future = dialect.future_imports(tree)
    if not rows.is_off(COMPREHENSIONS.name):
        comprehensions.keep_variables(tree)
    tree = _Meaning(future, tree).visit(tree)
    implicit = "absolute_import" not in future and not rows.is_off(IMPORTS.name)
    _mark(tree, why, implicit)
    return ast.fix_missing_locations(tree)


def mark_of(tree):
    """Returns the name of the row with which `as_python2` marked a tree, or None."""
    for node in tree.body:
        value = getattr(node, "value", None)
        if isinstance(value, ast.Call) and getattr(value.func, "id", "") == _MARK:
            return ast.literal_eval(value.args[0])
    return None


def _mark(tree, why, implicit):
    """Makes the module say at its start that it is Python 2 (see `implicit_imports`)."""
    at = ast.Pass(lineno=1, col_offset=0)
    value = trees.call(
        _MARK,
        trees.constant(why.name, at),
        ast.copy_location(ast.NameConstant(implicit), at),
        at=at,
    )
    mark = ast.Assign(targets=[ast.Name(id="__python2__", ctx=ast.Store())], value=value)
    mark.type_comment = None
    trees.insert_first(tree, ast.copy_location(mark, at))


class _Meaning(ast.NodeTransformer):
    def __init__(self, future, tree):
        bound = trees.bound_names(tree)
        self.in_place = in_place.InPlace(tree)
        self.divides = "division" not in future and not rows.is_off(DIVISION.name)
        self.prints = "print_function" not in future and not rows.is_off(PRINT.name)
        self.lists = not rows.is_off(LISTS.name)
        self.classes = not rows.is_off(CLASSES.name)
        self.orders = not rows.is_off(ORDER.name)
        self.errors = not rows.is_off(EXCEPTIONS.name)
        self.decodes = not rows.is_off(UNICODE.name)
        self.bytes = not rows.is_off(binary_files.ROW.name)
        self.bound = bound
        self.functions = {
            name: helper
            for name, (row, helper) in _FUNCTIONS.items()
            if name not in bound and not rows.is_off(row.name)
        }
        self.calls = {
            name: helper
            for name, (row, helper) in _CLASSES.items()
            if name not in bound and not rows.is_off(row.name)
        }
        if self.prints:
            self.functions["print"] = "__python2_print__"

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if self.divides and isinstance(node.op, ast.Div):
            return trees.call("__python2_divide__", node.left, node.right, at=node)
        if (
            self.bytes
            and isinstance(node.op, ast.Mod)
            and trees.string_value(node.left) is not None
        ):
            if isinstance(
                node.right, (ast.Tuple, ast.Dict, ast.Call, ast.Name, ast.Attribute, ast.Subscript)
            ):
                return trees.call("__python2_formatted__", node.left, node.right, at=node)
        return node

    def visit_Compare(self, node):
        self.generic_visit(node)
        return ordering.rewritten(node) if self.orders else node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not (self.divides and isinstance(node.op, ast.Div)):
            return node
        return self.in_place.assigned(node, "__python2_divide_in_place__")

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id in self.functions:
            return ast.copy_location(trees.name_load(self.functions[node.id]), node)
        return node

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if self.errors and node.attr in _HANDLED and getattr(node.value, "id", None) == "sys":
            return trees.call("__python2_handled__", trees.constant(node.attr, node), at=node)
        return node

    def visit_ExceptHandler(self, node):
        self.generic_visit(node)
        if self.errors and node.name:
            for part in (inner for statement in node.body for inner in ast.walk(statement)):
                if _takes_items(part, node.name):
                    part.value = trees.call("__python2_arguments__", part.value, at=part.value)
            _keep_error(node)
        return node

    def visit_Expr(self, node):
        if self.prints and getattr(node.value, "id", None) == "print":  # `print` alone
            node.value = trees.call("print", at=node.value)
        return self.generic_visit(node)

    def visit_Call(self, node):
        self.generic_visit(node)
        method = getattr(node.func, "attr", None)
        is_without_arguments = not node.args and not node.keywords
        if self.lists and is_without_arguments and method in ("keys", "values", "items"):
            name = trees.constant(method, node)
            return trees.call("__python2_listed__", node.func.value, name, at=node)
        if self.orders and method == "sort":
            return _as_function("__python2_order__", node)
        if self.decodes and method == "translate" and node.args and not node.keywords:
            return _as_function("__python2_translate__", node)
        if self.bytes and method in _TAKE_BYTES and len(node.args) == 1 and not node.keywords:
            return trees.call("__python2_given__", node.func, node.args[0], at=node)
        if self.bytes and method == "encode":
            return trees.call("__python2_encoded__", node, at=node)
        helper = self.calls.get(getattr(node.func, "id", None))
        if helper is not None:
            node.func = ast.copy_location(trees.name_load(helper), node.func)
        return node

    def visit_ClassDef(self, node):
        self.generic_visit(node)
        if self.classes:
            _take_metaclass(node)
            if _defined(node) & classes.NAMES:
                helper = ast.copy_location(trees.name_load("__python2_class__"), node)
                node.decorator_list.append(helper)
            if "__eq__" in _defined(node) and not {"__ne__", "__hash__"} <= _defined(node):
                has_hash = "__hash__" in _defined(node) or not node.bases
                helper = trees.call(
                    "__python2_equality__",
                    ast.copy_location(ast.NameConstant(has_hash), node),
                    at=node,
                )
                node.decorator_list.append(helper)
        return node


def _as_function(helper, node):
    """Returns ``value.method(...)`` as ``helper(value, ...)``."""
    node.args.insert(0, node.func.value)
    node.func = ast.copy_location(trees.name_load(helper), node.func)
    return node


def _keep_error(handler):
    """Makes ``except X as name`` bind a name that stays, as in Python 2."""
    kept = ast.Assign(
        targets=[ast.Name(id=handler.name, ctx=ast.Store())], value=trees.name_load(_CAUGHT)
    )
    kept.type_comment = None
    handler.name = _CAUGHT
    handler.body.insert(0, ast.copy_location(kept, handler.body[0]))


def _takes_items(node, name):
    """Tells whether a node is ``name[...]``, or unpacks `name`."""
    if isinstance(node, ast.Assign):
        unpacks = isinstance(node.targets[0], (ast.Tuple, ast.List))
        return unpacks and getattr(node.value, "id", None) == name
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return False
    return getattr(node.value, "id", None) == name


def _defined(node):
    names = {statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)}
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            names.update(getattr(target, "id", None) for target in statement.targets)
    return names


def _take_metaclass(node):
    """Turns ``__metaclass__ = X`` in a class's body into today's ``metaclass=X``."""
    for place, statement in enumerate(node.body):
        targets = getattr(statement, "targets", [])
        if [getattr(target, "id", None) for target in targets] == ["__metaclass__"]:
            node.keywords.append(ast.keyword(arg="metaclass", value=statement.value))
            node.body[place] = ast.copy_location(ast.Pass(), statement)
