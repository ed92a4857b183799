"""Helpers that build and read syntax trees."""

import ast
import collections
import sys

from tfgraphtools.analysis import scopes


def name_load(name):
    """Returns a name that is read."""
    return ast.Name(id=name, ctx=_LOAD)


#: The context of what is read: one for all, as the parser has it.
_LOAD = ast.Load()


def name_at(name, at):
    """Returns a name that is read, placed where the node `at` stands."""
    return placed(ast.Name(id=name, ctx=_LOAD), at)


def placed(new, at):
    """Returns a new node, placed where the node `at` stands: `ast.copy_location`, but faster."""
    place = at.__dict__
    if "lineno" in place:
        new.lineno, new.col_offset = place["lineno"], place["col_offset"]
        new.end_lineno = place.get("end_lineno")
        new.end_col_offset = place.get("end_col_offset")
    return new


def call(helper, *arguments, at):
    """Returns ``helper(*arguments)``, placed where the node `at` stands."""
    return placed(ast.Call(func=name_at(helper, at), args=list(arguments), keywords=[]), at)


def wrap_call(helper, node):
    """Rewrites the call ``f(...)`` to ``helper(f, ...)``."""
    node.args.insert(0, node.func)
    node.func = name_at(helper, node.func)
    return node


def constant(value, at):
    """Returns a constant, placed where the node `at` stands."""
    return placed(ast.Constant(value=value, kind=None), at)


def string_value(node):
    """Returns the text that a node is as a constant; None for any other."""
    kind = node.__class__
    if kind is ast.Constant:
        value = node.value
    else:
        value = getattr(node, "s" if kind.__name__ == "Str" else "value", None)
    return value if value.__class__ is str else None


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

    Where no function binds one of them, the scopes need not be known, which is faster.
    """
    facts = _facts(tree)
    names = facts.names.intersection(names) - facts.of_module
    if not names:
        return set()
    if not (facts.bound.isdisjoint(names) and facts.names.isdisjoint(scopes.HIDDEN_BINDINGS)):
        return scopes.builtin_reads(tree, names)[0]
    if "*" in facts.bound:
        return set()
    return {node for node in facts.of_type[ast.Name] if node.id in names}


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
        elsewhere = (bound & _facts(tree).names).intersection(names) - _facts(tree).of_module
        self._reads = scopes.builtin_reads(tree, elsewhere)[0] if elsewhere else ()

    def __contains__(self, node):
        return node.__class__ is ast.Name and (node.id in self._unbound or node in self._reads)


def nodes_of(tree, *kinds):
    """Returns the nodes of these types in a tree."""
    return among(_facts(tree).of_type, kinds)


def among(by_type, kinds):
    """Returns the nodes of these types, of ``{type: nodes}``."""
    return [node for kind in kinds for node in by_type.get(kind, ())]


def scopes_of(tree):
    """Returns (scope, {type: nodes of its body}), outer ones first.

    Scopes are modules, functions, classes and lambdas. The nodes are without those of the scopes
    in the body, of which decorators, arguments and bases belong to the scope around them.
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
_SCOPES_IN_ORDER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
SCOPES = frozenset(_SCOPES_IN_ORDER)

#: `fields_with_nodes`, of scopes those that belong to the scope around them.
_fields_around_bodies = _Fields(
    (kind, [name for name in fields_with_nodes[kind] if name != "body"]) for kind in SCOPES
)


class _Facts:
    """Facts about a whole tree, collected in one walk of it.

    Fields:
      words, roots, bound, names, attributes, variables: see the functions of this module.
      assigned: the names bound by anything but an import.
      of_module: names that an import, a function or a class of the module itself binds.
      of_type: {type: nodes}.
      scopes: see `scopes_of`.
      kept: what rewrites have found out of the tree, by name: see `once`.
    """

    def __init__(self, tree):
        self.of_type, self.scopes, self.kept = {}, [], {}
        scopes = [tree]
        for scope in scopes:
            by_type = _by_type(children(scope, ("body",)))
            for kind in _SCOPES_IN_ORDER:
                scopes += by_type.get(kind, ())
            for kind, nodes in by_type.items():
                self.of_type.setdefault(kind, []).extend(nodes)
            self.scopes.append((scope, by_type))
        self.of_module = _names_of(self.scopes[0][1], _IMPORTS + _NAMED)
        self._read_names()
        self.attributes = {node.attr for node in self.of_type.get(ast.Attribute, ())}
        self.words = set(filter(None, map(string_value, self._nodes(*_CONSTANTS))))
        self.roots = {
            alias.name.partition(".")[0] for node in self._nodes(ast.Import) for alias in node.names
        }
        from_modules = (node.module for node in self._nodes(ast.ImportFrom))
        self.roots.update(module.partition(".")[0] for module in from_modules if module)

    def _read_names(self):
        names = self._nodes(ast.Name)
        self.names = {node.id for node in names}
        self.variables = {node.id for node in names if node.ctx.__class__ is not ast.Load}
        self.variables.update(node.arg for node in self._nodes(ast.arg))
        self.assigned = self.variables | _names_of(self.of_type, _NAMED + _NAMING)
        self.bound = self.assigned | _names_of(self.of_type, _IMPORTS)

    def _nodes(self, *kinds):
        return among(self.of_type, kinds)


def _by_type(waiting):
    """Returns {type: nodes} of these and those below them, without the bodies of scopes in them."""
    fields_of, by_type = _fields_around_bodies, collections.defaultdict(list)
    while waiting:
        node = waiting.pop()
        kind = node.__class__
        by_type[kind].append(node)
        for name in fields_of[kind]:  # as `children`, without a call for each node
            value = getattr(node, name, None)
            if value.__class__ is list:
                waiting += [v for v in value if v is not None] if name in _WITH_GAPS else value
            elif value is not None:
                waiting.append(value)
    return dict(by_type)


def _names_of(by_type, kinds):
    """Returns the names that nodes of these types bind."""
    names = set()
    for kind in kinds:
        if kind is ast.alias:
            aliases = by_type.get(kind, ())
            names.update(alias.asname or alias.name.partition(".")[0] for alias in aliases)
        else:
            field = "rest" if kind.__name__ == "MatchMapping" else "name"
            names.update(getattr(node, field) for node in by_type.get(kind, ()))
    return names - {None}


_IMPORTS = (ast.alias,)
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: Nodes that bind a name, perhaps.
_NAMING = (ast.ExceptHandler,)
if hasattr(ast, "Match"):  # since Python 3.10
    _NAMING += (ast.MatchAs, ast.MatchStar, ast.MatchMapping)
_CONSTANTS = (ast.Constant,) if sys.version_info >= (3, 8) else (ast.Constant, ast.Str)


def _facts(tree):
    """Returns the facts of a tree, asked for before it is rewritten."""
    facts = getattr(tree, "_tfgraphtools_facts", None)
    if facts is None:
        facts = tree._tfgraphtools_facts = _Facts(tree)
    return facts


def once(tree, function):
    """Returns ``function(tree)``, asked for before the tree is rewritten, and computed once."""
    kept = _facts(tree).kept
    if function not in kept:
        kept[function] = function(tree)
    return kept[function]


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
