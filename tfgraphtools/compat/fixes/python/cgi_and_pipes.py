"""``cgi`` and ``pipes``: the parts of them that Python has elsewhere, without a package."""

import types

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import lookup

#: Modules of which a part is made here where the package is not installed: name -> what it has.
_PARTS = {
    "cgi": {
        "escape": "html:escape",
        "parse_qs": "urllib.parse:parse_qs",
        "parse_qsl": "urllib.parse:parse_qsl",
    },
    "pipes": {"quote": "shlex:quote"},
}


def _with_a_part(name, package):
    """Returns the row of a module in a package: a part of it does without the package."""
    row = removed.row_of(removed.Removed(name, "Python 3.13", "package " + package, ""))

    def provide():
        try:
            return row.run()
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            return _part(name, str(error))

    return row._replace(run=provide)


def _part(name, advice):
    module = types.ModuleType(name, f"The part of {name} that Python has elsewhere.")
    for attribute, spec in _PARTS[name].items():
        setattr(module, attribute, lookup(spec))

    def missing(attribute):
        raise AttributeError(f"{name}.{attribute}: {advice}")

    module.__getattr__ = missing
    return module


TABLE = Table(
    "modules of which Python has a part",
    "modules",
    [_with_a_part("cgi", "legacy-cgi"), _with_a_part("pipes", "standard-pipes")],
)
