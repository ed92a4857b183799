"""The form of each tensor of a checkpoint in an archive: its key, type, shape and bytes."""

import collections

from tfgraphtools.checkpoints.format import dtypes, exact_floats, manifests, string_tensors
from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask
from tfgraphtools.checkpoints.format.extents import elements
from tfgraphtools.checkpoints.format.wire import Malformed, reading
from tfgraphtools.checkpoints.read.stored_tensors import require_dimensions
from tfgraphtools.errors import UnreadableTensorError

#: One tensor of an archive. ``dtype`` is that of the array in the file, and so is ``shape``.
#: ``source`` is (File, offset, masked crc) if the bytes are those of the checkpoint, else None
#: and ``blocks()`` computes them.
Content = collections.namedtuple("Content", "name key dtype shape bytes source blocks note")

_UINT8, _FLOAT32 = dtypes.by_number(4), dtypes.by_number(1)


class Style:
    """The types as a kind of archive stores them.

    Args:
      key: function of (name, number) that gives the key.
      own: the names of the types that it has itself.
      wide: the types that are stored as float32, in which they are exact.
      complex_as_pairs: complex numbers get a last dimension of two.
    """

    def __init__(self, key, own, wide=(), complex_as_pairs=False):
        self.key, self._own, self._wide = key, frozenset(own), frozenset(wide)
        self._pairs = complex_as_pairs

    def form(self, dtype):
        """Returns (type in the archive, last dimensions to add, function of a block or None)."""
        if dtype.number == dtypes.STRING:
            return _UINT8, (), None
        if dtype.name in self._own:
            return dtype, (), None
        if dtype.name in self._wide:
            return _FLOAT32, (), lambda block: exact_floats.widened(block, dtype)
        if dtype.kind == "c" and self._pairs:
            part = dtypes.by_name(f"float{dtype.size * 4}", "a complex type")
            return part, (2,), None
        return dtypes.by_name(_integer(dtype), "a storage type"), (), None


def _integer(dtype):
    """Returns the name of the integers as which the bytes of a type are stored: int8 for qint8."""
    return "{}int{}".format("u" if dtype.storage[0] == "u" else "", dtype.size * 8)


def contents(ckpt, style):
    """Returns [`Content`] of every tensor, in the order of the names.

    Raises:
      UnreadableTensorError: a variant or a resource, which has no array.
    """
    tensors = [ckpt.tensor(name) for name in ckpt]
    without = [tensor for tensor in tensors if tensor.dtype.kind == "x"]
    if without:
        raise UnreadableTensorError(
            ckpt.prefix,
            "tensors that an array can hold",
            ", ".join(f"{t.name!r} ({t.dtype.name})" for t in without[:8]),
            "Leave them out first: 'tfgraphtools ckpt strip SOURCE OTHER --match NAME', then "
            "convert that.",
        )
    return [_content(ckpt, tensor, style, number) for number, tensor in enumerate(tensors)]


def _content(ckpt, tensor, style, number):
    with reading(f"{ckpt.prefix}: {tensor.name!r}"):
        require_dimensions(tensor.shape)
        if ckpt.format == "V2":  # others are decoded as a whole, which checks them
            for part in tensor.parts:
                ckpt.store.require(tensor, part)
    dtype, suffix, convert = style.form(tensor.dtype)
    key, shape = style.key(tensor.name, number), tuple(tensor.shape) + suffix
    source, blocks = None, None
    if tensor.dtype.number == dtypes.STRING:
        data = _encoded(ckpt, tensor)
        shape, blocks = (len(data),), lambda: [data]
    elif convert is None and ckpt.store.has_plain_bytes(tensor):
        part = tensor.parts[0]
        source = ckpt.store.file(part.shard), part.offset, part.crc
    else:
        blocks = _computed(ckpt, tensor, dtype, convert)
    return Content(
        tensor.name,
        key,
        dtype,
        shape,
        elements(shape) * dtype.size,
        source,
        blocks,
        _note(tensor, key, dtype, shape),
    )


def _note(tensor, key, dtype, shape):
    return manifests.Note(
        tensor.name if tensor.name != key else None,
        tensor.dtype.name if tensor.dtype != dtype else None,
        tuple(tensor.shape) if tuple(tensor.shape) != shape else None,
        tuple(part.extents for part in tensor.parts) if tensor.partitioned else None,
    )


def _encoded(ckpt, tensor):
    """Returns strings as a little-endian V2 checkpoint has them: lengths, checksum, bytes."""
    values = ckpt.read(tensor.name).reshape(-1).tolist()
    return string_tensors.encode(values)[0]


def _computed(ckpt, tensor, dtype, convert):
    """Returns a function that yields the blocks, little-endian."""

    def blocks():
        from tfgraphtools.checkpoints.plans.stored import Stored

        storage = dtypes.storage(tensor.dtype)
        for block in Stored(ckpt, tensor.name).blocks():
            block = block.astype(storage, copy=False)
            yield block if convert is None else convert(block)

    return blocks


def checked_blocks(content, place):
    """Yields the bytes of a content; `DamagedCheckpointError` at the end if they are damaged."""
    if content.source is None:
        for block in content.blocks():
            yield memoryview(block).cast("B") if len(block) else b""
        return
    file, offset, stored = content.source
    crc = 0
    with reading(f"{place}: {content.name!r}"):
        for chunk in file.chunks(offset, content.bytes):
            crc = crc32c(chunk, crc)
            yield chunk
        if mask(crc) != stored:
            raise Malformed("checksum")
