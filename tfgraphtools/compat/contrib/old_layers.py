"""The layers of ``tensorflow.python.layers``, which TensorFlow looks for where tf_keras had them.

TF imports them from ``tf_keras.legacy_tf_layers``; tf_keras moved that to ``tf_keras.src``. So
tf_slim, and whatever else is built on these layers, cannot be imported by anyone. User code can,
also through a package that does.
"""

import importlib
import sys

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.engine.loading import made_modules
from tfgraphtools.compat.engine.replacing import callers

_OLD, _TODAY = "tf_keras.legacy_tf_layers", "tf_keras.src.legacy_tf_layers"

_is_user = callers.question(("tensorflow", "tf_keras", "tf_slim"))


def install():
    """Serves these modules until `state.restore`."""
    state.insert_finder(_Finder)


class _Finder:
    """A finder of these modules for user code."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Returns the spec of an old name, as a finder of ``sys.meta_path``; None for others."""
        if name != _OLD and not name.startswith(_OLD + "."):
            return None
        if not _is_user(sys._getframe()):
            return None
        return made_modules.alias(name, _load)


def _load(name):
    """Returns the module of today, which has the old name until `state.restore`."""
    state.at_restore(lambda: sys.modules.pop(name, None))
    return importlib.import_module(_TODAY + name[len(_OLD) :])
