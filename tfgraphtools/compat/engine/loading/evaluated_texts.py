"""``exec``, ``eval`` and ``compile`` of user code, and the texts that it gives libraries.

A text means what it would mean in a file of user code: 1.x imports, NumPy 1's arithmetic, Python 2
where it is that. A tree that user code compiles, which Python has parsed, is adapted likewise.
"""

import __future__

import ast
import builtins
import contextlib
import copy
import functools
import operator
import os
import re
import sys
import types
import warnings

from tfgraphtools import deep_recursion
from tfgraphtools.compat.engine import rows, switches
from tfgraphtools.compat.engine.loading import standing_functions, user_builtins
from tfgraphtools.compat.engine.translate import source, tree_walk

#: The flags of ``from __future__ import``.
FUTURE = 0
for _name in __future__.all_feature_names:
    FUTURE |= getattr(__future__, _name).compiler_flag

_plain_compile = builtins.compile
_plain_exec = builtins.exec
_plain_eval = builtins.eval

#: The declaration of an encoding in one of the first two lines.
_COOKIE = re.compile(r"\A((?:[^\n]*\n)?[ \t\f]*#.*?)coding([:=])")


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
            off = user_builtins.off_of(sys._getframe(1))
            return _translated(text, _path(filename), mode, flags, optimize, off)
        is_whole = isinstance(source, (ast.Module, ast.Expression, ast.Interactive))
        if is_whole and not tree_walk.is_endless(source):
            off = user_builtins.off_of(sys._getframe(1)) | _off_in_file(_path(filename))
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
        off = user_builtins.off_of(sys._getframe(1))
        source = _translated(text, "<string>", "exec", flags, -1, off)
    _lend_helpers(source, globals)
    return _plain_exec(source, globals, locals, **more)


def eval_(source, globals=None, locals=None):
    """Evaluates for user code: its ``eval``."""
    globals, locals = _namespaces(globals, locals, sys._getframe(1))
    text = _text(source)
    if text is not None:
        flags = sys._getframe(1).f_code.co_flags & FUTURE
        text, off = text.lstrip(b" \t"), user_builtins.off_of(sys._getframe(1))
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
    if user_builtins.are_users(namespace.get("__builtins__")):
        return
    helpers = user_builtins.all_helpers()
    for name in _names_in(code) & helpers.keys():
        namespace[name] = helpers[name]


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
            is_users = type(own) is user_builtins.Users
            globals["__builtins__"] = own if is_users else user_builtins.users()
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


#: The functions under their names.
FUNCTIONS = {
    name: standing_functions.as_builtin(getattr(builtins, name))(function)
    for name, function in (("exec", exec_), ("eval", eval_), ("compile", compile_))
}
