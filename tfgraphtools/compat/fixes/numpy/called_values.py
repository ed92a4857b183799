"""``str`` and ``print`` as values of user code: what calls them shows NumPy's numbers as NumPy 1.

``str`` stays the class that it is, of which code asks (``isinstance``, ``{str: ...}``). So it is
where a variable is called, ``f(x)``, that `str` is told from other functions. Items and attributes
are asked only in modules that have ``str`` as a value.
"""

import ast

from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor

#: Functions whose arguments become text one by one.
PRINTS = ("print", "__python2_print__")

#: Type of node -> its fields with values that code may call later.
VALUES = {
    ast.Assign: ("value",),
    ast.AnnAssign: ("value",),
    ast.arguments: ("defaults", "kw_defaults"),
    ast.BoolOp: ("values",),
    ast.Call: ("args", "keywords"),
    ast.Dict: ("values",),
    ast.IfExp: ("body", "orelse"),
    ast.Lambda: ("body",),
    ast.List: ("elts",),
    ast.Return: ("value",),
    ast.Set: ("elts",),
    ast.Tuple: ("elts",),
}

#: Functions whose arguments are classes, and keywords that take one.
_OF_CLASSES = frozenset(("array", "asarray", "astype", "cast", "dtype", "isinstance", "issubclass"))
_CLASSES = ("dtype", "type")


class Called:
    """The calls in a module whose function may be `str`.

    Args:
      tree: an `ast.Module`, before other rewrites.
      texts: the reads of the built-in ``str`` in it.
    """

    def __init__(self, tree, texts):
        self._variables = trees.variables_of(tree)
        self._has_value = False
        self._attributes = set()
        if "str" in trees.read_names(tree):
            self._find_values(tree, texts)

    def _find_values(self, tree, texts):
        attributes = set()
        for scope, by_type in trees.scopes_of(tree):
            if not self._has_value:
                values = trees.among(by_type, VALUES)
                self._has_value = any(_has_text(node, texts) for node in values)
            for node in by_type.get(ast.Assign, ()):
                if _may_be_function(node.value):
                    attributes |= _bound_attributes(node, scope)
        if self._has_value:
            self._attributes = attributes

    def guarded(self, function, call):
        """Returns what is called in place of a function; itself, where it cannot be `str`."""
        if len(call.args) != 1 or call.keywords:
            return function
        kind = function.__class__
        if kind is ast.Name:
            return _unless_text(function) if function.id in self._variables else function
        if not self._has_value or (kind is ast.Attribute and function.attr not in self._attributes):
            return function
        if kind in (ast.Attribute, ast.BoolOp, ast.Call, ast.IfExp, ast.Subscript):
            return trees.call("__numpy1_called__", function, at=function)
        return function


def _has_text(node, texts):
    if node.__class__ is not ast.Call:
        values = trees.children(node, VALUES[node.__class__])
    elif getattr(node.func, "attr", getattr(node.func, "id", None)) in _OF_CLASSES:
        values = []
    elif node.keywords:
        words = [word.value for word in node.keywords if word.arg not in _CLASSES]
        values = [*node.args, *words]
    else:
        values = node.args
    for value in values:
        if value.__class__ is ast.Name and value.id == "str" and value in texts:
            return True
    return False


def _may_be_function(value):
    return value.__class__ in (ast.Name, ast.IfExp, ast.BoolOp)


def _bound_attributes(node, scope):
    """Returns the names of the attributes that an assignment binds, in classes as well."""
    names = {target.attr for target in node.targets if target.__class__ is ast.Attribute}
    if scope.__class__ is ast.ClassDef:
        names.update(target.id for target in node.targets if target.__class__ is ast.Name)
    return names


def _unless_text(name):
    """Returns ``name``, or what stands for it where it is `str`."""
    read, text, helper = map(trees.name_load, (name.id, "__numpy1_text_class__", "__numpy1_str__"))
    test = ast.Compare(left=read, ops=[ast.IsNot()], comparators=[text])
    choice = ast.IfExp(test=test, body=name, orelse=helper)
    for node in (read, text, helper, test, choice):
        ast.copy_location(node, name)
    return choice


class Printing(Visitor):
    """A rewrite of ``print`` where it is a value.

    Args:
      builtins: the reads of built-in names in the module.
    """

    #: Its methods, which have nothing to do in a module without ``print``.
    OF_VALUES = tuple(
        "visit_" + kind
        for kind in (
            "Assign AnnAssign arguments BoolOp Compare Dict IfExp Lambda List Return Tuple"
        ).split()
    )

    def __init__(self, builtins):
        self.builtins = builtins

    def _with_print(self, node):
        """Rewrites the fields of a node that may hold ``print`` as a value."""
        for name in VALUES.get(node.__class__, ("left", "comparators")):
            value = getattr(node, name)
            if value.__class__ is list:
                value[:] = map(self._printing, value)
            else:
                setattr(node, name, self._printing(value))
        return node

    def _printing(self, value):
        is_print = getattr(value, "id", None) in PRINTS and value in self.builtins
        return trees.name_at("__numpy1_print__", value) if is_print else value

    visit_Assign = visit_AnnAssign = visit_arguments = visit_BoolOp = visit_Compare = _with_print
    visit_Dict = visit_IfExp = visit_Lambda = visit_List = visit_Return = visit_Tuple = _with_print
