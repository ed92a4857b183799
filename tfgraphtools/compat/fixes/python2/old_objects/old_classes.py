"""Classes of Python 2 without a base: methods are searched in depth first, from the left."""

import types
import weakref

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.fixes.python2.old_objects import unbound_methods
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


_NOTICE = (
    "the type of an old class, and of an object of one, is another in Python 3: Python 2 gave "
    "classobj and instance, whatever the class"
)


def tell_type(value):
    """Gives the notice about ``type(value)`` where Python 2 had an old class, or its object."""
    kind = value if isinstance(value, type) else type(value)
    if _WITHOUT_BASE and is_old(kind):
        notices.once("python2.old_classes", _NOTICE)


def bases(value):
    """Returns ``value.__bases__``, which has no `object` in it of an old class."""
    of_today = value.__bases__
    return () if of_today == (object,) and value in _WITHOUT_BASE else of_today


def as_self(cls, name, value):
    """Returns the first argument of ``cls.name(value)``, which is to be of the class.

    Raises:
      TypeError: it is not, and ``cls.name`` is a function.
    """
    if not isinstance(cls, type) or isinstance(value, cls):
        return value
    owner = next((base for base in cls.__mro__ if name in vars(base)), None)
    if owner is None or not isinstance(vars(owner)[name], types.FunctionType):
        return value
    raise unbound_methods.refusal(cls, name, [value])


def as_selves(cls, name, values):
    """Returns the arguments of ``cls.name(*values)``: see `as_self`."""
    values = tuple(values)
    for value in values[:1]:
        as_self(cls, name, value)
    return values


HELPERS = {
    **unbound_methods.HELPERS,
    "__python2_old_class__": note,
    "__python2_metaclass__": _Metaclass(),
    "__python2_bases__": bases,
    "__python2_self__": as_self,
    "__python2_selves__": as_selves,
}
