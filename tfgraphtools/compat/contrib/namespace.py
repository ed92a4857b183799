"""The package ``tensorflow.contrib`` itself: its parts are imported when they are asked for.

TF 1.15's own loads all of contrib, on every platform that has its kernels; here a
script pays for what it uses, and one part that cannot load does no harm to others.
"""

import importlib
import os
import types

from tfgraphtools.compat.engine.loading import made_modules

_NAME = "tensorflow.contrib"

#: Attributes of ``tf.contrib`` that are not the package of their name.
APART = {
    "eager": "tensorflow.contrib.eager.python.tfe",
    "optimizer_v2": "tensorflow.contrib.optimizer_v2.optimizer_v2_symbols",
    "receptive_field": "tensorflow.contrib.receptive_field.receptive_field_api",
    "recurrent": "tensorflow.contrib.recurrent.python.recurrent_api",
    "remote_fused_graph": "tensorflow.contrib.remote_fused_graph.pylib",
    "specs": "tensorflow.contrib.specs.python",
    "summary": "tensorflow.contrib.summary.summary",
}


def spec(folder):
    """Returns the spec of the package whose modules lie in `folder`."""
    return made_modules.spec(_NAME, _namespace, [folder])


def _namespace(name):
    return Namespace(name, "TF 1.15's tf.contrib, served from the legacy installation.")


class Namespace(types.ModuleType):
    """``tensorflow.contrib``."""

    def __getattr__(self, name):
        if name == "__all__":
            return parts(self.__path__)
        if name.startswith("__"):
            raise AttributeError(name)
        full = APART.get(name, _NAME + "." + name)
        try:
            value = importlib.import_module(full)
        except ModuleNotFoundError as error:
            if error.name != full:
                raise
            raise AttributeError(f"module {_NAME!r} has no attribute {name!r}") from None
        self.__dict__[name] = value
        return value

    def __setattr__(self, name, value):
        # The import system binds a package to its parent; these names mean something else.
        if name not in APART:
            super().__setattr__(name, value)

    def __dir__(self):
        return sorted({*self.__dict__, *parts(self.__path__)})


def parts(folders):
    """Returns the names of the packages of contrib."""
    return sorted(
        name
        for folder in folders
        if os.path.isdir(folder)
        for name in os.listdir(folder)
        if os.path.isfile(os.path.join(folder, name, "__init__.py"))
    )
