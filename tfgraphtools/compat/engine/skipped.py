"""Fixes that cannot be applied here: each is undone and skipped by itself, and reported once.

Fixes rest on internals of libraries, which a newer version may rename. `apply` is the one place
where a fix is tried; if it fails, its changes are undone.
"""

import re
import sys

from tfgraphtools.compat import tf_version
from tfgraphtools.compat.engine import quiet, state
from tfgraphtools.errors import TfgraphtoolsError

#: name of a fix -> why it is not applied
_reasons = {}

#: What Python says of a name that is not there.
_LOOKUPS = tuple(
    map(
        re.compile,
        (
            r".*(?:module|type object) '(?P<owner>[\w.]+)' has no attribute '(?P<name>\w+)'",
            r"cannot import name '(?P<name>\w+)' from .*'(?P<owner>[\w.]+)'",
            r"No module named '(?P<name>\w+\.[\w.]+)'",
        ),
    )
)


def apply(name, change, *arguments):
    """Applies a fix; if it fails, takes back what it has changed and says so on stderr.

    Args:
      name: the name of the fix.
      change: what applies it, through `state` only.
      *arguments: those of `change`.

    Returns:
      whether it was applied.

    Raises:
      TfgraphtoolsError: the fix's own, which is addressed to the user.
    """
    place = state.mark()
    try:
        with state.applying(name):
            change(*arguments)
    except TfgraphtoolsError:
        raise
    except Exception as error:  # pylint: disable=broad-except  # whatever a newer library does
        state.undo_since(place)
        note(name, error)
        return False
    return True


def note(name, error):
    """Records that a fix failed with this error, and prints a line the first time."""
    if name not in _reasons:
        if not _reasons:
            state.at_restore(_reasons.clear)
        _reasons[name] = reason = _reason(error)
        quiet.say(f"tfgraphtools: fix {name} is not applied: {reason}. Please report it.")


def note_lookup(row, error):
    """Notes a row that cannot provide its name, because its library lacks what it looks up.

    Returns:
      whether it is so: other errors are addressed to the user.
    """
    if row.since is None or missing_name(error) in (None, row.name):
        return False
    note(row.name, error)
    return True


def reasons():
    """Returns {name of a fix: why it could not be applied} of this process."""
    return dict(_reasons)


def missing_name(error):
    """Returns the dotted name that a library lacks, if that is what the error says, else None."""
    if not isinstance(error, (AttributeError, ImportError)):
        return None
    for pattern in _LOOKUPS:
        match = pattern.match(str(error))
        if match:
            owner = match.groupdict().get("owner")
            of = getattr(error, "obj", None)  # Python 3.10 and newer
            if isinstance(of, type):
                owner = f"{of.__module__}.{of.__qualname__}"
            return ".".join(filter(None, [owner, match["name"]]))
    return None


def _reason(error):
    name = missing_name(error)
    if name is None:
        text = " ".join(str(error).split())
        return type(error).__name__ + (": " + text if text else "")
    return f"{_library(name.partition('.')[0])} has no {name}"


def _library(root):
    """Returns the library of a module, and its version: "TensorFlow 2.22"."""
    if root == "tensorflow":
        return "TensorFlow {}.{}".format(*tf_version.tensorflow_version() or ("2", "x"))
    version = getattr(sys.modules.get(root), "__version__", None)
    return f"{root} {version}" if isinstance(version, str) else root
