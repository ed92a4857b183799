"""Writes a state dict: ``.safetensors`` in blocks and without PyTorch, ``.pt`` with it."""

import collections
import os

from tfgraphtools.checkpoints.archives import archive_shards
from tfgraphtools.checkpoints.archives.contents import Content
from tfgraphtools.checkpoints.archives.transfers import Transfer, write_at
from tfgraphtools.checkpoints.format import dtypes, manifests, safetensors_files
from tfgraphtools.checkpoints.plans.replacement import replacing
from tfgraphtools.checkpoints.read import positioned
from tfgraphtools.checkpoints.torch import torch_models
from tfgraphtools.errors import ArgumentError

#: The ends of the names of files that can be written.
SUFFIXES = (".safetensors", ".pt", ".pth", ".bin")

_BLOCK = 4 << 20

#: An entry to write: ``array()`` gives its values, maybe as a view with other strides.
Entry = collections.namedtuple("Entry", "name dtype shape array")


def write(path, entries, place, overwrite=False, progress=None, check=None):
    """Writes entries in the order of the state dict, and moves the file in at the end.

    Args:
      path: the file; its suffix says the format, one of `SUFFIXES`.
      entries: list of `Entry`.
      place: the checkpoint's prefix, for errors.
      overwrite: replace a file that is there.
      progress: called with (bytes done, bytes in all).
      check: called when all is read and nothing is replaced; what it raises keeps the old file.

    Raises:
      ArgumentError: another suffix. DestinationError: the path is taken, or the disk is full.
    """
    path = os.fspath(path)
    if path.endswith(".safetensors"):
        progress = progress or (lambda done, total: None)
        _write_safetensors(path, entries, place, overwrite, progress, check)
    elif path.endswith(SUFFIXES):
        types = {entry.name: entry.dtype for entry in entries}
        save(path, {entry.name: entry.array() for entry in entries}, overwrite, types, check)
    else:
        raise ArgumentError(
            "to_torch",
            "a file that ends in {}".format(", ".join(SUFFIXES)),
            path,
            "Write 'model.safetensors'.",
        )


def write_folder(path, entries, place, max_shard_size, overwrite=False, progress=None, check=None):
    """Writes a folder of ``model.safetensors``, or of several files and Hugging Face's index.

    Args:
      path: the folder.
      entries, place, overwrite, progress, check: as in `write`.
      max_shard_size: in bytes.

    Raises:
      ArgumentError: the path is that of a file. DestinationError: as `write`.
    """
    path = os.fspath(path)
    require_folder(path)
    with replacing(
        path, overwrite, folder_with=(archive_shards.WEIGHTS, archive_shards.INDEX)
    ) as staged:
        os.mkdir(staged)
        write_into(staged, entries, place, max_shard_size, progress)
        _call(check)


def require_folder(path):
    """Raises `ArgumentError` if a path is that of a file: several need a folder."""
    if path.endswith(SUFFIXES):
        raise ArgumentError(
            "to_torch(max_shard_size=...)",
            "a folder for the files and their index",
            path,
            f"Write {path.rpartition('.')[0]!r}.",
        )


def write_into(folder, entries, place, max_shard_size=None, progress=None):
    """Writes the files of a folder that is not yet in its place: see `archive_shards`.

    Args:
      folder: where to write.
      entries, place: as in `write`.
      max_shard_size: in bytes, or None. A tensor that is larger gets a file of its own.
      progress: called with (bytes done, bytes in all) of each file.
    """

    def write_file(path, group):
        write(path, group, place, progress=progress)

    archive_shards.write(folder, entries, _bytes_of, max_shard_size, write_file)


def _bytes_of(entry):
    size = dtypes.by_name(entry.dtype, entry.name).size
    for length in entry.shape:
        size *= length
    return size


def save(path, state, overwrite=False, types=None, check=None):
    """Writes a state dict of arrays by ``torch.save``; it loads with ``weights_only``.

    Args:
      path: the file.
      state: {entry: array}, or what an optimizer's ``state_dict`` gives.
      overwrite: replace a file that is there.
      types: {entry: type}; bfloat16, which NumPy does not have, comes as float32.
      check: as in `write`.
    """
    torch = torch_models.require_torch(path)
    tensors = _tensors(torch, state)
    for name, dtype in (types or {}).items():
        tensors[name] = tensors[name].to(getattr(torch, dtype))
    with replacing(path, overwrite) as staged:
        torch.save(tensors, staged)
        _call(check)


def _call(check):
    if check is not None:
        check()


def _tensors(torch, value):
    import numpy as np

    if isinstance(value, (np.ndarray, np.generic)):
        return torch.from_numpy(np.array(value, order="C"))
    if isinstance(value, collections.abc.Mapping):
        return {key: _tensors(torch, item) for key, item in value.items()}
    if isinstance(value, list):
        return [_tensors(torch, item) for item in value]
    return value


def _write_safetensors(path, entries, place, overwrite, progress, check):
    contents = [_content(entry) for entry in entries]
    with replacing(path, overwrite) as staged:
        descriptor = os.open(staged, positioned.CREATE, 0o666)
        try:
            # Transformers refuses a file that does not say whose tensors it has.
            begin, placed = safetensors_files.layout(contents, {"format": "pt"}, place)
            Transfer(descriptor, place, False, progress).run(placed)
            write_at(descriptor, begin, 0)
        finally:
            os.close(descriptor)
        _call(check)


def _content(entry):
    dtype, size = dtypes.by_name(entry.dtype, entry.name), _bytes_of(entry)
    return Content(
        entry.name,
        entry.name,
        dtype,
        tuple(entry.shape),
        size,
        None,
        lambda: _blocks(entry, dtype),
        manifests.NOTHING,
    )


def _blocks(entry, dtype):
    """Yields the values in C order, some megabytes at a time, without a whole copy."""
    import numpy as np

    array = entry.array()
    storage = dtypes.storage(dtype)

    def stored(block):
        if dtype.name in dtypes.FOREIGN_FLOATS and block.dtype.kind == "f":
            block = dtypes.narrowed(block, dtype)
        return np.ascontiguousarray(block, dtype=storage)

    if array.ndim == 0 or array.nbytes <= _BLOCK:
        yield stored(array)
        return
    rows = max(1, _BLOCK * len(array) // array.nbytes)
    for start in range(0, len(array), rows):
        yield stored(array[start : start + rows])
