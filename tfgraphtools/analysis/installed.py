"""Names that the installed libraries have, under plain Python."""

import contextlib
import importlib.util
import io
import os
import sys
import sysconfig
import types
import warnings
from typing import NamedTuple

from tfgraphtools.analysis import library_sources
from tfgraphtools.analysis.library_sources import CLASS, MODULE, OPEN, VALUE
from tfgraphtools.errors import nearest

#: Libraries that are imported where they are asked for: each is small, or fills itself when it
#: is imported. Importing TensorFlow or Keras takes seconds: their sources are read.
_IMPORTED = frozenset("numpy scipy pandas sklearn PIL six h5py matplotlib".split())

#: Modules of Python's library that do something when they are imported.
_ACTING = frozenset(
    "antigravity this idlelib turtledemo __main__ __hello__ __phello__ test".split()
)

#: The folder of Python's library.
_OF_PYTHON = sysconfig.get_paths()["stdlib"]

#: How the reason begins of what nobody could look at.
NOT_LOOKED_AT = "not looked at"

_MISSING_HERE = "the installed {} has no such name"


class Answer(NamedTuple):
    """The answer to whether a name is there.

    Fields:
      name: its beginning up to what is not there, or cannot be looked at.
      is_missing: False where it cannot be looked at.
      why: one line.
      remedy: one line, or "".
    """

    name: str
    is_missing: bool
    why: str
    remedy: str = ""


class Libraries:
    """The installed libraries.

    Args:
      legacy_keras: whether TensorFlow takes its Keras from tf_keras: TF_USE_LEGACY_KERAS.
      modules: the modules of libraries that the program imports: they are attributes then.
    """

    def __init__(self, legacy_keras, modules=()):
        self.legacy_keras = legacy_keras
        self._modules = {
            ".".join(parts[:end])
            for parts in (name.split(".") for name in modules)
            for end in range(1, len(parts) + 1)
        }
        self._lazy = _lazy_modules(legacy_keras)
        self._answers = {}

    def lacks(self, name, is_module=False):
        """Returns an `Answer` for a name that is not there, or cannot be looked at; else None.

        The attributes of a value, of which no source says what it is, are not looked at: they
        are none of a library's names.

        Args:
          name: "tensorflow.compat.v1.placeholder".
          is_module: whether it is imported as a module.
        """
        key = name, is_module
        if key not in self._answers:
            self._answers[key] = self._answer(name, is_module)
        return self._answers[key]

    def is_imported(self, root):
        """Tells whether a library is imported where it is asked for; sources of others are read."""
        if root in _ACTING:
            return False
        is_there = root in _IMPORTED and _is_in_packages(library_sources.top(root))
        return is_there or root in sys.builtin_module_names or _is_of_python(root)

    def owner(self, name):
        """Returns the `Definition` in which a name lies, by its package's sources, or None."""
        parts = name.split(".")
        definition, here = library_sources.top(parts[0]), parts[0]
        for part in parts[1:-1]:
            here = f"{here}.{part}"
            if definition is None or definition.kind not in (MODULE, CLASS):
                return None
            definition = self._member(definition, here, part, True, False)
            if isinstance(definition, Answer):
                return None
        return definition

    def _answer(self, name, is_module):
        root = name.partition(".")[0]
        if root in sys.builtin_module_names or _is_of_python(root):
            return None if root in _ACTING else _imported(name, is_module)
        if library_sources.top(root) is None:
            return _not_installed(root)
        if self.is_imported(root):
            return _imported(name, is_module)
        return self._read(name, is_module)

    def _read(self, name, is_module):
        """Returns the `Answer` from the sources of a package."""
        parts = name.split(".")
        definition, here = library_sources.top(parts[0]), parts[0]
        for end, part in enumerate(parts[1:], 2):
            owner, here = definition, f"{here}.{part}"
            if owner.kind == VALUE:
                return None
            definition = self._member(owner, here, part, is_module, end == len(parts))
            if isinstance(definition, Answer):
                return definition
            if definition is None and library_sources.is_namespace(owner):
                return _not_installed(here)
            if definition is None:
                why = _MISSING_HERE.format(parts[0])
                return Answer(here, True, why, _nearest(part, library_sources.names_of(owner)))
            if definition.kind == OPEN:
                if owner.kind == CLASS:
                    return None  # its attributes come from what only running it makes
                return Answer(here, False, f"{NOT_LOOKED_AT}: {parts[0]} makes it when it runs")
        return None

    def _member(self, owner, here, part, is_module, is_last):
        if here in self._lazy:
            target = self._lazy[here]
            if target is None:
                return Answer(
                    here,
                    True,
                    "Keras 3 has no such module",
                    "set TF_USE_LEGACY_KERAS=1 before TensorFlow is imported, with tf_keras",
                )
            root, *more = target.split(".")
            definition = library_sources.top(root)
            for inner in more:
                definition = definition and library_sources.submodule(definition.file, inner)
            why = f"{NOT_LOOKED_AT}: {root} is not installed"
            return definition or Answer(here, False, why, f"pip install {root}")
        if owner.kind == MODULE and (is_module or here in self._modules):
            module = library_sources.submodule(owner.file, part)
            if module is not None:
                return module
        if is_last and library_sources.binds(owner, part):
            return library_sources.A_VALUE  # what it is makes no difference
        return library_sources.member(owner, part)


def _not_installed(name):
    why = f"{NOT_LOOKED_AT}: {name} is not installed"
    return Answer(name, False, why, "install it where the code is to run")


def _lazy_modules(legacy):
    """Returns {name: module that TensorFlow loads for it, or None where that fails}."""
    keras = "tf_keras.api._v{}.keras" if legacy else "keras._tf_keras.keras"
    names = {}
    for root, version in (("tensorflow", 2), ("tensorflow.compat.v2", 2)):
        names[root + ".keras"] = keras.format(version)
        for part in ("losses", "metrics", "optimizers", "initializers"):
            names[f"{root}.{part}"] = f"{keras.format(version)}.{part}"
    v1 = "tensorflow.compat.v1"
    names[v1 + ".app.flags"] = "tensorflow.python.platform.flags"
    names[v1 + ".keras"] = keras.format(1)
    for name, part in (("layers", "layers"), ("nn.rnn_cell", "rnn_cell")):
        module = f"{keras.format(1)}.__internal__.legacy.{part}"
        names[f"{v1}.{name}"] = module if legacy else None
    return names


def _is_of_python(root):
    listed = getattr(sys, "stdlib_module_names", None)  # since Python 3.10
    if listed is not None:
        return root in listed
    definition = library_sources.top(root)
    if definition is None or _is_in_packages(definition):
        return False
    return os.path.realpath(definition.file).startswith(os.path.realpath(_OF_PYTHON) + os.sep)


def _is_in_packages(definition):
    """Tells whether a package is an installed one: PYTHONPATH may name the user's code, too."""
    return definition is not None and "-packages" in definition.file


def _imported(name, is_module):
    """Returns the `Answer` for a name of a package that may be imported."""
    parts = name.split(".")
    value = None
    for end, part in enumerate(parts, 1):
        here = ".".join(parts[:end])
        owner, value = value, _step(value, here, part, is_module and end == len(parts))
        if isinstance(value, Answer):
            return value
        if value is _NOTHING:
            is_python = parts[0] in sys.builtin_module_names or _is_of_python(parts[0])
            why = _MISSING_HERE.format("Python" if is_python else parts[0])
            if owner is None:
                why = f"today's Python has no module {here}"
            names = [public_name for public_name in dir(owner) if not public_name.startswith("_")]
            return Answer(here, True, why, _nearest(part, names))
        if not isinstance(value, (types.ModuleType, type)):
            return None
    return None


_NOTHING, _PROGRAM = object(), object()


def _step(owner, here, part, is_module):
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        if owner is not None:
            try:
                return getattr(owner, part)
            except AttributeError:
                if not isinstance(owner, types.ModuleType) or not hasattr(owner, "__path__"):
                    return _NOTHING
            except Exception as error:  # a name that is gone may say why: sklearn's load_boston
                is_gone = isinstance(error, ImportError) and not error.name
                why = str(error).strip().partition("\n")[0]
                return Answer(here, is_gone, why if is_gone else f"{NOT_LOOKED_AT}: {why}")
        try:
            if part == "__main__":  # it would run the program that it is
                return _NOTHING if importlib.util.find_spec(here) is None else _PROGRAM
            return importlib.import_module(here)
        except ModuleNotFoundError as error:
            if error.name and (here + ".").startswith(error.name + "."):
                return _NOTHING
            return Answer(here, False, f"{NOT_LOOKED_AT}: {error}")
        except Exception as error:  # a library may raise anything while it is imported
            return Answer(here, False, f"{NOT_LOOKED_AT}: it cannot be imported here ({error})")


def _nearest(part, names):
    near = nearest(part, names, 1)
    return f"did you mean {near[0]}?" if near else ""
