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
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    text = source.decode(encoding)
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
