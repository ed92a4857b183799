"""Results of absolute imports, so that an import that a function repeats costs little.

A result counts while the modules that it depends on stay in ``sys.modules``. What is not in the
cache, or no longer counts, is imported as if for the first time.
"""

import sys

from tfgraphtools.compat.engine import rows

modules = sys.modules

#: (module, names that are imported from it or None, ``__name__`` and ``__python2__`` of who
#: imports) -> (the modules that the result depends on: (name, module or ABSENT), the result; None
#: where Python's own import gives it).
results = {}

#: In place of a module that is not in ``sys.modules``: much of the 1.x API never is.
ABSENT = object()

#: name -> the first module that compat showed something else for.
_shown = {}


def begin():
    """Forgets all imports."""
    results.clear()
    _shown.clear()


def note_shown(name):
    """Remembers the module that compat shows something else for."""
    if modules.get(name) is not None:
        _shown.setdefault(name, modules[name])


def is_replaced(name):
    """Tells whether another module, such as a mock, is in ``sys.modules`` for one imported before.

    Another copy of the same module does not count: libraries import their parts by two names.
    """
    shown, now = _shown.get(name), modules.get(name)
    if shown is None or now is shown or name not in modules:
        return False
    return now is None or _name_of(now) != _name_of(shown)


def _name_of(module):
    return getattr(getattr(module, "__spec__", None), "name", None)


def note(name, names, importer, result, is_view, package=""):
    """Remembers what an absolute import gave.

    Args:
      name: the module; absolute.
      names: the names that are imported from it.
      importer: the globals of the module that imports.
      result: what it gave.
      is_view: whether compat shows it in the place of the module that Python has.
      package: the importer's package, if the module was found in it.
    """
    names = names or None
    if importer is None or not (names is None or type(names) is tuple):
        return  # a call of ``__import__``
    first = name.partition(".")[0]
    prefix = package + "." if package else ""
    depends_on = [(prefix + n, modules.get(prefix + n, ABSENT)) for n in sorted({first, name})]
    module = depends_on[-1][1]
    if module is None or (module is ABSENT and not is_view) or _is_initializing(module):
        return
    if rows.is_reporting() and "*" not in (names or ()):
        is_pythons = names and not is_view and hasattr(module, "__path__")
        key = name, names, importer.get("__name__"), importer.get("__python2__")
        results[key] = depends_on, None if is_pythons else result  # Python loads its submodules


def _is_initializing(module):
    """Tells whether Python's import would wait for the thread that loads this module."""
    return getattr(getattr(module, "__spec__", None), "_initializing", False)
