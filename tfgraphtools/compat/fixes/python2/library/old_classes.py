"""Classes of Python 2 without a base: methods are searched in depth first, from the left."""

import types
import weakref

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.table import CLASSES

#: The classes of Python 2's code that have no base.
_WITHOUT_BASE = weakref.WeakSet()


def note(cls):
    """Notes a class that was written without a base, and returns it."""
    _WITHOUT_BASE.add(cls)
    return cls


def is_old(cls):
    """Tells whether a class was an old one: no base of it is `object`, nor a class of today."""
    if cls in _WITHOUT_BASE:
        return True
    return cls.__bases__ not in ((), (object,)) and all(map(is_old, cls.__bases__))


def order_of(bases):
    """Returns the classes in which a class with these bases looks for a name, without itself."""
    order = []
    for base in bases:
        order += [cls for cls in (base, *order_of(base.__bases__)) if cls not in order]
    return [cls for cls in order if cls is not object]


class _DepthFirst(type):
    """The class of classes that are searched so."""

    def mro(cls):
        if not all(map(is_old, cls.__bases__)):
            return super().mro()
        return [cls, *order_of(cls.__bases__), object]


class _Metaclass:
    """What makes a class that has several bases."""

    def __prepare__(self, name, bases, **options):
        return types.prepare_class(name, bases, options)[1]

    def __call__(self, name, bases, namespace, **options):
        metaclass, _, options = types.prepare_class(name, bases, options)
        if metaclass is type and all(map(is_old, bases)) and _is_diamond(bases):
            rows.used(CLASSES)
            metaclass = _DepthFirst
        return metaclass(name, bases, namespace, **options)


def _is_diamond(bases):
    """Tells whether a base is reached in two ways."""
    reached = [cls for base in bases for cls in base.__mro__ if cls is not object]
    return len(reached) > len(set(reached))


HELPERS = {"__python2_old_class__": note, "__python2_metaclass__": _Metaclass()}
