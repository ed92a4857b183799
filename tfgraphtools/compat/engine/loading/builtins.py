"""The builtins of user code: Python's, an ``import`` of its own, and what runs source text.

``exec(text)``, ``eval(text)`` and ``compile(text, ...)`` of user code mean what they
would mean in its files: 1.x imports, NumPy 1's arithmetic, Python 2 where it is that.
"""

import __future__

import ast
import builtins
import functools
import re
import sys
import types

from tfgraphtools.compat.engine import parts, source, views

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


def begin(user_import):
    """Makes the builtins of user code, whose ``__import__`` is this one."""
    global _users
    _users = types.ModuleType("builtins", builtins.__doc__)
    own = {"__import__": user_import, "exec": exec_, "eval": eval_, "compile": compile_}
    vars(_users).update(vars(builtins), **own)
    for row in views.attribute_rows("builtins"):
        setattr(_users, row.name.partition(".")[2], row.provide(builtins))
    for part in parts.load():
        vars(_users).update(getattr(part, "HELPERS", ()))


def users():
    """The module ``builtins`` of user code; None before compat was ever active."""
    return _users


def are_pythons(namespace):
    """Whether code in this namespace would run with Python's own builtins."""
    found = namespace.get("__builtins__", builtins)
    return found is builtins or found is vars(builtins)


def give_users(namespace):
    """Has code in this namespace run with the builtins of user code, unless it has its own."""
    if are_pythons(namespace):
        namespace["__builtins__"] = _users


def compile_(source, filename, mode, flags=0, dont_inherit=False, optimize=-1, **more):
    """``compile`` of user code: text is translated, a tree is compiled as it is."""
    if not dont_inherit:
        flags |= sys._getframe(1).f_code.co_flags & FUTURE
    text = _text(source)
    if text is None or flags & ast.PyCF_ONLY_AST or mode not in ("exec", "eval", "single"):
        return _plain_compile(source, filename, mode, flags, True, optimize, **more)
    return _translated(text, str(filename), mode, flags, optimize)


def exec_(source, globals=None, locals=None, **more):
    """``exec`` of user code."""
    globals, locals = _namespaces(globals, locals, sys._getframe(1))
    text = _text(source)
    if text is not None:
        flags = sys._getframe(1).f_code.co_flags & FUTURE
        source = _translated(text, "<string>", "exec", flags, -1)
    return _plain_exec(source, globals, locals, **more)


def eval_(source, globals=None, locals=None):
    """``eval`` of user code."""
    globals, locals = _namespaces(globals, locals, sys._getframe(1))
    text = _text(source)
    if text is not None:
        flags = sys._getframe(1).f_code.co_flags & FUTURE
        source = _translated(text.lstrip(b" \t"), "<string>", "eval", flags, -1)
    return _plain_eval(source, globals, locals)


for _function in (exec_, eval_, compile_):
    _function.__name__ = _function.__qualname__ = _function.__name__.rstrip("_")


def _namespaces(globals, locals, caller):
    if globals is None:
        globals = caller.f_globals
        if locals is None:
            own = caller.f_locals
            # Since Python 3.13 a function's f_locals writes through, which exec() never did.
            locals = own if own is globals or isinstance(own, dict) else dict(own)
    elif isinstance(globals, dict):
        if "__builtins__" not in globals:
            globals["__builtins__"] = _users
    return globals, globals if locals is None else locals


def _text(source):
    if isinstance(source, str):  # text has no encoding, whatever its first lines say
        return _COOKIE.sub(r"\1encoded\2", source, 1).encode("utf-8", "surrogatepass")
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    return None


@functools.lru_cache(maxsize=256)
def _translated(text, filename, mode, flags, optimize):
    """The code of a text."""
    if mode == "eval":
        _plain_compile(text, filename, mode, flags, True, optimize)  # one expression, or its error
    tree = source.tree_of(text, filename)
    if mode == "eval":
        tree = ast.Expression(tree.body[-1].value)
    elif mode == "single":
        tree = ast.Interactive(tree.body)
    return _plain_compile(tree, filename, mode, flags, True, optimize)
