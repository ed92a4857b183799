"""Manifests: facts of tensors that an archive cannot hold, as JSON, and safe keys.

Most tensors need none of it: their name is the key, and the array has their type
and shape. An archive in which that is true of all has no manifest.

    {"version": 1, "tensors": {key: {"name": ..., "dtype": ..., "shape": [...],
                                     "slices": [[[start, length], ...], ...]}}}

Each of the four is there only if it differs from what the archive says itself.
"""

import collections
import json

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.wire import Malformed, is_text, utf8

#: The key that holds the manifest: an array in an npz, an item of the metadata in a safetensors.
KEY = "__tfgraphtools__"

_VERSION = 1
_LONGEST = 30000  # bytes of a key: zip counts them in 16 bits, and an escape takes three

#: One tensor of a manifest; each is None if the archive says it itself.
Note = collections.namedtuple("Note", "name dtype shape slices")
NOTHING = Note(None, None, None, None)


def dump(notes):
    """Returns the JSON of {key: `Note`}, in ASCII; "" if no note says anything."""
    tensors = {
        key: {field: value for field, value in note._asdict().items() if value is not None}
        for key, note in notes.items()
        if note != NOTHING
    }
    if not tensors:
        return ""
    return json.dumps({"version": _VERSION, "tensors": tensors}, separators=(",", ":"))


def load(text, keys):
    """Returns {key: `Note`} of a manifest; `Malformed` unless it is one, of these keys."""
    try:
        value = json.loads(text)
        version, tensors = value["version"], value["tensors"]
        notes = {key: Note(**dict(NOTHING._asdict(), **note)) for key, note in tensors.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Malformed(f"a manifest that cannot be read ({error})") from error
    if version != _VERSION:
        raise Malformed(f"a manifest of version {version!r}")
    lost = sorted(set(notes) - set(keys))
    if lost:
        raise Malformed("no tensor {} of the manifest".format(", ".join(map(repr, lost[:8]))))
    return {key: _checked(key, note) for key, note in notes.items()}


def _checked(key, note):
    """Returns the note with tuples for lists; `Malformed` if a part of it is of the wrong kind."""
    try:
        shape = None if note.shape is None else _sizes(note.shape)
        slices = note.slices and tuple(
            tuple(
                (_size(start), None if length is None else _size(length))
                for start, length in bounds
            )
            for bounds in note.slices
        )
    except (TypeError, ValueError) as error:
        raise Malformed(f"a manifest with a wrong shape or slice of {key!r}") from error
    for text in (note.name, note.dtype):
        if not isinstance(text, (str, type(None))) or not is_text(text or ""):
            raise Malformed(f"a manifest with a wrong name or type of {key!r}")
    return note._replace(shape=shape, slices=slices or None)


def _sizes(values):
    return tuple(map(_size, values))


def _size(value):
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(value)
    return value


def dtype_of(note, natural, place):
    """Returns the type that a note says, or else the one that the archive says."""
    return natural if note.dtype is None else dtypes.by_name(note.dtype, place)


# Keys -----------------------------------------------------------------------


def npz_key(name, number):
    """Returns a key that is safe as a path inside a zip, and that no other name can get.

    ``%`` begins an escape, so a plain ``%`` is escaped too. Kept from being what they look
    like: ``..``, a leading or doubled slash, control characters, and ``a.npy``, which NumPy
    takes for the array ``a`` and a file system for its file.
    """
    return _checked_key("/".join(map(_component, name.split("/"))), number)


def safetensors_key(name, number):
    """Returns a key that is no part of the format itself, and that JSON can hold."""
    key = "".join(_escape(char) if char == "%" or _is_surrogate(char) else char for char in name)
    return _checked_key(key if key != "__metadata__" else "%5F_metadata__", number)


def _checked_key(key, number):
    if key == KEY:
        key = "%5F" + key[1:]
    return key if len(utf8(key)) <= _LONGEST else f"%{number}-too-long"


def _component(text):
    if not text:
        return "%"
    if text in (".", ".."):
        return "".join(map(_escape, text))
    text = "".join(_escape(char) if _is_unsafe(char) else char for char in text)
    return text[:-4] + "%2Enpy" if text.endswith(".npy") else text


def _is_unsafe(char):
    return char in "%\\\x7f" or char < " " or _is_surrogate(char)


def _is_surrogate(char):
    return "\ud800" <= char <= "\udfff"


def _escape(char):
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))
