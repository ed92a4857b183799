"""Keras 2.2.4 itself as ``tfgraphtools.tf1.libraries.keras``, from the legacy installation.

Its modules are loaded under names of their own, and import one another under these: the ``keras``
of the process stays what it is, and both can be used side by side. TensorFlow is TF 1's for them,
as for contrib, so the first one that is loaded calls ``tf.disable_v2_behavior()``.
"""

import functools
import importlib
import importlib.util
import re

from tfgraphtools.compat import legacy
from tfgraphtools.compat.contrib import without
from tfgraphtools.compat.engine import activation
from tfgraphtools.compat.engine.loading import user_builtins
from tfgraphtools.compat.fixes.keras import standalone, standalone_names
from tfgraphtools.tf1 import _serving

_PREFIX = "tfgraphtools.tf1.libraries."

_ROOT = b"|".join(root.encode() for root in standalone.ROOTS)
#: (a statement that imports one of the packages by its full name, what is executed instead).
_IMPORTS = (
    (
        re.compile(rb"^([ \t]*)import (%s)[ \t]*$" % _ROOT, re.MULTILINE),
        rb"\1from tfgraphtools.tf1.libraries import \2",
    ),
    (
        re.compile(rb"^([ \t]*)from ((?:%s)[\w.]*) import " % _ROOT, re.MULTILINE),
        rb"\1from tfgraphtools.tf1.libraries.\2 import ",
    ),
)


def find_spec(name, path):
    """Returns the spec of a module of Keras 2.2.4 in the runtime; None for any other module.

    Under `run`, ``keras`` is Keras 2.2.4 already: None.

    Args:
      name: "tfgraphtools.tf1.libraries.keras.layers".
      path: the entry of ``__path__`` under which its own modules are looked for.

    Raises:
      LegacyMissingError: it is not installed.
    """
    old = name[len(_PREFIX) :] if name.startswith(_PREFIX) else ""
    if old.partition(".")[0] not in standalone.ROOTS or activation.is_active():
        return None
    folder = standalone.folder()
    if folder is None:
        raise without.missing(name)
    file, is_package = legacy.file_of(folder, old)
    if file is None:
        return standalone_names.spec_of(name, _PREFIX)
    return importlib.util.spec_from_file_location(
        name,
        file,
        loader=_Loader(name, file),
        submodule_search_locations=[path] if is_package else None,
    )


class _Loader(standalone.Loader):
    """Loads one module of Keras under its name in the runtime."""

    def get_data(self, path):
        """Returns the bytes of a file, with imports of Keras by its name in the runtime."""
        data = super().get_data(path)
        for pattern, replacement in _IMPORTS:
            data = pattern.sub(replacement, data)
        return data

    def exec_module(self, module):
        """Executes the module with the builtins of user code."""
        with _serving.in_force():
            vars(module)["__builtins__"] = user_builtins.users()
            self.execute(module)
        standalone_names.add_to(module, _PREFIX)
        if hasattr(module, "__path__"):
            others = vars(module).get("__getattr__")
            module.__getattr__ = functools.partial(_attribute, module.__name__, others)
        if module.__name__ == _PREFIX + "keras":
            module.__name__ = "keras"  # keras_contrib and others tell it from tf.keras by this


def _attribute(package, others, name):
    """Returns an attribute that a package does not bind.

    A module of it, imported when it is read.
    """
    if not name.startswith("__"):
        full = f"{package}.{name}"
        try:
            return importlib.import_module(full)
        except ModuleNotFoundError as error:
            if error.name != full:
                raise
    if others is not None:
        return others(name)
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
