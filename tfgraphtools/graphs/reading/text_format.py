"""The text format of protocol buffers (``.pbtxt``), turned into the bytes that stand for the same.

So everything after it knows one format. Fields that `schema` lacks are skipped.
"""

import functools
import re
import struct

from tfgraphtools.checkpoints.format.wire import (
    FIXED32,
    FIXED64,
    Malformed,
    bytes_field,
    varint,
)
from tfgraphtools.graphs.reading.schema import MESSAGES, type_number

_MOST_LEVELS = 100  # as protobuf's own parsers allow

# A repeated alternative takes memory for each character. So space is passed by `_SPACE`, piece by
# piece, and a text by `_PIECES`, so many escapes at a time.
_SPACE = re.compile(r"\s*(?:\#[^\n]*)?")
_PIECES = {
    quote: re.compile(rf"[^{quote}\\\n]*(?:\\.[^{quote}\\\n]*){{0,1000}}") for quote in "\"'"
}
_TOKEN = re.compile(
    r"""(?:(?P<word>[A-Za-z_][\w.]*)
      |(?P<text>["'])
      |(?P<number>[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?f?|inf|nan))
      |(?P<mark>[-{}<>\[\]:,;/])
      |(?P<end>\Z))""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\([0-7]{1,3}|[xX][0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.S)
_ESCAPED = {"n": b"\n", "r": b"\r", "t": b"\t", "a": b"\a", "b": b"\b", "f": b"\f", "v": b"\v"}
_WORDS = {"true": 1, "True": 1, "t": 1, "false": 0, "False": 0, "f": 0}
_CLOSING = {"{": "}", "<": ">"}


def to_bytes(text, message):
    """Returns the serialized form of a message in the text format.

    Args:
      text: a str.
      message: the name of a message of `schema`.

    Raises:
      Malformed: the text is no such message.
    """
    return _Parser(text).fields_until("end", MESSAGES[message], 0)


class _Parser:
    def __init__(self, text):
        self._text, self._position = text, 0
        self._kind = self._token = None
        self._advance()

    def _advance(self):
        self._pass(_SPACE)
        match = _TOKEN.match(self._text, self._position)
        if match is None:
            raise self._no_field(self._position)
        start, self._position = self._position, match.end()
        self._kind = match.lastgroup
        if self._kind == "text":
            self._pass(_PIECES[match.group()])
            if self._text[self._position : self._position + 1] != match.group():
                raise self._no_field(start)
            self._position += 1
            self._token = self._text[start : self._position]
        else:
            self._token = match.group(self._kind)

    def _pass(self, pattern):
        """Goes on behind all that a pattern matches, which may be nothing."""
        end = pattern.match(self._text, self._position).end()
        while end != self._position:
            self._position = end
            end = pattern.match(self._text, end).end()

    def _no_field(self, position):
        line = self._text.count("\n", 0, position) + 1
        return Malformed(f"text that is no field, near line {line}")

    def _take(self, mark):
        if self._kind == "mark" and self._token == mark:
            self._advance()
            return True
        return False

    def fields_until(self, end, message, level):
        """Returns the fields up to a closing mark, or the end of the text, which is passed."""
        if level > _MOST_LEVELS:
            raise Malformed(f"messages nested in more than {_MOST_LEVELS} levels")
        written = bytearray()
        while not (self._kind == "end" if end == "end" else self._take(end)):
            number, kind = message.get(self._field_name(), (0, None))
            self._take(":")
            if self._take("["):
                while not self._take("]"):
                    written += self._value(number, kind, level)
                    self._take(",")
            else:
                written += self._value(number, kind, level)
            if not self._take(","):
                self._take(";")
        return bytes(written)

    def _field_name(self):
        name = self._token
        if self._kind == "word":
            self._advance()
        elif self._take("["):  # [type.googleapis.com/the.Message]
            while not self._take("]"):
                self._require_more()
                self._advance()
        else:
            raise self._unexpected("the name of a field")
        return name

    def _value(self, number, kind, level):
        if self._kind == "mark" and self._token in _CLOSING:
            end = _CLOSING[self._token]
            self._advance()
            inner = self.fields_until(end, MESSAGES.get(kind, {}), level + 1)
            if kind not in MESSAGES:
                return b""
            return bytes_field(number, inner)
        if kind in MESSAGES:
            raise self._unexpected(f"the message of a field of kind {kind}")
        if self._kind == "text":
            content = self._string()
            return bytes_field(number, content) if kind == "string" else b""
        sign = "-" if self._take("-") else ""
        if self._kind not in ("word", "number"):
            raise self._unexpected("a value")
        token = sign + self._token
        self._advance()
        return _scalar(number, kind, token)

    def _string(self):
        content = bytearray()
        while self._kind == "text":
            content += _unescaped(self._token[1:-1])
            self._advance()
        return bytes(content)

    def _require_more(self):
        if self._kind == "end":
            raise Malformed("text that is cut short")

    def _unexpected(self, expected):
        self._require_more()
        line = self._text.count("\n", 0, self._position) + 1
        return Malformed(f"{self._token!r} in place of {expected}, in line {line}")


def _scalar(number, kind, token):
    """Returns the field of a number, a bool or the name of a type; nothing of another."""
    try:
        if kind == "type":
            known = _type_number(token) if not token.isdigit() else int(token)
            return varint(number << 3) + varint(known)
        if kind in ("int", "bool"):
            value = _WORDS.get(token)
            return varint(number << 3) + varint(int(token, 0) if value is None else value)
        if kind == "float":
            return varint(number << 3 | FIXED32) + struct.pack("<f", _float(token))
        if kind == "double":
            return varint(number << 3 | FIXED64) + struct.pack("<d", _float(token))
    except (ValueError, OverflowError) as error:
        raise Malformed(f"{token!r} in place of a number") from error
    return b""  # the name of an enumeration's value, or of a field that is skipped


def _float(token):
    is_suffixed = token[-1:] in "fF" and token.lower().lstrip("+-") != "inf"
    return float(token[:-1] if is_suffixed else token)


@functools.lru_cache(maxsize=256)
def _type_number(name):
    return type_number(name)


def _unescaped(token):
    if "\\" not in token:
        return token.encode("utf-8", "surrogateescape")
    content, position = bytearray(), 0
    for match in _ESCAPE.finditer(token):
        content += token[position : match.start()].encode("utf-8", "surrogateescape")
        content += _escaped(match.group(1))
        position = match.end()
    content += token[position:].encode("utf-8", "surrogateescape")
    return bytes(content)


def _escaped(code):
    if code[0] in "01234567":
        return bytes([int(code, 8) & 0xFF])
    if code[0] in "xX" and len(code) > 1:
        return bytes([int(code[1:], 16)])
    if code[0] in "uU" and len(code) > 1:
        point = int(code[1:], 16)
        if point > 0x10FFFF:
            raise Malformed(f"the character \\{code}")
        return chr(point).encode("utf-8", "surrogatepass")
    return _ESCAPED.get(code, code.encode("utf-8", "surrogateescape"))
