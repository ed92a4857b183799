"""Imports that were done before: what they gave, so that a repeated one costs little.

A function of user code may import at each call. What such a statement gives depends on
the tables, which stay, and on ``sys.modules``, which is asked each time: a module that was
taken away or replaced is imported as if for the first time. Much of the 1.x API is no module
there at all: that it is absent still is what is asked then.
"""

import sys

modules = sys.modules

#: name -> (its module in ``sys.modules`` at that time, what ``import`` gave).
#: The importer reads it itself, as this must take no more time than Python's own import.
#: Of a name with dots it is no module, so that `dotted` is asked.
whole = {}

#: name with dots -> (its module, its first part, the module of that, what ``import`` gave).
_dotted = {}

#: name -> (its module in ``sys.modules`` at that time, what ``from name import`` took from,
#: the names that it had: all others may have to be loaded).
_parts = {}


#: name -> the first module that compat showed something else for.
_shown = {}


def begin():
    """Forgets all imports."""
    for known in (whole, _dotted, _parts, _shown):
        known.clear()


def is_replaced(name):
    """Whether another module stands in ``sys.modules`` for one that was imported, a mock, say.

    Another copy of the same module is none: libraries import their parts by other names too.
    """
    before, now = _shown.get(name), modules.get(name, _UNKNOWN)
    if before is None or now is before or now is _UNKNOWN:
        return False
    return now is None or _name_of(now) != _name_of(before)


def _name_of(module):
    return getattr(getattr(module, "__spec__", None), "name", None)


def dotted(name, importer):
    """The earlier result of ``import name.with.dots``; None if it must be repeated."""
    behind, first, top, found = _dotted.get(name, _NEVER)
    if modules.get(name, _ABSENT) is not behind or modules.get(first) is not top:
        return None
    return None if importer and "__python2__" in importer else found


def part(name, importer, fromlist):
    """The earlier module of ``from name import ...``; None if it must be repeated.

    Args:
      name, fromlist: as ``__import__`` gets them.
      importer: the globals of the module that imports, or None. In code for Python 2 a name
        may mean something else.
    """
    behind, found, names = _parts.get(name, _UNKNOWN)
    for item in fromlist:
        if item not in names:
            return None
    if modules.get(name, _ABSENT) is not behind or (importer and "__python2__" in importer):
        return None
    return found


def note(name, importer, fromlist, found, is_view):
    """Remembers what an absolute import gave.

    Args:
      name, importer, fromlist: as `part` gets them.
      found: what it gave.
      is_view: whether that is what compat shows instead of the module.
    """
    behind = modules.get(name, _ABSENT)
    if (
        behind is None
        or (behind is _ABSENT and not is_view)
        or (importer and "__python2__" in importer)
    ):
        return
    if getattr(getattr(behind, "__spec__", None), "_initializing", False):
        return  # Python's own import waits for the thread that loads it
    if is_view and behind is not _ABSENT:
        _shown.setdefault(name, behind)
    if not fromlist:
        if "." in name:
            first = name.partition(".")[0]
            _dotted[name] = behind, first, modules.get(first), found
            whole[name] = _UNKNOWN[:2]
        else:
            whole[name] = behind, found
    elif not is_view:
        _parts[name] = behind, found, getattr(behind, "__dict__", ())
    else:
        known = _parts.get(name, _UNKNOWN)
        names = known[2] if known[0] is behind else ()
        _parts[name] = behind, found, {*names, *fromlist} - {"*"}


_ABSENT = object()
_UNKNOWN = object(), None, frozenset()
_NEVER = _UNKNOWN[0], "", None, None
