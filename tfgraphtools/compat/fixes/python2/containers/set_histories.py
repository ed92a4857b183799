"""The history of a set of Python 2: its `HashTable` is filled when somebody asks for the order.

The functions here are those of ``setobject.c`` of Python 2.7. What they are given besides a table
is another one, the keys of a dictionary, or a list.
"""

from tfgraphtools.compat.fixes.python2.containers.hash_tables import HashTable

#: How many steps wait at most to be done.
_MOST_WAITING = 32


class KeysOfDict(list):
    """The keys of a dictionary, in their order."""


class History:
    """A function that makes a table, and what it is given; the table once it is made."""

    __slots__ = ("function", "parts", "table", "waiting", "is_shared")

    def __init__(self, function, *parts):
        self.function, self.parts, self.table, self.is_shared = function, parts, None, False
        self.waiting = 1
        for part in parts:
            self.waiting += part.waiting if part.__class__ is History else 0
        if self.waiting > _MOST_WAITING:
            self.table_now()

    @classmethod
    def of(cls, table):
        """Returns the history of a table that is made."""
        new = cls(None)
        new.table, new.waiting = table, 0
        return new

    def table_now(self):
        """Returns the table."""
        if self.table is None:
            parts = [p.table_now() if p.__class__ is History else p for p in self.parts]
            self.table = self.function(*parts)
            self.function = self.parts = None
            self.waiting = 0
        return self.table


def keys_of(other):
    """Returns the keys of a table in their order, or the items of a list."""
    return other.order() if other.__class__ is HashTable else other


def add_all(table, other):
    """Adds other keys to a table."""
    if other.__class__ is HashTable:
        if other is not table and len(other):
            table.take(len(other))
            for key in other.order():
                if key not in table.places:
                    table.insert(key)
        return
    if other.__class__ is KeysOfDict:
        table.take(len(other))
    for key in dict.fromkeys(other):
        if key not in table.places:
            table.add(key)


def discard_all(table, other):
    """Removes other keys from a table."""
    if other is table:
        table.clear()
        return
    for key in keys_of(other):
        if key in table.places:
            table.remove(key)
    table.drop_removed()


def toggle_all(table, other):
    """Removes the common keys of a table and adds the others of another one."""
    if other is table:
        table.clear()
    elif other.__class__ is list:
        table.toggle(made(other).order())
    else:
        table.toggle(keys_of(other))


def made(*others):
    """Returns the table of ``set(other)``."""
    table = HashTable()
    for other in others:
        add_all(table, other)
    return table


def copied(table):
    """Returns the table of a copy, which may be another."""
    new = made(table)
    new.is_known = table.is_known
    return new


def merged(table, *others):
    """Returns the table of ``union``."""
    new = copied(table)
    for other in others:
        add_all(new, other)
    return new


def common(table, *others):
    """Returns the table of ``intersection``."""
    if not others:
        return copied(table)
    for other in others:
        table = _common(table, other)
    return table


def _common(table, other):
    if other is table:
        return copied(table)
    if other.__class__ is HashTable and len(other) > len(table):
        table, other = other, table
    return _of(key for key in dict.fromkeys(keys_of(other)) if key in table.places)


def _of(keys):
    table = HashTable()
    for key in keys:
        table.add(key)
    return table


def without(table, *others):
    """Returns the table of ``difference``."""
    if not others or others[0].__class__ is list:
        new, rest = copied(table), others
    else:
        gone, rest = set(keys_of(others[0])), others[1:]
        new = _of(key for key in table.order() if key not in gone)
    for other in rest:
        discard_all(new, other)
    return new


def toggled(other, table):
    """Returns the table of ``symmetric_difference``."""
    new = made(other)
    toggle_all(new, table)
    return new
