"""Names that libraries removed: the reader of ``removed.tsv``, whose head explains its lines."""

import ast
import collections
import functools
import importlib
import types
from typing import NamedTuple

from tfgraphtools.compat.engine import views
from tfgraphtools.compat.engine.rewrite_kinds import Package
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.views import lookup
from tfgraphtools.compat.fixes import build


class Removed(NamedTuple):
    """A line of the table.

    Fields:
      old: the dotted name of old code.
      since: the version since which the name is gone, or `CONTRIB`.
      now: what has its place; empty where nothing has.
      instead: what to write where nothing has its place.
    """

    old: str
    since: str
    now: str
    instead: str


#: The version of internals that only TF 1.15's own contrib and estimator ask for.
CONTRIB = "contrib"

#: The beginning of `Removed.now` where the old name is a module.
_MODULE, _NAMES_OF, _PACKAGE = "module ", "names of ", "package "


def lines():
    """Returns the lines of the table, in their order."""
    rows = build.lines_of(__file__, "removed.tsv")
    return [Removed(*(fields + ["", ""])[:4]) for fields in rows]


@functools.lru_cache(maxsize=None)
def _lines_by_library():
    by_library = collections.defaultdict(list)
    for line in lines():
        by_library[line.since.partition(" ")[0]].append(line)
    return by_library


def lines_of(*libraries):
    """Returns the lines of the names that these libraries removed: "TF", "Python", "NumPy"..."""
    return [line for library in libraries for line in _lines_by_library()[library]]


def tables_of(*libraries):
    """Returns the tables of the names that these libraries removed, by kind."""
    rows_by_kind = {"names": [], "modules": [], "gone": []}
    for line in lines_of(*libraries):
        rows_by_kind[kind_of(line)].append(row_of(line))
    title = " that left " + ", ".join(libraries)
    titles = {"names": "names", "modules": "modules", "gone": "names without a replacement"}
    return tuple(Table(titles[kind] + title, kind, rows) for kind, rows in rows_by_kind.items())


def register_those_of_contrib():
    """Registers the lines that only TF 1.15's own contrib and estimator ask for."""
    for line in lines_of(CONTRIB):
        if kind_of(line) == "modules":
            lookup.register_missing(line.old, row_of(line))
        else:
            lookup.register_attribute(row_of(line))


def kind_of(line):
    """Returns the kind of the table for a line: "names", "modules" or "gone"."""
    is_module = line.now.startswith((_MODULE, _NAMES_OF, _PACKAGE))
    return "modules" if is_module else "names" if line.now else "gone"


def row_of(line):
    """Returns the row of a line."""
    since = None if line.since == CONTRIB else line.since
    verb, now = _split(line.now)
    if not now:
        return Fix(line.old, since, line.instead)
    if verb == _MODULE:
        provide = functools.partial(views.module, now)
        return Fix(line.old, since, f"the module {line.old} is {now} now", provide)
    if verb == _NAMES_OF:
        sources = now.split()
        why = f"the names of {line.old} are in {' and '.join(sources)} now"
        return Fix(line.old, since, why, functools.partial(module_of, line.old, sources))
    if verb == _PACKAGE:
        why = f"the module {line.old} is in the package {now} now"
        provide = functools.partial(_packaged, line.old, since, now)
        return Fix(line.old, since, why, provide, Package(now))
    if verb == "=":
        value = ast.literal_eval(now)
        return Fix(line.old, since, f"{line.old} is {now}", _constant(value))
    return Fix(line.old, since, f"{line.old} is {now.replace(':', '.')} now", _found_at(now))


def _split(now):
    """Returns (what `now` begins with, the rest)."""
    for verb in (_MODULE, _NAMES_OF, _PACKAGE, "="):
        if now.startswith(verb):
            return verb, now[len(verb) :]
    return "", now


def _constant(value):
    return lambda real: value


def _found_at(spec):
    """Returns a function that gives what ``"module:name"`` or ``"module"`` stands for."""
    return lambda real: build.lookup(spec) if ":" in spec else views.module(spec)


def module_of(old, sources, **more):
    """Returns a module that takes each of its names from the first module that has it.

    Args:
      old: the name of the module.
      sources: the names of the modules, as user code sees them.
      more: names that come before those.

    Raises:
      ImportError: none of the modules is there.
    """
    modules = _modules(old, sources)
    module = types.ModuleType(old, f"{' and '.join(sources)}, under an old name")
    vars(module).update(more)

    def look_up(name):  # only when it is asked for: a view counts what is taken from it
        if f"{old}.{name}" in lookup.modules:
            return views.module(f"{old}.{name}")
        for source in modules:
            if not name.startswith("__") and hasattr(source, name):
                return getattr(source, name)
        raise AttributeError(f"module {old!r} has no attribute {name!r}")

    own = [source for source in modules if source.__name__ != old.partition(".")[0]]  # not all
    listed = {name for source in own for name in dir(source) if not name.startswith("__")}
    module.__getattr__ = look_up
    module.__dir__ = lambda: sorted(listed.union(more))
    module.__all__ = [name for name in module.__dir__() if not name.startswith("_")]
    module.__path__ = []
    return module


def _modules(old, sources):
    modules, errors = [], []
    for source in sources:
        try:
            load = importlib.import_module if source == old else views.module
            modules.append(load(source))
        except ImportError as error:
            errors.append(error)
    if not modules:
        raise errors[0]
    return modules


def _packaged(name, since, package):
    """Returns the module where its package is installed; else says how to install it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
    raise ModuleNotFoundError(advice(name, since, package), name=name)


def advice(name, since, package):
    """Returns the text of the error where the package of a removed module is not installed."""
    return f"No module named {name!r}: {since} removed it. Run: pip install {package}"
