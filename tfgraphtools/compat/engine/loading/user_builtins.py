"""The builtins of user code: Python's, an ``import`` of its own, and what runs source text.

``exec(text)``, ``eval(text)`` and ``compile(text, ...)`` of user code mean what they
would mean in its files: 1.x imports, NumPy 1's arithmetic, Python 2 where it is that.
A tree that user code compiles, which Python has parsed, is adapted likewise.
"""

import __future__

import ast
import builtins
import contextlib
import copy
import functools
import importlib
import operator
import os
import re
import sys
import types
import warnings

from tfgraphtools import deep_recursion
from tfgraphtools.compat.engine import parts, rows, state, switches, views
from tfgraphtools.compat.engine.translate import source, tree_walk
from tfgraphtools.compat.engine.views import lookup

#: The flags of ``from __future__ import``.
FUTURE = 0
for _name in __future__.all_feature_names:
    FUTURE |= getattr(__future__, _name).compiler_flag

_plain_compile = builtins.compile
_plain_exec = builtins.exec
_plain_eval = builtins.eval

#: The declaration of an encoding in one of the first two lines.
_COOKIE = re.compile(r"\A((?:[^\n]*\n)?[ \t\f]*#.*?)coding([:=])")

#: The module ``builtins`` that user code sees, while compat is active.
_users = None

#: names of rows -> the builtins of the files that do without them.
_users_without = {}

#: The functions that translated code calls.
_helpers = {}


class Users(types.ModuleType):
    """The builtins of user code.

    Attributes:
      without: the names of the fixes that the files which have these builtins do without.
    """

    __slots__ = ("without",)  # no name of user code

    def __init__(self, without=frozenset()):
        super().__init__("builtins", builtins.__doc__)
        self.without = without

    def __setattr__(self, name, value):
        _give_stand_ins(self, name, value)
        super().__setattr__(name, value)
        if self is _users:  # what user code puts there is every file's, and every library's
            for others in _users_without.values():
                vars(others)[name] = value
            _put(name, value)

    def __delattr__(self, name):
        _give_stand_ins(self, name, _unpatched.get(name))
        super().__delattr__(name)
        if self is _users:
            for others in _users_without.values():
                vars(others).pop(name, None)
            _put(name, _ABSENT)

    def __reduce__(self):
        return importlib.import_module, ("builtins",)


Users.__name__ = Users.__qualname__ = "module"  # type(__builtins__) of a script


#: Names of which user code has its own, whatever libraries have.
_OWN = frozenset(("__import__", "compile", "eval", "exec"))

_ABSENT = object()

#: name -> (what user code finds under it at first, Python's own).
_at_first = {}

#: name of Python's builtins that user code has changed -> what it was before.
_changed = {}


#: What translated code calls in the place of a builtin: ``__numpy1_max__`` for ``max``.
_STANDS_FOR = (
    "__numpy1_{}__",
    "__numpy1_{}_of__",
    "__numpy1_{}_of_items__",
    "__numpy1_{}_of_two__",
    "__python2_{}__",
)

#: name -> what stood there before user code patched it.
_unpatched = {}


def _give_stand_ins(users, name, value):
    """Lets what stands for a builtin follow a patch of it, and the end of that patch."""
    stand_ins = [text.format(name) for text in _STANDS_FOR]
    stand_ins = [helper for helper in stand_ins if helper in vars(users)]
    if stand_ins:
        before = _unpatched.setdefault(name, vars(users).get(name))
        for helper in stand_ins:
            vars(users)[helper] = _helpers[helper] if value is before else value


def _put(name, value):
    """Changes Python's builtins as user code has changed its own: a patched ``open``, say."""
    if name in _OWN or name in _helpers:
        return
    shown, pythons = _at_first.get(name, (_ABSENT, _ABSENT))
    if shown is not _ABSENT and value is shown:  # it takes its change back
        value = pythons
    before = vars(builtins).get(name, _ABSENT)
    if before is value:
        return
    if not _changed:
        state.at_restore(_restore)
    _changed.setdefault(name, before)
    _set_pythons(name, value)


def _set_pythons(name, value):
    if value is _ABSENT:
        vars(builtins).pop(name, None)
    else:
        setattr(builtins, name, value)


def _restore():
    for name, value in _changed.items():
        _set_pythons(name, value)
    _changed.clear()


def begin(user_import):
    """Makes the builtins of user code, with this ``__import__``."""
    global _users
    _users = Users()
    _users_without.clear()
    _unpatched.clear()
    own = {"__import__": user_import, "exec": exec_, "eval": eval_, "compile": compile_}
    vars(_users).update(vars(builtins), **own)
    for row in lookup.attribute_rows("builtins"):
        name = row.name.partition(".")[2]
        vars(_users)[name] = views.provided(row, builtins)
        _at_first[name] = vars(_users)[name], vars(builtins).get(name, _ABSENT)
    for part in parts.load():
        _helpers.update(getattr(part, "HELPERS", ()))
    vars(_users).update(_helpers)


def users():
    """Returns the module ``builtins`` of user code; None before compat was ever active."""
    return _users


def users_of(path):
    """Returns the module ``builtins`` for a file of user code: it may do without fixes."""
    off = switches.known(path)
    if not off:
        return _users
    if off not in _users_without:
        _users_without[off] = _without(off)
    return _users_without[off]


def are_users(namespace):
    """Tells whether builtins, a module or its dictionary, are those of user code."""
    if type(namespace) is Users:
        return True
    return namespace is not None and _users is not None and namespace is vars(_users)


def _without(off):
    """Copies the builtins of user code, with Python's own names in the place of such fixes."""
    module = Users(off)
    vars(module).update(vars(_users))
    for row in lookup.attribute_rows("builtins"):
        name = row.name.partition(".")[2]
        if row.name in off:
            vars(module).pop(name)
            if hasattr(builtins, name):
                vars(module)[name] = getattr(builtins, name)
    for name in _helpers.keys() & vars(builtins).keys():
        vars(module)[name] = _scoped(_helpers[name], off)
    module.__import__ = _import_without(vars(_users)["__import__"], off)
    return module


def _scoped(function, off):
    @functools.wraps(function)
    def scoped(*arguments, **options):
        with rows.also_off(off):
            return function(*arguments, **options)

    return scoped


def _import_without(user_import, off):
    def __import__(name, globals=None, locals=None, fromlist=(), level=0):
        row = lookup.modules.get(name)
        if row is not None and row.name in off and not level:
            return builtins.__import__(name, globals, locals, fromlist, level)
        return views.without(user_import(name, globals, locals, fromlist, level), off)

    return __import__


def _off_of(caller):
    """Returns the rows that the file of a calling frame does without."""
    return getattr(caller.f_globals.get("__builtins__"), "without", frozenset())


def are_pythons(namespace):
    """Tells whether code in this namespace would run with Python's own builtins."""
    in_force = namespace.get("__builtins__", builtins)
    return in_force is builtins or in_force is vars(builtins)


def follow_pythons():
    """Gives user code what a library has put among Python's builtins: ``gettext.install()``."""
    for name in vars(builtins).keys() - vars(_users).keys():
        setattr(_users, name, vars(builtins)[name])


def text_of_library(text, filename, mode, flags):
    """Returns the code of a text that a user gave a library to execute; it says whose it is.

    Raises:
      SyntaxError: Python's own, for a text that is incomplete, too.
    """
    try:
        _plain_compile(text, filename, mode, flags, True)
    except SyntaxError:
        if mode == "single" and not filename.startswith("<doctest"):
            raise  # of a console, which reads on
    return _translated(_text(text), filename, mode, flags & FUTURE, -1)


def give_users(namespace, path=""):
    """Makes code of a file in this namespace run with the builtins of user code.

    It does nothing where the namespace has builtins of its own.
    """
    follow_pythons()
    if are_pythons(namespace):
        namespace["__builtins__"] = users_of(path)


def compile_(source, filename, mode, flags=0, dont_inherit=False, optimize=-1, **more):
    """Compiles for user code: text is translated, a tree is adapted.

    Both do without the fixes that the calling file, or the file that they are of, does without.
    """
    flags = operator.index(flags)
    if not dont_inherit:
        flags |= sys._getframe(1).f_code.co_flags & FUTURE
    text = _text(source)
    if not flags & ast.PyCF_ONLY_AST and mode in ("exec", "eval", "single"):
        if text is not None:
            off = _off_of(sys._getframe(1))
            return _translated(text, _path(filename), mode, flags, optimize, off)
        is_whole = isinstance(source, (ast.Module, ast.Expression, ast.Interactive))
        if is_whole and not tree_walk.is_endless(source):
            off = _off_of(sys._getframe(1)) | _off_in_file(_path(filename))
            try:
                with rows.also_off(off):
                    source = _adapted(source, _path(filename))
            except Exception:  # Python says what is wrong with a tree that it refuses
                _plain_compile(source, filename, mode, flags, True, optimize, **more)
                raise
    return _plain_compile(source, filename, mode, flags, True, optimize, **more)


def _path(filename):
    """Returns what `compile` takes as the name of a file as text."""
    if isinstance(filename, str):
        return filename
    return _plain_compile("", filename, "exec", 0, True).co_filename


def _off_in_file(path):
    """Returns the rows that a file does without whose tree user code compiles."""
    data = b""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            data = file.read()
    return switches.of_file(data, path)


def exec_(source, globals=None, locals=None, **more):
    """Executes for user code: its ``exec``."""
    globals, locals = _namespaces(globals, locals, sys._getframe(1))
    text = _text(source)
    if text is not None:
        flags = sys._getframe(1).f_code.co_flags & FUTURE
        source = _translated(text, "<string>", "exec", flags, -1, _off_of(sys._getframe(1)))
    _lend_helpers(source, globals)
    return _plain_exec(source, globals, locals, **more)


def eval_(source, globals=None, locals=None):
    """Evaluates for user code: its ``eval``."""
    globals, locals = _namespaces(globals, locals, sys._getframe(1))
    text = _text(source)
    if text is not None:
        flags = sys._getframe(1).f_code.co_flags & FUTURE
        text, off = text.lstrip(b" \t"), _off_of(sys._getframe(1))
        source = _translated(text, "<string>", "eval", flags, -1, off)
    _lend_helpers(source, globals)
    return _plain_eval(source, globals, locals)


for _function in (exec_, eval_, compile_):
    _function.__name__ = _function.__qualname__ = _function.__name__.rstrip("_")


def _lend_helpers(code, namespace):
    """Gives a namespace the helpers that code needs where its builtins are the user's own.

    ``eval(text, {"__builtins__": {}})`` keeps a text from calling anything else.
    """
    if not isinstance(namespace, dict) or not isinstance(code, types.CodeType):
        return  # Python says what is wrong
    if are_users(namespace.get("__builtins__")):
        return
    for name in _names_in(code) & _helpers.keys():
        namespace[name] = _helpers[name]


def helpers():
    """Returns {name: function} of what translated code calls, without Python's own names."""
    return {name: value for name, value in _helpers.items() if not hasattr(builtins, name)}


def _names_in(code):
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names_in(constant)
    return names


def locals_of(frame):
    """Returns the local variables of a frame: since Python 3.13 a copy of those of a function."""
    variables = frame.f_locals
    return variables if isinstance(variables, dict) else dict(variables)


def _namespaces(globals, locals, caller):
    if globals is None:
        globals = caller.f_globals
        if locals is None:
            locals = locals_of(caller)
    elif isinstance(globals, dict):
        if "__builtins__" not in globals:
            own = caller.f_globals.get("__builtins__")
            globals["__builtins__"] = own if type(own) is Users else _users
    return globals, globals if locals is None else locals


def _adapted(tree, filename):
    """Returns a copy of a tree that user code has parsed, and may compile again, adapted."""
    whole = ast.Module(copy.deepcopy(tree.body), [])
    if isinstance(tree, ast.Expression):
        whole.body = [ast.copy_location(ast.Expr(whole.body), whole.body)]
    return _in_mode(deep_recursion.call(source.adapted, whole, filename), type(tree))


def _in_mode(tree, kind):
    """Turns a module's tree into one of this kind."""
    if kind is ast.Expression:
        return ast.Expression(tree.body[-1].value)
    return ast.Interactive(tree.body) if kind is ast.Interactive else tree


def _text(source):
    if isinstance(source, str):  # text has no encoding, whatever its first lines say
        return _COOKIE.sub(r"\1encoded\2", source, 1).encode("utf-8", "surrogatepass")
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    return None


def _translated(text, *more):
    """Returns the code of a text; where Python warns of it, each call does.

    Args:
      text: its bytes.
      *more: as of `_code_of`.
    """
    return (_code_of.__wrapped__ if _WARNS.search(text) else _code_of)(text, *more)


#: The end of a statement.
_ENDED = re.compile(rb";\s*(?:#[^\n]*\s*)*\Z")

#: An invalid escape, and a comparison by ``is`` with a number or a text.
_WARNS = re.compile(
    rb"\\(?:[^\n\r\\'\"abfnrtvxNuU0-7]|[4-7][0-7]{2})"
    rb"|\bis\s+(?:not\s+)?[\d'\"(]|[\d'\")]\s*is\b"
)


@functools.lru_cache(maxsize=256)
def _code_of(text, filename, mode, flags, optimize, off=frozenset()):
    """Returns the code of a text of a file that does without some fixes."""
    check = functools.partial(_plain_compile, text, filename, mode, flags, True, optimize)
    if mode == "single" and _is_python3(text, filename):
        check()  # one statement, or its error
    kind = {"eval": ast.Expression, "single": ast.Interactive}.get(mode, ast.Module)
    try:
        with rows.also_off(off), _warning_once(text, filename, mode):
            tree = deep_recursion.call(source.tree_of, text, filename)
    except SyntaxError:
        if mode == "eval":
            check()  # in its words
        raise
    if mode == "eval" and not (_is_expression(tree) and not _ENDED.search(text)):
        check()  # not before, as each parse gives the warnings of a text
    tree = _in_mode(tree, kind)
    return deep_recursion.call(_plain_compile, tree, filename, mode, flags, True, optimize)


def _warning_once(text, filename, mode):
    """Returns a context for reading a text, without warnings where its error will give them."""
    if mode != "eval" or not _WARNS.search(text):
        return contextlib.nullcontext()
    with _ignored_warnings():
        if _is_python3(text, filename):
            return contextlib.nullcontext()
    return _ignored_warnings()


@contextlib.contextmanager
def _ignored_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _is_expression(tree):
    """Tells whether a tree is one expression that ``eval`` takes."""
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return False
    return not isinstance(tree.body[0].value, (ast.Starred, ast.Yield, ast.YieldFrom))


def _is_python3(text, filename):
    """Tells whether a text is Python 3, of however many statements."""
    try:
        _plain_compile(text, filename, "exec", 0, True)
    except SyntaxError:
        return False
    return True
