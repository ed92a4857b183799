"""Source files: found, and read with their encoding and line ends."""

import codecs
import io
import os
import re
import tokenize
from typing import NamedTuple

from tfgraphtools import line_differences, regular_files
from tfgraphtools.compat.doctor import source_files

#: What a path may be.
_EXPECTED = "a Python file, a notebook, or a folder that contains some"

#: How to fix the encoding of a file.
REMEDY = ": save it as UTF-8, or name its encoding in its first line: # coding: latin-1"


class Unreadable(Exception):
    """A file is none that Python could read, or none that can be written; the message says why."""


class Content(NamedTuple):
    """What a file holds.

    Fields:
      text: its text; lines end in ``\\n``.
      encoding: as Python reads it.
      mark: the bytes of its byte-order mark.
      ends: its line end, or None where it has several: then `raw` has them.
      raw: its text with the line ends that it has.
    """

    text: str
    encoding: str
    mark: bytes
    ends: object
    raw: str


#: The message for a file that may not be written, or that is in a folder of which that is so.
_READ_ONLY = (
    "expected a writable {}, got a read-only one; nothing was written. Make it writable: chmod u+w"
)

#: What the name of a copy of the old file ends in.
BACKUP = ".orig"


def find(paths):
    """Returns the absolute paths of the ``.py`` and ``.ipynb`` files that the paths are or hold.

    Raises:
      ArgumentError: there is no such path, or no such file below it.
    """
    below = (source for path in paths for source in source_files.find(path, _EXPECTED))
    return list(dict.fromkeys(map(os.path.abspath, below)))


def decoded(data):
    """Returns the `Content` of the bytes of a source file.

    Raises:
      Unreadable: an encoding that Python does not know, or bytes that are none of it.
    """
    mark = b""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise Unreadable("it is UTF-16, which Python cannot run: save it as UTF-8")
    if data.startswith(codecs.BOM_UTF8):
        mark = codecs.BOM_UTF8
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        encoding = "utf-8" if encoding == "utf-8-sig" else encoding
        raw = data[len(mark) :].decode(encoding)
    except SyntaxError as error:
        raise Unreadable(f"{error.msg}{REMEDY}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"line {line} is not {error.encoding}{REMEDY}") from None
    if "\0" in raw:
        raise Unreadable("it contains zero bytes, so it is not Python source")
    unpaired = raw.replace("\r\n", "")
    ends = {end for end in ("\n", "\r") if end in unpaired} | ({"\r\n"} if "\r\n" in raw else set())
    text = raw.replace("\r\n", "\n").replace("\r", "\n")
    return Content(text, encoding, mark, ends.pop() if len(ends) == 1 else None, raw)


def encoded(content, text):
    """Returns the bytes of a file whose text became `text`: its encoding and line ends are kept.

    Where a file mixes line ends, lines that are new get those of the line before them.

    Raises:
      UnicodeEncodeError: the encoding has no bytes for a character of the text.
    """
    if content.ends is not None:
        whole = text.replace("\n", content.ends)
    elif "\r" not in content.raw:
        whole = text
    else:
        whole = _with_ends(content, text)
    return content.mark + whole.encode(content.encoding)


def _with_ends(content, text):
    old, new = content.text.split("\n"), text.split("\n")
    ends = re.findall(r"\r\n|\r|\n", content.raw)
    parts, last = [], ends[0]
    for kind, start, _, other, other_end in opcodes(old, new):
        for number in range(other, other_end):
            if kind in ("equal", "replace") and start + number - other < len(ends):
                last = ends[start + number - other]
            parts.append(new[number] + (last if number + 1 < len(new) else ""))
    return "".join(parts)


def opcodes(old, new):
    """Returns how lines became others, in the terms of `difflib.SequenceMatcher.get_opcodes`.

    That looks for long blocks, and may pair a line with another of the same text. Where as many
    lines as before are paired in their order, most changes are within a line.
    """
    opcodes = line_differences.opcodes(old, new)
    in_order = sum(map(str.__eq__, old, new))
    paired = sum(end - start for kind, start, end, _, _ in opcodes if kind == "equal")
    if len(old) == len(new) and in_order >= paired:
        return [("replace", 0, len(old), 0, len(new))]
    return opcodes


def read(path):
    """Returns the bytes of a source; raises OSError for no regular file, or a huge one."""
    return regular_files.read(path)


def require_writable(path):
    """Raises `PermissionError` for a file that is read-only, or that nothing can be put beside.

    The mode counts for the superuser, too, who is never denied access.
    """
    real = os.path.realpath(path)
    if os.path.exists(real) and not (os.access(real, os.W_OK) and os.stat(real).st_mode & 0o222):
        raise PermissionError(13, _READ_ONLY.format("file"), path)
    if not os.access(os.path.dirname(real), os.W_OK):
        raise PermissionError(13, _READ_ONLY.format("folder around the file"), path)


def backup(path):
    """Returns the path at which a copy of a file is kept.

    Beside the file, not beside a link to it.
    """
    return os.path.realpath(path) + BACKUP
