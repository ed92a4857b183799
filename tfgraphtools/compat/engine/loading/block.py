"""The block of ``with compat.activate():`` in a module or a cell that is running already.

Python compiled the block before compat was active. So it is compiled again from its
source, translated, and executed in its place: the first instruction of the block ends it,
and leaving it executes the translated one. A block of a function,
or one whose source is not available, runs unchanged, with 1.x imports.
"""

import ast
import linecache
import os
import sys

from tfgraphtools.compat.engine import source
from tfgraphtools.compat.engine.loading import builtins
from tfgraphtools.compat.engine.rewrite import imports


class Skip(BaseException):
    """Ends a block that is executed translated instead."""


def take_over(frame, handle):
    """Executes the translation of the block that this frame enters.

    Args:
      frame: the frame of the ``with`` statement, inside ``__enter__``.
      handle: what the statement binds, where it binds something.

    Returns:
      a function that executes the block, for ``__exit__`` to call when it gets a `Skip`;
      None where the block runs as it is.
    """
    if frame.f_code.co_name != "<module>" or frame.f_locals is not frame.f_globals:
        return None
    if sys.gettrace() is not None or not builtins.are_pythons(frame.f_globals):
        return None  # a debugger steps through it; translated already
    statement = _statement(frame)
    if statement is None or _leaves(statement.body):
        return None
    code = compile(
        imports.as_calls(ast.Module(statement.body, [])),
        frame.f_code.co_filename,
        "exec",
        frame.f_code.co_flags & builtins.FUTURE,
        True,
    )
    _end_at_once(frame)

    def execute():
        namespace = frame.f_globals
        _bind(statement, namespace, handle)
        before = namespace["__builtins__"]
        namespace["__builtins__"] = builtins.users()
        try:
            exec(code, namespace)
        finally:
            namespace["__builtins__"] = before

    return execute


def _statement(frame):
    """The ``with`` statement of the translated source at which the frame stands, or None."""
    path, line = frame.f_code.co_filename, frame.f_lineno
    try:
        tree = source.tree_of(_text(path), path)
    except (SyntaxError, OSError):
        return None
    found = [
        node
        for node in _of_the_module(tree)
        if isinstance(node, ast.With) and len(node.items) == 1 and node.lineno == line
    ]
    return found[0] if len(found) == 1 else None


def _text(path):
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return file.read()
    return "".join(linecache.getlines(path)).encode()


def _of_the_module(node):
    """Every statement that is executed in the module's own namespace."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        yield child
        yield from _of_the_module(child)


def _leaves(body):
    """Whether a block may jump to a loop around it."""
    for node in body:
        if isinstance(node, (ast.Break, ast.Continue)):
            return True
        if isinstance(node, (ast.For, ast.While)):
            if _leaves(node.orelse):
                return True
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if _leaves(ast.iter_child_nodes(node)):
            return True
    return False


def _bind(statement, namespace, handle):
    target = statement.items[0].optional_vars
    if isinstance(target, ast.Name):
        namespace[target.id] = handle


def _end_at_once(frame):
    """Ends the block at its next instruction, which still belongs to the ``with``.

    At the next line it could be too late: that of a ``try`` is outside of any handler.
    """

    def at_instruction(frame, event, argument):
        sys.settrace(None)
        frame.f_trace, frame.f_trace_opcodes = None, False
        raise Skip

    frame.f_trace, frame.f_trace_opcodes = at_instruction, True
    sys.settrace(lambda frame, event, argument: None)
