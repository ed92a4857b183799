"""``.npz``: a zip file of ``.npy`` files, written to places known beforehand, read where it lies.

`zipfile` computes its checksum in the thread that writes. Here the places of all
members are known before, so that they can be written in any order and by several
threads, and the records of the zip file are added when the checksums are known.
Each array begins at a multiple of 64 bytes: its header is padded for that.
"""

import struct
import zlib

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.archive_members import Member
from tfgraphtools.checkpoints.format.extents import elements
from tfgraphtools.checkpoints.format.wire import Malformed, utf8
from tfgraphtools.errors import UnreadableTensorError

_ALIGNMENT = 64
_ONES = 0xFFFFFFFF  # in a field of 32 bits: see the one of 64
_LIMIT = _ONES  # sizes and offsets from here on take 64 bits
_MOST_MEMBERS = 0xFFFF
_LARGEST_HEADER = 1 << 17  # more than an array's header takes
_UTF8_NAMES = 0x800
_EPOCH = 0x21  # 1 January 1980, the zero of zip's dates: equal checkpoints give equal files
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_MAGIC = b"\x93NUMPY"


# Writing --------------------------------------------------------------------


def array_header(dtype, shape, at=0):
    """Returns the header of a ``.npy`` file that begins at ``at``, up to where its values begin."""
    descr = "|b1" if dtype.name == "bool" else "{}{}".format("<|"[dtype.size == 1], dtype.storage)
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape!r}, }}"
    start = at + len(_MAGIC) + 4 + len(text) + 1
    text += " " * (-start % _ALIGNMENT) + "\n"
    return _MAGIC + b"\x01\x00" + struct.pack("<H", len(text)) + text.encode("ascii")


class Layout:
    """The places of the members of a zip file: ``add`` them all, then write `records`."""

    def __init__(self):
        self.size = 0
        self._members = []  # (name, offset of its record, array header, bytes of the values)

    def add(self, key, dtype, shape):
        """Returns (offset of the values, the array's header) of a new member."""
        name = utf8(key + ".npy")
        size = elements(shape) * dtype.size
        begin = self.size + len(_local_record(name, size, 0, _is_large(size)))
        header = array_header(dtype, shape, begin)
        self._members.append((name, self.size, header, size))
        self.size = begin + len(header) + size
        return begin + len(header), header

    def records(self, checksums):
        """Yields (offset, bytes) of everything but the values; ``checksums`` are the members'."""
        directory = []
        for (name, offset, header, size), crc in zip(self._members, checksums):
            whole = len(header) + size
            yield offset, _local_record(name, whole, crc, _is_large(size)) + header
            directory.append(_central_record(name, offset, whole, crc))
        data = b"".join(directory)
        yield self.size, data + _end_record(len(directory), len(data), self.size)


def _is_large(size):
    """Tells whether a member's first record has its sizes in 64 bits."""
    return size + _LARGEST_HEADER >= _LIMIT


def _local_record(name, size, crc, large):
    extra = struct.pack("<2H2Q", 1, 16, size, size) if large else b""
    short, version = (_ONES, 45) if large else (size, 20)
    fields = (version, _UTF8_NAMES, 0, 0, _EPOCH, crc, short, short)
    return _LOCAL.pack(b"PK\3\4", *fields, len(name), len(extra)) + name + extra


def _central_record(name, offset, size, crc):
    wide = [value for value in (size, size, offset) if value >= _LIMIT]
    extra = struct.pack(f"<2H{len(wide)}Q", 1, 8 * len(wide), *wide) if wide else b""
    version = 45 if wide else 20
    fields = (version, version, _UTF8_NAMES, 0, 0, _EPOCH, crc, _short(size), _short(size))
    record = _CENTRAL.pack(b"PK\1\2", *fields, len(name), len(extra), 0, 0, 0, 0, _short(offset))
    return record + name + extra


def _short(value):
    return _ONES if value >= _LIMIT else value


def _end_record(count, size, offset):
    wide = b""
    if count >= _MOST_MEMBERS or max(size, offset) >= _LIMIT:
        wide = struct.pack(
            "<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, offset
        ) + struct.pack("<4sIQI", b"PK\6\7", 0, offset + size, 1)
    few = min(count, _MOST_MEMBERS)
    return wide + struct.pack(
        "<4s4H2IH", b"PK\5\6", 0, 0, few, few, _short(size), _short(offset), 0
    )


# Reading --------------------------------------------------------------------


def names(file):
    """Returns the names in the directory of a zip file; none if it cannot be read."""
    import zipfile

    try:
        with zipfile.ZipFile(file.source()) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, EOFError, OSError):
        return []


def members(file):
    """Returns [`Member`] of an open `File`; `Malformed` if it is no zip file of arrays.

    Raises:
      UnreadableTensorError: an array of Python objects, of records or of dates. Nothing is ever
        unpickled.
    """
    import errno
    import zipfile

    try:
        with zipfile.ZipFile(file.source()) as archive:
            infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
            return [_member(file, archive, info) for info in infos]
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        UnicodeDecodeError,
        EOFError,
        zlib.error,
    ) as error:
        raise Malformed(f"a zip file that cannot be read ({error})") from error
    except OSError as error:  # a place before the beginning of the file
        if error.errno != errno.EINVAL:
            raise
        raise Malformed("a zip file whose directory is elsewhere") from error


def _member(file, archive, info):
    if not info.filename.endswith(".npy") or info.flag_bits & 1:
        raise UnreadableTensorError(
            f"{file.path}: {info.filename!r}",
            "a member that is an array, NAME.npy, not encrypted",
            "an encrypted one" if info.flag_bits & 1 else "another kind of file",
            "Write the file with np.savez.",
        )
    begin = None
    if not info.compress_type:
        begin = _begin(file, info)
        file.require(begin, info.file_size)  # all of it is there
        head = file.read(begin, min(info.file_size, _LARGEST_HEADER))
    else:
        with archive.open(info) as stream:
            head = stream.read(_LARGEST_HEADER)
    descr, fortran, shape, header = parse_header(head)
    dtype, size = _dtype(descr, f"{file.path}: {info.filename!r}")
    values = elements(shape) * size
    if header + values != info.file_size:
        raise Malformed(f"{info.filename!r} of {info.file_size} bytes, not {header + values}")
    return Member(
        info.filename[:-4],
        dtype,
        shape,
        None if begin is None else begin + header,
        values,
        (descr, fortran),
        lambda: _check(file, info, begin),
        lambda: _values(file, info, begin, header, values),
    )


def _values(file, info, begin, header, size):
    if begin is None:
        return _decompressed(file, info)[header:]
    return file.view(begin + header, size)


def _begin(file, info):
    """Returns where a stored member's bytes begin: after its record, name and extras."""
    fields = _LOCAL.unpack(file.read(info.header_offset, _LOCAL.size))
    if fields[0] != b"PK\3\4":
        raise Malformed(f"no record of {info.filename!r} where the directory says")
    return info.header_offset + _LOCAL.size + fields[-2] + fields[-1]


def parse_header(head):
    """Returns (NumPy type, fortran order, shape, length of the header) of a ``.npy`` file."""
    import io

    import numpy as np

    stream = io.BytesIO(head)
    try:
        version = np.lib.format.read_magic(stream)
        read = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, fortran, descr = read(stream)
    except Exception as error:  # whatever the tokenizer of Python raises, too
        raise Malformed(f"an array's header that cannot be read ({error})") from error
    if any(size < 0 for size in shape):
        raise Malformed(f"an array of shape {shape}")
    return descr, fortran, shape, stream.tell()


def _dtype(descr, place):
    """Returns (our type of an array's type, bytes of an element)."""
    if descr.kind in "SU":
        return dtypes.by_number(dtypes.STRING), descr.itemsize
    known = {name: dtypes.by_name(name, place) for name in dtypes.IN_NUMPY}
    if descr.kind not in "fiubc" or descr.name not in known:
        raise UnreadableTensorError(
            place,
            "an array of numbers, bools or strings",
            f"one of type {descr.str!r}" if descr.kind != "O" else "Python objects (a pickle)",
            "Save it again as a type that checkpoints have; bfloat16 as its float32 values.",
        )
    return known[descr.name], descr.itemsize


def _check(file, info, begin):
    """Raises `Malformed` unless the bytes of a member have its checksum."""
    if begin is None:
        _decompressed(file, info)
        return
    crc = 0
    for chunk in file.chunks(begin, info.file_size):
        crc = zlib.crc32(chunk, crc)
    if crc != info.CRC:
        raise Malformed("checksum")


def _decompressed(file, info):
    import zipfile

    try:
        with zipfile.ZipFile(file.source()) as archive:
            return archive.read(info)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise Malformed(f"compressed data that cannot be read ({error})") from error
