"""The common part of both formats: tensors made of parts, and the bytes of a part.

A tensor that is not partitioned is one part. `BundleStore`, `V1Store` and the
`ArchiveStore` of .npz and .safetensors files answer the same questions, so that
everything above them knows one kind of checkpoint:

    names()               of all tensors
    tensor(name)          the `Tensor`: type, shape and parts
    summary(name)         what a listing shows of it
    check(tensor, part)   raises `Malformed` unless the part's bytes are what was written
    array(tensor, part)   its values in the storage type; a list of bytes for strings
    require(tensor, part) raises `Malformed` unless the file has as many values as the shape
    streams(tensor, part) whether `chunks` gives its values, in the storage type and in order
    chunks(tensor, part)  its stored bytes, streamed
    bytes_of(tensor, part, start, size)  some of them, where it streams
    has_plain_bytes(tensor) whether its bytes are one range of a file, little-endian
    orphans()             slices that no tensor lists, as (name, extents)
    path(shard)           of the file of that number
    missing_shards()      the paths of files that something is in and that are not there
    require_shards()      raises unless they are all there
    files()               the files that are open
"""

from tfgraphtools.checkpoints.format import bundle, dtypes, string_tensors, v1
from tfgraphtools.checkpoints.format import extents as _extents
from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask
from tfgraphtools.checkpoints.format.wire import Malformed, reading
from tfgraphtools.checkpoints.read import positioned
from tfgraphtools.checkpoints.read.local_files import exists, opened
from tfgraphtools.checkpoints.read.stored_tensors import Part, Tensor, WholeStore, shaped, whole
from tfgraphtools.errors import CheckpointNotFoundError


class BundleStore:
    """A V2 checkpoint."""

    format = "V2"

    def __init__(self, prefix):
        self.prefix = prefix
        self.index_file = opened(prefix + ".index")
        with reading(self.index_file.path):
            self.index = bundle.parse_index(self.index_file.read_all())
        if not positioned.REPLACES_OPEN_FILES:  # an open index could not be rewritten in place
            self.index_file.close()
        self.big_endian = self.index.header.big_endian
        self.num_shards = self.index.header.num_shards
        self._files = {}

    def names(self):
        return self.index.entries

    def tensor(self, name):
        entry = self.index.entries[name]
        parts = [self._part(name, entry, extents) for extents in entry.slices]
        if not parts:
            bounds = whole(entry.shape)
            parts = [
                Part(bounds, None, entry.shape, entry.shard, entry.offset, entry.size, entry.crc)
            ]
        dtype = dtypes.by_number(entry.dtype)
        return Tensor(name, dtype, entry.shape, bool(entry.slices), parts)

    def _part(self, name, entry, extents):
        bounds = _extents.resolve(extents, entry.shape)
        shape = _extents.lengths(bounds)
        held = self.index.slices.get(name, {}).get(extents)
        if held is None:
            return Part(bounds, extents, shape, None, 0, 0, 0)
        if held.shape != shape or held.dtype != entry.dtype:
            raise Malformed("a slice of another shape or type than its key says")
        return Part(bounds, extents, shape, held.shard, held.offset, held.size, held.crc)

    def summary(self, name):
        """Returns (type name, shape, bytes, number of slices), for listing ten thousand of them."""
        entry = self.index.entries[name]
        size = entry.size
        if entry.slices:
            held = self.index.slices.get(name, {})
            size = sum(held[extents].size for extents in entry.slices if extents in held)
        return dtypes.by_number(entry.dtype).name, entry.shape, size, len(entry.slices)

    def orphans(self):
        """Yields the slices that no tensor lists, as (name, extents)."""
        for name, slices in self.index.slices.items():
            listed = self.index.entries[name].slices if name in self.index.entries else ()
            for extents in slices:
                if extents not in listed:
                    yield name, extents

    def path(self, shard):
        return bundle.shard_path(self.prefix, shard, self.num_shards)

    def file(self, shard):
        """Returns the open file of a shard; `CheckpointNotFoundError` if it is missing."""
        if shard not in self._files:
            try:
                self._files[shard] = opened(self.path(shard))
            except FileNotFoundError:
                raise _missing_shard(self.prefix, [self.path(shard)])
        return self._files[shard]

    def used_shards(self):
        """Returns the numbers of the shards that hold something."""
        used = {entry.shard for entry in self.index.entries.values() if not entry.slices}
        for slices in self.index.slices.values():
            used.update(entry.shard for entry in slices.values())
        return sorted(used)

    def missing_shards(self):
        """Returns the paths of the shards that something is in and that are not there."""
        return [self.path(s) for s in self.used_shards() if not exists(self.path(s))]

    def require_shards(self):
        missing = self.missing_shards()
        if missing:
            raise _missing_shard(self.prefix, missing)
        for shard in self.used_shards():
            self.file(shard)

    def open_shards(self):
        """Opens the shards that are there, so that their removal does not matter."""
        for shard in self.used_shards():
            try:
                self.file(shard)
            except CheckpointNotFoundError:
                pass

    def files(self):
        return [self.index_file] + [self._files[shard] for shard in sorted(self._files)]

    def require(self, tensor, part):
        """Raises `Malformed` unless the file has the bytes that the part claims."""
        if part.shard is None:
            raise Malformed("a slice that is listed and not there")
        size = tensor.dtype.size
        if size and part.bytes != _extents.elements(part.shape) * size:
            raise Malformed(
                f"{part.bytes} bytes for {tensor.dtype.name} of shape {list(part.shape)}"
            )
        self.file(part.shard).require(part.offset, part.bytes)

    def stored(self, tensor, part):
        """Returns the stored bytes of a part, as a view; their number is what the type needs."""
        self.require(tensor, part)
        return self.file(part.shard).view(part.offset, part.bytes)

    def streams(self, tensor, part):
        return bool(tensor.dtype.size)

    def has_plain_bytes(self, tensor):
        size = tensor.dtype.size
        return bool(size) and not tensor.partitioned and (size == 1 or not self.big_endian)

    def chunks(self, tensor, part):
        self.require(tensor, part)
        return self.file(part.shard).chunks(part.offset, part.bytes, tensor.dtype.size or 1)

    def bytes_of(self, tensor, part, start, size):
        self.require(tensor, part)
        return self.file(part.shard).read(part.offset + start, size)

    def check(self, tensor, part):
        if tensor.dtype.number == dtypes.STRING:
            self.array(tensor, part)
            return
        if tensor.dtype.number == dtypes.VARIANT:
            count = _extents.elements(part.shape)
            crc = string_tensors.variants_crc(self.stored(tensor, part), count, self.big_endian)
        else:
            crc = 0
            for chunk in self.chunks(tensor, part):
                crc = crc32c(chunk, crc)
        if mask(crc) != part.crc:
            raise Malformed("checksum")

    def array(self, tensor, part):
        view = self.stored(tensor, part)
        if tensor.dtype.number == dtypes.STRING:
            count = _extents.elements(part.shape)
            values, crc = string_tensors.decode(view, count, self.big_endian)
            if mask(crc) != part.crc:
                raise Malformed("checksum")
            return values
        import numpy as np

        array = np.frombuffer(view, dtypes.storage(tensor.dtype, self.big_endian))
        return shaped(array, part.shape)


def _missing_shard(prefix, paths):
    return CheckpointNotFoundError(
        prefix,
        "every shard that its index names",
        "no {}".format(", ".join(paths[:8]) + (" and more" if len(paths) > 8 else "")),
        "Copy the missing files from where the checkpoint was written; "
        "'tfgraphtools ckpt verify' lists which tensors they hold.",
    )


class V1Store(WholeStore):
    """A V1 checkpoint: one or more tables."""

    format = "V1"

    def __init__(self, prefix, paths):
        self.prefix = prefix
        self._files = [opened(path) for path in paths]
        self.num_shards = len(paths)
        self._shards = []
        self._tensors = {}
        for number, file in enumerate(self._files):
            with reading(file.path):
                shard = v1.Shard(file)
                self._shards.append(shard)
                for name, listed in shard.tensors.items():
                    self._add(number, name, *listed)

    def _add(self, number, name, dtype, shape, slices):
        """Adds a shard's slices to a tensor: the shards of one variable agree on it."""
        tensor = self._tensors.get(name)
        if tensor is None:
            tensor = Tensor(name, dtypes.by_number(dtype), shape, False, [])
        elif (tensor.dtype.number, tensor.shape) != (dtype, shape):
            raise Malformed(f"{name!r} of another shape or type than in another shard")
        parts = list(tensor.parts)
        for extents in slices or [((0, None),) * len(shape)]:
            bounds = _extents.resolve(extents, shape)
            part_shape = _extents.lengths(bounds)
            size = tensor.dtype.size and _extents.elements(part_shape) * tensor.dtype.size
            parts.append(Part(bounds, extents, part_shape, number, None, size, None))
        partitioned = len(parts) > 1 or parts[0].bounds != whole(shape)
        self._tensors[name] = tensor._replace(parts=parts, partitioned=partitioned)

    def summary(self, name):
        tensor = self._tensors[name]
        size = sum(part.bytes for part in tensor.parts) if tensor.dtype.size else None
        return tensor.dtype.name, tensor.shape, size, len(tensor.parts) * tensor.partitioned

    def path(self, shard):
        return self._files[shard].path

    def files(self):
        return self._files

    def streams(self, tensor, part):
        return False  # numbers are decoded, a block of the table at a time

    def has_plain_bytes(self, tensor):
        return False

    def require(self, tensor, part):
        self.array(tensor, part)

    def check(self, tensor, part):
        self.array(tensor, part)  # the block's checksum, and as many values as the shape has

    def array(self, tensor, part):
        extents = part.extents
        values = self._shards[part.shard].values(tensor.name, extents, tensor.dtype)
        if len(values) != _extents.elements(part.shape):
            raise Malformed(f"{len(values)} values for a shape {list(part.shape)}")
        return values if isinstance(values, list) else shaped(values, part.shape)
