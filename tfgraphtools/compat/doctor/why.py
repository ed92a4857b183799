"""Reasons why `run` changes a module, a file or a name of a library, or does not."""

import importlib.machinery
import os
import sys
from typing import List

from tfgraphtools import regular_files
from tfgraphtools.compat.constraints import tables
from tfgraphtools.compat.doctor import examination, statuses
from tfgraphtools.compat.engine import activation, quiet, rows, switches
from tfgraphtools.compat.engine.loading import packages, user_code
from tfgraphtools.compat.engine.views import lookup
from tfgraphtools.errors import ArgumentError

#: How people write the names of libraries.
_SHORT = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot", "sp": "scipy"}
_SHORT.update(tf="tensorflow", nx="networkx", sk="sklearn")

_FOR_USERS = "for user code and packages written for TF1; installed libraries keep what they have"

#: What `import tensorflow` of user code gives.
_OF_V1 = "user code's 'import tensorflow' is tensorflow.compat.v1, which has it"


def explain(asked: str, options) -> List[str]:
    """Returns lines of text on a module, a file or a name of a library.

    Nothing of it is imported but what `run` itself looks up.

    Args:
      asked: "train.py", "package.module" or "np.bool".
      options: the `Options` of the run.

    Example:
      >>> explain("np.float", Options())[0]
      'numpy.float  [NumPy 1.24]  float'

    Raises:
      ArgumentError: it is none of these.
    """
    with activation.activate(options, running_code=False):
        name = _in_full(asked)
        lines = _of_name(name)
        if lines:
            return lines
        path = asked if os.path.isfile(asked) else _file_of(name)
        lines = _of_status(name) if path is None else []
        if lines:
            return lines
        if path is None:
            names = {row.name for table in rows.tables() for row in table.rows}
            raise ArgumentError(
                "run --why " + asked,
                "a file, a module, or a name that a fix is about",
                "none of them",
                rows.suggestion(name, names) + "'tfgraphtools run --list-fixes' lists the fixes.",
            )
        return _of_module(name if path != asked else "__main__", path)


def _in_full(name):
    first, dot, inner_name = name.partition(".")
    return _SHORT.get(first, first) + dot + inner_name if dot else name


# Names ----------------------------------------------------------------------


def _of_name(name):
    """Lines on the rows and changes of a name; none if there are none."""
    lines = []
    for row in _rows_of(name):
        lines += [
            f"{row.name}  [{row.since}]  {row.why}",
            f"  {_replacement(row)}",
            f"  disabled by --without {row.name}" + _now(row),
        ]
    for change in tables.changes():
        if _is_about(change, name):
            lines += [
                f"{change.name.lstrip('.')}  [{change.since}]  differs: {change.why}",
                "  run does not hide it: 'tfgraphtools doctor --constraints FILE' writes an older "
                + f"{change.package} for pip",
            ]
    return lines


def _rows_of(name):
    """Returns the rows of a name, or of an attribute that objects of a class had."""
    table_rows = [row for table in rows.tables() for row in table.rows]
    exact = [row for row in table_rows if row.name == name and row.since]
    row = lookup.row_for(name)
    if row is not None and row.since and row not in exact:
        exact.append(row)
    if exact or name.count(".") < 2:
        return exact
    root, leaf = name.partition(".")[0], name.rpartition(".")[2]
    return [r for r in table_rows if r.name == f"{root}.{leaf}" and r.since]


def _replacement(row):
    shown = lookup.row_for(row.name)
    if shown is row and row.run is None:
        return "run cannot replace it: user code gets an error that says so"
    return "replaced " + _FOR_USERS


def _now(row):
    if rows.is_off(row.name):
        return "; it is disabled now"
    return "" if rows.is_needed(row) else "; not needed here: the installed library has it"


def _is_about(change, name):
    root, leaf = name.partition(".")[0], name.rpartition(".")[2]
    is_method = change.name.startswith(".") and change.root == root and "." in name
    return change.name == name or is_method and change.name == "." + leaf


def _of_status(name):
    """Lines on a name that no row is about, of a library that rows are about; else none."""
    if not lookup.concerns(name.partition(".")[0]):
        return []
    with quiet.quiet_stderr():
        status = statuses.of(name)
    if status is None or status.name != name or status.status in statuses.ABSENT:
        return []
    if status.status != statuses.WORKS:
        return [f"{name}: {status.status}: {status.why}"]
    is_v1 = name.startswith("tensorflow.")
    return [f"{name}: no fix; " + (_OF_V1 if is_v1 else "user code gets the library's own")]


# Modules --------------------------------------------------------------------


def _of_module(name, path):
    is_users, reason = user_code.reason(name, path)
    root = name.partition(".")[0]
    if not is_users and reason == "it is an installed package":
        of_tf1 = packages.reason_for_tf1(root, packages.top_of(name, path))
        if of_tf1 and not packages.is_of_today(root):
            is_users, reason = True, f"an installed package written for TF1: {of_tf1}"
    lines = [f"{name} ({path})"]
    if not is_users:
        return lines + [
            f"  no user code: {reason}",
            "  no fix applies: it keeps the real TensorFlow and the real libraries",
        ]
    off = switches.of_file(regular_files.read(path), path) | rows.switched_off()
    count = len({row.name for table in rows.tables() for row in table.on()} - off)
    used = _used_in(path)
    lines += [
        f"  user code: {reason}",
        f"  {count} fixes apply where its code needs them; its source names {len(used)}:",
    ]
    for status in used:
        state = "  (disabled)" if status.fix in off else ""
        lines.append(f"    {status.fix}: {status.why}{state}")
    if off:
        lines.append(f"  disabled there: {len(off)} fixes")
    return lines


def _used_in(path):
    """Returns the statuses of what a file uses and a fix replaces."""
    with quiet.quiet_stderr():
        used = [s for s in examination.statuses_in(path) if s.fix and s.status == statuses.PATCHED]
    return sorted({status.fix: status for status in used}.values(), key=lambda s: s.fix)


def _file_of(name):
    """Returns the file of a module, found without importing its packages; None if there is none."""
    path, where = None, [os.getcwd(), *sys.path]
    for part in name.split("."):
        spec = importlib.machinery.PathFinder.find_spec(part, where)
        if spec is None or where is None:
            return None
        path, where = spec.origin, spec.submodule_search_locations
    return path if path and path.endswith(".py") else None
