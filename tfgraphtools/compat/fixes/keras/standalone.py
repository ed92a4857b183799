"""``import keras``: Keras 2.2.4 itself, from the legacy installation, as user code.

What a script of TF 1's time calls ``keras`` is a library of its own that was built on
``import tensorflow``. Its successors share the names and not the meaning (``lr=`` is
ignored, defaults differ, LSTM has another activation), so the real one is served, as
contrib is. Without the legacy installation tf_keras stands for it, and the run says so.
"""

import importlib.machinery
import importlib.util
import os
import sys
import warnings

from tfgraphtools.compat import legacy
from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.loading import loaders
from tfgraphtools.compat.engine.rewrite_kinds import Runtime
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.translate import source
from tfgraphtools.compat.engine.views import lookup, user_imports
from tfgraphtools.compat.fixes.keras import standalone_names, step_counters
from tfgraphtools.compat.fixes.keras.dropped import scikit_wrappers

#: The packages that are served: Keras, and the two that it was divided into.
ROOTS = ("keras", "keras_applications", "keras_preprocessing")

ROW = Fix(
    "keras.standalone",
    "Keras 2.4",
    "import keras imports Keras 2.2.4, which 'legacy install' installs; today's Keras differs "
    "silently",
    rewrite=Runtime("tfgraphtools.tf1.libraries.keras"),
)

#: Parts of its source that NumPy no longer accepts.
ADAPTED = (
    (b"        if weight_names:", b"        if len(weight_names):"),  # an array without elements
)

TABLES = (Table("standalone Keras", "listed", [ROW]), standalone_names.TABLE)


def install(options):
    """Serves Keras 2.2.4 where it is installed, unless another Keras is loaded already."""
    if rows.is_off(ROW.name) or "keras" in sys.modules or folder() is None:
        return
    lookup.forget_root("keras")
    state.insert_finder(_Finder)


def folder():
    """Returns the folder of the legacy installation if Keras is in it, else None."""
    place = legacy.find()
    if place is None or not os.path.isfile(os.path.join(str(place), "keras", "__init__.py")):
        return None
    return str(place)


def serves(root):
    """Tells whether ``import root`` gives Keras 2.2.4, or a package that it was divided into."""
    return root in ROOTS and not rows.is_off(ROW.name) and folder() is not None


def holds(file):
    """Tells whether a file is one of the served packages."""
    place = folder()
    return place is not None and os.path.relpath(file, place).split(os.sep)[0] in ROOTS


class _Finder:
    """A finder of the modules of Keras 2.2.4, ahead of those that are installed."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Returns the spec of a module of Keras; None for other modules, and for a user's own."""
        root = name.partition(".")[0]
        if root not in ROOTS or user_imports._is_users_own(root):
            return None
        file, is_package = legacy.file_of(folder(), name)
        if file is None:
            return standalone_names.spec_of(name)
        return importlib.util.spec_from_file_location(
            name,
            file,
            loader=_UsersLoader(name, file),
            submodule_search_locations=[os.path.dirname(file)] if is_package else None,
        )


class Loader(importlib.machinery.SourceFileLoader):
    """A loader of one module of Keras as user code: its TensorFlow is the 1.x one."""

    def get_data(self, path):
        """Returns the bytes of a file, which must be what was installed."""
        data = super().get_data(path)
        legacy.check_file(path, data)
        return data

    def get_code(self, fullname):
        """Returns the compiled module."""
        data = self.get_data(self.path)
        for old, new in ADAPTED:
            data = data.replace(old, new)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return source.code_of(data, self.path, is_users=False)

    def execute(self, module):
        """Executes the module; what it uses is not reported."""
        with rows.unreported():
            importlib.machinery.SourceFileLoader.exec_module(self, module)
        if module.__name__.endswith(scikit_wrappers.MODULE):
            scikit_wrappers.answer_in(module)
        if module.__name__.endswith(step_counters.MODULE):
            step_counters.read_first_in(module)


class _UsersLoader(Loader):
    """A loader of one module of the ``keras`` of user code."""

    def exec_module(self, module):
        """Executes the module with the builtins of user code; what it uses is not reported."""
        rows.used(ROW)  # not when it is found: TensorFlow itself asks if there is a Keras
        loaders.own_module(module, self.path)
        self.execute(module)
        standalone_names.add_to(module)
