"""The file ``checkpoint`` that a Saver writes: which checkpoint of a folder is the newest."""

import re

from tfgraphtools.checkpoints.format.wire import utf8
from tfgraphtools.errors import DamagedCheckpointError

_STATE_LINE = re.compile(
    r'^[ \t]*model_checkpoint_path[ \t]*:[ \t]*"((?:[^"\\]|\\.)*)"', re.MULTILINE
)


def named_in(path):
    """Returns the path that a state file names: absolute, or relative to its folder."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return named_in_text(file.read(1 << 20), path)


def named_in_text(text, path):
    """Returns the path that the text of a state file names; ``path`` is for errors."""
    match = _STATE_LINE.search(text)
    if not match:
        raise DamagedCheckpointError(
            path, 'a line model_checkpoint_path: "..."', "none", "Pass the prefix itself."
        )
    named = _unescaped(match.group(1))
    if "\0" in named:
        raise DamagedCheckpointError(
            path, "the path of a checkpoint", repr(named), "Pass the prefix itself."
        )
    return named


def has_no_base_name(named):
    """Tells whether a path in a state file is that of a folder.

    ``Saver.save(session, "dir/")`` writes ``dir/.index``, and the state says ``.`` or ``/dir/``.
    """
    return re.split(r"[/\\]", named)[-1] in ("", ".")


def text(base):
    """Returns the bytes of a ``checkpoint`` file that names a checkpoint beside it."""
    quoted = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'\\"' else f"\\{byte:03o}"
        for byte in utf8(base)
    )
    text = f'model_checkpoint_path: "{quoted}"\nall_model_checkpoint_paths: "{quoted}"\n'
    return text.encode("ascii")


_ESCAPES = {"n": b"\n", "t": b"\t", "r": b"\r", "a": b"\a", "b": b"\b", "f": b"\f", "v": b"\v"}


def _unescaped(text):
    """Returns the string in a quoted text-format field: C escapes, octal and hex for bytes."""

    def byte(match):
        code = match.group(1)
        if code[0] in "01234567":
            return bytes([int(code, 8) & 255])
        if code[0] in "xX":
            return bytes([int(code[1:], 16)])
        return _ESCAPES.get(code, code.encode("utf-8", "surrogateescape"))

    pieces = re.split(r"\\([0-7]{1,3}|[xX][0-9a-fA-F]{1,2}|.)", text)
    out = b""
    for i, piece in enumerate(pieces):
        out += (
            byte(re.match("(?s)(.*)", piece)) if i % 2 else piece.encode("utf-8", "surrogateescape")
        )
    return out.decode("utf-8", "surrogateescape")
