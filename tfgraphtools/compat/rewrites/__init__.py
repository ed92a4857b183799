"""Changes of source that rows stand for: data that `upgrade` and `doctor` share with `run`.

A rewrite is plain data, read without TensorFlow, NumPy or LibCST. `rewrite_of` finds it by
the dotted name that old code uses, in this order:

1. the row's own `cannot`;
2. the table of pure renames, ``upgrade_names.tsv``, and `names_in_modules` for names inside of
   modules;
3. the row's own `rewrite`;
4. the kind of the row's table: what `run` provides under a name, the runtime
   ``tfgraphtools.tf1`` provides too; what is gone stays.

Names of the runtime: what was ``tensorflow.NAME`` is ``tfgraphtools.tf1.NAME``, and what
another library or Python had is ``tfgraphtools.tf1.libraries.NAME``
(``tfgraphtools.tf1.libraries.numpy.float``). Every module among these can be imported
as a module, and ``from MODULE import NAME`` works.
"""

import functools
import pathlib

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rewrite_kinds import (
    Call,
    Entry,
    Module,
    Package,
    Rename,
    Runtime,
    Stays,
    Syntax,
)
from tfgraphtools.compat.rewrites import contrib_today, names_in_modules, tf_slim_names

__all__ = [
    "Call",
    "Entry",
    "Module",
    "PACKAGES",
    "Package",
    "Rename",
    "Runtime",
    "Stays",
    "Syntax",
    "rewrite_of",
    "rewrites",
    "runtime_name",
]

_FOLDER = pathlib.Path(__file__).parent

#: How the rows of reproduced random numbers come into force, all at once.
_SEEDS = Entry("tfgraphtools.tf1.seeds.reproduce")


#: The packages of 1.x whose every name is in the runtime, whether a row names it or not.
PACKAGES = ("tensorflow.contrib", "tensorflow.examples", "tensorflow.estimator")

_RUNTIME = "tfgraphtools.tf1"

_CONTRIB_DIFFERS = "names of ops, and broadcasting of weights of another rank, differ"
_SLIM_DIFFERS = "tf_slim has most of it; it draws other random numbers from the same seed"


def runtime_name(name):
    """Returns the name in the runtime of what old code calls `name`.

    Example:
      >>> runtime_name("tensorflow.contrib.layers"), runtime_name("numpy.float")
      ('tfgraphtools.tf1.contrib.layers', 'tfgraphtools.tf1.libraries.numpy.float')
    """
    root, _, path = name.partition(".")
    if root == "tensorflow":
        return f"{_RUNTIME}.{path}" if path else _RUNTIME
    return f"{_RUNTIME}.libraries.{name}"


def rewrite_of(name):
    """Returns the rewrite of a dotted name of old code; None for one that no row is about.

    What lies in a module that moved moved with it: where a row is about a prefix of the name,
    its rewrite answers, with the rest of the name added. What is an attribute of a renamed
    function or class is not answered: that of its owner says it all. None means: the name is
    what it was, where ``tensorflow`` is ``tensorflow.compat.v1``.

    Example:
      >>> rewrite_of("tensorflow.mul")
      Rename(to='tensorflow.compat.v1.multiply')
      >>> rewrite_of("tensorflow.contrib.layers.fully_connected")
      Runtime(to='tfgraphtools.tf1.contrib.layers.fully_connected')
      >>> rewrite_of("cPickle.dumps")
      Rename(to='pickle.dumps')
    """
    known = _by_name()
    owner, inner = name, ""
    while owner:
        rewrite = known.get(owner)
        if rewrite is None and owner in PACKAGES:
            rewrite = Runtime(runtime_name(owner))
            if inner and name.startswith("tensorflow.contrib."):
                return _of_contrib(name)
        if isinstance(rewrite, Package):
            return None
        if rewrite is not None:
            return _again(_within(rewrite, inner)) if inner else rewrite
        owner, _, leaf = owner.rpartition(".")
        inner = f"{leaf}.{inner}" if inner else leaf
    return None


def _of_contrib(name):
    other = contrib_today.instead(name)
    if other is not None:
        return Runtime(runtime_name(name), other, _CONTRIB_DIFFERS)
    return Runtime(runtime_name(name), tf_slim_names.instead(name), _SLIM_DIFFERS)


def _again(rewrite):
    """Follows a rename once more: what lies in a module that moved may have another name there."""
    further = rewrite_of(rewrite.to) if isinstance(rewrite, Rename) else None
    return rewrite if further is None or _is_of_today(rewrite.to) else further


def _is_of_today(name):
    return name.startswith(("tensorflow.compat.", "builtins.", _RUNTIME))


def _within(rewrite, inner):
    """Returns the rewrite of what has the name `rest` in something that is rewritten."""
    if isinstance(rewrite, Runtime):
        instead = rewrite.instead and _within(rewrite.instead, inner)
        return rewrite._replace(to=f"{rewrite.to}.{inner}", instead=instead)
    if isinstance(rewrite, Module):
        return Rename(f"{rewrite.to}.{inner}")
    return rewrite if isinstance(rewrite, Stays) else None


def cannot(name):
    """Returns what a person can write instead of what a row of this name is about."""
    return _by_row()[name].reason


def rewrites():
    """Returns (name of a row, its rewrite) of every row of every table."""
    return list(_by_row().items())


@functools.lru_cache(maxsize=None)
def _by_row():
    renamed = {**_renames(), **names_in_modules.MEMBERS}
    return {
        row.name: (Stays(row.cannot) if row.cannot else None)
        or renamed.get(row.name)
        or row.rewrite
        or _by_kind(table, row)
        for table in rows.tables()
        for row in table.rows
    }


#: The kinds of tables whose rows have the dotted name that user code writes.
_OF_NAMES = ("names", "calls", "modules", "gone")


@functools.lru_cache(maxsize=None)
def _by_name():
    known = {**_renames(), **names_in_modules.MEMBERS, **_by_row()}
    for table in rows.tables():
        if table.kind not in _OF_NAMES:  # their rows are called area.fix: unittest.TestCase is one
            for row in table.rows:
                known.pop(row.name)
    for name in names_in_modules.STILL_THERE:
        known.pop(name)
    return known


@functools.lru_cache(maxsize=None)
def _renames():
    """Returns {old name: its `Rename` or `Module`} of the table.

    A line has an old owner, an owner of today, and the names in them, separated by tabs;
    ``old=new`` where the name itself changed. A module as a whole has no names.
    """
    renames = {}
    for line in (_FOLDER / "upgrade_names.tsv").read_text(encoding="utf-8").splitlines():
        old, new, *names = line.split("\t")
        if not names:
            renames[old] = Module(new)
        for name in " ".join(names).split():
            old_leaf, _, new_leaf = name.partition("=")
            renames[f"{old}.{old_leaf}"] = Rename(f"{new}.{new_leaf or old_leaf}")
    return renames


def _by_kind(table, row):
    if row.name.startswith("seeds."):
        return _SEEDS
    if row.name.startswith("tensorflow.contrib.") and table.kind == "listed":
        return Runtime(runtime_name(row.name))
    if table.kind in ("names", "calls", "modules"):
        return Runtime(runtime_name(row.name))
    if table.kind == "syntax":
        return Syntax(row.name)
    return Stays(row.why)
