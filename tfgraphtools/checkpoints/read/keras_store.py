"""The weights in a ``.keras`` or ``.weights.h5`` file, read as a checkpoint.

Keras 3 stores the variables of a layer by their number, in a group named after the
layer's class: ``layers/dense_1/vars/0``. They get the paths that the variables have
in Keras, ``encoder/kernel``, where the file says the layer's name and the class says
the variables' names; else the place in the file is the name. Keras 2, and tf.keras of TF 1, store
them under their names in the graph, ``dense/kernel:0``, which are those of a checkpoint.

h5py reads them, in a process of its own: see `hdf5_process`.
"""

import collections
import importlib.util
import re
import zipfile

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.extents import elements
from tfgraphtools.checkpoints.format.wire import Malformed
from tfgraphtools.checkpoints.read.hdf5_process import Hdf5Process
from tfgraphtools.checkpoints.read.stored_tensors import Part, Tensor, WholeStore, shaped, whole
from tfgraphtools.errors import MissingExtraError, UnreadableTensorError

_MOST_CONFIG = 1 << 26
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


#: Where Keras 2 and tf.keras of TF 1 store a variable: its own name, below that of its layer.
_OF_VERSION_2 = re.compile(r"(?:model_weights/[^/]+|optimizer_weights|[^/]+)/(.+):\d+")


class KerasStore(WholeStore):
    """The variables of a file of Keras.

    Args:
      file: the open `File`.
    """

    num_shards = 1

    def __init__(self, file):
        _require_h5py(file.path)
        self.prefix, self._file = file.path, file
        self.format = "keras" if zipfile.is_zipfile(file.path) else "h5"
        self._hdf5 = Hdf5Process(file.path, file.size)
        try:
            self._arrays = _named(self._hdf5)
            self._tensors = {name: _tensor(name, row, file) for name, row in self._arrays.items()}
        except BaseException:
            self._hdf5.close()
            raise

    def model_config(self):
        """Returns the JSON of the whole model, or None if the file holds weights alone."""
        if self.format == "h5":
            return self._hdf5.config
        with zipfile.ZipFile(self._file.path) as archive:
            try:
                with archive.open("config.json") as file:
                    return file.read(_MOST_CONFIG).decode("utf-8", "replace")
            except (KeyError, RuntimeError, zipfile.BadZipFile):
                return None

    def summary(self, name):
        tensor = self._tensors[name]
        return tensor.dtype.name, tensor.shape, tensor.parts[0].bytes, 0

    def path(self, shard):
        return self._file.path

    def files(self):
        return [self._file, self._hdf5]

    def has_plain_bytes(self, tensor):
        return False

    def streams(self, tensor, part):
        return False

    def require(self, tensor, part):
        stored = self._arrays[tensor.name][3]
        if part.bytes > stored * _MOST_DEFLATED:
            raise Malformed(f"{part.bytes} bytes in {stored} of the file")

    def check(self, tensor, part):
        self.array(tensor, part)

    def array(self, tensor, part):
        self.require(tensor, part)
        import numpy as np

        data = self._hdf5.read(self._arrays[tensor.name][0], part.bytes)
        flat = np.frombuffer(data, dtypes.storage(tensor.dtype))
        flat.flags.writeable = False
        return shaped(flat, tensor.shape)


def _require_h5py(path):
    if importlib.util.find_spec("h5py") is None:
        raise MissingExtraError(
            path,
            "the package h5py, which reads files of Keras",
            "none installed",
            "Install it: pip install h5py.",
        )


def _named(hdf5):
    """Returns {name: row of `Hdf5Process.arrays`}, in the order of the names."""
    rows = {row[0]: row for row in hdf5.arrays}
    named = {place: _name(hdf5.groups, place) for place in rows}
    taken = collections.Counter(named.values())
    names = {place: name if taken[name] == 1 else place for place, name in named.items()}
    return {names[place]: rows[place] for place in sorted(rows, key=names.get)}


def _name(groups, place):
    """Returns the path of the variable in Keras if the file says it, else its place in the file."""
    match = _OF_VERSION_2.fullmatch(place)
    if match:
        return match.group(1)
    match = re.fullmatch(r"(.*)/vars/(\d+)", place)
    if not match:
        return place
    group, number = match.group(1), int(match.group(2))
    parts = group.split("/")
    walked = ("/".join(parts[: end + 1]) for end in range(len(parts)))
    words = [groups[place][0] for place in walked if groups.get(place, [None])[0] is not None]
    if not words or group == "optimizer":
        return place
    kind = re.sub(r"_\d+$", "", parts[-1])
    roles, count = _ROLES.get(kind, []), groups[group][1]
    known = count == len(roles) or kind in _MAY_LACK_THE_LAST and count == len(roles) - 1
    return "/".join(words + [roles[number] if known and number < count else str(number)])


def _tensor(name, row, file):
    _, kind, shape, _, reason = row
    if reason:
        raise UnreadableTensorError(
            f"{file.path}: {name!r}",
            "an array of numbers",
            reason,
            "Save the weights in Keras again.",
        )
    dtype = dtypes.by_name(kind, f"{file.path}: {name!r}")
    shape = tuple(shape)
    size = elements(shape) * dtype.size
    return Tensor(name, dtype, shape, False, [Part(whole(shape), None, shape, 0, None, size, None)])
