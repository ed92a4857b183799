"""A folder as TF 1.15 under Python 3.7 can run it: without Python 2, and names TF 1 had dropped."""

import os
import re
from typing import Any, Callable, Optional

from tfgraphtools import files
from tfgraphtools.compat import rewrites
from tfgraphtools.compat.engine import rows
from tfgraphtools.errors import TfgraphtoolsError
from tfgraphtools.upgrade import project

#: What rows say of names that TF 1.15 and Python 3.7 do not have either.
_BEFORE = re.compile(r"TF 0\.|TF 1\.(?:\d|1[0-4])$|Python 3\.[0-7]$")


def rewriter(folder: str) -> Optional[Callable[[str], None]]:
    """Returns a function of a copy of a folder that rewrites what TF 1.15 cannot run.

    None where no source of the folder has such syntax or names, or they cannot be rewritten.

    Args:
      folder: the folder. Nothing in it changes.
    """
    rewritable = {name for name, _ in rewrites.rewrites()}
    every = (row for table in rows.tables() for row in table.rows)
    old = {row.name for row in every if _BEFORE.match(row.since or "")}
    select = ("python2", *sorted(old & rewritable))
    try:
        report = project.examine([folder], select=select, runtime=False)
    except TfgraphtoolsError:
        return None
    return written(report.changed, folder) if report.changed else None


def written(changed: Any, folder: str) -> Callable[[str], None]:
    """Returns a function that writes the files of an upgrade into a copy of the folder.

    Args:
      changed: the rewritten files of a `Report`.
      folder: the folder that is copied.
    """

    def prepare(place):
        for file in changed:
            copy = os.path.join(place, os.path.relpath(file.path, folder))
            if os.path.islink(copy):  # it may lead to the original
                os.unlink(copy)
            else:
                os.chmod(copy, os.stat(copy).st_mode | 0o200)
            files.write_whole(copy, file.after)

    return prepare
