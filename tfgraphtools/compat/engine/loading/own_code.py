"""The package's own files: those that lie in its folder, whatever that is called."""

import os

_HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))

#: The folder of the package as Python knows it, and resolved; each with a separator at the end.
FOLDERS = tuple({os.path.join(f(_HERE), "") for f in (str, os.path.abspath, os.path.realpath)})


#: What `warnings` looks for in the files of frames that it passes over: those of an import.
_PASSED_OVER = " (importlib._bootstrap)"


def unseen_by_warnings(function):
    """Makes a warning of what a function calls name the line that calls the function."""
    code = function.__code__
    function.__code__ = code.replace(co_filename=code.co_filename + _PASSED_OVER)
    return function


def is_own(path, below=""):
    """Tells whether a file, as code objects name it, is of this package.

    Args:
      path: the path.
      below: a part of the package ("compat/contrib"); all of it by default.
    """
    inside = os.path.join(*below.split("/"), "") if below else ""
    return path.startswith(tuple(folder + inside for folder in FOLDERS))
