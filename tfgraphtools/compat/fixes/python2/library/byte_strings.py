"""Bytes that are Python 2's ``str`` where they meet text: what binary files and `struct` give."""

from tfgraphtools.compat.fixes.python2.library import byte_texts


class ByteString(bytes):
    r"""Bytes that compare with text, and are split, joined and formatted with it.

    One of them is a string, not a number: ``data[0] == "\x80"``.
    """

    __slots__ = ()

    def __eq__(self, other):
        if isinstance(other, (str, bytes)):
            return bytes.__eq__(self, byte_texts.to_bytes(other))
        return NotImplemented

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(byte_texts.of_bytes(bytes(self)))

    def __getitem__(self, place):
        if not isinstance(place, slice):
            place = range(len(self))[place]
            place = slice(place, place + 1)
        return ByteString(bytes.__getitem__(self, place))

    def __iter__(self):
        return (self[place] for place in range(len(self)))

    def __radd__(self, other):
        return ByteString(byte_texts.to_bytes(other) + bytes(self))

    def __mod__(self, values):
        return byte_texts.of_bytes(bytes(self)) % values

    def __str__(self):
        return byte_texts.of_bytes(bytes(self))

    def __repr__(self):
        return bytes.__repr__(self)[1:]

    def __format__(self, spec):
        return format(byte_texts.of_bytes(bytes(self)), spec)

    def __reduce__(self):
        return bytes, (bytes(self),)

    def format(self, *arguments, **options):
        """Formats the text that these bytes are."""
        return byte_texts.of_bytes(bytes(self)).format(*arguments, **options)


def string(value):
    """Returns bytes as a `ByteString`, in lists and tuples too; anything else is itself."""
    if type(value) is bytes:
        return ByteString(value)
    if type(value) in (list, tuple):
        return type(value)(map(string, value))
    return value


def _method(name):
    function = getattr(bytes, name)

    def method(self, *arguments, **options):
        if name == "join":
            arguments = (map(byte_texts.to_bytes, arguments[0]),)
        of_bytes = [
            tuple(map(byte_texts.to_bytes, value))
            if isinstance(value, tuple)
            else byte_texts.to_bytes(value)
            for value in arguments
        ]
        return string(function(self, *of_bytes, **options))

    method.__name__ = name
    method.__doc__ = f"Does what `bytes.{name}` does, with text too."
    return method


for _name in (
    "__lt__ __le__ __gt__ __ge__ __contains__ __add__ __mul__ __rmul__ capitalize center count "
    "endswith expandtabs find index join ljust lower lstrip partition replace rfind rindex rjust "
    "rpartition rsplit rstrip split splitlines startswith strip swapcase title upper zfill"
).split():
    setattr(ByteString, _name, _method(_name))
