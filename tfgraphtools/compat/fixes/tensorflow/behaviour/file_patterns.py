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

from tfgraphtools.compat.engine import notices, replacing
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@replaces(
    "tensorflow.python.lib.io._pywrap_file_io:GetMatchingFiles",
    name="tensorflow.gfile.Glob",
    since="TF 2.4",
    why="a pattern in a missing folder raises NotFoundError; no files in 2.x. A name without a "
    "folder is ./name. The same for checkpoint_exists, latest_checkpoint and Saver.restore",
)
def _get_matching_files(original, pattern):
    text = os.fsdecode(pattern)
    error, today = _error_of_folder(text), _today(text)
    if error is not None or today != text:
        _get_matching_files.used()
    if error is not None:
        raise error
    return original(os.fsencode(today))


@replaces(
    "tensorflow.python.ops.gen_io_ops:matching_files",
    name="tensorflow.data.Dataset.list_files",
    since="TF 2.4",
    why="returns ./name for a name without a folder, and reports a pattern in a missing folder, "
    "which is a NotFoundError in 1.15; match_filenames_once, too",
    also=("tensorflow.python.ops.io_ops:matching_files",),
)
def _matching_files_inside(original, pattern, name=None):
    return _matching_files(original, pattern, name, _matching_files_inside.used)


def _matching_files(original, pattern, name, used):
    from tfgraphtools._tf import v1

    patterns = _known(pattern)
    for text in patterns:
        _say_where_folder_is_missing(text, used)
    changed = list(map(_today, patterns))
    if changed != patterns:
        used()
        pattern = v1.reshape(v1.constant(changed), v1.shape(pattern))
    return original(pattern, name=name)


def _of_api(real, used):
    plain = real.matching_files

    @functools.wraps(plain)
    def matching_files(pattern, name=None):
        return _matching_files(plain, pattern, name, used)

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


PATCHES = replacing.table(
    "patterns and prefixes of files", _get_matching_files, _matching_files_inside, kind="patches"
)

CALLS = Table(
    "ops that look for files",
    "calls",
    [
        Row(name, "TF 2.4", _matching_files_inside.row.why, _of_api)
        for name in ("tensorflow.matching_files", "tensorflow.io.matching_files")
    ],
)
