"""The version of the installed TensorFlow, told without importing it."""

import importlib.util
import os
import re
import sys
from typing import Optional, Tuple

from tfgraphtools.errors import UnsupportedVersionError
from tfgraphtools.installed import distributions

#: The oldest TF 2 whose names and behavior the tables of fixes describe.
OLDEST = (2, 16)

#: The newest TF 2 on which they were tested.
NEWEST = (2, 21)

_NUMBERS = re.compile(r"(\d+)\.(\d+)")


def tensorflow_version() -> Optional[Tuple[int, int]]:
    """Returns (major, minor) of TensorFlow, whatever its package is called; None if unknown."""
    loaded = getattr(sys.modules.get("tensorflow"), "__version__", None)
    if isinstance(loaded, str):
        return _numbers(loaded)
    try:
        spec = importlib.util.find_spec("tensorflow")
    except ValueError:  # a module that somebody put into sys.modules by hand
        return None
    if spec is None or not spec.origin:
        return None
    text = distributions.tensorflow_version(os.path.dirname(os.path.dirname(spec.origin)))
    return text and _numbers(text)


def is_tf1() -> bool:
    """Tells whether the installed TensorFlow is a 1.x."""
    version = tensorflow_version()
    if version is None:  # built from source, without metadata
        return sys.version_info < (3, 8) and bool(importlib.util.find_spec("tensorflow_core"))
    return version[0] == 1


def require_tensorflow(place: str) -> None:
    """Does nothing on TF 1.x, on TF 2.16 and newer, and where the version cannot be told.

    Raises:
      UnsupportedVersionError: for an older TF 2.
    """
    version = tensorflow_version()
    if version is not None and (2, 0) <= version < OLDEST:
        raise UnsupportedVersionError(
            place,
            "TensorFlow {}.{} or newer".format(*OLDEST),
            "TensorFlow {}.{}".format(*version),
            "Install a newer one, on Python 3.9 or newer: "
            'pip install "tensorflow>={0}.{1}" "tf_keras>={0}.{1}"'.format(*OLDEST),
        )


def _numbers(text):
    match = _NUMBERS.match(text)
    return match and (int(match.group(1)), int(match.group(2)))
