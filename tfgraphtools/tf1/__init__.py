"""The names of TensorFlow 1 that no library has today, as modules under plain Python.

    from tfgraphtools.tf1 import contrib, flags
    from tfgraphtools.tf1.libraries import numpy as numpy1

`tfgraphtools upgrade` writes such imports where today's names cannot say what the code meant;
they can be written by hand as well. ``tfgraphtools.tf1.NAME`` is what ``tensorflow.NAME`` was,
``tfgraphtools.tf1.libraries.NAME`` what another library, or Python, had under that name.

Importing this package changes no library, and what ``import`` gives to nobody. It sets
``TF_USE_LEGACY_KERAS=1`` unless the variable is set, as the layers of TF 1 are in tf_keras.
The parts of ``contrib`` and the estimator build graphs: the first that is loaded calls
``tf.disable_v2_behavior()``. Their source is brought by ``tfgraphtools legacy install``;
without it tf_slim covers contrib.slim, contrib.layers and contrib.framework.

On TF 1.15 the names are TensorFlow's own.
"""

import importlib
import os
import typing

from tfgraphtools.tf1 import _modules

os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")

__path__ = [*__path__, _modules.PATH]


#: The modules of this package that are files of their own.
_OWN = ("flags", "libraries", "python2", "seeds")


def attribute(value: typing.Any, name: str) -> typing.Any:
    """Returns what ``value.name`` was in TF 1's time: ``attribute(frame, "ix")``.

    Does nothing special where today's object has the attribute.

    Args:
      value: any object.
      name: the attribute.

    Example:
      >>> attribute(numpy.array([3, 5]), "ptp")()
      2

    Raises:
      AttributeError: the object never had it.
    """
    return _modules.once(value, name)


def __getattr__(name: str) -> typing.Any:
    if name in _OWN:
        return importlib.import_module(f"{__name__}.{name}")
    return _modules.attribute(__name__, name)


def __dir__() -> typing.List[str]:
    return sorted({*_OWN, *_modules.names(__name__)})
