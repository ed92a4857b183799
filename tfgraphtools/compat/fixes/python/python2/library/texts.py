"""Text where Python 2 had bytes: what is hashed, encoded or written to a temporary file.

A string of Python 2 was bytes. The translation has text in its place, so that these
functions are given text; it stands for its bytes in UTF-8, or for those that its
characters name (``"\\xc3\\xa9"``) where they are such bytes already.
"""

import codecs

from tfgraphtools.compat.engine import nodes, rows
from tfgraphtools.compat.engine.rewrite.walk import Visitor, early_walking

_SINCE = "Python 3.0"

HASHES = rows.Row(
    "python2.hashes",
    _SINCE,
    "hashlib's functions take text and hash its UTF-8 bytes",
    cannot="hashlib takes bytes: text.encode()",
)


def to_bytes(value):
    """The bytes for which a text stands; anything else is itself."""
    if not isinstance(value, str):
        return value
    try:
        plain = value.encode("latin1")
        plain.decode("utf-8")
        return plain
    except UnicodeError:
        return value.encode("utf-8")


def to_text(value):
    """The text that bytes are in UTF-8, or else one character for each of them."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin1")


# hashes ---------------------------------------------------------------------


class _Hash:
    """A hash that takes text."""

    def __init__(self, made):
        self._made = made

    def update(self, data):
        """Adds text or bytes."""
        self._made.update(to_bytes(data))

    def copy(self):
        """A copy that goes on by itself."""
        return _Hash(self._made.copy())

    def __getattr__(self, name):
        return getattr(self._made, name)


def hashing(name):
    """The function of hashlib of this name, for text."""

    def make(*arguments, **options):
        import hashlib

        first = 1 if name == "new" else 0
        data = [*arguments[:first], *map(to_bytes, arguments[first:])]
        return _Hash(getattr(hashlib, name)(*data, **options))

    make.__name__ = name
    return make


# temporary files ------------------------------------------------------------


class _File:
    """A binary file that takes text as well, and then gives text."""

    def __init__(self, file):
        self._file = file
        self._is_text = False

    def write(self, data):
        """Writes text or bytes."""
        self._is_text = self._is_text or isinstance(data, str)
        return self._file.write(to_bytes(data))

    def writelines(self, lines):
        """Writes several."""
        for line in lines:
            self.write(line)

    def _given(self, data):
        return to_text(data) if self._is_text else data

    def read(self, *size):
        """What follows, as it was written."""
        return self._given(self._file.read(*size))

    def readline(self, *size):
        """The next line."""
        return self._given(self._file.readline(*size))

    def readlines(self, *hint):
        """All lines that follow."""
        return [self._given(line) for line in self._file.readlines(*hint)]

    def __iter__(self):
        return iter(self.readline, self._given(b""))

    def __enter__(self):
        self._file.__enter__()
        return self

    def __exit__(self, *exception):
        return self._file.__exit__(*exception)

    def __getattr__(self, name):
        if name == "_file":
            raise AttributeError(name)
        return getattr(self._file, name)


def temporary(name):
    """The function of tempfile of this name, for text in binary files."""

    def make(*arguments, **options):
        import tempfile

        file = getattr(tempfile, name)(*arguments, **options)
        at = 1 if name == "SpooledTemporaryFile" else 0
        mode = options.get("mode", arguments[at] if len(arguments) > at else "w+b")
        return _File(file) if "b" in mode else file

    make.__name__ = name
    return make


# encodings ------------------------------------------------------------------

#: Encodings of bytes, which text's `encode` had too.
OF_BYTES = {"hex", "hex_codec", "base64", "base64_codec", "zlib", "zip", "bz2", "quopri", "uu"}
OF_TEXT = {"rot13", "rot_13", "string_escape", "string-escape"}


@early_walking
def codecs_of_bytes(tree):
    """``text.encode("hex")`` and ``text.decode("base64")`` ask `coded`."""
    return _Codecs() if nodes.mentions(tree, "encode", "decode") else None


class _Codecs(Visitor):
    def visit_Call(self, node):
        self.generic_visit(node)
        method = getattr(node.func, "attr", None)
        if method in ("encode", "decode") and len(node.args) == 1 and not node.keywords:
            if nodes.word(node.args[0]) in OF_BYTES | OF_TEXT:
                name = nodes.text(method, node)
                return nodes.call("__python2_coded__", node.func.value, name, node.args[0], at=node)
        return node


def coded(value, method, encoding):
    """``value.encode(encoding)`` or ``value.decode(encoding)`` of Python 2."""
    if not isinstance(value, (str, bytes)):
        return getattr(value, method)(encoding)
    rows.used(ENCODINGS)
    if encoding in ("rot13", "rot_13"):
        return codecs.encode(to_text(value) if isinstance(value, bytes) else value, "rot13")
    data = to_bytes(value)
    if encoding in OF_TEXT:
        function = codecs.escape_encode if method == "encode" else codecs.escape_decode
        found = function(data)[0]
    else:
        found = getattr(codecs, method)(data, encoding)
    return to_text(found) if isinstance(value, str) else found


ENCODINGS = rows.Row(
    "python2.encodings",
    _SINCE,
    "text.encode('hex'), 'base64', 'zlib', 'rot13'... encode its bytes",
    codecs_of_bytes,
    cannot="write codecs.encode(bytes, 'hex') for text.encode('hex')",
)

TABLE = rows.Table("encodings of Python 2", "syntax", [ENCODINGS])
