"""The environment variables of this library: the table, and the one place that reads them.

`tfgraphtools/runner/startup/sitecustomize.py` alone reads its variable itself: it runs in processes
that may have no tfgraphtools.
"""

import os
from typing import NamedTuple


class Variable(NamedTuple):
    """An environment variable.

    Fields:
      name: its name.
      values: what a user sets it to; "" for one that only this library sets, for child processes.
      meaning: what it does.
    """

    name: str
    values: str
    meaning: str


CACHE = "TFGRAPHTOOLS_CACHE"
DATA = "TFGRAPHTOOLS_DATA"
VERBOSE = "TFGRAPHTOOLS_VERBOSE"
ALLOW_PICKLE = "TFGRAPHTOOLS_ALLOW_PICKLE"
RUN = "TFGRAPHTOOLS_RUN"
REVIVE_RUN = "TFGRAPHTOOLS_REVIVE_RUN"

#: Of this library.
OWN = (
    Variable(
        CACHE,
        "a folder",
        "holds the packages of `legacy install` and translated code (default: "
        "`$XDG_CACHE_HOME/tfgraphtools` or `~/.cache/tfgraphtools`)",
    ),
    Variable(DATA, "a folder", "where `run` looks for MNIST, Boston housing and other data first"),
    Variable(VERBOSE, "1", "the same as `--verbose`, in child processes as well"),
    Variable(ALLOW_PICKLE, "1", "the same as `run --allow-pickle`: pickles can run any code"),
    Variable(RUN, "", "the options of `run`, for Python processes that a script starts"),
    Variable(REVIVE_RUN, "", "marks the processes that a program of `revive` starts"),
)

#: Of other programs, which this library follows too.
OTHERS = (
    Variable("XDG_CACHE_HOME", "a folder", "holds the cache where `TFGRAPHTOOLS_CACHE` is not set"),
    Variable("XDG_DATA_HOME", "a folder", "`kernel install` writes below it"),
    Variable("JUPYTER_DATA_DIR", "a folder", "the same, and comes first"),
    Variable("APPDATA", "a folder", "the same on Windows"),
    Variable("NO_COLOR", "anything", "`upgrade` prints its diff without colors"),
    Variable("COLUMNS", "a number", "the width of tables on a terminal"),
    Variable("TERM", "dumb", "no progress is shown"),
    Variable("DISPLAY", "a display", "`run` lets matplotlib open windows (on Linux)"),
    Variable("WAYLAND_DISPLAY", "a display", "the same"),
    Variable("TF_ENABLE_ONEDNN_OPTS", "0 or 1", "whether TensorFlow uses oneDNN; `run` keeps it"),
    Variable("TF_CPP_MIN_LOG_LEVEL", "0 to 3", "what TensorFlow logs; `run` keeps it"),
    Variable("TF_USE_LEGACY_KERAS", "1", "`tf.keras` is Keras 2; `run` sets it"),
)

_NAMES = {variable.name for variable in OWN + OTHERS}


def value_of(name: str) -> str:
    """Returns the value of an environment variable of the table; "" if it is not set."""
    assert name in _NAMES, name
    return os.environ.get(name, "")


def is_set(name: str) -> bool:
    """Tells whether an environment variable of the table is set, to an empty value as well."""
    assert name in _NAMES, name
    return name in os.environ
