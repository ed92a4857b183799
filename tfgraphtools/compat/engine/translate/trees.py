"""Helpers that build and read syntax trees."""

import ast
import sys

from tfgraphtools.analysis import scopes


def name_load(name):
    """Returns a name that is read."""
    return ast.Name(id=name, ctx=ast.Load())


def call(helper, *arguments, at):
    """Returns ``helper(*arguments)``, placed where the node `at` stands."""
    function = ast.copy_location(name_load(helper), at)
    call_node = ast.Call(func=function, args=list(arguments), keywords=[])
    return ast.copy_location(call_node, at)


def wrap_call(helper, node):
    """Rewrites the call ``f(...)`` to ``helper(f, ...)``."""
    node.args.insert(0, node.func)
    node.func = ast.copy_location(name_load(helper), node.func)
    return node


def constant(value, at):
    """Returns a constant, placed where the node `at` stands."""
    return ast.copy_location(ast.Constant(value=value, kind=None), at)


def string_value(node):
    """Returns the text that a node is as a constant; None for any other."""
    value = getattr(node, "s" if type(node).__name__ == "Str" else "value", None)
    return value if isinstance(value, str) else None


def string_constants(tree):
    """Returns the texts that stand in a tree as constants."""
    return _facts(tree).words


def imported_roots(tree):
    """Returns the names of the packages that a module imports, anywhere in it."""
    return _facts(tree).roots


def bound_names(tree):
    """Returns every name that a module binds anywhere; ``"*"`` when it imports all of another."""
    return _facts(tree).bound


def modules_of(tree):
    """Returns the names that only ``import`` statements bind, so that they stand for modules."""
    facts = _facts(tree)
    imported, taken = (
        {alias.asname or alias.name.partition(".")[0] for node in nodes for alias in node.names}
        for nodes in (facts.of_type.get(ast.Import, ()), facts.of_type.get(ast.ImportFrom, ()))
    )
    return imported - taken - facts.assigned


def variables_of(tree):
    """Returns the names of parameters and of what a module assigns, anywhere in it."""
    return _facts(tree).variables


def read_names(tree):
    """Returns every name that a module reads or binds anywhere."""
    return _facts(tree).names


def read_attributes(tree):
    """Returns the name of every attribute that a module reads or sets."""
    return _facts(tree).attributes


def mentions(tree, *names):
    """Tells whether a module reads or sets a variable or an attribute of one of these names."""
    facts = _facts(tree)
    return not (facts.names.isdisjoint(names) and facts.attributes.isdisjoint(names))


def builtin_reads(tree, names):
    """Returns the nodes that certainly read a built-in of one of these names.

    Where a module binds none of them anywhere, its scopes need not be known, which is faster.
    """
    facts = _facts(tree)
    if facts.names.isdisjoint(names):
        return set()
    if not (facts.bound.isdisjoint(names) and facts.names.isdisjoint(scopes.HIDDEN_BINDINGS)):
        return scopes.builtin_reads(tree, names)[0]
    if "*" in facts.bound:
        return set()
    nodes = (node for _, inside in facts.scopes for node in inside)
    return {node for node in nodes if node.__class__ is ast.Name and node.id in names}


class BuiltinNames:
    """The reads of built-in names in a tree, as far as its source shows.

    A name that the tree binds nowhere is a built-in's everywhere. Of another one the scopes tell:
    a parameter ``print`` of one function is no reason to leave the rest of the file alone.

    Args:
      tree: an `ast.Module`, before other rewrites.
      names: the built-in names that are asked for.
    """

    def __init__(self, tree, names):
        bound = bound_names(tree)
        self._unbound = frozenset(names) - bound
        elsewhere = frozenset(names) & bound & _facts(tree).names
        self._reads = scopes.builtin_reads(tree, elsewhere)[0] if elsewhere else ()

    def __contains__(self, node):
        return node.__class__ is ast.Name and (node.id in self._unbound or node in self._reads)


def nodes_of(tree, *kinds):
    """Returns the nodes of these types in a tree."""
    by_type = _facts(tree).of_type
    return [node for kind in kinds for node in by_type.get(kind, ())]


def scopes_of(tree):
    """Returns (scope, the nodes of its body without those of the scopes in it), outer ones first.

    Scopes are modules, functions, classes and lambdas. Their decorators, arguments and bases
    belong to the scope around them, which evaluates them.
    """
    return _facts(tree).scopes


def children(node, fields=None):
    """Returns the nodes right below a node that say what it does: no contexts and operators.

    Args:
      node: the node.
      fields: the names of its fields to look in; None: all.
    """
    below = []
    for name in fields_with_nodes[node.__class__] if fields is None else fields:
        value = getattr(node, name, None)
        if value.__class__ is not list:
            if value is not None:
                below.append(value)
        elif name in _WITH_GAPS:
            below += [item for item in value if item is not None]
        else:
            below += value
    return below


#: Fields that hold names, numbers and contexts, whatever the type of node.
_NO_NODES = frozenset(
    "arg asname attr conversion ctx id is_async kind kwd_attrs level lineno module name op ops "
    "rest simple str tag type_comment".split()
)
#: Fields whose lists hold None, too.
_WITH_GAPS = frozenset(("keys", "kw_defaults"))
#: Types of nodes that hold no nodes, though their fields' names do not say so.
_LEAVES = frozenset(
    "Bytes Constant Global MatchSingleton NameConstant Nonlocal Num Str".split()  # also Python 3.7
)


class _Fields(dict):
    def __missing__(self, kind):
        fields = () if kind.__name__ in _LEAVES else kind._fields
        self[kind] = tuple(name for name in fields if name not in _NO_NODES)
        return self[kind]


#: type of node -> its fields in which nodes may be: alone, or in a list.
fields_with_nodes = _Fields()

#: Types of nodes whose body is a scope of its own.
SCOPES = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda))

#: `fields_with_nodes`, of scopes those that belong to the scope around them.
_fields_around_bodies = _Fields(
    (kind, [name for name in fields_with_nodes[kind] if name != "body"]) for kind in SCOPES
)


class _Facts:
    """Facts about a whole tree, collected in one walk of it.

    Fields:
      words, roots, bound, names, attributes: see the functions of this module.
      of_type: the statements, scopes and operations by their type.
      scopes: see `scopes_of`.
    """

    def __init__(self, tree):
        self.words, self.roots, self.bound, self.names = set(), set(), set(), set()
        self.assigned = set()  # of those bound, all but what is imported
        self.variables = set()  # of these, all but functions, classes and errors
        self.attributes, self.of_type, self.scopes = set(), {}, []
        scopes = [tree]
        for scope in scopes:
            nodes = self._read(children(scope, ("body",)))
            scopes += [node for node in nodes if node.__class__ in SCOPES]
            self.scopes.append((scope, nodes))

    def _read(self, waiting):
        """Returns these nodes and those below them, without the bodies of the scopes in them."""
        take_of, fields_of, nodes = _TAKE.get, _fields_around_bodies, []
        while waiting:
            node = waiting.pop()
            nodes.append(node)
            kind = node.__class__
            take = take_of(kind)
            if take is not None:
                take(self, node)
            for name in fields_of[kind]:  # as `children`, without a call for each node
                value = getattr(node, name, None)
                if value.__class__ is list:
                    waiting += [v for v in value if v is not None] if name in _WITH_GAPS else value
                elif value is not None:
                    waiting.append(value)
        return nodes

    def _keep(self, node):
        self.of_type.setdefault(node.__class__, []).append(node)

    def _assign(self, name):
        self.bound.add(name)
        self.assigned.add(name)

    def _name(self, node):
        self.names.add(node.id)
        if node.ctx.__class__ is not ast.Load:
            self._assign(node.id)
            self.variables.add(node.id)

    def _attribute(self, node):
        self.attributes.add(node.attr)

    def _constant(self, node):
        text = string_value(node)
        if text:
            self.words.add(text)

    def _named(self, node):
        self._keep(node)
        self._assign(node.name)

    def _arg(self, node):
        self._assign(node.arg)
        self.variables.add(node.arg)

    def _alias(self, node):
        self.bound.add(node.asname or node.name.partition(".")[0])

    def _handler(self, node):
        if node.name:
            self._assign(node.name)

    def _capture(self, node):
        if node.name:
            self._assign(node.name)

    def _rest(self, node):
        if node.rest:
            self._assign(node.rest)

    def _import(self, node):
        self._keep(node)
        self.roots.update(alias.name.partition(".")[0] for alias in node.names)

    def _import_from(self, node):
        self._keep(node)
        if node.module:
            self.roots.add(node.module.partition(".")[0])


_TAKE = {
    ast.Name: _Facts._name,
    ast.Constant: _Facts._constant,
    ast.FunctionDef: _Facts._named,
    ast.AsyncFunctionDef: _Facts._named,
    ast.ClassDef: _Facts._named,
    ast.Lambda: _Facts._keep,
    ast.Assign: _Facts._keep,
    ast.AnnAssign: _Facts._keep,
    ast.AugAssign: _Facts._keep,
    ast.BinOp: _Facts._keep,
    ast.Compare: _Facts._keep,
    ast.Try: _Facts._keep,
    ast.Attribute: _Facts._attribute,
    ast.arg: _Facts._arg,
    ast.alias: _Facts._alias,
    ast.ExceptHandler: _Facts._handler,
    ast.Global: _Facts._keep,
    ast.Import: _Facts._import,
    ast.ImportFrom: _Facts._import_from,
    ast.Nonlocal: _Facts._keep,
}
if sys.version_info < (3, 8):  # constants of Python 3.7
    _TAKE[ast.Str] = _Facts._constant
else:
    _TAKE[ast.NamedExpr] = _Facts._keep


if hasattr(ast, "Match"):  # since Python 3.10
    _TAKE[ast.MatchAs] = _TAKE[ast.MatchStar] = _Facts._capture
    _TAKE[ast.MatchMapping] = _Facts._rest


def _facts(tree):
    """Returns the facts of a tree, asked for before it is rewritten."""
    facts = getattr(tree, "_tfgraphtools_facts", None)
    if facts is None:
        facts = tree._tfgraphtools_facts = _Facts(tree)
    return facts


def forget_facts(tree):
    """Lets a tree go of its facts, which hold it: so it needs no garbage collector."""
    vars(tree).pop("_tfgraphtools_facts", None)
    scopes.forget(tree)


def insert_first(tree, statement):
    """Puts a statement behind the module's docstring and its imports from ``__future__``."""
    place = 0
    for place_after, node in enumerate(tree.body, 1):
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            place = place_after
    if not place and ast.get_docstring(tree, clean=False) is not None:
        place = 1
    tree.body.insert(place, statement)


def is_path(node):
    """Tells whether it is a variable, or an attribute of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def has_one_argument(call):
    """Tells whether it is a call with one argument, without a name."""
    return len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)


def as_read(target):
    """Returns the same expression, read instead of assigned."""
    copied = _copy(target)
    copied.ctx = ast.Load()
    return copied


def _copy(node):
    if not isinstance(node, ast.AST):
        return [_copy(item) for item in node] if isinstance(node, list) else node
    copied = type(node)(**{name: _copy(value) for name, value in ast.iter_fields(node)})
    return ast.copy_location(copied, node)
