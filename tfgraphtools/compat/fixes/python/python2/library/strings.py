"""Bytes that are Python 2's ``str`` where they meet text: what files and pipes give."""

from tfgraphtools.compat.fixes.python.python2.library import texts


class String(bytes):
    r"""Bytes that compare with text, and are split, joined and formatted with it.

    One of them is a string, not a number: ``data[0] == "\x80"``.
    """

    __slots__ = ()

    def __eq__(self, other):
        if isinstance(other, str):
            return texts.to_text(self) == other
        return bytes.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):  # Python gives ASCII the same hash as text and as bytes
        return hash(texts.to_text(self))

    def __lt__(self, other):
        return bytes.__lt__(self, texts.to_bytes(other))

    def __le__(self, other):
        return bytes.__le__(self, texts.to_bytes(other))

    def __gt__(self, other):
        return bytes.__gt__(self, texts.to_bytes(other))

    def __ge__(self, other):
        return bytes.__ge__(self, texts.to_bytes(other))

    def __contains__(self, item):
        return bytes.__contains__(self, texts.to_bytes(item))

    def __getitem__(self, place):
        if not isinstance(place, slice):
            place = range(len(self))[place]
            place = slice(place, place + 1)
        return String(bytes.__getitem__(self, place))

    def __iter__(self):
        return (self[place] for place in range(len(self)))

    def __add__(self, other):
        return String(bytes.__add__(self, texts.to_bytes(other)))

    def __radd__(self, other):
        return String(texts.to_bytes(other) + bytes(self))

    def __mul__(self, times):
        return String(bytes.__mul__(self, times))

    __rmul__ = __mul__

    def __mod__(self, values):
        return texts.to_text(self) % values

    def __str__(self):
        return texts.to_text(self)

    def __repr__(self):
        return repr(texts.to_text(self))

    def __format__(self, spec):
        return format(texts.to_text(self), spec)

    def __reduce__(self):
        return bytes, (bytes(self),)

    def encode(self, encoding="utf-8", errors="strict"):
        """These bytes: Python 2 decoded them first."""
        if encoding in texts.OF_BYTES | texts.OF_TEXT:
            return texts.coded(self, "encode", encoding)
        return texts.to_text(self).encode(encoding, errors)

    def format(self, *arguments, **options):
        """As `str.format`."""
        return texts.to_text(self).format(*arguments, **options)


def string(value):
    """Bytes as a `String`, in lists and tuples too; anything else is itself."""
    if type(value) is bytes:
        return String(value)
    if type(value) in (list, tuple):
        return type(value)(map(string, value))
    return value


def _method(name):
    function = getattr(bytes, name)

    def method(self, *arguments, **options):
        given = [
            tuple(map(texts.to_bytes, one)) if isinstance(one, tuple) else texts.to_bytes(one)
            for one in arguments
        ]
        if name == "join":
            given = [[texts.to_bytes(item) for item in arguments[0]]]
        return string(function(self, *given, **options))

    method.__name__ = name
    method.__doc__ = f"As `bytes.{name}`, with text too."
    return method


for _name in (
    "capitalize center count endswith expandtabs find index join ljust lower lstrip partition "
    "replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip "
    "swapcase title upper zfill"
).split():
    setattr(String, _name, _method(_name))
