"""Names of modules of ``tensorflow.python`` that live in another module of it now."""

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import finding
from tfgraphtools.compat.fixes.tensorflow.internals.moved import (
    datasets,
    framework,
    ops,
    others,
    pywrap,
)

_PYTHON = "tensorflow.python."

#: module -> where names of it live now: (since when, "its.new.module: names"), a renamed one as
#: "old=new". The versions are the first of which they were found missing.
MOVED = {
    **datasets.MOVED,
    **framework.MOVED,
    **ops.MOVED,
    **pywrap.MOVED,
    **others.MOVED,
}


def entries():
    """(since when, old module, old name, new module, new name) of all names; full module names."""
    for module, places in MOVED.items():
        for since, place in places:
            new_module, _, names = place.partition(": ")
            for name in names.split():
                old_name, _, new_name = name.partition("=")
                yield since, _PYTHON + module, old_name, _PYTHON + new_module, new_name or old_name


TABLE = Table(
    "internal names that moved",
    "names",
    [
        Row(f"{old}.{name}", since, f"today's {new}.{now}", finding(f"{new}:{now}"))
        for since, old, name, new, now in entries()
    ],
)
