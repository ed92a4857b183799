"""The text of a source file as Python 2 read it: its encoding, its line ends, its tabs."""

import io
import re
import tokenize

#: A comment or a string literal; what is neither is passed over.
_COMMENT_OR_STRING = re.compile(
    r"#[^\n]*"
    r"|'''(?:[^\\]|\\.)*?'''"
    r'|"""(?:[^\\]|\\.)*?"""'
    r"|'(?:[^\\\n']|\\.)*'"
    r'|"(?:[^\\\n"]|\\.)*"',
    re.DOTALL,
)

_TAB = 8  # Python 2's tab stops


def text_of(source):
    """Returns the text of a source file: decoded as its cookie says, lines ending in ``\\n``.

    Args:
      source: the bytes of the file; without a cookie or a mark they are UTF-8.

    Raises:
      SyntaxError: an unknown encoding.
      UnicodeDecodeError: bytes that are none of the encoding.
    """
    text = source.decode(encoding_of(source))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") else text + "\n"


def expand_tabs(text):
    """Returns `text` with the tabs of its indentation as spaces, to multiples of 8.

    It does nothing to lines that begin inside a string literal.
    """
    inside = set()
    for match in _COMMENT_OR_STRING.finditer(text):
        first = text.count("\n", 0, match.start())
        inside.update(range(first + 1, first + 1 + match.group().count("\n")))
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if number not in inside and "\t" in line:
            code = line.lstrip(" \t\f")
            lines[number] = line[: len(line) - len(code)].expandtabs(_TAB) + code
    return "\n".join(lines)


#: A string literal with its prefix, or a comment.
_LITERAL = re.compile(
    r"(?P<prefix>(?<![A-Za-z0-9_])[A-Za-z]{0,2})(?P<string>"
    + _COMMENT_OR_STRING.pattern.partition("|")[2]
    + r")|#[^\n]*",
    re.DOTALL,
)

_ESCAPE = re.compile(r"\\[4-7][0-7]{2}|\\.|[^\x00-\x7f]", re.DOTALL)


def spell_bytes(text, encoding):
    r"""Returns a source in which the escapes of a string literal name its bytes.

    ``'é'`` is ``'\xc3\xa9'`` then, and ``'\u'`` is no escape. It does nothing to literals of
    unicode, nor where the file has them by ``unicode_literals``.

    Args:
      text: the source; lines end in ``\n``.
      encoding: that of the file.
    """
    if "unicode_literals" in text and "__future__" in text:
        return text
    return _LITERAL.sub(lambda match: _spelled(match, encoding), text)


def _spelled(match, encoding):
    whole, prefix = match.group(), (match["prefix"] or "").lower()
    if whole.startswith("#") or prefix not in ("", "r"):
        return whole
    string = match["string"]
    if string.isascii() and (prefix or not re.search(r"\\[uUN4-7]", string)):
        return whole
    quote = string[:3] if string[:3] in ("'''", '"""') else string[0]
    body = string[len(quote) : -len(quote)]
    if prefix:
        new = _ESCAPE.sub(lambda part: _raw(part.group(), encoding), body)
    else:
        new = _ESCAPE.sub(lambda part: _escaped(part.group(), encoding), body)
    return quote + new + quote


def _escaped(part, encoding):
    if not part.startswith("\\"):
        return _bytes(part, encoding)
    if not part.isascii():
        return "\\\\" + _bytes(part[1:], encoding)
    if len(part) == 4:  # an octal number of more than a byte
        return f"\\x{int(part[1:], 8) & 255:02x}"
    return "\\" + part if part[1] in "uUN" else part


def _raw(part, encoding):
    if not part.startswith("\\"):
        return _bytes(part, encoding)
    after = part[1:]
    if not after.isascii():
        after = _bytes(after, encoding)
    elif after in "\\'\"":
        after = "\\" + after
    return "\\\\" + after


def _bytes(text, encoding):
    return "".join(f"\\x{byte:02x}" for byte in text.encode(encoding))


def encoding_of(source):
    """Returns the encoding of the bytes of a source file."""
    return tokenize.detect_encoding(io.BytesIO(source).readline)[0]
