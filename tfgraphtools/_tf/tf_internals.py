"""Internals of TensorFlow, imported when they are used: a renamed one costs one feature."""

import importlib

from tfgraphtools._tf.api import tf
from tfgraphtools.errors import UnsupportedVersionError


class Internal:
    """Stands for a module of ``tensorflow.python``, whose attributes are those of this object.

    Args:
      name: the name of the module.
      feature: what it is needed for, as an error says.
    """

    def __init__(self, name, feature):
        self._name = name
        self._feature = feature
        self._module = None

    def __getattr__(self, attribute):
        missing = self._name
        try:
            if self._module is None:
                self._module = importlib.import_module(self._name)
            missing += "." + attribute
            return getattr(self._module, attribute)
        except (ImportError, AttributeError):
            raise UnsupportedVersionError(
                self._feature,
                f"a TensorFlow that has {missing}",
                f"TensorFlow {tf.__version__}, which has none",
                "Use an older TensorFlow, or a newer tfgraphtools; please report it.",
            ) from None

    def __setattr__(self, attribute, value):
        if attribute in ("_name", "_feature", "_module"):
            object.__setattr__(self, attribute, value)
            return
        getattr(self, attribute)  # refuses a name that the module does not have
        setattr(self._module, attribute, value)
