"""The arrays of openai/finetune-transformer-lm: one row of numbers, cut into ``params_N.npy``.

params_shapes.json    the shapes, in order: positions, words, then twelve arrays for each layer
params_0.npy ...      the values of all arrays, one after the other
"""

import functools
import itertools
import json
import os

from tfgraphtools.checkpoints.format import dtypes, npz_files
from tfgraphtools.checkpoints.format.archive_members import Member
from tfgraphtools.checkpoints.format.extents import elements
from tfgraphtools.checkpoints.format.wire import Malformed, reading
from tfgraphtools.checkpoints.read import archive_names
from tfgraphtools.checkpoints.read.archive_store import ArchiveStore
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint
from tfgraphtools.checkpoints.read.local_files import opened
from tfgraphtools.errors import CheckpointNotFoundError

_FIRST = ("model/pe", "model/we")
#: The arrays of a layer, in the order in which its code makes them.
_LAYER = (
    *("attn/c_attn/w", "attn/c_attn/b", "attn/c_proj/w", "attn/c_proj/b", "ln_1/g", "ln_1/b"),
    *("mlp/c_fc/w", "mlp/c_fc/b", "mlp/c_proj/w", "mlp/c_proj/b", "ln_2/g", "ln_2/b"),
)


class GPTStore(ArchiveStore):
    """The arrays under the names of the variables that they were."""

    def __init__(self, files, members):
        super().__init__("npy", files[0], members, {})
        self._files = files

    def files(self):
        return self._files


def open_folder(folder):
    """Returns the `Checkpoint` of a folder of such arrays.

    Raises:
      CheckpointNotFoundError: a file is missing. DamagedCheckpointError: sizes that disagree.
    """
    path = os.path.join(folder, archive_names.GPT_SHAPES)
    matches = map(archive_names.GPT_VALUES.fullmatch, os.listdir(folder))
    numbers = {int(match.group(1)) for match in matches if match}
    count = next(number for number in itertools.count() if number not in numbers)
    with reading(path):
        shapes = _shapes(path)
        files = [opened(os.path.join(folder, f"params_{number}.npy")) for number in range(count)]
        ranges = [_range(file) for file in files]
        have, need = sum(size for _, size in ranges), 4 * sum(map(elements, shapes))
        if have < need:
            raise CheckpointNotFoundError(
                folder,
                f"params_0.npy, ..., {need:,} bytes for the shapes of {archive_names.GPT_SHAPES}",
                f"{have:,} bytes in {count} files",
                f"Copy params_{count}.npy and what follows it from the same folder.",
            )
        if have > need:
            raise Malformed(f"{have:,} bytes of values for shapes of {need:,}")
        return Checkpoint(GPTStore(files, _members(shapes, files, ranges)), folder)


def _shapes(path):
    with open(path, "rb") as file:
        try:
            shapes = [tuple(map(int, shape)) for shape in json.load(file)]
        except (ValueError, TypeError, RecursionError) as error:
            raise Malformed(f"no list of shapes ({error})") from error
    layers = len(shapes) - len(_FIRST)
    if layers < 1 or layers % len(_LAYER) or any(size < 0 for shape in shapes for size in shape):
        raise Malformed(f"{len(shapes)} shapes: not 2 and {len(_LAYER)} for each layer")
    return shapes


def _range(file):
    """Returns (where the values of a ``.npy`` file begin, their bytes)."""
    head = file.read(0, min(file.size, 4096))
    descr, _, shape, begin = npz_files.parse_header(head)
    if descr.str != "<f4" or len(shape) != 1:
        raise Malformed(f"{file.path} is not one row of float32 numbers")
    file.require(begin, 4 * shape[0])
    return begin, 4 * shape[0]


def _members(shapes, files, ranges):
    import numpy as np

    layers = (len(shapes) - len(_FIRST)) // len(_LAYER)
    names = [*_FIRST, *(f"model/h{layer}/{part}" for layer in range(layers) for part in _LAYER)]
    ends = list(itertools.accumulate(4 * elements(shape) for shape in shapes))
    dtype, layout = dtypes.by_name("float32", ""), (np.dtype("<f4"), False)
    return [
        Member(
            name,
            dtype,
            shape,
            None,
            4 * elements(shape),
            layout,
            lambda: None,  # the format has no checksums
            functools.partial(_joined, files, ranges, end - 4 * elements(shape), end),
        )
        for name, shape, end in zip(names, shapes, ends)
    ]


def _joined(files, ranges, start, end):
    """Returns the bytes from ``start`` to ``end`` of all values."""
    parts, at = [], 0
    for file, (begin, size) in zip(files, ranges):
        first, last = max(start, at), min(end, at + size)
        if first < last:
            parts.append(file.view(begin + first - at, last - first))
        at += size
    return parts[0] if len(parts) == 1 else b"".join(parts)
