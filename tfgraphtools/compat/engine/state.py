"""What compat has changed in this process, and how it was before: the one undo log.

Whoever changes a foreign module, a class, a mapping or the import system does it
here, so that `restore` puts everything back, last change first.
"""

import sys

_MISSING = object()

#: Functions that undo one change each, in the order of the changes.
_undo = []

#: Modules of user code that were loaded: they are forgotten at the end.
_modules = []


def set_attribute(owner, name, value, new=False):
    """Sets ``owner.name``; `restore` puts back what was there, or takes it away.

    Args:
      owner, name, value: the module, class or object, its attribute, and the new value.
      new: whether the attribute may be one that the owner does not have yet.

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

    _undo.append(undo)


def set_item(mapping, key, value):
    """Sets ``mapping[key]``; `restore` puts back what was there, or takes it away."""
    before = mapping[key] if key in mapping else _MISSING
    mapping[key] = value

    def undo():
        if before is _MISSING:
            mapping.pop(key, None)
        else:
            mapping[key] = before

    _undo.append(undo)


def insert_finder(finder):
    """Puts a finder before all others of ``sys.meta_path`` but those that only watch them."""
    place = 0
    while getattr(sys.meta_path[place], "is_watching", False):
        place += 1
    sys.meta_path.insert(place, finder)
    _undo.append(lambda: sys.meta_path.remove(finder) if finder in sys.meta_path else None)


def at_restore(function):
    """Registers a function that `restore` calls."""
    _undo.append(function)


def forget_module(module):
    """Makes `restore` forget a module that was loaded."""
    _modules.append(module)


def is_changed():
    """Whether anything is changed at all."""
    return bool(_undo)


def mark():
    """Returns the place in the undo log to which `undo_since` goes back."""
    return len(_undo)


def undo_since(place):
    """Undoes the changes since a `mark`, last first."""
    while len(_undo) > place:
        _undo.pop()()


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
