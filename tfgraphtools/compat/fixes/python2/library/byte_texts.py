r"""Python 2's ``str`` beyond ASCII: text for libraries, bytes for the code that was written for it.

The text is what the bytes are in UTF-8; a byte that is none there is the lone surrogate that
Python itself puts in its place (PEP 383). So no byte is ever lost: the bytes of a sum are the sum
of the bytes. A text of ASCII is a plain `str`, and so is Python 2's ``unicode``.
"""

import codecs

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.fixes.python2.library import unicode_mixing
from tfgraphtools.compat.fixes.python2.library.calling_code import is_python2s

_EQUAL = (
    "bytes beyond ASCII are equal to the unicode text that they encode in UTF-8; in Python 2 they "
    "were not, and it warned: decode the bytes, text.decode('utf-8')"
)


class ByteText(str):
    r"""A text whose length, items and methods are those of its bytes.

    Args:
      data: the bytes.
    """

    __slots__ = ("data",)

    def __new__(cls, data):
        text = str.__new__(cls, data.decode("utf-8", "surrogateescape"))
        text.data = data
        return text

    def __len__(self):
        return len(self.data)

    def __getitem__(self, place):
        if isinstance(place, slice):
            return of_bytes(self.data[place])
        return CHARACTERS[self.data[place]]

    def __iter__(self):
        return map(CHARACTERS.__getitem__, self.data)

    def __eq__(self, other):
        if not isinstance(other, (str, bytes)):
            return NotImplemented
        is_equal = self.data == to_bytes(other)
        if is_equal and type(other) is str and is_python2s():
            notices.once("python2.equal_unicode", _EQUAL)
        return is_equal

    def __ne__(self, other):
        if not isinstance(other, (str, bytes)):
            return NotImplemented
        return not self == other

    def __hash__(self):
        return str.__hash__(self)

    def __radd__(self, other):
        if not isinstance(other, str):
            return NotImplemented
        if is_unicode(other):
            unicode_mixing.tell_decoded()
        else:
            unicode_mixing.tell_beside([other])
        return of_parts([other, self])

    def __add__(self, other):
        if isinstance(other, bytes):
            return type(other)(self.data + other)
        if not isinstance(other, str):
            return NotImplemented
        if is_unicode(other):
            unicode_mixing.tell_decoded()
        else:
            unicode_mixing.tell_beside([other])
        return of_parts([self, other])

    def __repr__(self):
        return repr(self.data)[1:]

    def __str__(self):
        return self

    def __format__(self, spec):
        return of_latin(format(latin(self), spec))

    def __reduce_ex__(self, protocol):  # a text for whoever reads it
        return codecs.decode, (self.data, "utf-8", "surrogateescape")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def encode(self, encoding="utf-8", errors="strict"):
        """Returns the bytes, for libraries."""
        return self.data


def of_bytes(data):
    """Returns Python 2's ``str`` of these bytes: a `str` where they are ASCII, or a `ByteText`."""
    return data.decode("ascii") if data.isascii() else ByteText(bytes(data))


def to_bytes(value):
    """Returns the bytes of a text; anything else is itself."""
    if type(value) is ByteText:
        return value.data
    if not isinstance(value, str):
        return value
    try:
        return value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a character, which Python 2 encoded
        return value.encode("utf-8", "surrogatepass")


def of_parts(parts):
    """Returns the sum of texts: Python 2's ``str``, or ``unicode`` where one is unicode."""
    if any(map(is_unicode, parts)):
        return "".join(map(str.__str__, map(plain, parts)))
    return of_bytes(b"".join(map(to_bytes, parts)))


def is_unicode(value):
    """Tells whether a value can only be Python 2's ``unicode``."""
    return isinstance(value, str) and type(value) is not ByteText and not value.isascii()


def plain(text):
    """Returns a text as a plain `str`, which is what its bytes are in UTF-8."""
    return str.__getitem__(text, slice(None)) if type(text) is ByteText else text


def latin(text):
    """Returns a text with one character for each byte: what formats it counts these."""
    return to_bytes(text).decode("latin1")


def of_latin(text):
    """Returns Python 2's ``str`` of a text with one character for each byte."""
    return text if text.isascii() else of_bytes(text.encode("latin1"))


#: The texts of a single byte.
CHARACTERS = tuple(of_bytes(bytes([number])) for number in range(256))


def _wrapped(value):
    if type(value) is bytes:
        return of_bytes(value)
    if type(value) in (list, tuple):
        return type(value)(map(_wrapped, value))
    return value


def _method(name):
    of_bytes_, of_text = getattr(bytes, name), getattr(str, name)

    def method(self, *arguments, **options):
        if name == "join":
            arguments = (list(arguments[0]),)
        flat = []
        for value in arguments:
            flat += value if isinstance(value, (tuple, list)) else [value]
        if any(map(is_unicode, flat)):  # Python 2 decoded the bytes
            unicode_mixing.tell_decoded()
            return of_text(plain(self), *arguments, **options)
        unicode_mixing.tell_beside(flat)
        arguments = [
            type(value)(map(to_bytes, value))
            if isinstance(value, (tuple, list))
            else to_bytes(value)
            for value in arguments
        ]
        return _wrapped(of_bytes_(self.data, *arguments, **options))

    method.__name__ = name
    method.__doc__ = f"Does what `bytes.{name}` does, with text."
    return method


for _name in (
    "__lt__ __le__ __gt__ __ge__ __contains__ __mul__ __rmul__ capitalize center count endswith "
    "expandtabs find index isalnum isalpha isdigit islower isspace istitle isupper join ljust "
    "lower lstrip partition replace rfind rindex rjust rpartition rsplit rstrip split splitlines "
    "startswith strip swapcase title upper zfill"
).split():
    setattr(ByteText, _name, _method(_name))
