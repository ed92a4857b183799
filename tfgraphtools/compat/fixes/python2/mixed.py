"""Single spellings of Python 2 in sources that Python 3 parses, and that fail when they run.

Each means nothing else in Python 3, so that it may be taken as Python 2 meant it.
"""

import ast

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, early_walking
from tfgraphtools.compat.fixes.python2 import lists


@early_walking
def sort_by_cmp(tree):
    """Rewrites ``items.sort(f)``, ``items.sort(cmp=f)`` and ``sorted(items, f)``."""
    if not trees.mentions(tree, "sort", "sorted"):
        return None
    return _Sorts(trees.builtin_reads(tree, {"sorted"}))


class _Sorts(Visitor):
    def __init__(self, builtin_names):
        self.builtin_names = builtin_names

    def visit_Call(self, node):
        has_cmp = any(word.arg == "cmp" for word in node.keywords)
        if getattr(node.func, "attr", None) == "sort" and (node.args or has_cmp):
            sequence = node.func.value
            node.func = trees.name_at("__python2_sort__", node.func)
            node.args.insert(0, sequence)
        elif node.func in self.builtin_names and (len(node.args) > 1 or has_cmp):
            node.func = trees.name_at("__python2_sorted__", node.func)
        return node


@early_walking
def iterate_by_next(tree):
    """Adds ``__next__`` to classes whose ``__iter__`` returns self and that have ``next``."""
    return _Iterators() if {"next", "__iter__"} <= trees.bound_names(tree) else None


class _Iterators(Visitor):
    def visit_ClassDef(self, node):
        methods = {
            statement.name: statement
            for statement in node.body
            if isinstance(statement, ast.FunctionDef)
        }
        set_here = {
            getattr(target, "id", None)
            for statement in node.body
            for target in getattr(statement, "targets", ())
        }
        if "next" not in methods or "__next__" in set_here.union(methods):
            return node
        if "__iter__" in methods and _returns_itself(methods["__iter__"]):
            rows.used(ITERATORS)
            target = ast.Name("__next__", ast.Store())
            alias = ast.Assign([target], trees.name_load("next"))
            node.body.append(ast.copy_location(alias, methods["next"]))
            ast.fix_missing_locations(node)
        return node


def _returns_itself(method):
    last, own = method.body[-1], method.args.args[0].arg if method.args.args else None
    return isinstance(last, ast.Return) and getattr(last.value, "id", "") == own


@early_walking
def print_to_file(tree):
    """Rewrites ``print >>file, x``, which Python 3 parses as a tuple."""
    return _Chevrons() if trees.mentions(tree, "print", "__python2_print__") else None


class _Chevrons(Visitor):
    def visit_Expr(self, node):
        value = node.value
        items = value.elts if isinstance(value, ast.Tuple) else [value]
        shift = items[0] if items else None
        if not isinstance(shift, ast.BinOp) or not isinstance(shift.op, ast.RShift):
            return node
        if getattr(shift.left, "id", None) not in ("print", "__python2_print__"):
            return node
        rows.used(TO_FILE)
        node.value = trees.call("__python2_print__", *items[1:], at=value)
        node.value.keywords = [ast.keyword(arg="file", value=shift.right)]
        return ast.fix_missing_locations(node)


@early_walking
def print_formatted(tree):
    """Rewrites ``print("%d") % x``, where Python 3 computes with what print returns."""
    return _Operands() if trees.mentions(tree, "print") else None


class _Operands(Visitor):
    def visit_Expr(self, node):
        items = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        printed = _printed(items[0]) if items else None
        if printed is not None:
            rows.used(FORMATTED)
            node.value = trees.call("__python2_print__", printed, *items[1:], at=node.value)
        return node


def _printed(value):
    """Returns ``(x) / y`` of ``print (x) / y``; None of other expressions."""
    if not isinstance(value, ast.BinOp):
        return None
    inner = value
    while isinstance(inner.left, ast.BinOp):
        inner = inner.left
    called = inner.left
    if not isinstance(called, ast.Call) or getattr(called.func, "id", None) != "print":
        return None
    if len(called.args) != 1 or called.keywords:
        return None
    inner.left = called.args[0]
    return value


def _row(name, why, provide):
    return rows.Fix("python2." + name, "Python 3.0", why, provide)


SORT = _row("sort_by_cmp", "sort and sorted take a function that compares", sort_by_cmp)
TO_FILE = _row("print_to_file", "`print >>file, x` prints x to the file", print_to_file)
FORMATTED = _row(
    "print_formatted", "`print('%d') % x` prints what Python 2 printed", print_formatted
)

ITERATORS = rows.Fix(
    "python2.iterators",
    "Python 3.0",
    "a class whose __iter__ returns self and that has next is an iterator by it",
    iterate_by_next,
)
TABLE = rows.Table(
    "Python 2 spellings in Python 3 source",
    "syntax",
    (SORT, TO_FILE, FORMATTED, ITERATORS, lists.ROW),
)
