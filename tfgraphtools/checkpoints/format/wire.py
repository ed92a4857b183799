"""Protocol-buffer wire format, read and written by hand: varints, tags and fields.

The checkpoint formats use six small messages. Decoding them here keeps protobuf
(and TensorFlow, which ships the generated classes) out of the import, and puts
us in charge of what a hostile file can make us do.

Decoders raise `Malformed`, which knows what is wrong but not in which file;
`reading` turns it into the user's error, which names the file.
"""

import contextlib
import struct

from tfgraphtools.errors import DamagedCheckpointError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

_U64 = (1 << 64) - 1


class Malformed(Exception):
    """Bytes that are not what they claim to be; the message says in what way."""


@contextlib.contextmanager
def reading(
    place, next_step="Restore the file from a backup; 'tfgraphtools ckpt verify' says what is left."
):
    """Turns what a decoder raises on bad bytes into an error that names the file.

    Decoders index and unpack without asking first whether enough bytes are
    left, so running off the end means that the data is cut short.
    """
    try:
        yield
    except Malformed as error:
        raise DamagedCheckpointError(place, "well-formed data", str(error), next_step) from error
    except (IndexError, struct.error) as error:
        raise DamagedCheckpointError(
            place, "well-formed data", "data that is cut short", next_step
        ) from error


def read_varint(data, position):
    """Returns (value, position after it) of the varint at ``position``; at most 64 bits."""
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if value > _U64:
                raise Malformed("a varint of more than 64 bits")
            return value, position
        shift += 7
        if shift > 63:
            raise Malformed("a varint of more than 10 bytes")


def varint(value):
    """Returns the bytes of ``value`` as a varint; a negative number takes ten, as int64 does."""
    value &= _U64
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value):
    """Returns an int64 or int32 field, which the wire holds as an unsigned varint."""
    return value - (1 << 64) if value >> 63 else value


def fields(data):
    """Yields (field number, value) of a message, in the order of the bytes.

    A value is an int (varints unsigned: see `signed`) or a slice of ``data``.
    """
    position, end = 0, len(data)
    while position < end:
        tag, position = read_varint(data, position)
        wire = tag & 7
        if wire == VARINT:
            value, position = read_varint(data, position)
        elif wire == BYTES:
            length, position = read_varint(data, position)
            if length > end - position:
                raise Malformed("a field that runs past the end of its message")
            value = data[position : position + length]
            position += length
        elif wire == FIXED32:
            value = struct.unpack_from("<I", data, position)[0]
            position += 4
        elif wire == FIXED64:
            value = struct.unpack_from("<Q", data, position)[0]
            position += 8
        else:
            raise Malformed(f"a field of wire type {wire}")
        if not tag >> 3:
            raise Malformed("a field with the number 0")
        yield tag >> 3, value


def last_fields(data):
    """Returns {field number: its last value}, for messages whose fields are all singular."""
    return dict(fields(data))


def expect_bytes(value):
    """Returns ``value`` if it is bytes: a string or message field that is a number is malformed."""
    if isinstance(value, int):
        raise Malformed("a number where a message belongs")
    return value


def expect_int(value):
    """Returns ``value`` if it is a number: a scalar field that holds bytes is malformed."""
    if not isinstance(value, int):
        raise Malformed("bytes where a number belongs")
    return value


def text(value):
    """Returns a string field as str; bytes that are no UTF-8 survive the way there and back."""
    return bytes(expect_bytes(value)).decode("utf-8", "surrogateescape")


def is_text(string):
    """Tells whether `utf8` can write a str: JSON may hold half of a pair of surrogates."""
    try:
        utf8(string)
    except UnicodeEncodeError:
        return False
    return True


def utf8(string):
    """Returns the bytes of a str that `text` gave."""
    return string.encode("utf-8", "surrogateescape")


def number_field(number, value):
    """Returns a varint field; nothing for 0, which proto3 leaves out."""
    return varint(number << 3 | VARINT) + varint(value) if value else b""


def bytes_field(number, value):
    """Returns a string or message field, written even when empty."""
    return varint(number << 3 | BYTES) + varint(len(value)) + value


def fixed32_field(number, value):
    """Returns a fixed32 field; nothing for 0, which proto3 leaves out."""
    return varint(number << 3 | FIXED32) + struct.pack("<I", value) if value else b""
