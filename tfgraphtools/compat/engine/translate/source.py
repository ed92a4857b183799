"""The source of a user's module, made into code: translated, adapted, compiled, cached.

Line numbers and file names stay those of the user's file, and nothing is ever
written to it. Compiled code is kept in the user's cache folder.
"""

import functools
import hashlib
import os
import sys

from tfgraphtools import deep_recursion, garbage_collector
from tfgraphtools._version import __version__
from tfgraphtools.compat.engine import parts, rows, switches
from tfgraphtools.compat.engine.parts import LibraryChanges, SourceReader
from tfgraphtools.compat.engine.translate import code_cache, tree_walk, trees
from tfgraphtools.compat.engine.views import lookup

#: The folder of this package, and its parts that change code.
_PACKAGE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
_PARTS = ("compat", "analysis", "_tf")


def code_of(data, path, is_users=True):
    """Returns the compiled code of a user's module.

    Args:
      data: the bytes of its source.
      path: its file, as tracebacks will name it.
      is_users: whether it is part of the user's own program.

    Raises:
      SyntaxError: the file's own, where it is no Python 2 either.
    """
    with garbage_collector.paused():  # a decorator would be a line of tracebacks
        if is_users:
            look_ahead(data, path)
        with rows.also_off(switches.of_file(data, path)):
            return deep_recursion.call(_code_of, data, path, is_users)


def _code_of(data, path, is_users):
    key = _key_of(data, path, is_users)
    code, names, changes = code_cache.read(key) or (None, (), ())
    if code is None:
        rows_before = {row.name for row in rows.report()}
        tree = _parsed(data, path, is_users)
        changes = parts.offered(LibraryChanges).changes_in(tree, data) if is_users else ()
        code = compile(adapted(tree, path), path, "exec", dont_inherit=True)
        names = [row.name for row in rows.report() if row.name not in rows_before]
        code_cache.write(key, (code, names, changes))
    _report(names)
    parts.offered(LibraryChanges).tell(path, changes)
    return code


def look_ahead(data, path):
    """Finds out what the modules that a module is about to import say about it.

    Args:
      data: the bytes of its source.
      path: its file.
    """
    parts.offered(SourceReader).look_ahead(data, path)


def tree_of(data, path, is_users=True):
    """Returns the tree of a user's module as it is compiled; the fixes it needs count as used.

    Args:
      data: the bytes of its source.
      path: its file.
      is_users: whether it is part of the user's own program.

    Raises:
      SyntaxError: the file's own, where it is no Python 2 either.
    """
    with rows.also_off(switches.of_file(data, path)):
        return adapted(_parsed(data, path, is_users), path)


def _parsed(data, path, is_users):
    return parts.offered(SourceReader).to_tree(data, path, is_users)


def adapted(tree, path):
    """Adapts a tree of user code to what its libraries are today.

    Args:
      tree: the tree as Python parses it; it is changed.
      path: its file.
    """
    _note_builtins(tree)
    syntax = [table for table in rows.tables() if table.kind == "syntax"]
    chosen = [row for table in syntax for row in table.on()]
    return tree_walk.rewritten(tree, path, chosen)


def _note_builtins(tree):
    """Records the old builtins that a module reads: nothing of ours sees them looked up."""
    by_name = {row.name.partition(".")[2]: row for row in lookup.attribute_rows("builtins")}
    if trees.read_names(tree).isdisjoint(by_name):
        return
    for node in trees.builtin_reads(tree, by_name):
        if not lookup.counts_calls(by_name[node.id]):
            rows.used(by_name[node.id])


def _report(names):
    if not names:
        return
    by_name = {row.name: row for table in rows.tables() for row in table.rows}
    for name in names:
        rows.used(by_name[name])


def _key_of(data, path, is_users):
    is_old = is_users and parts.offered(SourceReader).is_old_program()
    off = sorted(rows.switched_off())
    settings = [rows.versions(), off, _compiler_options()]
    return code_cache.key_of(__version__, _our_state(), settings, path, is_old, data)


def _compiler_options():
    """Returns what `compile` takes from the command line and the environment of this Python."""
    has_ranges = "no_debug_ranges" not in sys._xoptions
    return sys.flags.optimize, has_ranges and not os.environ.get("PYTHONNODEBUGRANGES")


@functools.lru_cache(maxsize=None)
def _our_state():
    """Returns what identifies the files of ours that change code, in a sum of all of them."""
    state = hashlib.sha256()
    for part in _PARTS:
        for folder, folders, names in os.walk(os.path.join(_PACKAGE, part)):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".py", ".tsv", ".txt")):
                    status = os.stat(os.path.join(folder, name))
                    state.update(repr((name, status.st_size, status.st_mtime_ns)).encode())
    return state.hexdigest()
