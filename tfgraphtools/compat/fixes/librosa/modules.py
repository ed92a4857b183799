"""Other modules that contain librosa's functions: ``librosa.core.stft`` is ``librosa.stft``."""

import importlib
import types

from tfgraphtools.compat.engine import registry, views

#: module -> the module whose rows describe the same functions
_SHARED = {
    "librosa.core": "librosa",
    **{
        "librosa.core." + name: "librosa"
        for name in "audio constantq convert harmonic notation pitch spectrum".split()
    },
    "librosa.feature.rhythm": "librosa.feature",
    "librosa.feature.spectral": "librosa.feature",
    "librosa.feature.utils": "librosa.feature",
    "librosa.util.files": "librosa.util",
    "librosa.util.utils": "librosa.util",
}

_NOTHING = object()


class Shared(types.ModuleType):
    """A module of librosa in which user code sees the functions of another module.

    Args:
      name: the name of the module.
      other: the name of the module whose rows apply.
    """

    def __init__(self, name, other):
        super().__init__(name)
        for key in ("__loader__", "__spec__", "__package__"):
            vars(self).pop(key)
        vars(self)["_tfgraphtools_other"] = other

    def __getattr__(self, attribute):
        full = f"{self.__name__}.{attribute}"
        if registry.row_for(full) is not None:  # a module that was removed
            return views.module(full)
        real = importlib.import_module(self.__name__)
        value = getattr(real, attribute, _NOTHING)
        other = views.module(vars(self)["_tfgraphtools_other"])
        if registry.row_for(other.__name__ + "." + attribute) is not None:
            known = getattr(views.real_of(other), attribute, _NOTHING)
            if value is known:
                return getattr(other, attribute)
        if value is _NOTHING:
            raise AttributeError(f"module {self.__name__!r} has no attribute {attribute!r}")
        return views.seen(full, value)

    def __setattr__(self, attribute, value):
        setattr(importlib.import_module(self.__name__), attribute, value)

    def __dir__(self):
        return dir(importlib.import_module(self.__name__))


def install():
    """Makes user code see these modules."""
    for name, other in _SHARED.items():
        registry.register_module(name, Shared(name, other))
