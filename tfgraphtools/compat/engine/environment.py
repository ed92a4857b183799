"""Environment variables that TensorFlow reads when it is loaded."""

import importlib.util
import os
import sys

from tfgraphtools import environment_variables
from tfgraphtools.compat import tf_version
from tfgraphtools.compat.engine import quiet, state
from tfgraphtools.errors import MissingExtraError


def prepare(seeds=None):
    """Sets what the user has not set, until `state.restore`.

    TF_USE_LEGACY_KERAS=1: TF1's layers and RNN cells live in tf_keras.
    TF_ENABLE_ONEDNN_OPTS=1: what TF does by itself on most machines, said aloud so
    that children and other machines do the same.

    TF_CPP_MIN_LOG_LEVEL=1 without a GPU: no lines of MLIR and CUDA that tell nothing.

    Args:
      seeds: "tf1" where the run reproduces TF 1.15's random numbers: oneDNN rounds otherwise.
    """
    is_legacy = environment_variables.value_of("TF_USE_LEGACY_KERAS") in ("1", "true", "True")
    if has_legacy_keras() and not is_legacy:
        state.set_item(os.environ, "TF_USE_LEGACY_KERAS", "1")
    if not environment_variables.is_set("TF_ENABLE_ONEDNN_OPTS"):
        state.set_item(os.environ, "TF_ENABLE_ONEDNN_OPTS", "0" if seeds else "1")
    is_chosen = environment_variables.is_set("TF_CPP_MIN_LOG_LEVEL")
    if not (has_gpu() or quiet.is_verbose() or is_chosen):
        state.set_item(os.environ, "TF_CPP_MIN_LOG_LEVEL", "1")


def has_gpu():
    """Tells whether this machine has the driver of a GPU."""
    return any(map(os.path.exists, ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")))


def has_legacy_keras():
    """Tells whether the package tf_keras is installed."""
    return importlib.util.find_spec("tf_keras") is not None


def require_any(place):
    """Raises `MissingExtraError` where no TensorFlow is installed."""
    if "tensorflow" in sys.modules or importlib.util.find_spec("tensorflow") is not None:
        return
    oldest = "{}.{}".format(*tf_version.OLDEST)
    raise MissingExtraError(
        place,
        f"TensorFlow {oldest} or newer",
        "no module named 'tensorflow'",
        f'Install it: pip install "tensorflow>={oldest}" tf_keras',
    )


def require(command):
    """Raises if TensorFlow is missing or too old for this command, or tf_keras is missing."""
    tf_version.require_tensorflow(command)
    require_any(command)
    if not has_legacy_keras():
        raise MissingExtraError(
            command,
            "the package tf_keras, which has the layers and RNN cells of TF1",
            "no such package",
            "Install it: pip install tf_keras (of the version of your TensorFlow).",
        )
