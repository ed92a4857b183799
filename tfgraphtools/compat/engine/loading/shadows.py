"""Modules of the user's with the name of one that Python has since Python 3: ``queue.py``.

Python finds them first, and TensorFlow, which needs Python's own, could not even
be imported. So libraries get Python's own, and user code its file.
"""

import importlib
import importlib.util
import os
import sys

#: What Python 2 had no module for, and scripts may well have a file for.
NAMES = (
    "asyncio configparser contextvars copyreg dataclasses enum html http ipaddress pathlib queue "
    "reprlib secrets selectors socketserver statistics tracemalloc typing"
).split()

#: Name -> the user's module, or None before it is imported.
_users = {}


def keep_pythons_own(folder):
    """Loads Python's own modules now, where this folder has files of their names.

    Args:
      folder: the first of ``sys.path`` when the script runs.
    """
    _users.clear()
    names = [name for name in NAMES if os.path.isfile(os.path.join(folder, name + ".py"))]
    path = list(sys.path)
    if names:
        sys.path[:] = [entry for entry in path if os.path.realpath(entry) != folder]
        for name in names:
            importlib.import_module(name)
            _users[name] = None
        sys.path[:] = path


def concerns(name):
    """Tells whether user code has a module of its own behind one of Python's."""
    return name in _users


def module(name, find_spec):
    """Returns the user's module, loaded when it is asked for first.

    Args:
      name: one that `concerns` knows.
      find_spec: finds it among user code, as a finder does.
    """
    if _users[name] is None:
        spec = find_spec(name)
        _users[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(_users[name])
    return _users[name]
