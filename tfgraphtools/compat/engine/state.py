"""The one undo log: what compat has changed in this process, and how it was before.

Whoever changes a foreign module, a class, a mapping or the import system does it
here, so that `restore` puts everything back, last change first.
"""

import contextlib
import os
import sys
from typing import Any, Callable, NamedTuple

_MISSING = object()

#: For whom a change is: whoever runs in this process, or user code alone.
PROCESS, USER_CODE = "the process", "user code"


class Patch(NamedTuple):
    """A change that is in force.

    Fields:
      place: what is changed: "numpy.ndarray.sum", "os.environ['TZ']".
      fix: the name of the fix, or of the part of compat, that changed it.
      audience: who gets the changed one, `PROCESS` or `USER_CODE`.
    """

    place: str
    fix: str
    audience: str


class _Change(NamedTuple):
    """A change in the undo log: how it is undone, and what `patches` says of it."""

    undo: Callable[[], Any]
    owner: Any = None
    describe: Callable[[], str] = str
    fix: str = ""
    audience: str = PROCESS


#: The changes, in their order. Those without an owner are of our own state.
_changes = []

#: The names of the fixes that are being applied, the innermost last.
_fixes = []

#: Modules of user code that were loaded: they are forgotten at the end.
_modules = []


@contextlib.contextmanager
def applying(fix):
    """Says which fix the changes inside belong to."""
    _fixes.append(fix)
    try:
        yield
    finally:
        _fixes.pop()


def patches():
    """Returns a `Patch` for each attribute, item and finder that is changed now, oldest first."""
    return [
        Patch(change.describe(), change.fix, change.audience)
        for change in _changes
        if change.owner is not None
    ]


def set_attribute(owner, name, value, new=False, audience=PROCESS):
    """Sets ``owner.name``; `restore` puts back what was there, or takes it away.

    Args:
      owner, name, value: the module, class or object, its attribute, and the new value.
      new: whether the attribute may be one that the owner does not have yet.
      audience: for whom it is changed.

    Raises:
      AttributeError: the owner has no such attribute, which is not expected to be new: what a
        library has renamed would be set under a name that nobody reads.
    """
    if not new:
        getattr(owner, name)
    own = getattr(owner, "__dict__", None)  # a class may inherit what it does not hold itself
    before = getattr(owner, name, _MISSING) if own is None else own.get(name, _MISSING)
    setattr(owner, name, value)

    def undo():
        if before is _MISSING:
            delattr(owner, name)
        else:
            setattr(owner, name, before)

    _note(undo, owner, lambda: _name_of(owner) + "." + name, audience)


def set_item(mapping, key, value):
    """Sets ``mapping[key]``; `restore` puts back what was there, or takes it away."""
    before = mapping[key] if key in mapping else _MISSING
    mapping[key] = value

    def undo():
        if before is _MISSING:
            mapping.pop(key, None)
        else:
            mapping[key] = before

    _note(undo, mapping, lambda: f"{_name_of(mapping)}[{key!r}]")


def insert_finder(finder):
    """Puts a finder before all others of ``sys.meta_path`` but those that only watch them."""
    place = 0
    while getattr(sys.meta_path[place], "is_watching", False):
        place += 1
    sys.meta_path.insert(place, finder)
    _note(
        lambda: sys.meta_path.remove(finder) if finder in sys.meta_path else None,
        finder,
        lambda: f"sys.meta_path: {_name_of(finder)}",
    )


def _note(undo, owner, describe, audience=PROCESS):
    fix = _fixes[-1] if _fixes else sys._getframe(2).f_globals["__name__"].partition("compat.")[2]
    _changes.append(_Change(undo, owner, describe, fix, audience))


def _name_of(owner):
    """Returns a dotted name of what is changed; of an object, that of its class."""
    known = [name for name, mapping in _MAPPINGS.items() if mapping is owner]
    if known:
        return known[0]
    if isinstance(owner, type(sys)):
        return owner.__name__
    kind = owner if hasattr(owner, "__qualname__") else type(owner)
    return f"{kind.__module__}.{kind.__qualname__}"


_MAPPINGS = {"os.environ": os.environ, "sys.modules": sys.modules}


def at_restore(function):
    """Registers a function that `restore` calls."""
    _changes.append(_Change(function))


def forget_module(module):
    """Makes `restore` forget a module that was loaded."""
    _modules.append(module)


def is_changed():
    """Tells whether anything is changed at all."""
    return bool(_changes)


def mark():
    """Returns the place in the undo log to which `undo_since` goes back."""
    return len(_changes)


def undo_since(place):
    """Undoes the changes since a `mark`, last first."""
    while len(_changes) > place:
        _changes.pop().undo()


def restore():
    """Undoes every change, last first; a second call finds nothing to do."""
    undo_since(0)
    while _modules:
        _forget(_modules.pop())


def _forget(module):
    for name in [name for name, known in list(sys.modules.items()) if known is module]:
        del sys.modules[name]
        parent, _, leaf = name.rpartition(".")
        holder = vars(sys.modules[parent]) if parent in sys.modules else {}
        if holder.get(leaf) is module:
            delattr(sys.modules[parent], leaf)
