"""The table of a dict or a set of Python 2.7: in which order its keys are.

Source: ``dictobject.c`` and ``setobject.c`` of Python 2.7, which fill their tables alike.
"""

from tfgraphtools.compat.fixes.python2.containers import hashes

_MASK = 2**64 - 1

#: Integers from 0 below it are their own hash.
_LEAST_LONG = 2**62

#: What a key leaves behind that was removed.
_REMOVED = object()

_EMPTY = object()


class HashTable:
    """The places of keys.

    Where the hash of a key was an address in Python 2, the order is that of insertion.
    """

    __slots__ = ("slots", "places", "fill", "finger", "is_known", "_order")

    def __init__(self):
        self.is_known = True
        self.clear()

    def clear(self):
        """Removes all keys."""
        self.slots = [_EMPTY] * 8
        self.places = {}  # key -> its place
        self.fill = 0
        self.finger = 1
        self._order = None

    def __len__(self):
        return len(self.places)

    def order(self):
        """Returns the keys in their order; the list is not to be changed."""
        if not self.is_known:
            return list(self.places)
        if self._order is None:
            self._order = [k for k in self.slots if k is not _EMPTY and k is not _REMOVED]
        return self._order

    def add(self, key):
        """Adds a key that is not in the table, which may grow."""
        self.insert(key)
        if self.fill * 3 >= len(self.slots) * 2:
            self._grow()

    def toggle(self, keys):
        """Adds those keys that are not in the table and removes the others, one by one."""
        places = self.places
        for key in keys:
            if key in places:
                self.remove(key)
            else:
                self.add(key)
            places = self.places

    def clone(self):
        """Returns another table in the same state."""
        new = HashTable.__new__(HashTable)
        new.slots, new.places = list(self.slots), dict(self.places)
        new.fill, new.finger, new.is_known = self.fill, self.finger, self.is_known
        new._order = self._order
        return new

    def _grow(self):
        used = len(self.places)
        self.resize(used * 2 if used > 50000 else used * 4)

    def insert(self, key):
        """Adds a key that is not in the table; the table stays as large as it is."""
        kind = key.__class__
        if kind is int and 0 <= key < _LEAST_LONG:
            perturb = key
        else:
            if kind is not str and not hashes.is_known(key):
                self.is_known = False
            perturb = hashes.unsigned(key)
        slots, mask = self.slots, len(self.slots) - 1
        place = perturb & mask
        free = None
        walk = place
        while slots[place] is not _EMPTY:
            if free is None and slots[place] is _REMOVED:
                free = place
            walk = (walk * 5 + perturb + 1) & _MASK
            perturb >>= 5
            place = walk & mask
        if free is None:
            self.fill += 1
        else:
            place = free
        slots[place] = key
        self.places[key] = place
        self._order = None

    def remove(self, key):
        """Removes a key."""
        place = self.places.pop(key)
        self.slots[place] = _REMOVED
        self._order = None
        if place == 0:  # its hash stays there, where `pop` keeps its finger
            self.finger = hashes.hash_(key)

    def resize(self, least):
        """Gives the table more places than `least`."""
        size = 8
        while size <= least:
            size *= 2
        keys = [key for key in self.slots if key is not _EMPTY and key is not _REMOVED]
        inserted, is_known = list(self.places), self.is_known
        self.clear()
        self.slots = [_EMPTY] * size
        for key in keys:
            self.insert(key)
        if not is_known:
            self.places = {key: self.places[key] for key in inserted}

    def take(self, other):
        """Makes room for the keys of another table that are added together."""
        if (self.fill + other) * 3 >= len(self.slots) * 2:
            self.resize((len(self.places) + other) * 2)

    def pop(self):
        """Removes the key that ``pop()`` of a set, or ``popitem()``, takes; returns it."""
        if not self.is_known:
            key = list(self.places)[-1]
            self.remove(key)
            return key
        place = 0
        if self.slots[0] is _EMPTY or self.slots[0] is _REMOVED:
            place = self.finger if 1 <= self.finger < len(self.slots) else 1
            while self.slots[place] is _EMPTY or self.slots[place] is _REMOVED:
                place = place + 1 if place + 1 < len(self.slots) else 1
        key = self.slots[place]
        self.remove(key)
        self.finger = place + 1
        return key

    def drop_removed(self):
        """Makes the table smaller where a fifth of it was removed: after ``s -= other``."""
        used = len(self.places)
        if (self.fill - used) * 5 >= len(self.slots) - 1:
            self.resize(used * 2 if used > 50000 else used * 4)
