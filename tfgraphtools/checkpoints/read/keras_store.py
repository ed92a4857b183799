"""The weights in a ``.keras`` or ``.weights.h5`` file, read as a checkpoint.

Keras 3 stores the variables of a layer by their number, in a group named after the
layer's class: ``layers/dense_1/vars/0``. They get the paths that the variables have
in Keras, ``encoder/kernel``, where the file says the layer's name and the class says
the variables' names; else the place in the file is the name.

h5py reads them, with the HDF5 library. A ``.keras`` file has a checksum, which is
looked at first; a ``.h5`` file has none, and one that was made to do harm can crash
the HDF5 library, and the process with it: open only those that you trust.
"""

import re
import zipfile
import zlib

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.extents import elements
from tfgraphtools.checkpoints.format.wire import Malformed
from tfgraphtools.checkpoints.read.tensors import Part, Tensor, WholeStore, shaped, whole
from tfgraphtools.errors import MissingExtraError, UnreadableTensorError

_MEMBER = "model.weights.h5"
_MOST_DEFLATED = 1040  # times smaller than its data: no more is possible

#: The variables of a layer in the order of their numbers, by the class in the group's name; the
#: last one may be missing.
_ROLES = {
    "dense": ["kernel", "bias"],
    "einsum_dense": ["kernel", "bias"],
    "embedding": ["embeddings"],
    "batch_normalization": ["gamma", "beta", "moving_mean", "moving_variance"],
    "layer_normalization": ["gamma", "beta"],
    "cell": ["kernel", "recurrent_kernel", "bias"],
}
_ROLES.update(
    {f"conv{n}d{kind}": ["kernel", "bias"] for n in (1, 2, 3) for kind in ("", "_transpose")}
)
_MAY_LACK_THE_LAST = {"dense", "einsum_dense", "cell"} | {k for k in _ROLES if k[:4] == "conv"}


class KerasStore(WholeStore):
    """The variables of a file of Keras.

    Args:
      file: the open `File`.
    """

    num_shards = 1

    def __init__(self, file):
        h5py = _h5py(file.path)
        self.prefix, self._file = file.path, file
        self._archive = None
        self.format = "h5"
        try:
            source = file.path
            if zipfile.is_zipfile(file.path):
                self.format = "keras"
                self._archive = zipfile.ZipFile(file.path)
                _check_member(self._archive)
                source = self._archive.open(_MEMBER)
            self._h5 = h5py.File(source, "r")
            self._datasets = _datasets(h5py, self._h5)
            self._tensors = {name: _tensor(name, d, file) for name, d in self._datasets.items()}
        except _FOREIGN as error:
            raise Malformed(f"a file of Keras that cannot be read ({_words(error)})") from error

    def summary(self, name):
        tensor = self._tensors[name]
        return tensor.dtype.name, tensor.shape, tensor.parts[0].bytes, 0

    def path(self, shard):
        return self._file.path

    def files(self):
        return [self._file]

    def has_plain_bytes(self, tensor):
        return False

    def streams(self, tensor, part):
        return False

    def require(self, tensor, part):
        dataset = self._datasets[tensor.name]
        if part.bytes > dataset.id.get_storage_size() * _MOST_DEFLATED:
            raise Malformed(f"{part.bytes} bytes in {dataset.id.get_storage_size()} of the file")

    def check(self, tensor, part):
        self.array(tensor, part)

    def array(self, tensor, part):
        self.require(tensor, part)
        try:
            array = self._datasets[tensor.name][()]
        except _FOREIGN as error:
            raise Malformed(f"values that cannot be read ({_words(error)})") from error
        import numpy as np

        return shaped(np.asarray(array, dtypes.storage(tensor.dtype)), tensor.shape)


def _check_member(archive):
    """Reads the weights once for their checksum: damage in them could crash the HDF5 library."""
    with archive.open(_MEMBER) as member:
        while member.read(1 << 20):
            pass


#: What h5py and zipfile raise at bytes that are not what they should be.
_FOREIGN = (
    OSError,
    RuntimeError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    EOFError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
)


def _words(error):
    return " ".join(str(error).split())[:200] or type(error).__name__


def _h5py(path):
    try:
        import h5py
    except ImportError as error:
        raise MissingExtraError(
            path,
            "the package h5py, which reads files of Keras",
            "none installed",
            "Install it: pip install 'tfgraphtools[export]'.",
        ) from error
    return h5py


def _datasets(h5py, file):
    """{name: dataset} of a file, in the order of the names."""
    found = {}

    def visit(place, item):
        if isinstance(item, h5py.Dataset):
            found[place] = item

    file.visititems(visit)
    named = {place: _name(file, place) for place in found}
    taken = list(named.values())
    names = {p: n if taken.count(n) == 1 else p for p, n in named.items()}
    return {names[place]: found[place] for place in sorted(found, key=names.get)}


def _name(file, place):
    """The path of the variable in Keras if the file says it, else its place in the file."""
    match = re.fullmatch(r"(.*)/vars/(\d+)", place)
    if not match:
        return place
    group, number = match.group(1), int(match.group(2))
    words, walked = [], ""
    for part in group.split("/"):
        walked = f"{walked}/{part}" if walked else part
        name = file[walked].get("vars").attrs.get("name") if "vars" in file[walked] else None
        if isinstance(name, str):
            words.append(name)
    if not words or group == "optimizer":
        return place
    kind = re.sub(r"_\d+$", "", group.split("/")[-1])
    roles, count = _ROLES.get(kind, []), len(file[group]["vars"])
    known = count == len(roles) or kind in _MAY_LACK_THE_LAST and count == len(roles) - 1
    return "/".join(words + [roles[number] if known and number < count else str(number)])


def _tensor(name, dataset, file):
    shape = tuple(int(size) for size in dataset.shape or ())
    if dataset.dtype.kind not in "fiubc" or dataset.shape is None:
        raise UnreadableTensorError(
            f"{file.path}: {name!r}",
            "an array of numbers",
            f"one of type {dataset.dtype}",
            "Save the weights in Keras again.",
        )
    dtype = dtypes.by_name(dataset.dtype.name, f"{file.path}: {name!r}")
    size = elements(shape) * dtype.size
    return Tensor(name, dtype, shape, False, [Part(whole(shape), None, shape, 0, None, size, None)])
