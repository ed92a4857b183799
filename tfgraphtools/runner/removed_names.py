"""The remedy where an installed package asks for a name that its library has no more.

It is found from the tables: what `run` gives to user code, it gives to a package that is named
with ``--v1-package``; else an older version of the library has the name.
"""

import os
import re
import sys
import types
from typing import Optional

from tfgraphtools.compat.constraints import tables
from tfgraphtools.compat.engine import skipped
from tfgraphtools.compat.engine.loading import user_code
from tfgraphtools.compat.engine.translate import removed_attributes
from tfgraphtools.compat.engine.views import lookup
from tfgraphtools.runner import tracebacks

#: What NumPy says of names that it had, and Python of an object.
_REMOVED = re.compile(r"`np\.([\w.]+)` was removed")
_OF_OBJECT = re.compile(r"'\w+' object has no attribute '(\w+)'")

#: Libraries to which ``--v1-package`` gives nothing: `run` looks after them itself.
_NOT_NAMED = ("tensorflow", "tensorflow_core", "tf_keras", "keras", "absl")


def remedy_for(error: BaseException) -> Optional[str]:
    """Returns one line of advice, or None where no installed package asked for a removed name."""
    row, name = _row_of(error)
    if row is None:
        return _ceiling_for(error)
    package = package_of(error.__traceback__, name.partition(".")[0])
    if package is None or package == name.partition(".")[0]:
        return None
    left = f"{_shown(name)} left {row.since}"
    if lookup.row_for(row.name) is None or row.run is not None:
        return f"'tfgraphtools run --v1-package {package} ...' translates {package} too ({left})."
    older = _older(row.since)
    if older is None:
        return f"the installed package {package} was written for older libraries ({left})."
    return f"pip install {older} gives {package} the name back ({left})."


def package_of(trace: Optional[types.TracebackType], library: str = "") -> Optional[str]:
    """Returns the installed package whose code raised an error, unless it is TensorFlow or Keras.

    Args:
      trace: the traceback.
      library: a package whose frames at the end do not count: it was asked, and said no.
    """
    package = None
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename.replace(os.sep, "/")
        _, is_installed, inner = path.rpartition("-packages/")
        here = inner.partition("/")[0].partition(".")[0] if is_installed else None
        is_users = not path.startswith("<") and user_code.is_user(here or "", path)
        is_asked = here == library or here is None and not is_users  # or Python's own code
        if not inner.startswith("google/") and not (library and is_asked):
            package = None if is_users else here
        trace = trace.tb_next
    return None if package in _NOT_NAMED else package


def _row_of(error):
    """Returns (the row of the name that an error says is not there, the name), or (None, None)."""
    text = tracebacks.message(error)
    match = isinstance(error, AttributeError) and _REMOVED.search(text)
    name = "numpy." + match.group(1) if match else skipped.missing_name(error)
    if isinstance(error, ModuleNotFoundError) and error.name:
        name = error.name
    if name is not None:
        row = lookup.row_for(name)
        return (row, name) if row is not None and row.since else (None, None)
    match = isinstance(error, AttributeError) and _OF_OBJECT.match(text)
    if match:
        kind = type(getattr(error, "obj", None))
        root = kind.__module__.partition(".")[0]
        for row in removed_attributes.rows_of(match.group(1), root):
            return row, f"{root}.{kind.__name__}.{match.group(1)}"
    return None, None


def _ceiling_for(error):
    """Returns the limit of a library that has no more what an error says is not there; or None."""
    from tfgraphtools.compat.doctor import differences

    if sys.version_info < (3, 8):  # which does not tell what is installed
        return None
    name = skipped.missing_name(error) or ""
    if isinstance(error, ModuleNotFoundError):
        name = error.name or name
    package = differences.package_of(name.partition(".")[0]) if name else None
    ceiling = tables.ceilings().get(package)
    if ceiling is None or not differences.is_above(ceiling):
        return None
    return f"{ceiling.why}: pip install '{package}{ceiling.limit}'."


def _shown(name):
    return re.sub(r"^numpy\.", "np.", name)


def _older(since):
    """Returns the newest older version of a library that runs here: "numpy==1.26.4"."""
    library, _, version = since.rpartition(" ")
    below = [
        v
        for v in tables.versions()
        if v.package == library.lower()
        and v.runs_on(sys.version_info[:2])
        and tables.numbers(v.version) < tables.numbers(version)
    ]
    return f"{below[-1].package}=={below[-1].version}" if below else None
