"""Open a checkpoint as a mapping from names to arrays, whatever TensorFlow wrote it.

Nothing is read before it is asked for: opening reads the index, an item reads
its tensor. No TensorFlow is involved.
"""

import collections
import collections.abc
import os
from typing import Any, Iterator, Optional, Union

from tfgraphtools.checkpoints.format.type_hints import Array
from tfgraphtools.checkpoints.format.wire import Malformed, reading
from tfgraphtools.errors import (
    ArgumentError,
    CheckpointNotFoundError,
    DamagedCheckpointError,
    TensorNotFoundError,
    did_you_mean,
    nearest,
)

#: What `Checkpoint.info` gives. ``bytes`` is the size of the values as they are stored, None for
#: strings in V1, where decoding alone tells; ``offset`` and ``crc`` (masked, as in the file) are
#: None where there is none: of a partitioned tensor, and in V1. ``slices`` is a tuple of
#: `SliceInfo`, empty unless the tensor is partitioned.
TensorInfo = collections.namedtuple("TensorInfo", "name dtype shape bytes shard offset crc slices")

#: A slice of a partitioned tensor; ``bounds`` is ((start, stop), ...). A slice that the index
#: lists and does not hold has the shard None.
SliceInfo = collections.namedtuple("SliceInfo", "bounds shape bytes shard offset crc")

GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"


class Checkpoint(collections.abc.Mapping):
    """An open checkpoint; made by `open_checkpoint`.

    As a mapping it gives arrays: ``ckpt[name]`` is read-only, checked against its checksum as
    TensorFlow does, and where the file allows it a view of the file, not a copy. bfloat16 and
    float8 come as float32, which is exact; strings as an object array of bytes.
    """

    def __init__(self, store: Any, folder: Optional[str] = None, note: str = ""):
        if isinstance(store, (str, os.PathLike)):
            raise ArgumentError(
                "Checkpoint", "an open store", repr(store), f"Call open_checkpoint({str(store)!r})."
            )
        self._store = store
        #: The folder that the user named, or None: a write in place must not leave it.
        self.folder = folder
        #: Which checkpoint of that folder this is; "" if the path said it.
        self.note = note

    # The mapping -----------------------------------------------------------

    def __getitem__(self, name: str) -> Array:
        return self.read(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._store.names())

    def __len__(self) -> int:
        return len(self._store.names())

    def __contains__(self, name):
        return name in self._store.names()

    # Mapping's own comparison would read every tensor of both.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __repr__(self):
        return f"<{self.format} checkpoint {self.prefix!r}: {len(self)} tensors>"

    def read(self, name: str, index: Any = None, check: Optional[bool] = None) -> Array:
        """Returns the values of a tensor, or of a slice of it.

        Args:
          name: the tensor's name.
          index: what one would write in brackets after the array, such as ``np.s_[5:8, 0]``. Only
            the slice is read, from those slices of a partitioned tensor that it touches.
          check: compare the bytes with their checksum first, which reads all of the tensor. By
            default whole tensors are checked and slices are not.

        Example:
          >>> rows = ckpt.read("embedding", slice(5, 8))               # doctest: +SKIP

        Raises:
          TensorNotFoundError, DamagedCheckpointError.
          UnreadableTensorError: a variant or a resource.
        """
        from tfgraphtools.checkpoints.read import read_values

        tensor = self.tensor(name)
        with self._reading(name):
            if index is None if check is None else check:
                self.check(name)
            return read_values.read(self._store, tensor, index)

    def raw(self, name: str, index: Any = None) -> Array:
        """Returns the stored values, unchecked: bfloat16 as uint16, float8 as uint8."""
        from tfgraphtools.checkpoints.read import read_values

        tensor = self.tensor(name)
        with self._reading(name):
            return read_values.read(self._store, tensor, index, widen=False)

    def check(self, name: str) -> None:
        """Raises `DamagedCheckpointError` unless every byte of the tensor is what was written."""
        tensor = self.tensor(name)
        with self._reading(name):
            self._require_parts(tensor)
            for part in tensor.parts:
                self._store.check(tensor, part)

    def check_part(self, tensor: Any, part: Any) -> str:
        """Returns what is wrong with one part of a tensor, or "" if nothing is."""
        try:
            with reading(self.prefix):
                if part.shard is None:
                    raise Malformed("the slice is missing")
                self._store.check(tensor, part)
        except (DamagedCheckpointError, CheckpointNotFoundError) as error:
            return error.got
        return ""

    def _require_parts(self, tensor):
        """Raises for each slice that is missing: nothing is ever filled with zeros."""
        missing = [part for part in tensor.parts if part.shard is None]
        if missing:
            from tfgraphtools.checkpoints.format.extents import describe

            raise Malformed("no slice {}".format(", ".join(describe(p.bounds) for p in missing)))

    def _reading(self, name):
        return reading(f"{self.prefix}: {name!r}")

    # What is known without reading values ------------------------------------

    @property
    def prefix(self) -> str:
        """The path that `Saver.restore` takes."""
        return self._store.prefix

    @property
    def format(self) -> str:
        """The format: "V1", "V2", "npz", "safetensors", "keras" or "h5"."""
        return self._store.format

    @property
    def num_shards(self) -> int:
        """The number of data files; of tables in V1."""
        return self._store.num_shards

    @property
    def big_endian(self) -> bool:
        """Whether a big-endian machine wrote it."""
        return self._store.big_endian

    @property
    def store(self) -> Any:
        """The files behind it, for the other modules of this package."""
        return self._store

    def tensor(self, name: str) -> Any:
        """Returns the tensor's type, shape and parts, for the other modules of this package."""
        if not isinstance(name, str):
            example = next(iter(self), "dense/kernel")
            raise TensorNotFoundError(
                self.prefix,
                "the name of a tensor",
                f"{name!r}, {_article(type(name).__name__)}",
                f"Write ckpt[{example!r}]; list(ckpt) gives the names, and ckpt.read(name, index) "
                "a part of one tensor.",
            )
        if name not in self._store.names():
            near = nearest(name, self._store.names())
            raise TensorNotFoundError(
                self.prefix,
                f"a tensor {name!r}",
                f"none of that name among {len(self)}",
                did_you_mean(near) or "'tfgraphtools ckpt ls' shows the names.",
            )
        with self._reading(name):
            return self._store.tensor(name)

    def info(self, name: str) -> TensorInfo:
        """Returns what the index says of a tensor, without reading it: a `TensorInfo`."""
        tensor = self.tensor(name)
        slices = tuple(
            SliceInfo(p.bounds, p.shape, p.bytes, p.shard, p.offset, p.crc) for p in tensor.parts
        )
        size = (
            sum(part.bytes for part in slices) if tensor.dtype.size or self.format != "V1" else None
        )
        if tensor.partitioned:
            return TensorInfo(name, tensor.dtype.name, tensor.shape, size, None, None, None, slices)
        only_part = slices[0]
        return TensorInfo(
            name,
            tensor.dtype.name,
            tensor.shape,
            size,
            only_part.shard,
            only_part.offset,
            only_part.crc,
            (),
        )

    @property
    def object_graph(self) -> Any:
        """The `ObjectGraph` of a TF 2 object-based checkpoint, or None."""
        if GRAPH_KEY not in self:
            return None
        from tfgraphtools.checkpoints.format import object_graph

        self.check(GRAPH_KEY)
        with self._reading(GRAPH_KEY):
            tensor = self._store.tensor(GRAPH_KEY)
            return object_graph.parse(self._store.array(tensor, tensor.parts[0])[0])

    def check_unchanged(self) -> None:
        """Raises `SourceChangedError` if a file of it was written since it was opened."""
        for file in self._store.files():
            file.check_unchanged()

    def release(self) -> None:
        """Lets go of the memory maps, so that what passes over all tensors stays small."""
        for file in self._store.files():
            file.release()

    # Its end ---------------------------------------------------------------

    def close(self) -> None:
        """Closes the files. Arrays that view them stay valid."""
        for file in self._store.files():
            file.close()

    def __enter__(self) -> "Checkpoint":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()


def _article(word):
    return ("an " if word[0] in "aeiou" else "a ") + word


#: What functions take: a path as in `open_checkpoint`, or an open checkpoint.
Source = Union[str, "os.PathLike[str]", Checkpoint]
