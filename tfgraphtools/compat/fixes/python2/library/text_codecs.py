"""``text.encode(...)`` and ``text.decode(...)`` of Python 2: also from bytes to bytes."""

import binascii
import codecs

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.fixes.python2.library.byte_strings import string
from tfgraphtools.compat.fixes.python2.library.byte_texts import ByteText, of_bytes, to_bytes
from tfgraphtools.compat.fixes.python2.table import UNICODE

#: What ``sys.setdefaultencoding`` set; empty before.
_default = []

#: Not empty once the program has made a text that was ``unicode`` to Python 2.
made_unicode = []

#: Codecs from bytes to bytes -> whether what they encode to is text by nature.
_OF_BYTES = {
    "hex": True,
    "base64": True,
    "quopri": True,
    "uu": True,
    "zlib": False,
    "bz2": False,
}
_ALIASES = {"zip": "zlib", "base_64": "base64", "hex_codec": "hex", "quoted_printable": "quopri"}


def set_default(encoding):
    """Makes texts of bytes be decoded by an encoding where they meet unicode; ASCII at first."""
    if not _default and state.is_changed():
        state.at_restore(_default.clear)
    _default[:] = [encoding]


def default():
    """Returns the encoding by which bytes are decoded where no other is named."""
    return _default[0] if _default else "ascii"


#: Not empty once the program has made a number that was ``long`` whatever its size.
made_long = []


def note_long():
    """Notes that the program makes numbers that were ``long``."""
    if not made_long and state.is_changed():
        state.at_restore(made_long.clear)
        made_long.append(True)


def note_unicode():
    """Notes that the program makes texts that were ``unicode``."""
    if not made_unicode and state.is_changed():
        state.at_restore(made_unicode.clear)
        made_unicode.append(True)


def decode(value, encoding=None, errors="strict", **options):
    """Returns ``value.decode(encoding, errors)``; of others than text what their method does."""
    if not isinstance(value, (str, bytes)):
        arguments = [] if encoding is None else [encoding, errors]
        return value.decode(*arguments, **options)
    rows.used(UNICODE)
    data, encoding = to_bytes(value), encoding or default()
    name = _name(encoding)
    if name in _OF_BYTES:
        try:
            return string(codecs.decode(data, name))
        except binascii.Error as error:
            raise TypeError(str(error)) from None
    if name == "string_escape":
        return of_bytes(codecs.escape_decode(data)[0])
    note_unicode()
    if name == "rot13":
        return codecs.decode(data.decode("ascii"), name)
    return data.decode(encoding, errors)


def encode(value, encoding=None, errors="strict", **options):
    """Returns ``value.encode(encoding, errors)``; of others than text what their method does."""
    if not isinstance(value, (str, bytes)):
        arguments = [] if encoding is None else [encoding, errors]
        return value.encode(*arguments, **options)
    rows.used(UNICODE)
    encoding = encoding or default()
    name = _name(encoding)
    if name in _OF_BYTES:
        data = codecs.encode(to_bytes(value), name)
        return of_bytes(data) if _OF_BYTES[name] else string(data)
    if name == "string_escape":
        return of_bytes(codecs.escape_encode(to_bytes(value))[0])
    text = value
    if isinstance(value, (bytes, ByteText)):  # Python 2 decoded it first
        text = to_bytes(value).decode(default())
    if name == "rot13":
        return codecs.encode(text, name)
    try:
        return of_bytes(text.encode(encoding, errors))
    except UnicodeEncodeError:
        if name not in ("utf8", "utf_8") or errors != "strict":
            raise
        return of_bytes(to_bytes(text))  # half of a character, or a byte that a library has read


def _name(encoding):
    name = encoding.lower().replace("-", "_")
    name = _ALIASES.get(name, name)
    return "rot13" if name == "rot_13" else name.replace("_codec", "")
