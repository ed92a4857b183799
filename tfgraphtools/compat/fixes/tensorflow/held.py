"""Names that a module of TF 1.15 exposed because it imported them.

Programs write ``from tensorflow.python.layers.base import nest``, or ``dataset_ops.ops.Tensor``.
A module of TF 2.x that imports less has fewer of them. ``held.tsv`` lists those that TF 1.15.5 had
and TF 2.21 does not (``scripts/generate/held.py`` writes it): a module, and its names as

    name             the target that the first line has for this name
    name=module      a module, below ``tensorflow.python`` or, after a slash, anywhere
    name=module:of   a name of this module
"""

import functools
import pathlib

from tfgraphtools.compat.engine import rows, views
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.views import lookup


def install():
    """Makes internal modules hold their old names from now on."""
    if not rows.is_on(_ROW):
        return
    _held.clear()
    _names.cache_clear()
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        holder, _, names = line.partition("\t")
        _held[holder] = names
        if holder != "*":
            lookup.register_fallback(_absolute(holder), _provide)


_FILE = pathlib.Path(__file__).with_name("held.tsv")

#: Module below ``tensorflow.python`` -> its names, as the file has them; "*": the usual targets.
_held = {}


#: What is looked for now: the search for a module asks its package, which may hold it.
_underway = set()


def _provide(module, attribute):
    target = _target(module[len("tensorflow.python.") :], attribute)
    if target is None or target in _underway:
        raise AttributeError(f"module {module!r} has no attribute {attribute!r}")
    place, _, name = target.partition(":")
    _underway.add(target)
    try:
        holder = views.module(_absolute(place))
    finally:
        _underway.remove(target)
    rows.used(_ROW)
    return getattr(holder, name) if name else holder


def _target(holder, attribute):
    names = _names(holder)
    return (names[attribute] or _target("*", attribute)) if attribute in names else None


@functools.lru_cache(maxsize=None)
def _names(holder):
    """Returns name -> its target, or "", of a line of the file: read when first asked for."""
    parts = (entry.partition("=") for entry in _held[holder].split())
    return {name: target for name, _, target in parts}


def _absolute(place):
    return place[1:] if place.startswith("/") else "tensorflow.python." + place


_ROW = Fix(
    "tensorflow.held_names",
    "TF 2.x",
    "names that an internal module of 1.15 had because it imported them: layers.base.nest",
    cannot="import the name from the module that defines it",
)

TABLES = (Table("names that internal modules imported", "listed", [_ROW]),)
