"""Dictionaries and sets of source code, and loops over them, in the order of Python 2."""

import ast

from tfgraphtools.compat.engine.translate import trees


class Ordered(ast.NodeTransformer):
    """A rewrite of dictionaries, sets and loops.

    Attributes:
      hashes: whether it does anything.
    """

    hashes = True

    def visit_Dict(self, node):
        self.generic_visit(node)
        if not self.hashes:
            return node
        return trees.call("__python2_dict__", trees.constant(len(node.keys), node), node, at=node)

    def visit_DictComp(self, node):
        self.generic_visit(node)
        if not self.hashes:
            return node
        self._loop_in_order(node.generators)
        return trees.call("__python2_dict__", trees.constant(0, node), node, at=node)

    def visit_Set(self, node):
        self.generic_visit(node)
        if not self.hashes:
            return node
        items = ast.copy_location(ast.List(elts=node.elts, ctx=ast.Load()), node)
        return trees.call("__python2_set_literal__", items, at=node)

    def visit_SetComp(self, node):
        self.generic_visit(node)
        if not self.hashes:
            return node
        self._loop_in_order(node.generators)
        items = ast.GeneratorExp(elt=node.elt, generators=node.generators)
        return trees.call("__python2_set__", ast.copy_location(items, node), at=node)

    def visit_For(self, node):
        self.generic_visit(node)
        if self.hashes and not _is_list(node.iter):
            node.iter = trees.call("__python2_iterated__", node.iter, at=node.iter)
        return node

    def visit_ListComp(self, node):
        self.generic_visit(node)
        if self.hashes:
            self._loop_in_order(node.generators)
        return node

    visit_GeneratorExp = visit_ListComp

    def _loop_in_order(self, generators):
        for generator in generators:
            if not _is_list(generator.iter):
                at = generator.iter
                generator.iter = trees.call("__python2_iterated__", at, at=at)


def _is_list(node):
    """Tells whether an expression cannot be a dictionary."""
    name = getattr(getattr(node, "func", None), "id", "")
    return isinstance(node, (ast.List, ast.Tuple, ast.Constant)) or name in _GIVE_LISTS


_GIVE_LISTS = {
    "__python2_range__",
    "__python2_enumerate__",
    "__python2_zip__",
    "__python2_listed__",
    "xrange",
}


def order_keywords(call):
    """Gives a call its keywords in the order of a dictionary of Python 2."""
    if len(call.keywords) < 2 or any(word.arg is None for word in call.keywords):
        return
    keys = [trees.constant(word.arg, call) for word in call.keywords]
    values = ast.Dict(keys=keys, values=[word.value for word in call.keywords])
    values = trees.call("__python2_passed_on__", ast.copy_location(values, call), at=call)
    call.keywords = [ast.copy_location(ast.keyword(arg=None, value=values), call)]


def order_options(function):
    """Makes the dictionary of ``**options`` one of Python 2."""
    name = function.args.kwarg.arg
    at = function.body[0]
    value = trees.call("__python2_options__", trees.name_load(name), at=at)
    statement = ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value)
    statement.type_comment = None
    place = 1 if ast.get_docstring(function, clean=False) is not None else 0
    function.body.insert(place, ast.copy_location(statement, at))
