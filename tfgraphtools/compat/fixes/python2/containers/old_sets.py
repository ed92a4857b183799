"""Sets of Python 2's code, in the order that they had.

A set is a `set`; its `History` gives the order when somebody asks for it.
"""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.containers import set_histories
from tfgraphtools.compat.fixes.python2.containers.hash_tables import HashTable
from tfgraphtools.compat.fixes.python2.containers.old_dicts import of_library, ordered
from tfgraphtools.compat.fixes.python2.containers.set_histories import History, KeysOfDict
from tfgraphtools.compat.fixes.python2.table import HASHES


def _is_set(value):
    return isinstance(value, (set, frozenset))


def _plain(other):
    """Returns what a method of `set` takes: a set, or a list that can be read again."""
    if _is_set(other):
        return other
    return list(dict.__iter__(other) if isinstance(other, dict) else other)


def _part(other, plain):
    """Returns what a `History` remembers of another set, dictionary or iterable.

    Args:
      other: it.
      plain: what `_plain` returns of it.
    """
    if isinstance(other, Ordered):
        return other._part()
    return _state(other, plain)


def _state(other, plain):
    """Returns the table of a set, the keys of a dictionary, or a list, of what is there now."""
    if isinstance(other, Ordered):
        return other._read()
    if _is_set(other):
        return set_histories.made(list(of_library(other)))
    return KeysOfDict(ordered(other)) if isinstance(other, dict) else plain


class Ordered:
    """What sets and frozen sets have in common: they know their `History`."""

    __slots__ = ()

    def __iter__(self):
        rows.used(HASHES)
        before = len(self)
        for key in self._read().order():
            if len(self) != before:
                raise RuntimeError("Set changed size during iteration")
            yield key

    def __reduce_ex__(self, protocol):
        return self.stands_for, (list(self),)

    def __copy__(self):
        return self.copy()

    def _by(self, name, function, others):
        """Returns what a method of `set` returns; `function` makes its table."""
        plain = list(map(_plain, others))
        parts = map(_part, others, plain)
        items = getattr(self.stands_for, name)(self, *plain)
        return self._new(items, History(function, self._part(), *parts))

    def union(self, *others):
        """Returns the items of all."""
        others = [other for other in others if other is not self]
        return self._by("union", set_histories.merged, others)

    def intersection(self, *others):
        """Returns the items that are in all."""
        return self._by("intersection", set_histories.common, others)

    def difference(self, *others):
        """Returns the items that are in none of the others."""
        return self._by("difference", set_histories.without, others)

    def symmetric_difference(self, other):
        """Returns the items that are in one of both."""
        plain = _plain(other)
        items = self.stands_for.symmetric_difference(self, plain)
        history = History(set_histories.toggled, _part(other, plain), self._part())
        return self._new(items, history)


def _operator(method):
    def operate(self, other):
        return method(self, other) if _is_set(other) else NotImplemented

    return operate


def _reflected(method):
    def operate(self, other):
        if not _is_set(other):
            return NotImplemented
        return method(self._new(other, History.of(_state(other, None))), self)

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
    """The class that stands for `set`.

    Its log has the items that were added or removed since its history, each as often.
    """

    __slots__ = ("_history", "_log")

    stands_for = set

    def __init__(self, items=()):
        super().__init__()
        self._history, self._log = None, []
        if _is_set(items) or isinstance(items, dict):
            plain = _plain(items)
            set.update(self, plain)
            self._history = History(set_histories.made, _part(items, plain))
        else:
            keys = dict.fromkeys(items)
            set.update(self, keys)
            self._log = list(keys)

    def _new(self, items, history):
        new = set.__new__(Set)
        set.update(new, items)
        new._history, new._log = history, []
        return new

    def _owned(self):
        """Returns its table, which no history has a part in, with all its items."""
        history = self._history
        if history is None:
            history = self._history = History.of(HashTable())
        table = history.table_now()
        if history.is_shared:
            table = table.clone()
            self._history = History.of(table)
        log, self._log = self._log, []
        table.toggle(log)
        return table

    def _read(self):
        """Returns its table, which is not to be changed."""
        if self._history is None or self._log:
            return self._owned()
        return self._history.table_now()

    def _part(self):
        """Returns its history up to now."""
        if self._history is None or self._log:
            self._owned()
        self._history.is_shared = True
        return self._history

    def copy(self):
        """Returns a set with the same items."""
        return self._new(self, History(set_histories.copied, self._part()))

    def __deepcopy__(self, memo):
        return Set(copied(list(self), memo))

    def add(self, item):
        """Adds an item."""
        if item not in self:
            set.add(self, item)
            self._log.append(item)

    def discard(self, item):
        """Removes an item that may be there."""
        if item in self:
            self.remove(item)

    def remove(self, item):
        """Removes an item."""
        set.remove(self, item)
        self._log.append(item)
        if len(self._log) > 4 * len(self) + 4096:
            self._owned()

    def pop(self):
        """Removes an item and returns it."""
        if not self:
            raise KeyError("pop from an empty set")
        item = self._owned().pop()
        set.remove(self, item)
        return item

    def clear(self):
        """Removes all items."""
        set.clear(self)
        self._history, self._log = None, []

    def update(self, *others):
        """Adds the items of others."""
        for other in others:
            if other is self:
                continue
            plain = _plain(other)
            if plain.__class__ is list and not isinstance(other, dict):
                missing = [key for key in dict.fromkeys(plain) if key not in self]
                self._log += missing
            else:
                set_histories.add_all(self._owned(), _state(other, plain))
            set.update(self, plain)

    def intersection_update(self, *others):
        """Keeps the items that are in all."""
        kept = self.intersection(*others)
        set.intersection_update(self, kept)
        self._history, self._log = kept._history, []

    def difference_update(self, *others):
        """Removes the items of others."""
        for other in others:
            plain, table = _plain(other), self._owned()
            set_histories.discard_all(table, table if other is self else _state(other, plain))
            set.difference_update(self, plain)

    def symmetric_difference_update(self, other):
        """Keeps the items that are in one of both."""
        plain, table = _plain(other), self._owned()
        set_histories.toggle_all(table, table if other is self else _state(other, plain))
        set.symmetric_difference_update(self, plain)


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

    __slots__ = ("_history",)

    stands_for = frozenset

    def __new__(cls, items=()):
        if type(items) is FrozenSet:
            return items
        plain = _plain(items)
        new = frozenset.__new__(FrozenSet, plain)
        new._history = History(set_histories.made, _part(items, plain))
        return new

    def _new(self, items, history):
        new = frozenset.__new__(FrozenSet, items)
        new._history = history
        return new

    def _read(self):
        return self._history.table_now()

    def _part(self):
        return self._history

    def copy(self):
        """Returns itself."""
        return self

    def __deepcopy__(self, memo):
        return FrozenSet(copied(list(self), memo))


def copied(items, memo):
    """Returns a deep copy of a list."""
    import copy

    return copy.deepcopy(items, memo)


def literal(items):
    """Returns the set of ``{a, b}``."""
    return Set(items)
