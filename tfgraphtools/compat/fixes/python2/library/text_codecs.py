"""``text.encode(...)`` and ``text.decode(...)`` of Python 2: also from bytes to bytes."""

import binascii
import codecs

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.fixes.python2.library import unicode_mixing
from tfgraphtools.compat.fixes.python2.library.byte_strings import string
from tfgraphtools.compat.fixes.python2.library.byte_texts import ByteText, of_bytes, to_bytes
from tfgraphtools.compat.fixes.python2.table import UNICODE

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


#: Not empty once the program has made a number that was ``long`` whatever its size.
made_long = []


def note_long():
    """Notes that the program makes numbers that were ``long``."""
    if not made_long and state.is_changed():
        state.at_restore(made_long.clear)
        made_long.append(True)


def decode(value, encoding=None, errors="strict", **options):
    """Returns ``value.decode(encoding, errors)``; of others than text what their method does."""
    if not isinstance(value, (str, bytes)):
        arguments = [] if encoding is None else [encoding, errors]
        return value.decode(*arguments, **options)
    rows.used(UNICODE)
    data, encoding = to_bytes(value), encoding or unicode_mixing.default()
    name = _name(encoding)
    if name in _OF_BYTES:
        try:
            return string(codecs.decode(data, name))
        except binascii.Error as error:
            raise TypeError(str(error)) from None
    if name == "string_escape":
        return of_bytes(codecs.escape_decode(data)[0])
    unicode_mixing.note_unicode()
    if name == "rot13":
        return codecs.decode(data.decode("ascii"), name)
    return data.decode(encoding, errors)


def encode(value, encoding=None, errors="strict", **options):
    """Returns ``value.encode(encoding, errors)``; of others than text what their method does."""
    if not isinstance(value, (str, bytes)):
        arguments = [] if encoding is None else [encoding, errors]
        return value.encode(*arguments, **options)
    rows.used(UNICODE)
    encoding = encoding or unicode_mixing.default()
    name = _name(encoding)
    if name in _OF_BYTES:
        data = codecs.encode(to_bytes(value), name)
        return of_bytes(data) if _OF_BYTES[name] else string(data)
    if name == "string_escape":
        return of_bytes(codecs.escape_encode(to_bytes(value))[0])
    text = value
    if isinstance(value, (bytes, ByteText)):  # Python 2 decoded it first
        text = to_bytes(value).decode(unicode_mixing.default())
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
