"""``a / b`` of Python 2: floored where both are integers.

Where the source shows that they are, ``//`` is written; where it shows that one is not, nothing
changes. Elsewhere the runtime's ``divide`` decides when it runs; without the runtime the line is
reported.
"""

import ast
import re

from tfgraphtools.analysis import scopes
from tfgraphtools.compat.fixes.python2.dialect import future_imports
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, RUNTIME, Finding
from tfgraphtools.upgrade.passes import importing
from tfgraphtools.upgrade.python2 import rebound_names, special_methods, whole
from tfgraphtools.upgrade.text import Edit, Text, applied

FIX = "python2.division"

_RUNTIME = "from tfgraphtools.tf1.python2 import "

_WHY = {
    "round": "Python 3 rounds half to even: write math.floor(x + 0.5) where it matters",
    "oct": "oct(8) is '0o10' in Python 3: write '%o' % x",
}

#: Built-in functions that gave something else, and their fixes.
_BUILTINS = {"round": "python2.builtins", "oct": "python2.oct"}

#: The fields of a node that hold a name.
_NAME_FIELDS = ("id", "arg", "name", "asname")

INT, FLOAT, UNKNOWN = "int", "float", "unknown"

_INT_CALLS = {"len", "int", "ord", "hash", "id"}
_FLOAT_CALLS = set("float time sqrt exp log mean std random cos sin rand floor ceil".split())
#: Libraries whose functions of these names give floats.
_NUMERIC = set("math cmath numpy scipy random time tensorflow keras theano".split())


def divided(code, choice, files=()):
    """Returns (source, findings): translated source that divides and rounds as in Python 2.

    Args:
      code: the source, as Python 3 parses it.
      choice: the `roles.Choice` of fixes.
      files: the paths of its codebase, a tuple.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return code, []
    work = _Divisions(tree, Text(code), choice)
    if choice.allows(FIX) and "/" in code and "division" not in future_imports(tree):
        work.forget(rebound_names.of_module(tree, files))
        work.visit(tree)
    _use_builtins(tree, work)
    special_methods.decorate(tree, work)
    if work.needed:
        line = _RUNTIME + ", ".join(map(work.clause, sorted(work.needed)))
        edit = importing.inserted(importing.home(tree, None), [line], work.text, FIX)
        work.edits.append(edit)
        work.findings.append(Finding(edit.line, "import", RUNTIME, FIX, line))
    return applied(code, work.edits), work.findings


def _use_builtins(tree, work):
    """Imports Python 2's `round` and `oct` where they are called."""
    every_scope = scopes.scopes_of(tree)
    for node in ast.walk(tree):
        name = getattr(node.func, "id", None) if isinstance(node, ast.Call) else None
        fix = _BUILTINS.get(name)
        if fix is None or every_scope.scope_of(node.func).owner(name) is not None:
            continue
        if not work.choice.allows(fix):
            continue
        if work.choice.runtime:
            work.needed.add(name)
            work.findings.append(Finding(node.lineno, name, RUNTIME, fix, f"{name} of Python 2"))
        else:
            work.findings.append(Finding(node.lineno, name, CANNOT, fix, _WHY[name]))


class _Divisions(ast.NodeVisitor):
    def __init__(self, tree, text, choice):
        self.text, self.choice = text, choice
        self._taken = _identifiers(tree)
        self.edits, self.findings = [], []
        self.needed = set()  # names of the runtime
        shared = {
            name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names
        }
        self._whole = whole.quotients(tree)
        shared |= set(_own_calls(tree))
        types = _types_of(tree)
        self._types = [dict(types, **dict.fromkeys(shared, UNKNOWN))]

    def forget(self, names):
        """Forgets what variables of the module are."""
        self._types[0].update(dict.fromkeys(names, UNKNOWN))

    def visit_FunctionDef(self, node):
        self._types.append(dict(self._types[-1], **_types_of(node)))
        self.generic_visit(node)
        self._types.pop()

    visit_Lambda = visit_FunctionDef

    def visit_ClassDef(self, node):
        self._types.append(dict(self._types[-1], **dict.fromkeys(_types_of(node), UNKNOWN)))
        self.generic_visit(node)
        self._types.pop()

    def visit_BinOp(self, node):
        if not isinstance(node.op, ast.Div):
            self.generic_visit(node)
            return
        kind = _quotient(node.left, node.right, self._types[-1])
        if kind == UNKNOWN and id(node) in self._whole:
            kind = INT
        if kind == INT:
            place = self._operator(node.left, node.right)
            self.edits.append(Edit(place, place + 1, "//", FIX, node.lineno))
            self._note(node, REWRITTEN, "//")
        elif kind == UNKNOWN:
            self._unknown(node)
        self.generic_visit(node)

    def _unknown(self, node):
        if not self.choice.runtime:
            self._note(node, CANNOT, "write // if both may be integers")
            return
        local = self._local("divide")
        place = self._operator(node.left, node.right)
        source = self.text.text
        left = len(source[:place].rstrip())
        right = len(source) - len(source[place + 1 :].lstrip())
        self.edits += self.text.around(node, local + "(", ")", FIX)
        self.edits.append(Edit(left, right, ", ", FIX, node.lineno))
        self._note(node, RUNTIME, "divide(...)")
        if node.end_lineno > node.lineno + 1:
            self.findings.append(Finding(node.end_lineno, "/", RUNTIME, FIX, "divide(...)"))

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return
        kind = _quotient(node.target, node.value, self._types[-1])
        place = self.text.text.index("/=", self.text.span(node.target)[1])
        if kind == INT:
            self.edits.append(Edit(place, place + 2, "//=", FIX, node.lineno))
            self._note(node, REWRITTEN, "//=")
        elif kind == UNKNOWN and self.choice.runtime and _is_simple(node.target):
            local = self._local("divide_in_place")  # an array stays the one that others hold
            target = self.text.of(node.target)
            start = len(self.text.text) - len(self.text.text[place + 2 :].lstrip())
            end = self.text.span(node)[1]
            self.edits += [
                Edit(place, start, f"= {local}({target}, ", FIX, node.lineno),
                Edit(end, end, ")", FIX, node.lineno),
            ]
            self._note(node, RUNTIME, "divide_in_place(...)")
        elif kind == UNKNOWN:
            self._note(node, CANNOT, "write //= if both may be integers")

    def _local(self, name):
        """Returns the name by which the source calls a function of the runtime."""
        self.needed.add(name)
        while name in self._taken:
            name += "_"
        return name

    def clause(self, name):
        """Returns what ``from ... import`` says of a function that is needed."""
        if name in _BUILTINS:
            return name
        local = self._local(name)
        return name if local == name else f"{name} as {local}"

    def _operator(self, left, right):
        """Returns where the ``/`` between two operands stands."""
        place = self.text.span(left)[1]
        between = self.text.text[place : self.text.span(right)[0]]
        hidden = re.sub(r"#[^\n]*", lambda comment: " " * len(comment.group()), between)
        return place + hidden.index("/")

    def _note(self, node, status, detail):
        self.findings.append(Finding(node.lineno, "/", status, FIX, detail))


def _identifiers(tree):
    """Returns all names that a source binds or reads."""
    fields = (getattr(node, field, None) for node in ast.walk(tree) for field in _NAME_FIELDS)
    return {field for field in fields if isinstance(field, str)}


def _is_simple(node):
    """Tells whether a target may be evaluated twice."""
    return not any(isinstance(part, ast.Call) for part in ast.walk(node))


def _quotient(left, right, types):
    kinds = _kind(left, types), _kind(right, types)
    if FLOAT in kinds:
        return FLOAT
    return INT if kinds == (INT, INT) else UNKNOWN


def _kind(node, types):
    """Returns `INT`, `FLOAT` (or anything that is surely no integer), `UNKNOWN`."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, (bool, int)):
            return INT
        return UNKNOWN if node.value is None else FLOAT
    if isinstance(node, ast.UnaryOp):
        return _kind(node.operand, types)
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
            return _kind(node.left, types)
        kind = _quotient(node.left, node.right, types)
        is_power = isinstance(node.op, ast.Pow) and not isinstance(node.right, ast.Constant)
        return UNKNOWN if is_power and kind == INT else kind  # 10 ** -3 is a float
    if isinstance(node, ast.Name):
        return types.get(node.id, UNKNOWN)
    if isinstance(node, ast.Call):
        return _kind_of_call(node, types)
    if isinstance(node, ast.Subscript):
        owner = node.value
        return INT if isinstance(owner, ast.Attribute) and owner.attr == "shape" else UNKNOWN
    if isinstance(node, ast.Attribute):
        return FLOAT if node.attr == "pi" else UNKNOWN
    return UNKNOWN


def _kind_of_call(node, types):
    """Returns the kind of what a call gives, by the name of a function that is not the code's own.

    Python 2's `round` gives a float, NumPy's one that depends on what it gets.
    """
    called = getattr(node.func, "id", getattr(node.func, "attr", ""))
    owner = getattr(getattr(node.func, "value", None), "id", None)
    if called + "()" in types or owner == "self" or f"{owner}.()" in types:
        return UNKNOWN
    if isinstance(node.func, ast.Name):
        if called in types:
            return UNKNOWN
        if called in (*_INT_CALLS, "round", "float"):
            return INT if called in _INT_CALLS else FLOAT
        if "*()" in types:
            return UNKNOWN
    return FLOAT if called in _FLOAT_CALLS and not node.keywords else UNKNOWN


def _own_calls(tree):
    """Yields ``name()`` of functions that may be the codebase's own, ``name.()`` of its modules."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name + "()"
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                module = getattr(node, "module", None) or alias.name
                if getattr(node, "level", 0) or module.partition(".")[0] not in _NUMERIC:
                    local = alias.asname or alias.name.partition(".")[0]
                    yield from (local + "()", local + ".()")


def _types_of(scope):
    """Returns name -> kind, for the variables whose every assignment in a scope shows it."""
    kind_of = {}
    for in_place in (False, True, True):  # each time with what the last has found
        seen = {}
        for node in whole.own_nodes(scope):
            if in_place or not isinstance(node, ast.AugAssign):
                for name, kind in _assigned(node, kind_of):
                    seen.setdefault(name, set()).add(kind)
        kind_of = {
            name: kinds.pop() if len(kinds) == 1 else UNKNOWN for name, kinds in seen.items()
        }
    arguments = getattr(scope, "args", None)
    if arguments is not None:
        named = [*arguments.args, arguments.vararg, arguments.kwarg]
        kind_of.update((argument.arg, UNKNOWN) for argument in named if argument is not None)
    return kind_of


def _assigned(node, types):
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _to(target, node.value, types)
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id, _quotient(node.target, node.value, types)
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield from _looped(node.target, node.iter)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
        yield node.id, UNKNOWN
    elif isinstance(node, ast.Global):
        for name in node.names:
            yield name, UNKNOWN
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield from _named(node.optional_vars, UNKNOWN)
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name, UNKNOWN
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        module = getattr(node, "module", None) or ""
        for alias in node.names:
            is_number = module in ("math", "cmath") and alias.name in _FLOAT_CALLS
            if not (is_number and alias.asname is None):
                yield alias.asname or alias.name.partition(".")[0], UNKNOWN


def _to(target, value, types):
    if isinstance(target, ast.Name):
        yield target.id, _kind(value, types)
    elif isinstance(target, (ast.Tuple, ast.List)):
        values = getattr(value, "elts", None)
        is_shape = isinstance(value, ast.Attribute) and value.attr == "shape"
        for place, element in enumerate(target.elts):
            if values is not None and len(values) == len(target.elts):
                yield from _to(element, values[place], types)
            else:
                yield from _named(element, INT if is_shape else UNKNOWN)


def _looped(target, iterated):
    called = getattr(getattr(iterated, "func", None), "id", "")
    whole = called in ("range", "xrange") and all(
        not isinstance(part, ast.Constant) or isinstance(part.value, int) for part in iterated.args
    )
    for place, element in enumerate(getattr(target, "elts", [target])):
        counts = whole or (called == "enumerate" and place == 0)
        yield from _named(element, INT if counts else UNKNOWN)


def _named(target, kind):
    """Yields (name, kind) of a target; what is deeper in it is `UNKNOWN`."""
    for part in ast.walk(target):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            yield part.id, kind if part is target else UNKNOWN
