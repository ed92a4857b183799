"""An archive read as a checkpoint: `tensor_stores` for a file of arrays."""

from tfgraphtools.checkpoints.format import dtypes, exact_floats, manifests, string_tensors
from tfgraphtools.checkpoints.format import extents as _extents
from tfgraphtools.checkpoints.format.wire import Malformed
from tfgraphtools.checkpoints.read.stored_tensors import Part, Tensor, WholeStore, shaped, whole


class ArchiveStore(WholeStore):
    """The arrays of a file, under the names and types that its manifest gives them.

    Args:
      format: "npz", "safetensors" or "pb".
      file: the open `File`.
      members: [`Member`].
      notes: {key: `Note`}, of the manifest.
    """

    num_shards = 1

    def __init__(self, format, file, members, notes):
        self.format, self.prefix, self._file = format, file.path, file
        self._members, self._tensors, self._checked = {}, {}, set()
        for member in members:
            note = notes.get(member.key, manifests.NOTHING)
            tensor = _tensor(member, note, file.path)
            if tensor.name in self._members:
                raise Malformed(f"{tensor.name!r} twice")
            self._members[tensor.name], self._tensors[tensor.name] = member, tensor
        self._tensors = {name: self._tensors[name] for name in sorted(self._tensors)}

    def summary(self, name):
        tensor = self._tensors[name]
        size = sum(part.bytes for part in tensor.parts)
        return tensor.dtype.name, tensor.shape, size, len(tensor.parts) * tensor.partitioned

    def path(self, shard):
        return self._file.path

    def file(self, shard):
        return self._file

    def files(self):
        return [self._file]

    def has_plain_bytes(self, tensor):
        return False  # the checksum of a zip's member is not that of its values alone

    def require(self, tensor, part):
        pass  # that the file has all bytes of its members was seen when it was opened

    def check(self, tensor, part):
        if tensor.name not in self._checked:
            self._members[tensor.name].check()
            self._checked.add(tensor.name)

    def streams(self, tensor, part):
        """Returns True for a range of the file whose values are stored as they are."""
        member = self._members[tensor.name]
        descr, fortran = member.layout
        return (
            member.offset is not None
            and member.dtype.kind != "s"
            and _bytes_are(member.dtype, tensor.dtype)
            and (not fortran or len(member.shape) < 2)
            and descr.newbyteorder("<") == descr
            and part.bounds[1:] == whole(tensor.shape)[1:]
        )

    def chunks(self, tensor, part):
        self.check(tensor, part)
        return self._file.chunks(self._begin(tensor, part), part.bytes, tensor.dtype.size)

    def _begin(self, tensor, part):
        """Returns where the values of a part begin that is a range of the file."""
        start = 0
        if tensor.shape and tensor.shape[0]:
            row = self._members[tensor.name].bytes // tensor.shape[0]
            start = part.bounds[0][0] * row
        return self._members[tensor.name].offset + start

    def bytes_of(self, tensor, part, start, size):
        return self._file.read(self._begin(tensor, part) + start, size)

    def array(self, tensor, part):
        values = _decoded(self._array(self._members[tensor.name]), tensor)
        if tensor.partitioned:
            values = values[tuple(slice(*bound) for bound in part.bounds)]
        return values.reshape(-1).tolist() if values.dtype == object else values

    def _array(self, member):
        """Returns the array in the file, a view of it where it is not compressed."""
        import numpy as np

        descr, fortran = member.layout
        if not descr.itemsize:  # strings that are all empty
            return np.zeros(member.shape, descr)
        flat = np.frombuffer(member.load(), descr)
        if fortran:
            return shaped(flat, member.shape[::-1]).transpose()
        return shaped(flat, member.shape)


def _tensor(member, note, path):
    """Returns the `Tensor` that a member and its note describe; `Malformed` if they contradict."""
    dtype = manifests.dtype_of(note, member.dtype, path)
    shape = member.shape if note.shape is None else note.shape
    name = member.key if note.name is None else note.name
    if dtype.number == dtypes.STRING:
        fits = member.dtype.kind == "s" or member.dtype.name == "uint8" and len(member.shape) == 1
    else:
        pairs = dtype.kind == "c" and member.dtype.kind == "f"
        fits = member.shape == shape + ((2,) if pairs else ())
        fits = fits and (_bytes_are(member.dtype, dtype) or _is_widened(member.dtype, dtype))
    if not fits or dtype.kind == "x":
        raise Malformed(
            f"{member.key!r}, {member.dtype.name} of shape {list(member.shape)}, as "
            f"{dtype.name} of shape {list(shape)}"
        )
    parts = []
    for note_slice in note.slices or [None]:
        bounds = whole(shape) if note_slice is None else _extents.resolve(note_slice, shape)
        size = _extents.elements(_extents.lengths(bounds)) * (dtype.size or 0)
        size = size if dtype.size else member.bytes if note_slice is None else 0
        parts.append(Part(bounds, note_slice, _extents.lengths(bounds), 0, None, size, None))
    if note.slices:
        _extents.check_cover([part.bounds for part in parts], shape)
    return Tensor(name, dtype, shape, bool(note.slices), parts)


def _bytes_are(stored, dtype):
    """Tells whether an array's bytes are a tensor's: of its type, or its storage form."""
    if stored == dtype:
        return True
    if dtype.kind == "c" and stored.kind == "f":
        return stored.size * 2 == dtype.size
    return stored.kind in "iu" and stored.storage == dtype.storage and stored.size == dtype.size


def _is_widened(stored, dtype):
    return stored.name == "float32" and dtype.kind == "f" and dtype.storage[0] == "u"


def _decoded(array, tensor):
    """Returns the values in the tensor's storage type; for strings an object array of bytes."""
    import numpy as np

    dtype = tensor.dtype
    if dtype.number == dtypes.STRING:
        values = _strings(array, tensor)
        out = np.empty(len(values), object)
        out[:] = values
        return shaped(out, tensor.shape)
    native = dtypes.storage(dtype)
    if array.dtype.kind == "f" and _is_widened(dtypes.by_name(array.dtype.name, ""), dtype):
        raw = exact_floats.narrowed(array, dtype)
        if raw is None:
            raise Malformed(f"values that are no {dtype.name}, as the manifest says they are")
        return raw
    if array.dtype.newbyteorder("=").str != native.newbyteorder("=").str and dtype.kind == "c":
        return np.ascontiguousarray(array).view(native).reshape(tensor.shape)
    if array.dtype.itemsize > 1:
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return array if array.dtype == native else array.view(native)


def _strings(array, tensor):
    """Returns a list of bytes: of NumPy's own strings, or of the form that the checkpoint has."""
    if array.dtype.kind == "S":
        return array.reshape(-1).tolist()
    if array.dtype.kind == "U":
        return [text.encode("utf-8", "surrogateescape") for text in array.reshape(-1).tolist()]
    return string_tensors.decode(memoryview(array), _extents.elements(tensor.shape))[0]
