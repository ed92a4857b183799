"""Modules of Python and others that read a user's file and execute it themselves.

``python -m pdb``, ``-m cProfile``, ``-m coverage run``, `runpy`: each compiles the
file without a loader. These modules get a ``compile`` and an ``exec`` of their own,
which know user code by its file.
"""

import importlib
import os
import sys

from tfgraphtools.compat.engine import after_import, source, state
from tfgraphtools.compat.engine.loading import builtins, user_code

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

_plain_compile = compile
_plain_exec = exec


def install():
    """Watches these modules until `state.restore`."""
    watch(importlib.import_module("runpy"))  # frozen: no loader of files says when it is loaded
    for name in NAMES:
        after_import.call(name, watch)


def watch(module):
    """Gives a module a ``compile`` and an ``exec`` that know user code."""
    state.set_attribute(module, "compile", _compile)
    state.set_attribute(module, "exec", _exec)


def is_launcher(name):
    """Whether a module of this name executes files."""
    return name in NAMES


def _compile(text, filename, mode, *arguments, **options):
    path = os.fspath(filename) if isinstance(filename, (str, os.PathLike)) else ""
    is_text = isinstance(text, (str, bytes))
    if mode == "exec" and is_text and user_code.is_user_file(path) and os.path.isfile(path):
        with open(path, "rb") as file:
            return source.code_of(file.read(), path)
    return _plain_compile(text, filename, mode, *arguments, **options)


def _exec(code, globals=None, locals=None, **more):
    if globals is None:
        caller = sys._getframe(1)
        globals, locals = caller.f_globals, caller.f_locals
    filename = getattr(code, "co_filename", "<string>")
    if filename == "<string>" or user_code.is_user_file(filename):
        builtins.give_users(globals)
    return _plain_exec(code, globals, globals if locals is None else locals, **more)
