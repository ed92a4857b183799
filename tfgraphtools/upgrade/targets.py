"""What a dotted name of old code is today: the rewrites of the tables, as `upgrade` uses them."""

import functools
import re
from typing import Any, NamedTuple, Optional

from tfgraphtools.compat.engine import rewrites, rows

V1 = "tensorflow.compat.v1"

#: What moves nowhere when TensorFlow's own API moves to ``compat.v1``.
_INNER = ("tensorflow.python", "tensorflow.core", "tensorflow.tools", "tensorflow.compat")

#: The fix that has ``tensorflow`` mean ``tensorflow.compat.v1``.
IMPORT = "tensorflow.import"


class Target(NamedTuple):
    """What a name is today.

    Fields:
      to: the dotted name of today; None for what cannot be rewritten, or keeps its name.
      fix: the name of the fix, as reports and ``--select`` have it.
      rewrite: the rewrite it comes from; None for what only moves with ``tensorflow``.
    """

    to: Optional[str]
    fix: str
    rewrite: Any = None


def of(name, is_tf1=True, runtime=True, text=""):
    """The `Target` of a dotted name; None for one that is what it ever was.

    Args:
      name: "tensorflow.mul", "numpy.float".
      is_tf1: whether ``tensorflow`` is TF 1's where the name is used.
      runtime: whether ``tfgraphtools.tf1`` may be used.
      text: the source of the file: some rewrites are for files only that need them.

    Example:
      >>> of("tensorflow.mul").to
      'tensorflow.compat.v1.multiply'
    """
    if name.startswith("@"):
        return None
    old = name
    if name == V1 or name.startswith(V1 + "."):
        old = "tensorflow" + name[len(V1) :]
    if old.partition(".")[0] in ("tensorflow", "keras") and not is_tf1:
        return None
    found = rewrites.rewrite_of(old)
    pattern = getattr(found, "pattern", "")
    if pattern and not re.search(pattern, text):
        found = None
    if found is None or _is_conditional(old) or _is_plumbing(old):
        return _moved(name) if name == old and is_tf1 else None
    if isinstance(found, rewrites.Runtime) and not runtime and getattr(found, "instead", None):
        found = found.instead
    to = getattr(found, "to", None)
    if to == name:
        return None
    if to is None and isinstance(found, rewrites.Call):
        moved = _moved(name) if name == old else None
        to = moved.to if moved else name
    return Target(to, row_of(old), found)


def is_conditional(name):
    """Whether a function is there today, and only some ways to call it are old ones."""
    return _is_conditional(name)


def _moved(name):
    if name != "tensorflow" and not name.startswith("tensorflow."):
        return None
    if any(name == inner or name.startswith(inner + ".") for inner in _INNER):
        return None
    return Target(V1 + name[len("tensorflow") :], IMPORT)


@functools.lru_cache(maxsize=None)
def _rows():
    return {row.name: (row, table) for table in rows.tables() for row in table.rows}


def _is_conditional(name):
    found = _rows().get(name)
    if found is None or found[1].kind != "calls":
        return False
    row = found[0]
    return row.rewrite is None and isinstance(rewrites.rewrite_of(name), rewrites.Runtime)


def _is_plumbing(name):
    """Whether a row only serves `run`: it names no version since which anything fails."""
    found = _rows().get(name)
    return found is not None and found[0].since is None and found[0].rewrite is None


def row_of(name):
    """The name of the row that is about a dotted name or about what it lies in."""
    owner = name
    while owner:
        if owner in _rows():
            return owner
        owner = owner.rpartition(".")[0]
    for package in rewrites.PACKAGES:
        if name == package or name.startswith(package + "."):
            return package
    return name


def why(fix):
    """The line that a row says of itself; empty for a fix that is no row."""
    found = _rows().get(fix)
    return found[0].why if found else ""
