"""Names that other libraries removed: ``removed.tsv`` has what they are now, or what to write."""

import functools

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import build


@functools.lru_cache(maxsize=None)
def _lines():
    return [(fields + [""])[:4] for fields in build.lines_of(__file__, "removed.tsv")]


def rows_of(*libraries):
    """Returns the rows of the removed names of these libraries, given as their root modules."""
    return [
        row
        for name, since, today, _ in _lines()
        if today and name.partition(".")[0] in libraries
        for row in build.moved(name.rpartition(".")[0], since, {name.rpartition(".")[2]: today})
    ]


def gone_of(*libraries):
    """Returns the table of the removed names of these libraries that nothing replaces."""
    gone = [
        Row(name, since, advice)
        for name, since, today, advice in _lines()
        if not today and name.partition(".")[0] in libraries
    ]
    return Table("names that left " + ", ".join(libraries), "gone", gone)
