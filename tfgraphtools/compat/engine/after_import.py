"""Functions that are called once a module has been loaded, by whomever.

Changes to a library that a script may not use are made when it is imported, so that
they cost nothing where it is not.
"""

import sys

from tfgraphtools.compat.engine import skipped, state

#: module name -> [(name of a fix, function of the module), ...] that wait for it.
_waiting = {}


def call(name, function, fix):
    """Calls ``function(module)`` after the module `name` was loaded; now if it was before.

    Args:
      name: the module's name.
      function: what changes the module, through `state` only.
      fix: the name of the fix that this is, under which `skipped` reports a failure.
    """
    if name in sys.modules:
        skipped.apply(fix, function, sys.modules[name])
        return
    if not _waiting:
        state.insert_finder(_Finder)
        state.at_restore(_waiting.clear)
    _waiting.setdefault(name, []).append((fix, function))


class _Finder:
    """A finder that finds nothing itself: it makes a module's loader tell when it is done."""

    is_watching = True  # it stays before finders that come later

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Returns the spec of a module that is waited for, as a finder of ``sys.meta_path``."""
        if name not in _waiting:
            return None
        spec = cls._find_with_others(name, path, target)
        if spec is None or not hasattr(spec.loader, "exec_module"):
            return spec
        exec_original = spec.loader.exec_module

        def exec_module(module):
            exec_original(module)
            # Here: a spec may be asked for and not loaded.
            for fix, function in _waiting.pop(name, ()):
                skipped.apply(fix, function, module)

        spec.loader.exec_module = exec_module
        return spec

    @classmethod
    def _find_with_others(cls, name, path, target):
        for finder in sys.meta_path:
            find = None if finder is cls else getattr(finder, "find_spec", None)
            spec = find and find(name, path, target)
            if spec is not None:
                return spec
        return None
