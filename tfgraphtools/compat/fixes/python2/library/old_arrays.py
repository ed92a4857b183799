"""``array`` as Python 2 had it: characters, and text for bytes.

Source: Python 2.7, Modules/arraymodule.c.
"""

import array

from tfgraphtools.compat.fixes.python2.library.byte_texts import of_bytes, to_bytes


class _AnyArray(type):
    """The type of a class of which each array is an instance."""

    def __instancecheck__(cls, value):
        kind = array.array if cls is Array else cls
        return type.__instancecheck__(kind, value)


class Array(array.array, metaclass=_AnyArray):
    """``array.array``, which makes arrays of today, and one of its own for characters."""

    def __new__(cls, typecode, *initial):
        """Returns an array of today, of a text's bytes where it is given one."""
        kind = array.array if cls is Array else cls
        if typecode == "c":
            characters = _of(())
            for values in initial:
                characters.extend(values)
            return characters
        if typecode != "u":
            initial = [to_bytes(values) for values in initial]
        return array.array.__new__(kind, typecode, *initial)


class CharacterArray(array.array):
    """An array of the typecode ``"c"``: bytes, each of which is a text of one character."""

    typecode = "c"

    def __getitem__(self, place):
        values = array.array.__getitem__(self, place)
        return _of(values) if isinstance(place, slice) else of_bytes(bytes([values]))

    def __setitem__(self, place, value):
        if not isinstance(place, slice):
            value = _number(value)
        array.array.__setitem__(self, place, value)

    def __iter__(self):
        return (of_bytes(bytes([number])) for number in array.array.__iter__(self))

    def __contains__(self, value):
        return value in list(self)

    def __add__(self, other):
        return _of(array.array.__add__(self, other))

    def __mul__(self, count):
        return _of(array.array.__mul__(self, count))

    __rmul__ = __mul__

    def __copy__(self):
        return self[:]

    def __deepcopy__(self, memo):
        return self[:]

    def __reduce_ex__(self, protocol):
        return Array, ("c", self.tostring())

    def __repr__(self):
        return f"array('c', {self.tostring()!r})" if len(self) else "array('c')"

    def append(self, value):
        """Adds a character."""
        array.array.append(self, _number(value))

    def insert(self, place, value):
        """Puts a character before a place."""
        array.array.insert(self, place, _number(value))

    def extend(self, values):
        """Adds each character of an array, a text or any other iterable."""
        if not isinstance(values, array.array):
            values = array.array("B", [_number(value) for value in values])
        array.array.extend(self, values)

    def pop(self, place=-1):
        """Takes a character out."""
        return of_bytes(bytes([array.array.pop(self, place)]))

    def remove(self, value):
        """Takes the first character of a kind out."""
        if value not in self:
            raise ValueError("array.remove(x): x not in list")
        del self[self.index(value)]

    def index(self, value):
        """Returns the first place of a character."""
        if value not in self:
            raise ValueError("array.index(x): x not in list")
        return list(self).index(value)

    def count(self, value):
        """Returns how often a character is there."""
        return list(self).count(value)

    def tolist(self):
        """Returns a list of the characters."""
        return list(self)

    def tostring(self):
        """Returns the characters as one text."""
        return of_bytes(self.tobytes())

    def fromstring(self, text):
        """Adds the characters of a text."""
        self.frombytes(to_bytes(text))

    def fromlist(self, values):
        """Adds the characters of a list."""
        self.extend(values)


def _of(numbers):
    """Returns the characters of some numbers."""
    characters = array.array.__new__(CharacterArray, "B")
    array.array.extend(characters, numbers)
    return characters


def _number(value):
    data = to_bytes(value)
    if not isinstance(data, bytes) or len(data) != 1:
        raise TypeError("array item must be char")
    return data[0]


#: The names of the module.
NAMES = {"array": Array, "ArrayType": Array}
