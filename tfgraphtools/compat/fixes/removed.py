"""Names that other libraries removed, and where the same thing is today: ``removed.tsv``."""

import functools
import pathlib

from tfgraphtools.compat.fixes import build

_FILE = pathlib.Path(__file__).with_name("removed.tsv")


@functools.lru_cache(maxsize=None)
def _lines():
    text = _FILE.read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def rows_of(*libraries):
    """Returns the rows of the removed names of these libraries, given as their root modules."""
    return [
        row
        for name, since, today in _lines()
        if name.partition(".")[0] in libraries
        for row in build.moved(name.rpartition(".")[0], since, {name.rpartition(".")[2]: today})
    ]
