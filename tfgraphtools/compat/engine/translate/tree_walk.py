"""One walk over a tree for all rewrites of expressions and statements.

A rewrite is a `Visitor` with methods ``visit_Call``, ``visit_Assign``...: each is given
a node whose children were rewritten before, by all visitors, and returns what stands in
its place. Where several are for one type of node, each is given what the one before it
returned. So a node is visited once, however many rewrites there are.
"""

import ast
import functools

from tfgraphtools.compat.engine.translate import numba_functions
from tfgraphtools.compat.engine.translate.trees import fields_with_nodes, forget_facts


class Visitor:
    """A rewrite; its methods ``visit_<type of node>`` return the new node, or a list.

    A new node inside of what it returns is given to the visitors after it by
    ``self.later(node)``, which returns what they make of it.

    Attributes:
      idle: names of methods that a tree has nothing for; they are not called.
    """

    idle = ()

    def later(self, node):
        """Returns the node; in a walk, what the visitors after this one make of it."""
        return node

    def visit(self, tree):
        """Returns the tree, rewritten by this visitor alone."""
        return walk(tree, [self])


def walking(make, early=False):
    """Makes a fix's ``run`` of ``make(tree)``, which gives a `Visitor` or None.

    Such rows share one walk; see `rewritten`. Those that are `early` share one before it,
    as they look at calls whose parts the others rewrite.
    """

    @functools.wraps(make)
    def provide(tree, path):
        visitor = make(tree)
        return tree if visitor is None else walk(tree, [visitor])

    provide.make = make
    provide.early = early
    return provide


early_walking = functools.partial(walking, early=True)


def rewritten(tree, path, rows):
    """Applies the rewrites of these rows of kind "syntax" to a tree, in their order.

    What looks at the tree as a whole comes first.
    """
    with numba_functions.set_aside(tree):
        new = _rewritten(tree, path, list(dict.fromkeys(row.run for row in rows)))
    forget_facts(tree)
    return new


def _rewritten(tree, path, provides):
    for provide in provides:
        if not hasattr(provide, "make"):
            tree = provide(tree, path)
    for early in (True, False):
        chosen = [p.make(tree) for p in provides if getattr(p, "early", None) is early]
        tree = walk(tree, [visitor for visitor in chosen if visitor is not None])
    return tree


def walk(tree, visitors):
    """Returns the tree after one walk of all visitors."""
    methods = {}
    for place, visitor in enumerate(visitors):
        for kind, name in _methods_of(type(visitor)):
            if name in visitor.idle:
                continue
            methods.setdefault(kind, []).append((place, getattr(visitor, name)))
    if not methods:
        return tree
    one_walk = _Walk(methods)
    for place, visitor in enumerate(visitors):
        visitor.later = functools.partial(one_walk.apply_after, before=place)
    new = one_walk.visit(tree)
    for visitor in visitors:
        del visitor.later  # it holds the visitor, whose tree the garbage collector would look for
    return new


@functools.lru_cache(maxsize=None)
def _methods_of(visitor_class):
    """Returns the (type of node, name of its method) pairs of a class of visitors."""
    names = [name for name in dir(visitor_class) if name.startswith("visit_")]
    return [(getattr(ast, name[6:]), name) for name in names if hasattr(ast, name[6:])]


class _Walk:
    def __init__(self, methods):
        self._methods = methods
        self._skipped = {type(None)}  # types in which there is nothing to visit

    def visit(self, node):
        kind = node.__class__
        fields, skipped = fields_with_nodes[kind], self._skipped
        if not fields and kind not in self._methods:
            skipped.add(kind)
            return node
        for name in fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                if value:
                    self._visit_list(value)
            elif value.__class__ not in skipped:
                new = self.visit(value)
                if new is not value:
                    setattr(node, name, new)
        return self.apply_after(node, -1) if kind in self._methods else node

    def _visit_list(self, items):
        changed, skipped, is_same = [], self._skipped, True
        for item in items:
            if item.__class__ in skipped:
                changed.append(item)
                continue
            new = self.visit(item)
            if new is item:
                changed.append(item)
                continue
            is_same = False
            if new.__class__ is list:
                changed += new
            elif new is not None:
                changed.append(new)
        if not is_same:
            items[:] = changed

    def apply_after(self, node, before):
        """Returns what the visitors that come after place `before` make of a node."""
        for place, method in self._methods.get(node.__class__, ()):
            if place <= before:
                continue
            new = method(node)
            if new is node:
                continue
            if new is None:
                return None
            if isinstance(new, list):
                for item in new:
                    locate(item, node)
                return self._several(new, place)
            locate(new, node)
            if new.__class__ is not node.__class__:
                return self.apply_after(new, place)
            node = new
        return node

    def _several(self, nodes, place):
        results = []
        for node in nodes:
            new = self.apply_after(node, place)
            results += new if isinstance(new, list) else [new]
        return [node for node in results if node is not None]


def locate(new, at):
    """Gives the new nodes below `made`, those without a place in the source, that of `at`."""
    if "lineno" not in new.__dict__ and "lineno" in new._attributes:
        ast.copy_location(new, at)
    elif new._attributes:
        at = new
    for name in fields_with_nodes[new.__class__]:
        value = getattr(new, name, None)
        for item in value if value.__class__ is list else (value,):
            if isinstance(item, ast.AST) and "lineno" not in item.__dict__:
                locate(item, at)


def located(new, at):
    """Returns a new node after `locate`."""
    locate(new, at)
    return new


def is_endless(tree):
    """Tells whether a node of a tree is below itself: Python refuses to compile it."""
    above, done = set(), set()
    waiting = [(tree, False)]
    while waiting:
        node, is_left = waiting.pop()
        if is_left:
            above.discard(id(node))
            done.add(id(node))
        elif id(node) in above:
            return True
        elif id(node) not in done:
            above.add(id(node))
            waiting.append((node, True))
            waiting += [(part, False) for part in ast.iter_child_nodes(node)]
    return False
