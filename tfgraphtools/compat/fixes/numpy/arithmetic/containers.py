"""Numbers in containers compared as NumPy 1 did: ``0.1 in [np.float32(0.1)]`` is False.

NumPy 2 compares a float32 with a number of Python as float32, NumPy 1 compared float64. Python's
own containers, ``max``, ``min`` and ``sorted`` compare their items themselves. Where such numbers
are among them, they are compared as float64, which holds each exactly.
"""

import builtins
import collections
import functools
import sys
import types

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.loading import standing_functions
from tfgraphtools.compat.fixes.numpy.arithmetic import promotion

_max, _min, _sorted = builtins.max, builtins.min, builtins.sorted

#: Sequences that compare their items one by one.
_SEQUENCES = frozenset((list, tuple, collections.deque))

#: Types by which NumPy 1 compared -> what holds their numbers exactly.
_WIDE = {"float16": "float64", "float32": "float64", "complex64": "complex128"}


#: Integers up to this are the same numbers of every type of floats.
EXACT, LEAST_EXACT = 2048, -2048

#: Python's numbers, which NumPy 1 and 2 compare with NumPy's in their own ways.
_NUMBERS = (int, float, complex)

#: Classes known to be neither such numbers nor containers: a look at many items is quick.
_OTHERS = set()


class _Kinds(dict):
    """class -> whether its objects are such numbers (1), may hold some (2), or neither (0)."""

    def __missing__(self, cls):
        self[cls] = 2 if compares_items(cls) else int(_is_narrow(cls))
        if not self[cls]:
            _OTHERS.add(cls)
        return self[cls]


def _is_narrow(cls):
    numpy = sys.modules.get("numpy")  # a class that was there before NumPy is none of its own
    if numpy is None:
        return False
    return issubclass(cls, numpy.ndarray) or (
        cls.__name__ in _WIDE and issubclass(cls, numpy.generic)
    )


def compares_items(cls):
    """Tells whether objects of a class are compared by what is in them."""
    if cls in _SEQUENCES or cls in (dict, collections.OrderedDict, collections.defaultdict):
        return True
    return issubclass(cls, tuple) and (cls.__eq__, cls.__lt__) == (tuple.__eq__, tuple.__lt__)


_KINDS = _Kinds()


class _Alike(dict):
    """class -> whether both NumPys compare its objects alike with any number: texts, say.

    Where one of them is looked for, nothing is compared a second time, which its class may notice.
    """

    def __missing__(self, cls):
        self[cls] = not (_KINDS[cls] or issubclass(cls, _NUMBERS))
        return self[cls]


_ALIKE = _Alike()


def wide(value):
    """Returns a float16, a float32 or an array of no dimension of them as float64."""
    if _KINDS[value.__class__] != 1:
        return value
    name = None if getattr(value, "ndim", 0) else _WIDE.get(value.dtype.name)
    if name is None or promotion.is_masked(value) or rows.is_off(promotion.PROMOTION.name):
        return value
    rows.used(promotion.PROMOTION)
    return sys.modules["numpy"].dtype(name).type(value)


def has_narrow(items):
    """Tells whether such a number is among items, or in the containers among them."""
    if _OTHERS.issuperset(map(type, items)):
        return False
    waiting = [items]
    seen = set()  # a container may be in itself
    while waiting:
        items = waiting.pop()
        classes = set(map(type, items))
        kinds = {_KINDS[cls] for cls in classes}
        if 1 in kinds:
            return True
        if 2 in kinds:
            inner = [i for i in items if _KINDS[i.__class__] == 2 and id(i) not in seen]
            seen.update(map(id, inner))
            waiting += [item.values() if isinstance(item, dict) else item for item in inner]
    return False


class _Widened(dict):
    """id -> the object with wide numbers; equal for the same object, which is equal to itself."""

    def of(self, value):
        """Returns a value with wide numbers in it; others stay themselves."""
        kind = _KINDS[value.__class__]
        if not kind:
            return value
        if id(value) not in self:
            self[id(value)] = wide(value), value  # which must live as long as its id
            if kind == 2:
                self[id(value)] = self._of_container(value), value
        return self[id(value)][0]

    def _of_container(self, value):
        if not has_narrow([value]):
            return value
        if isinstance(value, dict):
            return {key: self.of(item) for key, item in value.items()}
        items = [self.of(item) for item in value]
        return tuple(items) if isinstance(value, tuple) else value.__class__(items)


def is_equal(a, b):
    """Tells whether two objects that NumPy 2 calls equal are so in NumPy 1."""
    kinds = _KINDS[a.__class__], _KINDS[b.__class__]
    if a is b or kinds == (0, 0) or (a.__class__ is b.__class__ and kinds[0] == 1):
        return True
    if 2 not in kinds:
        return bool(wide(a) == wide(b))
    if kinds != (2, 2) or not (has_narrow([a]) or has_narrow([b])):
        return True
    if isinstance(a, dict):
        return isinstance(b, dict) and all(is_equal(a[key], b[key]) for key in a)
    return all(map(is_equal, a, b))


def contains(value, container):
    """Returns ``value in container``."""
    return value in container and (container.__class__ not in _SEQUENCES or holds(value, container))


def holds(value, container):
    """Tells whether a value, which NumPy 2 finds in a container, is in it for NumPy 1, too."""
    if value.__class__ is int and LEAST_EXACT <= value <= EXACT:
        return True
    if _ALIKE[value.__class__] or container.__class__ not in _SEQUENCES:
        return True
    return _place(value, container, 0) is not None


def _place(value, container, start, *stop):
    """Returns the place of a value from a place on, or None."""
    while True:
        try:
            start = container.index(value, start, *stop)
        except ValueError:
            return None
        if is_equal(container[start], value):
            return start
        start += 1


def index_in(first, owner, value):
    """Returns ``owner.index(value)``, which NumPy 2 finds to be `first`."""
    if value.__class__ is int and LEAST_EXACT <= value <= EXACT:
        return first
    return _index(owner, first, value) if owner.__class__ in _SEQUENCES else first


def index_of(function, value):
    """Returns ``items.index(value)``."""
    first = function(value)
    if _ALIKE[value.__class__] or (value.__class__ is int and LEAST_EXACT <= value <= EXACT):
        return first
    owner = getattr(function, "__self__", None)
    return _index(owner, first, value) if owner.__class__ in _SEQUENCES else first


def index(function, value, *limits):
    """Returns ``items.index(value, ...)``."""
    return _index(function.__self__, function(value, *limits), value, *limits[1:])


def _index(owner, first, value, *stop):
    """Returns the first place where NumPy 1 finds a value that NumPy 2 finds at `first`."""
    if not (_KINDS[value.__class__] or _KINDS[owner[first].__class__]):
        return first
    if is_equal(owner[first], value):
        return first
    place = _place(value, owner, first + 1, *stop)
    if place is None:
        raise ValueError(f"{value!r} is not in {type(owner).__name__}")
    return place


def count_of(function, value):
    """Returns ``items.count(value)``."""
    if _ALIKE[value.__class__] or (value.__class__ is int and LEAST_EXACT <= value <= EXACT):
        return function(value)
    return called(function, value)


def count(function, value):
    """Returns ``items.count(value)`` of a sequence."""
    number = function(value)
    owner = function.__self__
    if not number or not (_KINDS[value.__class__] or has_narrow(owner)):
        return number
    return sum(bool(item is value or (item == value and is_equal(item, value))) for item in owner)


def remove_of(function, value):
    """Does ``items.remove(value)``."""
    if _ALIKE[value.__class__] or (value.__class__ is int and LEAST_EXACT <= value <= EXACT):
        return function(value)
    return called(function, value)


def remove(function, value):
    """Does ``items.remove(value)`` of a sequence."""
    owner = function.__self__
    if owner.__class__ is list and contains(value, owner):
        del owner[index(owner.index, value)]
    elif owner.__class__ is list and value in owner:
        raise ValueError("list.remove(x): x not in list")
    else:
        function(value)


def sort_of(function):
    """Does ``items.sort()``."""
    owner = getattr(function, "__self__", None)
    if owner.__class__ is list and _OTHERS.issuperset(map(type, owner)):
        return function()
    return called(function)


def sort(function, *arguments, key=None, reverse=False):
    """Does ``items.sort(...)``."""
    function(*arguments, key=key_of(function.__self__, key), reverse=reverse)


def is_alike(value):
    """Tells whether both NumPys compare a value alike with whatever it is compared with."""
    return _ALIKE[value.__class__] or (value.__class__ is int and LEAST_EXACT <= value <= EXACT)


def key_of(items, key):
    """Returns the key by which items are compared as NumPy 1 did; None where they are already."""
    return wide_key(key) if key is not None or has_narrow(items) else None


def wide_key(key=None):
    """Returns the key of items, or the items themselves, with wide numbers."""
    kinds, widened = _KINDS, _Widened().of
    if key is None:
        return widened

    def compared(item):
        value = key(item)
        return widened(value) if kinds[value.__class__] else value

    return compared


#: Methods of lists, tuples and deques -> what is called for them, with one argument or none.
OF_ONE = {
    "index": "__numpy1_index_of__",
    "count": "__numpy1_count_of__",
    "remove": "__numpy1_remove_of__",
}
OF_NONE = {"sort": "__numpy1_sort_of__"}

#: Methods of lists, tuples and deques -> what is called for them.
METHODS = {"index": index, "count": count, "remove": remove, "sort": sort}


def called(*arguments, **options):
    """Calls the first argument, a method of one of these names."""
    function, *arguments = arguments
    owner = getattr(function, "__self__", None)
    if owner.__class__ in _SEQUENCES:
        return METHODS[function.__name__](function, *arguments, **options)
    return function(*arguments, **options)


def ordered(function, a, b):
    """Returns ``a < b`` of two containers, or another of these comparisons."""
    if has_narrow((a, b)):
        widened = _Widened()
        return function(widened.of(a), widened.of(b))
    return function(a, b)


def are_containers(a, b):
    """Tells whether both are lists, tuples or dicts, which compare what is in them."""
    return _KINDS[a.__class__] == 2 == _KINDS[b.__class__]


def _picking(plain):
    """Returns ``max`` or ``min``."""

    def pick(*arguments, **options):
        if len(arguments) == 1:
            (items,) = arguments
            if promotion.IS_NUMPYS[items.__class__]:
                return plain(items, **options)
            items = items if items.__class__ in _SEQUENCES else list(items)
        elif arguments and "default" not in options:
            items = arguments
        else:  # an error
            return plain(*arguments, **options)
        key = options.get("key")
        if key.__class__ is types.FunctionType and items and len(options) == 1:
            keys = list(map(key, items))
            if promotion.PLAIN.issuperset(map(type, keys)):  # the first of equal ones is picked
                return items[keys.index(plain(keys))]
            key = _of_keys(keys)
        else:
            key = _keys_in_order(items, key)
        if key is not None:
            options["key"] = key
        return plain(items, **options)

    return pick


_pick_max, _pick_min = _picking(_max), _picking(_min)


def max_of_two(a, b):
    """Returns ``max(a, b)``."""
    if a.__class__ in _OTHERS and b.__class__ in _OTHERS:
        return b if b > a else a
    return _pick_max(a, b)


def min_of_two(a, b):
    """Returns ``min(a, b)``."""
    if a.__class__ in _OTHERS and b.__class__ in _OTHERS:
        return b if b < a else a
    return _pick_min(a, b)


def max_of_items(items):
    """Returns ``max(items)``."""
    if items.__class__ in _SEQUENCES and _OTHERS.issuperset(map(type, items)):
        return _max(items)
    return _pick_max(items)


def min_of_items(items):
    """Returns ``min(items)``."""
    if items.__class__ in _SEQUENCES and _OTHERS.issuperset(map(type, items)):
        return _min(items)
    return _pick_min(items)


def sorted_items(iterable, *arguments, key=None, reverse=False):
    """Returns ``sorted(...)``."""
    items = list(iterable)
    if key is not None or not _OTHERS.issuperset(map(type, items)):
        key = _keys_in_order(items, key)
    if not arguments:
        items.sort(key=key, reverse=reverse)
        return items
    return _sorted(items, *arguments, key=key, reverse=reverse)


def _keys_in_order(items, key):
    """Returns `key_of` items that nothing changes; it is called once for each, in their order."""
    if key is None:
        return key_of(items, None)
    if key.__class__ is not types.FunctionType and id(key) in _NEVER_NARROW:
        return key
    return _of_keys(list(map(key, items)))


def _of_keys(keys):
    """Returns a key that gives these, as NumPy 1 compared them, one after the other."""
    if not _OTHERS.issuperset(map(type, keys)) and has_narrow(keys):
        keys = list(map(_Widened().of, keys))
    return functools.partial(next, iter(keys))  # next(keys, item), which never ends


#: The ids of functions that give no number of NumPy; what ``cmp_to_key`` gives refuses ``==``.
_NEVER_NARROW = frozenset(map(id, (len, ord, str, int, float, hash, id)))


#: Builtins that compare -> the helper for a call with so many arguments, by their number.
PICKING = {
    "max": {1: "__numpy1_max_of_items__", 2: "__numpy1_max_of_two__"},
    "min": {1: "__numpy1_min_of_items__", 2: "__numpy1_min_of_two__"},
    "sorted": {},
}

HELPERS = {
    "__numpy1_sequence__": called,
    "__numpy1_index_in__": index_in,
    "__numpy1_index_of__": index_of,
    "__numpy1_count_of__": count_of,
    "__numpy1_remove_of__": remove_of,
    "__numpy1_sort_of__": sort_of,
    "__numpy1_holds__": holds,
    "__numpy1_in__": contains,
    "__numpy1_wide__": wide,
    "__numpy1_max__": _pick_max,
    "__numpy1_min__": _pick_min,
    "__numpy1_max_of_items__": max_of_items,
    "__numpy1_min_of_items__": min_of_items,
    "__numpy1_max_of_two__": max_of_two,
    "__numpy1_min_of_two__": min_of_two,
    "__numpy1_sorted__": sorted_items,
    "max": standing_functions.as_builtin(_max)(_pick_max),
    "min": standing_functions.as_builtin(_min)(_pick_min),
    "sorted": standing_functions.as_builtin(_sorted)(sorted_items),
}
