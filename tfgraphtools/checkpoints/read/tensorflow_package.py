"""TensorFlow, for those conversions that cannot do without it."""

import importlib
from types import ModuleType

from tfgraphtools.errors import MissingExtraError


def require_tensorflow(place: str) -> ModuleType:
    """Imports TensorFlow.

    Args:
      place: the file or argument that needs it, for the error.

    Raises:
      MissingExtraError: it is not installed.
    """
    try:
        return importlib.import_module("tensorflow")
    except ModuleNotFoundError as error:
        if error.name != "tensorflow":  # TensorFlow is there, and something that it needs is not
            raise
        raise MissingExtraError(
            place,
            "TensorFlow 1.15 or 2.x, which reads graphs and objects",
            "no module named 'tensorflow'",
            "Install it: pip install tensorflow (or tensorflow-cpu).",
        ) from None
