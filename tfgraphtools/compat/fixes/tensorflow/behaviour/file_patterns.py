"""Patterns of file names: in TF 1.15 the folder of a pattern had to exist.

If ``logs`` is missing, ``tf.gfile.Glob('logs/*')`` raised NotFoundError; today it returns ``[]``.
A misspelt folder is then an empty data set, and a model that was moved is trained from the start
again. A name without a folder and wildcards was returned as ``./name``. A name that ends in a
slash, or contains two in a row, matched nothing.

Source: ``internal::GetMatchingPaths`` of TF 1.15's ``file_system_helper.cc``.
"""

import functools
import os
import re

from tfgraphtools.compat.engine import notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import ModuleWith

#: Packages whose functions may be between the user's call and ours.
_BETWEEN = ("tensorflow", "tensorflow_estimator", "tfgraphtools")


def _look_in_folders_that_exist():
    """Makes the module that finds files behave as in 1.15, for user code."""
    from tensorflow.python.lib.io import file_io

    plain = file_io._pywrap_file_io.GetMatchingFiles

    def get_matching_files(pattern):
        text = os.fsdecode(pattern)
        if not notices.is_called_by_user(_BETWEEN):
            return plain(pattern)
        error, today = _error_of_folder(text), _today(text)
        if error is not None or today != text:
            rows.used(_FILES)
        if error is not None:
            raise error
        return plain(os.fsencode(today))

    module = ModuleWith(file_io._pywrap_file_io, GetMatchingFiles=get_matching_files)
    state.set_attribute(file_io, "_pywrap_file_io", module)


_FILES = Row(
    "tensorflow.gfile.Glob",
    "TF 2.4",
    "a pattern in a missing folder raises NotFoundError; no files in 2.x. A name without a folder "
    "is ./name. The same for checkpoint_exists, latest_checkpoint and Saver.restore",
    _look_in_folders_that_exist,
)


def _match_in_folders_that_exist():
    """Makes the datasets and queues of user code find files as in 1.15."""
    from tensorflow.python.data.ops import dataset_ops
    from tensorflow.python.training import input as queues

    for module, name in ((dataset_ops, "gen_io_ops"), (queues, "io_ops")):
        real = getattr(module, name)
        matching = _matching(real.matching_files, lambda: rows.used(_DATASETS))
        state.set_attribute(module, name, ModuleWith(real, matching_files=matching))


_DATASETS = Row(
    "tensorflow.data.Dataset.list_files",
    "TF 2.4",
    "returns ./name for a name without a folder, and reports a pattern in a missing folder, which "
    "is a NotFoundError in 1.15; match_filenames_once, too",
    _match_in_folders_that_exist,
)


def _matching_files(real, used):
    return _matching(real.matching_files, used)


def _matching(plain, used):
    @functools.wraps(plain)
    def matching_files(pattern, name=None):
        from tfgraphtools._tf import v1

        patterns = _known(pattern)
        for text in patterns:
            _say_where_folder_is_missing(text, used)
        changed = list(map(_today, patterns))
        if changed != patterns:
            used()
            pattern = v1.reshape(v1.constant(changed), v1.shape(pattern))
        return plain(pattern, name=name)

    return matching_files


def _known(pattern):
    """The patterns as text; an empty list if only the graph knows them at run time."""
    import numpy as np
    from tensorflow.python.framework import tensor_util

    from tfgraphtools._tf import v1

    values = tensor_util.constant_value(v1.convert_to_tensor(pattern, v1.string))
    if values is None:
        return []
    return [os.fsdecode(value) for value in np.ravel(values)]


def _say_where_folder_is_missing(text, used):
    from tfgraphtools._tf import v1

    error = _error_of_folder(text)
    if error is None:
        return
    used()
    if v1.executing_eagerly():
        raise error
    notices.once(
        "tensorflow.matching_files " + text,
        f"the folder of the pattern {text!r} is missing; if it still is at run time, "
        f"TF 1.15 raises {type(error).__name__}, and TF 2.x finds no files",
    )


def _is_remote(pattern):
    return "://" in pattern


def _error_of_folder(pattern):
    """The error of 1.15 for a pattern whose folder does not exist; None if it exists."""
    from tfgraphtools._tf import v1

    if _is_remote(pattern):
        return None
    folder = os.path.dirname(re.split(r"[*?\[\\]", pattern, maxsplit=1)[0])
    if not folder or os.path.isdir(folder):
        return None
    if os.path.exists(folder):
        return v1.errors.FailedPreconditionError(None, None, f"{folder}; Not a directory")
    return v1.errors.NotFoundError(None, None, f"{folder}; No such file or directory")


def _today(pattern):
    """The pattern that matches today what `pattern` matched in 1.15, if its folder exists."""
    if _is_remote(pattern):
        return pattern
    if "//" in pattern[1:] or pattern.endswith("/") or pattern in (".", ".."):
        return ""  # matches nothing
    is_bare = pattern and not re.search(r"[*?\[\\/]", pattern)
    return "./" + pattern if is_bare else pattern


PATCHES = Table("patterns and prefixes of files", "patches", [_FILES, _DATASETS])

CALLS = Table(
    "ops that look for files",
    "calls",
    [
        Row(name, "TF 2.4", _DATASETS.why, _matching_files)
        for name in ("tensorflow.matching_files", "tensorflow.io.matching_files")
    ],
)
