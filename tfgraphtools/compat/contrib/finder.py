"""The finder that serves the legacy installation's modules under their names of TF 1.15.

`tensorflow.contrib`, `tensorflow.examples`, the estimator, and the few modules of
TensorFlow's core that only these need. Each is adapted as it is loaded, and runs as
user code: its imports give it the 1.x TensorFlow.
"""

import importlib
import importlib.machinery
import importlib.util
import os
import re
import sys

from tfgraphtools.compat import legacy, legacy_packages
from tfgraphtools.compat.contrib import (
    adaptations,
    namespace,
    op_wrappers,
    registrations,
    stand_ins,
    without,
)
from tfgraphtools.compat.engine import rows, state, views
from tfgraphtools.compat.engine.loading import made_modules, user_builtins
from tfgraphtools.compat.engine.translate import source

#: The packages that are served from the installation with all that is in them.
ROOTS = (
    "tensorflow.contrib",
    "tensorflow.examples",
    "tensorflow.python.estimator",
    "tensorflow_estimator",
)

#: Where Keras was in contrib; ``python.keras`` up to TF 1.3, and TF 1.15 has no such folder.
_KERAS = re.compile(r"tensorflow\.contrib\.keras\.(?:api|python)\.keras")
_OLD_KERAS = "tensorflow.contrib.keras.python"

#: Modules of core served from the installation, by name.
MODULES = frozenset(
    "tensorflow.python." + path.replace("/__init__", "").replace("/", ".")
    for path in legacy_packages.CORE_MODULES
)


class LegacyFinder:
    """A finder of the legacy installation's modules, ahead of every other finder."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Returns the spec of a served module, as finders of ``sys.meta_path`` do; else None."""
        if not is_served(name):
            return None
        place = legacy.find()
        if place is None:
            return without.find_spec(name)
        if name == "tensorflow.contrib":
            return namespace.spec(os.path.join(str(place), "tensorflow", "contrib"))
        if name in ("tensorflow_estimator", "tensorflow.contrib._core", _OLD_KERAS):
            return _package(name, os.path.join(str(place), *name.split(".")))
        if name in stand_ins.MODULES:
            return stand_ins.spec(name)
        if _KERAS.match(name):
            return made_modules.alias(name, _module_of_keras)
        file, is_package = legacy.file_of(str(place), name)
        if file is None:
            if legacy.is_of_another_version():
                raise without.outdated(name)
            return None
        loader = LegacyLoader(name, file)
        return importlib.util.spec_from_file_location(
            name,
            file,
            loader=loader,
            submodule_search_locations=[os.path.dirname(file)] if is_package else None,
        )


def _package(name, folder):
    """Returns the spec of a package without code of its own."""
    spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [folder]
    return spec


def _module_of_keras(name):
    """Returns the module of ``tf.keras`` for ``tensorflow.contrib.keras.api.keras`` and others."""
    return views.module("tensorflow.keras" + _KERAS.sub("", name))


def is_of_today(name):
    """Tells whether a module was written for today's TensorFlow: the last estimator's are."""
    return name.startswith("tensorflow_estimator.python")


def is_served(name):
    """Tells whether a module of this name comes from the installation.

    A disabled one does not: it would come back by another way.
    """
    if not name.startswith("tensorflow") or rows.is_off(name):
        return False
    return (
        name in MODULES
        or name in stand_ins.MODULES
        or any(name == root or name.startswith(root + ".") for root in ROOTS)
    )


class LegacyLoader(importlib.machinery.SourceFileLoader):
    """A loader of one module of the installation, which adapts it."""

    def get_data(self, path):
        """Returns the bytes of a file, which must be what was installed."""
        data = super().get_data(path)
        legacy.check_file(path, data)
        return data

    def get_code(self, fullname):
        """Returns the compiled module."""
        data = adaptations.adapted(fullname, self.get_data(self.path))
        if is_of_today(fullname):  # no user code: it must not mean what old source means
            return compile(data, self.path, "exec", dont_inherit=True)
        return source.code_of(data, self.path, is_users=False)

    def exec_module(self, module):
        """Executes the module as user code, or builds it where it cannot run as it is."""
        name = module.__spec__.name
        if op_wrappers.is_wrapper(name):
            op_wrappers.build(module, self.get_data(self.path))
        else:
            if not is_of_today(name):
                vars(module)["__builtins__"] = user_builtins.users()
            with registrations.taken_back_at_the_end(), rows.unreported():
                super().exec_module(module)


def install():
    """Puts the finder in force."""
    state.insert_finder(LegacyFinder)
    state.at_restore(_forget)


def _forget():
    """Takes every module that was served out of ``sys.modules`` and out of its package."""
    for name in [name for name in sys.modules if is_served(name)]:
        module = sys.modules.pop(name)
        parent, _, leaf = name.rpartition(".")
        holder = sys.modules.get(parent)
        if is_served(parent) or holder is None:
            continue  # goes too
        if vars(holder).get(leaf) is module:
            delattr(holder, leaf)
