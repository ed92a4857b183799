"""The packages that a repository asks for, whole, and the date of its last commit.

Nothing of it is executed.
"""

import os

from tfgraphtools import git_repository
from tfgraphtools.compat.constraints import requirement_files
from tfgraphtools.compat.constraints.pins import Pin, Pins


def read(folder):
    """Returns the `Pins` of the repository in which a folder is.

    Args:
      folder: a folder of it; its files and those of the folders around it, up to the one that has
        ``.git`` or two further up, are read.
    """
    packages = {}
    for around in _around(os.path.abspath(folder)):
        names = sorted(os.listdir(around))
        files = [name for name in names if os.path.isfile(os.path.join(around, name))]
        for package, limit, place in requirement_files.declared(around, files):
            packages.setdefault(package, Pin(limit, place))
    return Pins(packages, git_repository.last_commit_date(folder))


def _around(folder):
    for _ in range(3):
        if os.path.isdir(folder):
            yield folder
        if os.path.exists(os.path.join(folder, ".git")) or os.path.dirname(folder) == folder:
            return
        folder = os.path.dirname(folder)
