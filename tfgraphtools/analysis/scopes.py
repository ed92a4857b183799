"""The bindings that names in a module mean: Python's scopes, read from the tree.

A name that anything but imports binds (a parameter, a loop, an assignment) is a variable of
the user's own and is nobody's business here, except where it is one plain assignment of a
library's name: ``layers = tf.layers``.
"""

import ast
import functools
import itertools
from typing import Any, NamedTuple, Optional

#: The attribute of a tree in which `nodes_of` keeps its nodes.
NODES = "_tfgraphtools_nodes"

#: The same for its scopes.
_SCOPES = "_tfgraphtools_scopes"

#: How many trees are kept: in a codebase of so many files, each is parsed once.
_KEPT_TREES = 512

IMPORT, ALIAS, OTHER = "import", "alias", "other"


def dumped(node):
    """Returns the text that `ast.dump` gives; "" for a node with an integer too long to print."""
    try:
        return ast.dump(node)
    except ValueError:
        return ""


class Binding(NamedTuple):
    """One statement that binds a name.

    Fields:
      kind: `IMPORT`, `ALIAS` (assigned from a dotted name) or `OTHER`.
      name: the name that is bound.
      target: of an import: (dots, module, name in it or None); of an alias: its expression;
        of what is assigned from a call, or None: that `ast.Call` or `ast.Constant`.
      statement: the `ast` node of the statement.
      alias: of an import: its `ast.alias`.
      scope: the `Scope` whose name it is.
    """

    kind: str
    name: str
    target: Any
    statement: Any
    alias: Optional[ast.alias]
    scope: Any


class Scope:
    """A module, function, class or comprehension: the names bound in it."""

    def __init__(self, kind, parent):
        self.kind = kind
        self.parent = parent
        self.names = {}
        self.outer = {}  # name -> the scope that `global` and `nonlocal` say it belongs to

    def owner(self, name):
        """Returns the scope whose variable a name in this one is, or None."""
        scope = self
        while scope is not None:
            if name in scope.outer:
                return scope.outer[name]
            if name in scope.names and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None

    def bindings(self, name):
        """Returns the `Binding`s that a name in this scope may mean."""
        owner = self.owner(name)
        return owner.names.get(name, []) if owner is not None else []


def dotted(node):
    """Returns (root `ast.Name`, [attributes]) of ``a.b.c``; (None, ()) for any other expression."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (node, parts[::-1]) if isinstance(node, ast.Name) else (None, ())


@functools.lru_cache(_KEPT_TREES)
def tree_of(source):
    """Returns the tree of a source for those who only read it; raises as `ast.parse` does."""
    return ast.parse(source)


def scopes_of(tree):
    """Returns the `Scopes` of a tree, which is visited once."""
    scopes = getattr(tree, _SCOPES, None)
    if scopes is None:
        scopes = Scopes(tree)
        setattr(tree, _SCOPES, scopes)
    return scopes


def nodes_of(tree):
    """Returns all nodes of a tree in the order of `ast.walk`, found by one walk of it."""
    nodes = getattr(tree, NODES, None)
    if nodes is None:
        nodes = [tree]
        for node in nodes:  # it grows; `ast.walk` does the same in twice the time
            for field in node._fields:
                value = getattr(node, field, None)
                if isinstance(value, ast.AST):
                    nodes.append(value)
                elif isinstance(value, list):
                    nodes += [item for item in value if isinstance(item, ast.AST)]
        setattr(tree, NODES, nodes)
    return nodes


def forget(tree):
    """Removes from a tree what is kept of another one, of which it is a copy."""
    for name in (NODES, _SCOPES):
        vars(tree).pop(name, None)


def index_of(subscript):
    """Returns the expression in the brackets of a subscript."""
    index = subscript.slice
    return index.value if type(index).__name__ == "Index" else index  # until Python 3.8


class Scopes(ast.NodeVisitor):
    """The scopes of a module.

    Fields:
      module: the module's `Scope`.
      names: (node, `Scope`) of every name that is read, in the order of the walk.
      stars: (module, dots, statement) of every ``from x import *``.
    """

    def __init__(self, tree):
        self.module = self._scope = Scope("module", None)
        self.names = []
        self.stars = []
        self._of = {}
        self._handlers = 0
        self._declares = any(isinstance(n, (ast.Global, ast.Nonlocal)) for n in nodes_of(tree))
        self.visit(tree)

    def scope_of(self, name):
        """Returns the scope in which an `ast.Name` is read."""
        return self._of[name]

    def _bind(self, name, kind, target=None, statement=None, alias=None):
        owner = self._scope.outer.get(name, self._scope)
        binding = Binding(kind, name, target, statement, alias, owner)
        owner.names.setdefault(name, []).append(binding)

    # Imports and assignments --------------------------------------------------

    def visit_Import(self, node):
        for alias in node.names:
            if alias.asname:
                self._bind(alias.asname, IMPORT, (0, alias.name, None), node, alias)
            else:
                root = alias.name.partition(".")[0]
                self._bind(root, IMPORT, (0, root, None), node, alias)

    def visit_ImportFrom(self, node):
        for alias in node.names:
            if alias.name == "*":
                self.stars.append((node.level, node.module or "", node))
            else:
                target = (node.level, node.module or "", alias.name)
                self._bind(alias.asname or alias.name, IMPORT, target, node, alias)

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            if not isinstance(target, ast.Name):
                self.visit(target)
            elif _is_v1_of(node.value, target.id):
                pass  # tf = tf.compat.v1: it means the same API
            elif isinstance(node.value, (ast.Name, ast.Attribute)):
                self._bind(target.id, ALIAS, node.value, node)
            elif self._handlers and is_none(node.value):
                pass  # try: import x; except ImportError: x = None
            else:
                is_kept = isinstance(node.value, ast.Call) or is_none(node.value)
                self._bind(target.id, OTHER, node.value if is_kept else None)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self._of[node] = self._scope
            self.names.append((node, self._scope))
        else:
            self._bind(node.id, OTHER)

    def visit_ExceptHandler(self, node):
        if node.type is not None:
            self.visit(node.type)
        if node.name:
            self._bind(node.name, OTHER)
        self._handlers += 1
        for statement in node.body:
            self.visit(statement)
        self._handlers -= 1

    def visit_Global(self, node):
        for name in node.names:
            self._scope.outer[name] = self.module

    def visit_Nonlocal(self, node):
        for name in node.names:
            owner = self._scope.parent.owner(name) if self._scope.parent else None
            if owner is not None:
                self._scope.outer[name] = owner

    # Scopes -------------------------------------------------------------------

    def _inside(self, kind, body):
        outside, self._scope = self._scope, Scope(kind, self._scope)
        body()
        self._scope = outside

    def visit_FunctionDef(self, node):
        self._bind(node.name, OTHER)
        for part in node.decorator_list:
            self.visit(part)
        self._function(node, node.body, [node.returns])

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self._function(node, [node.body], [])

    def _function(self, node, body, outside):
        arguments = node.args
        named = getattr(arguments, "posonlyargs", []) + arguments.args + arguments.kwonlyargs
        named += [
            argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None
        ]
        outside = outside + arguments.defaults + arguments.kw_defaults
        for part in outside + [argument.annotation for argument in named]:
            if part is not None:
                self.visit(part)

        def inside():
            for argument in named:
                self._bind(argument.arg, OTHER)
            for declared in body if self._declares else ():  # they hold for the whole function
                for part in _own_statements(declared):
                    if isinstance(part, (ast.Global, ast.Nonlocal)):
                        self.visit(part)
            for part in body:
                self.visit(part)

        self._inside("function", inside)

    def visit_ClassDef(self, node):
        self._bind(node.name, OTHER)
        for part in node.decorator_list + node.bases + node.keywords:
            self.visit(part)
        self._inside("class", lambda: [self.visit(part) for part in node.body])

    def _comprehension(self, node):
        first = node.generators[0]
        self.visit(first.iter)

        def inside():
            for generator in node.generators:
                self.visit(generator.target)
                if generator is not first:
                    self.visit(generator.iter)
                for condition in generator.ifs:
                    self.visit(condition)
            for field in ("key", "value", "elt"):
                if hasattr(node, field):
                    self.visit(getattr(node, field))

        self._inside("comprehension", inside)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        scope = self._scope
        while scope.kind == "comprehension":
            scope = scope.parent
        scope.names.setdefault(node.target.id, []).append(
            Binding(OTHER, node.target.id, None, node, None, scope)
        )

    def visit_MatchAs(self, node):
        if node.name:
            self._bind(node.name, OTHER)
        self.generic_visit(node)

    def visit_MatchStar(self, node):
        if node.name:
            self._bind(node.name, OTHER)


#: Built-in names of Python 2 that Python 3 lacks.
BUILT_IN_OF_PYTHON2 = frozenset(
    "apply basestring buffer cmp coerce execfile file intern long raw_input reduce reload "
    "unichr unicode xrange".split()
)

#: Built-in functions by which code binds names that its source does not show.
HIDDEN_BINDINGS = {"exec", "execfile", "globals"}


def builtin_reads(tree, names):
    """Returns ({reads of a built-in name}, {reads that may be of one, which a run shows}).

    The second are reads of names of the module or of a class's body, which need not be bound yet,
    and all in a module that binds names which its source does not show (``from x import *``).

    Args:
      tree: the tree of a module.
      names: the built-in names that are asked for.

    Example:
      >>> tree = ast.parse("def f(max): return max\\nmax(1, 2)")
      >>> certain, possible = builtin_reads(tree, {"max"})
      >>> [node.lineno for node in certain], possible
      ([2], set())
    """
    scopes = scopes_of(tree)
    is_open = bool(scopes.stars) or any(node.id in HIDDEN_BINDINGS for node, _ in scopes.names)
    certain, possible = set(), set()
    for node, scope in scopes.names:
        if node.id in names:
            owner = scope.owner(node.id)
            if owner is None and not is_open:
                certain.add(node)
            elif owner is None or owner.kind in ("module", "class"):
                possible.add(node)
    return certain, possible


def parents_of(tree):
    """Returns node -> the node around it."""
    return {child: node for node in nodes_of(tree) for child in ast.iter_child_nodes(node)}


def is_none(node):
    """Tells whether an expression is ``None``."""
    return type(node).__name__ in ("Constant", "NameConstant") and node.value is None


def meaning(bindings):
    """Returns bindings without a ``np = None`` before them: an import comes later."""
    return list(itertools.dropwhile(lambda binding: is_none(binding.target), bindings))


def _is_v1_of(value, name):
    """Tells whether an expression is ``name.compat.v1``."""
    root, parts = dotted(value)
    return root is not None and root.id == name and list(parts) == ["compat", "v1"]


def _own_statements(node):
    """Yields a statement and those within it, but those of functions and classes."""
    yield node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        for child in ast.iter_child_nodes(node):
            yield from _own_statements(child)
