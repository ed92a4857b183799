"""Modules of Python and others that read a user's file and execute it themselves.

``python -m pdb``, ``-m cProfile``, ``-m coverage run``, `runpy`: each compiles the
file without a loader. These modules get a ``compile`` and an ``exec`` of their own,
which know user code by its file, and the texts of ``cProfile.run``. Others execute texts
that the user gives them:
``timeit.timeit("np.dot(a, b)")``, a console, the examples of a docstring.
"""

import ast
import importlib
import os
import sys

from tfgraphtools.compat.engine import after_import, state
from tfgraphtools.compat.engine.loading import evaluated_texts, user_builtins, user_code
from tfgraphtools.compat.engine.translate import source

#: What executes files, by the names of the modules.
NAMES = (
    "runpy",
    "bdb",
    "pdb",
    "cProfile",
    "profile",
    "trace",
    "coverage.execfile",
    "kernprof",
    "line_profiler.explicit_profiler",
    "memory_profiler",
    "IPython.utils.py3compat",
)

#: What executes texts.
OF_TEXTS = ("timeit", "codeop", "code", "doctest")

_plain_compile = compile
_plain_exec = exec
_plain_eval = eval


def install():
    """Watches these modules until `state.restore`."""
    watch(importlib.import_module("runpy"))  # frozen: no loader of files says when it is loaded
    for name in NAMES:
        after_import.call(name, watch, "loading.running")
    for name in OF_TEXTS:
        after_import.call(name, _watch_texts, "loading.running")
    after_import.call("gettext", _watch_gettext, "loading.running")


#: The files that code of texts names.
_OF_USERS = ("<string>", "<timeit-src>", "<input>", "<console>")


def watch(module):
    """Gives a module a ``compile`` and an ``exec`` that know user code."""
    watch_compile(module)
    state.set_attribute(module, "exec", _exec, new=True)
    state.set_attribute(module, "eval", _eval, new=True)


def watch_compile(module):
    """Gives a module a ``compile`` that knows user code."""
    state.set_attribute(module, "compile", _compile, new=True)


def _watch_texts(module):
    state.set_attribute(module, "compile", _compile_text, new=True)
    state.set_attribute(module, "exec", _exec, new=True)


def _watch_gettext(module):
    """Gives user code what ``gettext.install()`` puts among Python's builtins."""
    install_original = module.NullTranslations.install

    def install(*arguments, **options):
        install_original(*arguments, **options)
        user_builtins.follow_pythons()

    state.set_attribute(module.NullTranslations, "install", install)


def is_launcher(name):
    """Tells whether a module of this name executes files."""
    return name in NAMES


def _compile(text, filename, mode, *arguments, **options):
    path = os.fspath(filename) if isinstance(filename, (str, os.PathLike)) else ""
    is_text = isinstance(text, (str, bytes))
    if mode == "exec" and is_text and user_code.is_user_file(path) and os.path.isfile(path):
        with open(path, "rb") as file:
            return source.code_of(file.read(), path)
    if is_text and path == "<string>" and mode in ("exec", "eval"):  # pdb.run("main()")
        return evaluated_texts.text_of_library(text, path, mode, 0)
    return _plain_compile(text, filename, mode, *arguments, **options)


def _compile_text(text, filename, mode, flags=0, *arguments, **options):
    namespace = getattr(sys._getframe(1).f_locals.get("test"), "globs", None)
    is_librarys = namespace is not None and user_builtins.are_pythons(
        namespace
    )  # a docstring of its
    if flags & ast.PyCF_ONLY_AST or is_librarys or not isinstance(text, str):
        return _plain_compile(text, filename, mode, flags, *arguments, **options)
    return evaluated_texts.text_of_library(text, filename, mode, flags)


def _exec(code, globals=None, locals=None, **more):
    if globals is None:
        caller = sys._getframe(1)
        globals, locals = caller.f_globals, caller.f_locals
    if isinstance(code, (str, bytes)):  # cProfile.run("main()")
        code = evaluated_texts.text_of_library(code, "<string>", "exec", 0)
    filename = getattr(code, "co_filename", "<string>")
    if filename == "<timeit-src>" and "timeit" in globals:
        globals = dict(globals)  # the module's own, where the user gave none
    if filename in _OF_USERS or user_code.is_user_file(filename):
        user_builtins.give_users(globals, filename)
    return _plain_exec(code, globals, globals if locals is None else locals, **more)


def _eval(code, globals=None, locals=None):
    if globals is None:
        caller = sys._getframe(1)
        globals, locals = caller.f_globals, caller.f_locals
    if isinstance(code, str) and not user_builtins.are_pythons(globals):  # what a debugger is asked
        code = evaluated_texts.text_of_library(code.lstrip(" \t"), "<string>", "eval", 0)
    return _plain_eval(code, globals, globals if locals is None else locals)
