"""The fixes of `run` that depend on values, of which no source shows every use.

"0 left" leaves them out: what the source shows is listed as left, and the rest nobody sees before
the program runs.
"""

from typing import NamedTuple, Optional

from tfgraphtools.compat import rewrites
from tfgraphtools.compat.engine import rows
from tfgraphtools.upgrade import targets


class Unseen(NamedTuple):
    """A row of `run` whose uses the source does not always show.

    Fields:
      name: of the row.
      since: the version that changed it.
      why: what the old code means.
      remedy: what a person can write instead; None where nothing is known.
    """

    name: str
    since: str
    why: str
    remedy: Optional[str]


#: Rows without a rewrite of which every use is listed.
_SHOWN = frozenset(("packages.tf1", "tensorflow.Operation", "tensorflow.Operation._add_input"))

#: Libraries whose calls say by their arguments whether they are old: these are rewritten.
_BY_ARGUMENTS = ("skimage.", "librosa.")


def unseen():
    """Returns (title of a table, its `Unseen` rows) of each table that has any."""
    kinds = dict(rewrites.rewrites())
    groups = [
        (table.title, [_unseen(row) for row in table.rows if _is_unseen(row, table, kinds)])
        for table in rows.tables()
    ]
    return [(title, group) for title, group in groups if group]


def _is_unseen(row, table, kinds):
    if row.since is None or row.name in _SHOWN or table.kind in ("gone", "names"):
        return False
    rewrite = kinds[row.name]
    if isinstance(rewrite, rewrites.Stays):
        return True
    # A function that is still there: whether a call is an old one may depend on its arguments.
    is_conditional = targets.is_conditional(row.name) and not rewrite.keywords
    return is_conditional and not row.name.startswith(_BY_ARGUMENTS)


def _unseen(row):
    return Unseen(row.name, row.since, row.why, row.cannot)
