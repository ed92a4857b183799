"""The files of a codebase as modules: which of them an import means."""

import os
import sys

from tfgraphtools.analysis import library_sources
from tfgraphtools.compat.doctor import install

#: Packages whose names modules of other packages have, too: ``import tensorflow`` in a package
#: with a module tensorflow.py means TensorFlow.
_LIBRARIES = frozenset("tensorflow numpy scipy keras pandas sklearn matplotlib six".split())


class Files:
    """The files of a codebase as modules: which of them an import means.

    Args:
      paths: absolute paths.

    Attributes:
      paths: all of them, a tuple.
      top: the folder that holds all of them.
    """

    def __init__(self, paths):
        self.paths = tuple(paths)
        self._paths = frozenset(paths)
        self._found = {}
        self._by_name = {}
        for path in sorted(self._paths):
            self._by_name.setdefault(os.path.basename(_stem(path)), []).append(path)
        self.top = os.path.commonpath([os.path.dirname(p) for p in paths]) if paths else ""

    def find(self, level, module, path):
        """Returns the file that ``import module`` (or ``from ..module``) means, or None."""
        key = level, module, os.path.dirname(path)
        if key not in self._found:
            self._found[key] = self._look(level, module, path)
        return self._found[key]

    def _look(self, level, module, path):
        folder = os.path.dirname(path)
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return self._file(folder, module)
        is_library = module.partition(".")[0] in _LIBRARIES
        while len(folder) >= len(self.top):
            inside = os.path.join(folder, "__init__.py") in self._paths
            candidate = None if is_library and inside else self._file(folder, module)
            if candidate or folder == os.path.dirname(folder):
                return candidate
            folder = os.path.dirname(folder)
        return self._elsewhere(module)

    def _elsewhere(self, module):
        """Returns the only file of this name, whose folder ``sys.path.append`` adds, or None."""
        root = module.partition(".")[0]
        is_library = root in sys.builtin_module_names or install.command_for(root) is not None
        if is_library or library_sources.top(root) is not None:
            return None
        ends = os.path.join(os.sep, *module.split("."))
        files = self._by_name.get(os.path.basename(ends), ())
        files = [path for path in files if _stem(path).endswith(ends)]
        return files[0] if len(files) == 1 else None

    def _file(self, folder, module):
        base = os.path.join(folder, *module.split(".")) if module else folder
        for path in (base + ".py", os.path.join(base, "__init__.py")):
            if path in self._paths:
                return path
        return None

    def beside(self, path, name):
        """Tells whether a module of this name lies in the folder of a file."""
        module_path = self._file(os.path.dirname(path), name)
        return module_path is not None and module_path != path

    def is_in_package(self, path):
        """Tells whether the folder of a file is a package."""
        return os.path.join(os.path.dirname(path), "__init__.py") in self._paths

    def submodule(self, path, name):
        """Returns the file of the module `name` in the package whose ``__init__.py`` is `path`."""
        if os.path.basename(path) != "__init__.py":
            return None
        return self._file(os.path.dirname(path), name)


def _stem(path):
    """Returns the path of a module without ``.py`` or ``/__init__.py``."""
    folder, name = os.path.split(path)
    return folder if name == "__init__.py" else os.path.splitext(path)[0]
