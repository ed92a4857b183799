"""OrderedCode: keys whose byte order is the order of what they encode.

A slice of a partitioned tensor (V2), and every slice of a V1 checkpoint, is
stored under the key ``0, name, rank, then start and length of each dimension``.
The encoding is that of TF's core/lib/strings/ordered_code.cc. A slice is a
tuple of (start, length), with the length None for the whole dimension, which
the key holds as (0, -1).
"""

from tfgraphtools.checkpoints.format.wire import Malformed

#: Bits that a signed number's first two bytes carry to say its length, by length.
_LENGTH_BITS = {n: (0xFF00 >> n & 0xFF, 0) for n in range(1, 9)}
_LENGTH_BITS[9] = (0xFF, 0x80)
_LENGTH_BITS[10] = (0xFF, 0xC0)


def slice_key(name, extents):
    """Returns the key of a slice.

    Args:
      name: the tensor's name, bytes.
      extents: a tuple of (start, length or None) per dimension.
    """
    parts = [_number(0), _string(name), _number(len(extents))]
    for start, length in extents:
        parts.append(_signed(0 if length is None else start))
        parts.append(_signed(-1 if length is None else length))
    return b"".join(parts)


def parse_slice_key(key):
    """Returns (name, extents) of a key that `slice_key` made."""
    key = bytes(key)
    zero, position = _read_number(key, 0)
    name, position = _read_string(key, position)
    rank, position = _read_number(key, position)
    if zero or rank > len(key):
        raise Malformed("a slice key of an unknown kind")
    extents = []
    for _ in range(rank):
        start, position = _read_signed(key, position)
        length, position = _read_signed(key, position)
        if start < 0 or length < -1:
            raise Malformed("a slice key with a negative extent")
        extents.append((0, None) if length == -1 else (start, length))
    if position != len(key):
        raise Malformed(f"a slice key with {len(key) - position} bytes too many")
    return name, tuple(extents)


def _number(value):
    payload = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return bytes([len(payload)]) + payload


def _read_number(key, position):
    end = position + 1 + key[position]
    if end > len(key):
        raise Malformed("a slice key that is cut short")
    return int.from_bytes(key[position + 1 : end], "big"), end


def _string(value):
    pieces = (piece.replace(b"\0", b"\0\xff") for piece in value.split(b"\xff"))
    return b"\xff\0".join(pieces) + b"\0\x01"


def _read_string(key, position):
    out = bytearray()
    while True:
        byte = key[position]
        if byte not in (0, 255):
            out.append(byte)
            position += 1
            continue
        follower = key[position + 1]
        position += 2
        if (byte, follower) == (0, 1):
            return bytes(out), position
        if (byte, follower) not in ((0, 255), (255, 0)):
            raise Malformed("a slice key with a bad escape")
        out.append(byte)


def _signed(value):
    magnitude = ~value if value < 0 else value
    if magnitude < 64:
        return bytes([0x80 ^ value & 0xFF])
    length = magnitude.bit_length() // 7 + 1
    encoded = bytearray(value.to_bytes(10, "big", signed=True)[10 - length :])
    encoded[0] ^= _LENGTH_BITS[length][0]
    encoded[1] ^= _LENGTH_BITS[length][1]
    return bytes(encoded)


def _read_signed(key, position):
    negative = not key[position] & 0x80
    flip = 0xFF if negative else 0
    first = key[position] ^ flip
    if first != 0xFF:
        length = 8 - (first ^ 0xFF).bit_length()
    else:
        second = key[position + 1] ^ flip
        length = 8 if second < 0x80 else 9 if second < 0xC0 else 10
    raw = bytearray(key[position : position + length])
    if len(raw) < length:
        raise Malformed("a slice key that is cut short")
    raw[0] ^= _LENGTH_BITS[length][0]
    if length > 1:
        raw[1] ^= _LENGTH_BITS[length][1]
    return int.from_bytes(raw, "big", signed=negative), position + length
