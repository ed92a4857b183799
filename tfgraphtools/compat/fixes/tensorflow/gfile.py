"""``tf.gfile.Glob``, and what looks for checkpoints: the folder of a pattern has to exist.

If ``logs`` is missing, ``tf.gfile.Glob('logs/*')`` raised NotFoundError; today it returns ``[]``.
A misspelt folder is then an empty data set, and a model that was moved is trained from the start
again.

Source: ``internal::GetMatchingPaths`` of TF 1.15's ``file_system_helper.cc``.
"""

import os
import re

from tfgraphtools.compat.engine import replacing
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


TABLES = (replacing.table("patterns and prefixes of files", _get_matching_files, kind="patches"),)
