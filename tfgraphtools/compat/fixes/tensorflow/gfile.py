"""``tf.gfile.Glob`` and similar functions: the folder of a pattern has to exist, as in 1.15.

If ``logs`` is missing, ``tf.gfile.Glob('logs/*')`` raised NotFoundError; today it returns ``[]``.
A misspelt folder is then an empty data set, and a model that was moved is trained from the start
again.

Source: ``internal::GetMatchingPaths`` of TF 1.15's ``file_system_helper.cc``.
"""

import os
import re

from tfgraphtools.compat.engine import notices, replacing
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@replaces(
    "tensorflow.python.lib.io._pywrap_file_io:GetMatchingFiles",
    name="tensorflow.gfile.Glob",
    since="TF 2.4",
    why="a pattern in a missing folder raises NotFoundError; no files in 2.x. The same for "
    "checkpoint_exists, latest_checkpoint and Saver.restore",
)
def _get_matching_files(original, pattern):
    error = _error_of_folder(os.fsdecode(pattern))
    if error is not None:
        _get_matching_files.used()
        raise error
    return original(pattern)


@replaces(
    "tensorflow.python.ops.gen_io_ops:matching_files",
    name="tensorflow.data.Dataset.list_files",
    since="TF 2.4",
    why="reports a pattern in a missing folder, which is a NotFoundError in 1.15; "
    "match_filenames_once, too",
    also=("tensorflow.python.ops.io_ops:matching_files",),
)
def _matching_files_inside(original, pattern, name=None):
    return _matching_files(original, _matching_files_inside.used, pattern, name)


def _matching_files(original, used, pattern, name=None):
    for text in _known(pattern):
        _say_where_folder_is_missing(text, used)
    return original(pattern, name=name)


_of_api = in_place_of(
    "tensorflow.matching_files tensorflow.io.matching_files",
    "TF 2.4",
    _matching_files_inside.row.why,
)(_matching_files)


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


def _error_of_folder(pattern):
    """Returns the error of 1.15 for a pattern whose folder does not exist; None if it exists."""
    from tfgraphtools._tf import v1

    if "://" in pattern:
        return None
    folder = os.path.dirname(re.split(r"[*?\[\\]", pattern, maxsplit=1)[0])
    if not folder or os.path.isdir(folder):
        return None
    if os.path.exists(folder):
        return v1.errors.FailedPreconditionError(None, None, f"{folder}; Not a directory")
    return v1.errors.NotFoundError(None, None, f"{folder}; No such file or directory")


TABLES = (
    replacing.table(
        "patterns and prefixes of files",
        _get_matching_files,
        _matching_files_inside,
        kind="patches",
    ),
    Table("ops that look for files", "calls", _of_api),
)
