"""One walk for all rewrites of a tree."""

import ast

import pytest

from tfgraphtools.compat.engine.translate import tree_walk

pytestmark = pytest.mark.quick


class _Renames(tree_walk.Visitor):
    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit_Name(self, node):
        return ast.Name(self.new, node.ctx) if node.id == self.old else node


class _Sums(tree_walk.Visitor):
    """``a += b`` as two statements, ``a - b`` as a call."""

    def visit_AugAssign(self, node):
        made = ast.Assign([ast.Name("a", ast.Store())], node.value, type_comment=None)
        return [ast.Pass(), made]

    def visit_BinOp(self, node):
        return ast.Call(ast.Name("minus", ast.Load()), [node.left, node.right], [])


class _Counts(tree_walk.Visitor):
    def __init__(self):
        self.seen = []

    def visit_Assign(self, node):
        self.seen.append("Assign")
        return node

    def visit_Call(self, node):
        self.seen.append("Call")
        return node


def _walked(source, *visitors):
    return tree_walk.walk(ast.parse(source), visitors)


def test_nothing_to_do_leaves_the_tree():
    tree = ast.parse("a = b(1)")
    assert tree_walk.walk(tree, []) is tree
    assert ast.dump(_walked("a = b(1)", _Counts())) == ast.dump(ast.parse("a = b(1)"))


def test_each_is_given_what_the_one_before_returned():
    tree = _walked("a(a)", _Renames("a", "b"), _Renames("b", "c"))
    assert ast.dump(tree) == ast.dump(ast.parse("c(c)"))
    assert ast.dump(_walked("a", _Renames("b", "c"), _Renames("a", "b"))) == ast.dump(
        ast.parse("b")
    )


def test_new_nodes_are_for_the_visitors_that_follow():
    counts = _Counts()
    _walked("a += b - c", _Sums(), counts)
    assert sorted(counts.seen) == ["Assign", "Call"]
    before = _Counts()
    _walked("a += b - c", before, _Sums())
    assert before.seen == []


def test_new_nodes_have_a_place_in_the_source():
    tree = _walked("x = 1\na += b - c\n", _Sums())
    code = compile(tree, "x.py", "exec")
    names = {"b": 3, "c": 1, "minus": lambda a, b: a - b}
    exec(code, names)
    assert names["a"] == 2
    assert [node.lineno for node in tree.body] == [1, 2, 2]
