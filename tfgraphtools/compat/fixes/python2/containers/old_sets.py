"""Sets of Python 2's code, in the order that they had."""

import functools

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.containers.hash_tables import HashTable
from tfgraphtools.compat.fixes.python2.containers.old_dicts import of_library, ordered
from tfgraphtools.compat.fixes.python2.table import HASHES


def _is_set(value):
    return isinstance(value, (set, frozenset))


def _table_of(value):
    """Returns the table of a set; of one from a library that of its items in their order."""
    table = getattr(value, "_table", None)
    return table if table is not None else _filled(HashTable(), of_library(value))


def _filled(table, items):
    """Adds the items of anything to a table, as ``s.update(items)``."""
    if _is_set(items):
        keys = _table_of(items).order()
        if keys:
            table.take(len(keys))
        for key in keys:
            if key not in table.places:
                table.insert(key)
        return table
    if isinstance(items, dict):
        table.take(len(items))
        items = ordered(items)
    for key in dict.fromkeys(items):
        if key not in table.places:
            table.add(key)
    return table


def _copied(table):
    new = HashTable()
    keys = table.order()
    if keys:
        new.take(len(keys))
    for key in keys:
        new.insert(key)
    new.is_known = table.is_known
    return new


def _common(table, other):
    if _is_set(other):
        other = _table_of(other)
        if len(other) > len(table):
            table, other = other, table
        other = other.order()
    return _of(key for key in dict.fromkeys(other) if key in table.places)


def _of(keys):
    table = HashTable()
    for key in keys:
        table.add(key)
    return table


def _without(table, other):
    if _is_set(other) or isinstance(other, dict):
        return _of(key for key in table.order() if key not in other)
    new = _copied(table)
    _discard(new, other)
    return new


def _discard(table, other):
    for key in list(other):
        if key in table.places:
            table.remove(key)
    table.drop_removed()


def _toggle(table, other):
    """Removes the common keys of a table and adds the others of another one."""
    keys = _table_of(other).order() if _is_set(other) else list(ordered_or_made(other))
    for key in keys:
        if key in table.places:
            table.remove(key)
        else:
            table.add(key)


def ordered_or_made(other):
    """Returns the keys of a dictionary, or those of the set of anything else."""
    if isinstance(other, dict):
        return ordered(other)
    return _filled(HashTable(), other).order()


class Ordered:
    """What sets and frozen sets have in common; they know their `HashTable`."""

    __slots__ = ()

    def __iter__(self):
        rows.used(HASHES)
        before = len(self)
        for key in self._table.order():
            if len(self) != before:
                raise RuntimeError("Set changed size during iteration")
            yield key

    def __reduce_ex__(self, protocol):
        return self.stands_for, (list(self),)

    def copy(self):
        """Returns a set with the same items."""
        return self._with(_copied(self._table))

    def __copy__(self):
        return self.copy()

    def union(self, *others):
        """Returns the items of all."""
        return self._with(functools.reduce(_filled, others, _copied(self._table)))

    def intersection(self, *others):
        """Returns the items that are in all."""
        return self._with(functools.reduce(_common, others, self._table))

    def difference(self, *others):
        """Returns the items that are in none of the others."""
        if not others:
            return self.copy()
        return self._with(functools.reduce(_without, others, self._table))

    def symmetric_difference(self, other):
        """Returns the items that are in one of both."""
        table = _filled(HashTable(), other)
        _toggle(table, self)
        return self._with(table)


def _operator(method):
    def operate(self, other):
        return method(self, other) if _is_set(other) else NotImplemented

    return operate


def _reflected(method):
    def operate(self, other):
        if not _is_set(other):
            return NotImplemented
        return method(type(self)._with(_table_of(other)), self)

    return operate


for _name, _of_name in (
    ("or", "union"),
    ("and", "intersection"),
    ("sub", "difference"),
    ("xor", "symmetric_difference"),
):
    setattr(Ordered, f"__{_name}__", _operator(getattr(Ordered, _of_name)))
    setattr(Ordered, f"__r{_name}__", _reflected(getattr(Ordered, _of_name)))


class Set(Ordered, set):
    """The class that stands for `set`."""

    __slots__ = ("_table",)

    stands_for = set

    def __init__(self, *items):
        table = functools.reduce(_filled, items, HashTable())
        super().__init__(table.places)
        self._table = table

    @classmethod
    def _with(cls, table):
        new = cls()
        set.update(new, table.places)
        new._table = table
        return new

    def __deepcopy__(self, memo):
        return Set(copied(list(self), memo))

    def add(self, item):
        """Adds an item."""
        if item not in self:
            super().add(item)
            self._table.add(item)

    def discard(self, item):
        """Removes an item that may be there."""
        if item in self:
            super().discard(item)
            self._table.remove(item)

    def remove(self, item):
        """Removes an item."""
        super().remove(item)
        self._table.remove(item)

    def pop(self):
        """Removes an item and returns it."""
        if not self:
            raise KeyError("pop from an empty set")
        item = self._table.next_to_pop()
        self.remove(item)
        return item

    def clear(self):
        """Removes all items."""
        super().clear()
        self._table.clear()

    def _take(self, table):
        super().clear()
        set.update(self, table.places)
        self._table = table

    def update(self, *others):
        """Adds the items of others."""
        self._take(functools.reduce(_filled, others, self._table))

    def intersection_update(self, *others):
        """Keeps the items that are in all."""
        self._take(functools.reduce(_common, others, self._table))

    def difference_update(self, *others):
        """Removes the items of others."""
        for other in others:
            _discard(self._table, other)
        self._take(self._table)

    def symmetric_difference_update(self, other):
        """Keeps the items that are in one of both."""
        _toggle(self._table, list(self) if other is self else other)
        self._take(self._table)


def _in_place(method):
    def operate(self, other):
        if not _is_set(other):
            return NotImplemented
        method(self, other)
        return self

    return operate


Set.__ior__ = _in_place(Set.update)
Set.__iand__ = _in_place(Set.intersection_update)
Set.__isub__ = _in_place(Set.difference_update)
Set.__ixor__ = _in_place(Set.symmetric_difference_update)


class FrozenSet(Ordered, frozenset):
    """The class that stands for `frozenset`."""

    __slots__ = ("_table",)

    stands_for = frozenset

    def __new__(cls, *items):
        if items and type(items[0]) is FrozenSet:
            return items[0]
        return cls._with(functools.reduce(_filled, items, HashTable()))

    @classmethod
    def _with(cls, table):
        new = frozenset.__new__(FrozenSet, table.places)
        new._table = table
        return new

    def __deepcopy__(self, memo):
        return FrozenSet(copied(list(self), memo))


def copied(items, memo):
    """Returns a deep copy of a list."""
    import copy

    return copy.deepcopy(items, memo)


def literal(items):
    """Returns the set of ``{a, b}``."""
    return Set(items)
