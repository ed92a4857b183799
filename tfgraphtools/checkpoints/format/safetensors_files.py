"""``.safetensors``: a length, a JSON header, and the bytes of all tensors without gaps.

    u64 length of the header
    {"__metadata__": {str: str}, key: {"dtype": "F32", "shape": [...], "data_offsets": [a, b]}}
    the tensors, little-endian, in C order; the offsets count from here

The library of that name writes from memory only, so this is our own. The larger
types come first, so that each tensor is aligned.
"""

import collections
import json
import struct

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.archive_members import Member
from tfgraphtools.checkpoints.format.extents import elements
from tfgraphtools.checkpoints.format.wire import Malformed, is_text
from tfgraphtools.errors import ArgumentError, UnreadableTensorError

_METADATA = "__metadata__"
_ALIGNMENT = 64
_LONGEST_HEADER = 100 * 1000 * 1000  # the library refuses more

#: The types that we write, in which the library at any age reads them.
CODES = {
    "bool": "BOOL",
    "int8": "I8",
    "int16": "I16",
    "int32": "I32",
    "int64": "I64",
    "uint8": "U8",
    "uint16": "U16",
    "uint32": "U32",
    "uint64": "U64",
    "float16": "F16",
    "bfloat16": "BF16",
    "float32": "F32",
    "float64": "F64",
    "float8_e5m2": "F8_E5M2",
    "float8_e4m3fn": "F8_E4M3",
}
_CODES = dict(CODES, complex64="C64")
_NAMES = dict(
    {code: name for name, code in _CODES.items()},
    F8_E5M2FNUZ="float8_e5m2fnuz",
    F8_E4M3FNUZ="float8_e4m3fnuz",
)


def layout(contents, metadata, place):
    """Returns (the header's bytes, [(content, offset in the file)]), by falling type size.

    Raises:
      ArgumentError: the names and shapes alone are more than the library reads.
    """
    ordered = sorted(contents, key=lambda content: -content.dtype.size)
    header, offset, placed = collections.OrderedDict(), 0, []
    if metadata:
        header[_METADATA] = metadata
    for content in ordered:
        end = offset + content.bytes
        header[content.key] = {
            "dtype": _code(content, place),
            "shape": list(content.shape),
            "data_offsets": [offset, end],
        }
        placed.append((content, offset))
        offset = end
    data = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    data += b" " * (-(8 + len(data)) % _ALIGNMENT)
    if len(data) > _LONGEST_HEADER:
        raise ArgumentError(
            place,
            f"names and shapes of at most {_LONGEST_HEADER} bytes",
            f"{len(data)}",
            "Write several files, or an npz.",
        )
    begin = struct.pack("<Q", len(data)) + data
    return begin, [(content, len(begin) + offset) for content, offset in placed]


def _code(content, place):
    """Returns the code of a type; complex numbers have one in the library since its version 0.6."""
    code = _CODES.get(content.dtype.name)
    if code is None:
        raise ArgumentError(
            f"{place}: {content.key!r}",
            "a type that safetensors has: {}".format(", ".join(sorted(_CODES))),
            content.dtype.name,
            "Write a .pt or an .npz, or cast it.",
        )
    return code


def members(file):
    """Returns ([`Member`], metadata) of an open `File`; `Malformed` if it is another."""
    (length,) = struct.unpack("<Q", file.read(0, 8))
    if length > min(_LONGEST_HEADER, file.size - 8):
        raise Malformed(f"a header of {length} bytes in a file of {file.size}")
    try:
        text = file.read(8, length).decode("utf-8")
        header = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"a header that cannot be read ({error})") from error
    if not isinstance(header, dict):
        raise Malformed("a header that is no JSON object")
    metadata = header.pop(_METADATA, {})
    if not isinstance(metadata, dict):
        raise Malformed("metadata that is no JSON object")
    tensors = [_member(file, key, entry, 8 + length) for key, entry in header.items()]
    end = 8 + length
    for member in sorted(tensors, key=lambda tensor: (tensor.offset, tensor.bytes)):
        if member.offset != end:
            raise Malformed(f"{member.key!r} at {member.offset}, not right after byte {end}")
        end += member.bytes
    if end != file.size:
        raise Malformed(f"{file.size} bytes, not {end}")
    return tensors, metadata


def _unique(pairs):
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise Malformed("a name that occurs twice")
    return entries


def _member(file, key, entry, base):
    if not is_text(key):
        raise Malformed(f"a name that is no text: {key!r}")
    try:
        code, shape, (start, stop) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
        if not all(type(size) is int and size >= 0 for size in shape + (start, stop)):
            raise TypeError("a negative number")
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed(f"an entry of {key!r} that cannot be read ({error})") from error
    if code not in _NAMES:
        raise UnreadableTensorError(
            f"{file.path}: {key!r}",
            "a type that checkpoints have: {}".format(", ".join(sorted(_NAMES))),
            repr(code),
            "Convert it to one of them where the file comes from.",
        )
    dtype = dtypes.by_name(_NAMES[code], key)
    if stop - start != elements(shape) * dtype.size:
        raise Malformed(f"{stop - start} bytes for {key!r}, {code} of shape {list(shape)}")
    offset, size = base + start, stop - start
    as_numpy = (dtypes.storage(dtype), False)

    def check():
        file.require(offset, size)  # this has no checksums; that it is all there, at least

    def view():
        return file.view(offset, size)

    return Member(key, dtype, shape, offset, size, as_numpy, check, view)
