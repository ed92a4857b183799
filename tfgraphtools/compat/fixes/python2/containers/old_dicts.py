"""Dictionaries of Python 2's code, in the order that they had.

A dictionary is a `dict`, whose own order is that of insertion; the table of Python 2 is filled from
that when somebody asks for the order.
"""

import collections
import collections.abc
import copy
import functools
import itertools
import types

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.containers import hashes
from tfgraphtools.compat.fixes.python2.containers.hash_tables import HashTable
from tfgraphtools.compat.fixes.python2.table import HASHES

#: How many keys a table has before it grows.
_MOST_OF_SMALLEST = 5


@functools.lru_cache(maxsize=4096)
def _order_of_texts(keys):
    """Returns the order of the keys of a table that has not grown."""
    table = HashTable()
    for key in keys:
        table.add(key)
    return table.order()


class Ordered(dict):
    """A dictionary whose keys are in Python 2's order; mixed into subclasses of `dict`."""

    __slots__ = ()

    def _table_now(self):
        """Returns its table, with all its keys."""
        try:
            table = self._table
        except AttributeError:
            table = self._table = HashTable()
        if len(table) > len(self):  # what is written in C has removed keys
            table = self._table = HashTable()
        if len(table.places) + 1 == len(self):
            table.add(next(dict.__reversed__(self)))
        elif len(table) != len(self):
            added = list(itertools.islice(dict.__reversed__(self), len(self) - len(table)))
            for key in reversed(added):
                table.add(key)
        return table

    def _order(self):
        """Returns its keys in their order."""
        if len(self) <= _MOST_OF_SMALLEST and getattr(self, "_table", None) is None:
            keys = tuple(dict.__iter__(self))
            if all(key.__class__ is str for key in keys):
                return _order_of_texts(keys)
        return self._table_now().order()

    def __iter__(self):
        rows.used(HASHES)
        before = len(self)
        for key in self._order():
            if len(self) != before:
                raise RuntimeError("dictionary changed size during iteration")
            yield key

    def listed(self, method):
        """Returns the list of ``keys()``, ``values()`` or ``items()``."""
        rows.used(HASHES)
        keys, value_of = self._order(), functools.partial(dict.__getitem__, self)
        if method == "keys":
            return list(keys)
        values = map(value_of, keys)
        return list(values) if method == "values" else list(zip(keys, values))

    def keys(self):
        return collections.abc.KeysView(self)

    def values(self):
        return collections.abc.ValuesView(self)

    def items(self):
        return collections.abc.ItemsView(self)

    def __delitem__(self, key):
        table = getattr(self, "_table", None)
        if table is None or len(table.places) != len(self):
            table = self._table_now()
        super().__delitem__(key)
        if key in table.places:  # a counter does without
            table.remove(key)

    def pop(self, key, *default):
        """Removes a key and returns its value."""
        if key not in self:
            return super().pop(key, *default)
        table = self._table_now()
        value = super().pop(key)
        table.remove(key)
        return value

    def popitem(self):
        """Removes the item that is first, or after the one that was removed before."""
        if not self:
            raise KeyError("popitem(): dictionary is empty")
        key = self._table_now().pop()
        return key, dict.pop(self, key)

    def clear(self):
        """Removes all items."""
        super().clear()
        self._table = HashTable()

    def __reduce_ex__(self, protocol):
        return self.stands_for, (), None, None, iter(list(self.items()))

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        new = memo[id(self)] = self._empty()
        for key, value in self.items():
            new[copy.deepcopy(key, memo)] = copy.deepcopy(value, memo)
        return new

    def _empty(self):
        return type(self)()


class Dict(Ordered):
    """The class that stands for `dict`."""

    __slots__ = ("_table", "__weakref__")

    stands_for = dict

    def __init__(self, *source, **options):
        super().__init__()
        if source or options:
            self.update(*source, **options)

    def update(self, *source, **options):
        """Takes the items of another dictionary, or pairs, and of the options."""
        if len(source) > 1:
            raise TypeError(f"update expected at most 1 arguments, got {len(source)}")
        for other in source:
            if isinstance(other, dict):
                self._merge(other)
            else:
                super().update(other)
        if options:
            self._merge(Dict.of(dict(reversed(options.items()))))

    def _merge(self, other):
        keys = list(ordered(other)) if other else ()
        if keys and other is not self:
            table = self._table_now()
            table.take(len(keys))
            for key in keys:
                if key not in self:
                    table.insert(key)
                self[key] = other[key]

    def copy(self):
        """Returns a dictionary with the same items."""
        new = Dict()
        new._merge(self)
        return new

    @classmethod
    def fromkeys(cls, keys, value=None):
        """Returns a dictionary of these keys."""
        if type(keys) in (dict, Dict) or isinstance(keys, (set, frozenset)):
            new = Dict()
            new._table_now().resize(len(keys) // 2 * 3)
            for key in list(ordered(keys) if isinstance(keys, dict) else keys):
                if key not in new:
                    new._table.insert(key)
                    new[key] = value
            return new
        return cls.of(dict.fromkeys(keys, value))

    @classmethod
    def of(cls, items):
        """Returns the dictionary into which these items were put one by one."""
        new = cls.__new__(cls)
        dict.update(new, items)
        return new


def passed_on(keywords):
    """Returns the keywords of ``OrderedDict(b=1, a=2)`` in the order in which Python 2 stored them.

    They came from the stack last first, and went through the dictionaries of three calls.
    """
    names = list(keywords)[::-1]
    for _ in range(3):
        names = list(Dict.of(dict.fromkeys(names)).keys())
    return {name: keywords[name] for name in names}


class DefaultDict(Ordered, collections.defaultdict):
    """The class that stands for `collections.defaultdict`."""

    stands_for = collections.defaultdict

    def __init__(self, default_factory=None, *source, **options):
        if default_factory is dict:
            default_factory = Dict
        super().__init__(default_factory, *source, **options)

    def _empty(self):
        return DefaultDict(self.default_factory)

    def copy(self):
        """Returns a dictionary with the same items."""
        new = self._empty()
        for key, value in self.items():
            new[key] = value
        return new

    def __reduce_ex__(self, protocol):
        arguments = (self.default_factory,)
        return collections.defaultdict, arguments, None, None, iter(list(self.items()))


class Counter(Ordered, collections.Counter):
    """The class that stands for `collections.Counter`."""

    stands_for = collections.Counter

    def __reduce_ex__(self, protocol):
        return collections.Counter, (dict(self.items()),)

    def copy(self):
        """Returns a counter with the same counts."""
        return Counter(self)

    __repr__ = collections.Counter.__repr__


def literal(number, items):
    """Returns the dictionary of ``{...}`` with so many items in the source."""
    new = Dict.__new__(Dict)
    if items:
        dict.update(new, items)
    if number > _MOST_OF_SMALLEST:
        table = HashTable()
        table.resize(number)
        for key in dict.__iter__(new):
            table.add(key)
        new._table = table
    return new


def ordered(mapping):
    """Returns the keys of a dictionary in Python 2's order, of one from a library as well."""
    if type(mapping) is dict and mapping:
        return iter(Dict.of(mapping))
    return iter(mapping)


def iterated(value):
    """Returns what a loop of Python 2's code loops over."""
    kind = type(value)
    if kind is dict:
        return ordered(value)
    if kind is set or kind is frozenset:
        return iter(of_library(value))
    return iter(_of_class(value)) if kind is types.MappingProxyType else value


def of_library(items):
    """Returns the items of a set of a library, in an order that depends on them alone."""
    table = HashTable()
    for item in sorted(items, key=hashes.unsigned):
        table.add(item)
    return table.order()


#: Names in the dictionary of a class that Python 2 did not put there.
_OF_TODAY = {"__static_attributes__", "__firstlineno__", "__annotations__"}


def _of_class(namespace):
    """Returns the dictionary of a class, which began as a copy of that of its body."""
    names = [name for name in namespace if name not in _OF_TODAY]
    end = names.index("__dict__") if "__dict__" in names else len(names)
    new = Dict.of({name: namespace[name] for name in names[:end]}).copy()
    for name in names[end:]:
        new[name] = namespace[name]
    return new


def plain_of(value, text=lambda text: text):
    """Returns a value with dictionaries and sets of today in it: for libraries that ask their type.

    Args:
      value: the value.
      text: function of the texts in it.
    """
    kind, again = type(value), functools.partial(plain_of, text=text)
    stands_for = getattr(kind, "stands_for", None)
    if isinstance(value, str):
        return text(value)
    if kind in (list, tuple):
        return kind(map(again, value))
    if stands_for is dict:
        return {again(key): again(item) for key, item in value.items()}
    return stands_for(map(again, value)) if stands_for in (set, frozenset) else value
