"""Code that Python 3 parses but computes differently from Python 2: reported with its line.

Nothing is rewritten: the right replacement depends on the meaning of the code.
"""

import ast
import builtins

from tfgraphtools.analysis import library_uses
from tfgraphtools.analysis.scopes import index_of, nodes_of, scopes_of
from tfgraphtools.compat.fixes.python2 import comprehensions
from tfgraphtools.upgrade.findings import CANNOT, Finding
from tfgraphtools.upgrade.python2 import old_classes, whole

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_SCOPES = (ast.Module, ast.FunctionDef, ast.Lambda)

_VARIABLE = "Python 3 keeps the variable inside the comprehension: write a loop"
_ORDER = "Python 3 raises TypeError if one side is None: compare it with `is None` first"
_MATH = "Python 3 returns an integer: write float({}(x)) where it matters"
_ENCODING = "Python 3 has this encoding for bytes alone: write codecs.encode(bytes, 'hex')"
_ENCODINGS = tuple("hex base64 bz2 zlib zip uu rot13 rot_13 quopri string_escape".split())
_BYTES = "Python 3 returns bytes, which equal no text: leave encode() out where the other is text"
_CALLED = "this class has a next() with arguments, which next(x) does not call: write x.next()"
_PADDED = "Python 3 calls None: write itertools.zip_longest(...)"
_DELETED = "Python 3 deletes the variable behind the except: assign it to another one there"
_ITEMS = "Python 3's errors have no items and no message: write error.args[0]"
_DROPS = "Python 3 takes a table alone: write str.translate(str.maketrans('', '', 'b'))"
_EXECUTED = "Python 3 binds no variable of the function: write exec(code, names), names['x']"
_HAS_KEY = "x.has_key(k) is `k in x` here: write __contains__ = has_key in the class"
_SEED = "Python 3 draws other numbers from the same seed: tfgraphtools run draws Python 2's"
_DRAWING = {f"random.{name}" for name in "choice randint randrange sample shuffle".split()}
_EQUALITY = "Python 3 derives != from __eq__, and removes the hash: define __ne__ and __hash__"


def differences(code, choice):
    """Returns a `Finding` for each such use.

    Args:
      code: the source, as Python 3 parses it.
      choice: the `roles.Choice` of fixes.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return []
    kinds = (_variables, _comparisons, _others, _errors, _executed, _seeds, _rounded)
    kinds += (old_classes.differences,)
    uses = [use for uses_of_kind in kinds for use in uses_of_kind(tree)]
    return [
        Finding(line, name, CANNOT, fix, why) for line, name, fix, why in uses if choice.allows(fix)
    ]


def _variables(tree):
    for node, names in comprehensions.leaking(tree):
        for name in sorted(names):
            yield node.lineno, name, "python2.comprehension_variables", _VARIABLE


def _comparisons(tree):
    """Orders of None, and of variables that the scope sets to None and does not ask about."""
    for scope in (node for node in ast.walk(tree) if isinstance(node, _SCOPES)):
        inside = list(whole.own_nodes(scope))
        empty = {name for node in inside for name in _set_to_none(node)}
        empty -= {name for node in inside for name in _asked(node)}
        for node in inside:
            if isinstance(node, ast.Compare) and any(isinstance(op, _ORDERS) for op in node.ops):
                for side in (node.left, *node.comparators):
                    name = getattr(side, "id", "None" if _is_none(side) else None)
                    if _is_none(side) or name in empty:
                        yield node.lineno, name, "python2.order", _ORDER
                        break


def _errors(tree):
    """Variables of an ``except`` that are read behind it, and errors that are taken apart."""
    own = {node.name for node in nodes_of(tree) if isinstance(node, ast.FunctionDef)}
    own |= {
        node.attr
        for node in nodes_of(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    for scope in (node for node in nodes_of(tree) if isinstance(node, _SCOPES)):
        inside = list(whole.own_nodes(scope))
        handlers = [node for node in inside if isinstance(node, ast.ExceptHandler) and node.name]
        caught = {id(part): node for node in handlers for part in ast.walk(node)}
        for node in inside:
            if isinstance(node, ast.Name) and id(node) not in caught:
                if _is_deleted(node, handlers, inside):
                    yield node.lineno, node.id, "python2.exceptions", _DELETED
            elif id(node) in caught and _takes_apart(node):
                asked = getattr(node, "attr", "__getitem__")
                is_error = getattr(node.value, "id", None) == caught[id(node)].name
                if is_error and asked in ("message", "__getitem__") and asked not in own:
                    yield node.lineno, node.value.id, "python2.exceptions", _ITEMS


def _takes_apart(node):
    """Tells whether a node is ``error[0]``, ``error.message`` or ``code, text = error``."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], (ast.Tuple, ast.List))
    return isinstance(node, (ast.Subscript, ast.Attribute))


def _is_deleted(name, handlers, inside):
    """Tells whether the last that happened to a variable is that an ``except`` ended."""
    ends = [handler.end_lineno for handler in handlers if handler.name == name.id]
    ends = [line for line in ends if line < name.lineno]
    return bool(ends) and not any(
        isinstance(node, ast.Name)
        and node.id == name.id
        and not isinstance(node.ctx, ast.Load)
        and max(ends) < node.lineno <= name.lineno
        for node in inside
    )


def _executed(tree):
    """Functions that read what only the source that they execute binds."""
    file_scopes = scopes_of(tree)
    unknown = {
        id(node)
        for node, scope in file_scopes.names
        if scope.owner(node.id) is None and not hasattr(builtins, node.id)
    }
    for function in (node for node in nodes_of(tree) if isinstance(node, ast.FunctionDef)):
        inside = list(whole.own_nodes(function))
        if not file_scopes.stars and any(id(node) in unknown for node in inside):
            for node in inside:
                if isinstance(node, ast.Call) and _is_of(node, "exec") and len(node.args) == 1:
                    yield node.lineno, "exec", "python2.exec", _EXECUTED


def _seeds(tree):
    """Seeds of ``random``, unless all that a module draws is the same in Python 3."""
    calls = library_uses.of(tree).calls
    drawn = {name for name, _ in calls if name.startswith("random.")} - {"random.seed"}
    if not drawn or drawn & _DRAWING:
        for name, call in calls:
            if name == "random.seed" and call.args:
                yield call.lineno, name, "python2.random", _SEED


def _rounded(tree):
    """Uses of ``math.floor`` and ``math.ceil``, but those in ``int(...)`` and ``range(...)``."""
    calls = [node for node in nodes_of(tree) if isinstance(node, ast.Call)]
    whole_ids = {
        id(argument.func)
        for node in calls
        if _is_of(node, "int", "range")
        for argument in node.args
        if isinstance(argument, ast.Call)
    }
    local_names = {
        alias.asname or alias.name: alias.name
        for node in nodes_of(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "math"
        for alias in node.names
    }
    modules = {
        alias.asname or alias.name
        for node in nodes_of(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "math"
    }
    for node in nodes_of(tree):
        name = None
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) in modules:
            name = node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            name = local_names.get(node.id)
        if name in ("floor", "ceil") and id(node) not in whole_ids:
            yield node.lineno, "math." + name, "python2.math", _MATH.format("math." + name)


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def _set_to_none(node):
    if isinstance(node, ast.Assign) and _is_none(node.value):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def _asked(node):
    """Returns the names that are compared with None, or whose truth is asked."""
    if isinstance(node, ast.Compare) and any(map(_is_none, node.comparators)):
        return [node.left.id] if isinstance(node.left, ast.Name) else []
    tests = [getattr(node, "test", None)]
    tests += node.values if isinstance(node, ast.BoolOp) else []
    tests += [node.operand] if isinstance(node, ast.UnaryOp) else []
    return [test.id for test in tests if isinstance(test, ast.Name)]


def _others(tree):
    nodes = nodes_of(tree)
    methods = {id(part) for node in nodes if isinstance(node, ast.ClassDef) for part in node.body}
    has_next = any(id(node) in methods and getattr(node, "name", "") == "next" for node in nodes)
    compared = {id(part) for node in nodes for part in _compared(node)}
    for node in nodes:
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None)
            if name in ("encode", "decode") and _is_of_bytes(node):
                yield node.lineno, "." + name, "python2.encodings", _ENCODING
            elif name == "translate" and len(node.args) == 2:
                yield node.lineno, ".translate", "python2.unicode", _DROPS
            elif _is_of(node, "map") and any(map(_is_none, node.args[:1])):
                yield node.lineno, "map", "python2.lists", _PADDED
            elif _is_of(node, "next") and len(node.args) == 1 and has_next:
                yield node.lineno, "next", "python2.iterators", _CALLED
            elif name == "encode" and id(node) in compared:
                yield node.lineno, ".encode", "python2.bytes", _BYTES
        elif isinstance(node, ast.ClassDef):
            defined = {
                statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)
            }
            if "has_key" in defined and "__contains__" not in defined:
                yield node.lineno, node.name, "python2.dict", _HAS_KEY
            if "__eq__" in defined and "__ne__" not in defined:
                yield node.lineno, node.name, "python2.classes", _EQUALITY


def _compared(node):
    """Returns the expressions that a node compares, or looks up by their value."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.DictComp):
        return [node.key]
    if isinstance(node, ast.Subscript):
        return [index_of(node)]
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "dict" and node.args:
        pairs = getattr(node.args[0], "elt", None)
        return pairs.elts[:1] if isinstance(pairs, ast.Tuple) else []
    return []


def _is_of_bytes(call):
    """Tells whether a call asks for an encoding that Python 3 has for bytes alone."""
    return any(getattr(argument, "value", None) in _ENCODINGS for argument in call.args[:1])


def _is_of(call, *names):
    return getattr(call.func, "id", None) in names
