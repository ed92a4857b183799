"""Bytes that are Python 2's ``str`` where they meet text: what files and pipes give."""

from tfgraphtools.compat.fixes.python2.library import texts


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

    def __getitem__(self, place):
        if not isinstance(place, slice):
            place = range(len(self))[place]
            place = slice(place, place + 1)
        return String(bytes.__getitem__(self, place))

    def __iter__(self):
        return (self[place] for place in range(len(self)))

    def __radd__(self, other):
        return String(texts.to_bytes(other) + bytes(self))

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
        """Encodes the text that these bytes are: Python 2 decoded them first."""
        return texts.to_text(self).encode(encoding, errors)

    def format(self, *arguments, **options):
        """Formats the text that these bytes are."""
        return texts.to_text(self).format(*arguments, **options)


def string(value):
    """Returns bytes as a `String`, in lists and tuples too; anything else is itself."""
    if type(value) is bytes:
        return String(value)
    if type(value) in (list, tuple):
        return type(value)(map(string, value))
    return value


def _method(name):
    function = getattr(bytes, name)

    def method(self, *arguments, **options):
        if name == "join":
            arguments = (map(texts.to_bytes, arguments[0]),)
        of_bytes = [
            tuple(map(texts.to_bytes, value)) if isinstance(value, tuple) else texts.to_bytes(value)
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
    setattr(String, _name, _method(_name))
