"""Folders from which the package is imported that a path is in.

``doctor repository/texar/tf`` reads the inside of a package. Its files import it by its
full name (``import texar.tf``), as they do wherever the package is installed.
"""

import glob
import os

#: The files that make a folder the root of a project: what it holds can be installed.
_PROJECT_FILES = ("setup.py", "setup.cfg", "pyproject.toml")
#: How many folders above a path are searched for the root.
_LEVELS = 6


def import_folders(path):
    """Returns the folders above a folder that hold its package, or the packages of its project.

    They are the parent of the topmost package, the root of the project and its ``src``.
    """
    root = root_of(path)
    folders = [_parent_of_package(path, root)]
    if root is not None:
        folders += [root, *sources_of(root)]
    return [folder for folder in dict.fromkeys(folders) if folder and not _is_installed(folder)]


def root_of(path):
    """Returns the nearest folder with a ``setup.py`` (or cfg, toml) from the path upwards, or None.

    It looks no higher than the folder of the repository, the home folder or six levels.
    """
    folder = os.path.abspath(path)
    for _ in range(_LEVELS):
        if any(os.path.isfile(os.path.join(folder, name)) for name in _PROJECT_FILES):
            return folder
        if is_top(folder):
            return None
        folder = os.path.dirname(folder)
    return None


def is_top(folder):
    """Tells whether nothing above a folder belongs to the same project."""
    is_repository = os.path.exists(os.path.join(folder, ".git"))
    return is_repository or folder in (os.path.expanduser("~"), os.path.dirname(folder))


def sources_of(root):
    """Returns ``[root/src]`` where that folder is no package and holds one; else none."""
    folder = os.path.join(root, "src")
    if _is_package(folder) or not glob.glob(glob.escape(folder) + "/*/__init__.py"):
        return []
    return [folder]


def _parent_of_package(path, root):
    """Returns the parent of the topmost package folder; None for what is no package.

    The root of a project is no package, though some have an ``__init__.py``.
    """
    folder = os.path.abspath(path)
    if not _is_package(folder) or folder == root:
        return None
    while _is_package(folder) and folder != root and not is_top(folder):
        folder = os.path.dirname(folder)
    return folder


def _is_package(folder):
    name = os.path.basename(folder)
    return name.isidentifier() and os.path.isfile(os.path.join(folder, "__init__.py"))


def _is_installed(folder):
    """Tells whether it holds all that is installed: found by Python itself."""
    return os.path.basename(folder) in ("site-packages", "dist-packages")
