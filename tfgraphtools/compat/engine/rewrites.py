"""What a row means as a change of source: the data that `upgrade` and `doctor` share with `run`.

A rewrite is plain data, read without TensorFlow, NumPy or LibCST. `rewrite_of` finds it by
the dotted name that old code uses, in this order:

1. the row's own `rewrite`;
2. the generated table of pure renames (``renames.tsv``, written by ``scripts/generate/renames``);
3. the kind of the row's table: what `run` provides under a name, the runtime
   ``tfgraphtools.tf1`` provides too; what is gone stays.

Names of the runtime: what was ``tensorflow.NAME`` is ``tfgraphtools.tf1.NAME``, and what
another library or Python had is ``tfgraphtools.tf1.libraries.NAME``
(``tfgraphtools.tf1.libraries.numpy.float``). Every module among these can be imported
as a module, and ``from MODULE import NAME`` works.
"""

import functools
import pathlib
from typing import Dict, NamedTuple, Optional, Tuple

from tfgraphtools.compat.engine import rows

_RENAMES = pathlib.Path(__file__).with_name("renames.tsv")


class Rename(NamedTuple):
    """Another public name of today gives the identical thing, or one that behaves the same.

    Fields:
      to: a dotted name that can be imported ("tensorflow.compat.v1.summary.FileWriter",
        "builtins.float").
    """

    to: str


class Call(NamedTuple):
    """A call whose arguments change; the name used without a call is `to` as well.

    Fields:
      to: the function of today; None keeps the name.
      keywords: old keyword -> new keyword, or None to leave the argument out.
      positions: the new keyword of each positional argument of the old order; None
        leaves an argument out. Empty when positions do not change.
      runtime: what to call instead where arguments are not written out (``*args``,
        ``**options``, or more positions than are listed); None: report the line.
    """

    to: Optional[str] = None
    keywords: Dict[str, Optional[str]] = {}
    positions: Tuple[Optional[str], ...] = ()
    runtime: Optional[str] = None


class Module(NamedTuple):
    """A module that has another name today, and has in it what user code took from it.

    Fields:
      to: the module of today.
    """

    to: str


class Runtime(NamedTuple):
    """Something that no library has today, provided by ``tfgraphtools.tf1``.

    Fields:
      to: the dotted name in the runtime ("tfgraphtools.tf1.contrib.layers.fully_connected").
    """

    to: str


class Syntax(NamedTuple):
    """A named change of source code, which `upgrade` implements.

    Fields:
      fixer: its name.
    """

    fixer: str


class Stays(NamedTuple):
    """Not rewritable.

    Fields:
      reason: why, in one line for people.
    """

    reason: str


#: The packages of 1.x whose every name is in the runtime, whether a row names it or not.
PACKAGES = ("tensorflow.contrib", "tensorflow.examples", "tensorflow.estimator")

_RUNTIME = "tfgraphtools.tf1"


def runtime_name(name):
    """The name in the runtime of what old code calls `name`.

    Example:
      >>> runtime_name("tensorflow.contrib.layers"), runtime_name("numpy.float")
      ('tfgraphtools.tf1.contrib.layers', 'tfgraphtools.tf1.libraries.numpy.float')
    """
    root, _, rest = name.partition(".")
    if root == "tensorflow":
        return f"{_RUNTIME}.{rest}" if rest else _RUNTIME
    return f"{_RUNTIME}.libraries.{name}"


def rewrite_of(name):
    """The rewrite of a dotted name of old code; None for one that no row is about.

    What lies in something that moved moved with it: where a row is about a prefix of the
    name, its rewrite answers, with the rest of the name added. None means: the name is what
    it was, where ``tensorflow`` is ``tensorflow.compat.v1``.

    Example:
      >>> rewrite_of("tensorflow.mul")
      Rename(to='tensorflow.compat.v1.multiply')
      >>> rewrite_of("tensorflow.contrib.layers.fully_connected")
      Runtime(to='tfgraphtools.tf1.contrib.layers.fully_connected')
      >>> rewrite_of("cPickle.dumps")
      Rename(to='pickle.dumps')
    """
    known = _by_name()
    owner, rest = name, ""
    while owner:
        found = known.get(owner)
        if found is None and owner in PACKAGES:
            found = Runtime(runtime_name(owner))
        if found is not None:
            return _within(found, rest) if rest else found
        owner, _, leaf = owner.rpartition(".")
        rest = f"{leaf}.{rest}" if rest else leaf
    return None


def _within(found, rest):
    """The rewrite of what has the name `rest` in something that is rewritten."""
    if isinstance(found, Runtime):
        return Runtime(f"{found.to}.{rest}")
    if isinstance(found, (Rename, Module)):
        return Rename(f"{found.to}.{rest}")
    return found if isinstance(found, Stays) else None


def rewrites():
    """(name of a row, its rewrite) of every row of every table."""
    return list(_by_name().items())


@functools.lru_cache(maxsize=None)
def _by_name():
    renames = _renames()
    return {
        row.name: row.rewrite or renames.get(row.name) or _by_kind(table, row)
        for table in rows.tables()
        for row in table.rows
    }


def _renames():
    lines = _RENAMES.read_text(encoding="utf-8").splitlines() if _RENAMES.exists() else []
    return {old: Rename(new) for old, new in (line.split("\t") for line in lines)}


def _by_kind(table, row):
    if table.kind in ("names", "calls", "modules"):
        return Runtime(runtime_name(row.name))
    if table.kind == "syntax":
        return Syntax(row.name)
    return Stays(row.why)
