"""Compare two checkpoints: by recorded checksum in milliseconds, or by value."""

import collections

from tfgraphtools.checkpoints.check import verification
from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.checksums import joined_crc
from tfgraphtools.checkpoints.format.checksums.crc32c import unmask
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import as_checkpoint
from tfgraphtools.checkpoints.read.stored_tensors import along_first_axis

#: A tensor that both have and that is not the same. ``what`` is "dtype", "shape" or "values";
#: ``a`` and ``b`` say it for each side. The last three are None unless values were compared.
Change = collections.namedtuple("Change", "name what a b elements max_abs max_rel")

#: A tensor whose bytes contradict its checksum: ``side`` is "a" or "b", ``what`` the damage.
DamagedTensor = collections.namedtuple("DamagedTensor", "name side what")


class Difference:
    """The result of `diff`; false if there is no difference.

    Attributes:
      a, b: the two prefixes.
      same: the names of the tensors that are equal.
      changed: a list of `Change`.
      renamed: a list of (name in a, name in b): only one name differs, the bytes are equal.
      missing: names that only ``a`` has.
      extra: names that only ``b`` has.
      damaged: a list of `DamagedTensor`; always empty without ``verify``.
      unread: how many tensors were compared by their recorded checksums, their data not read.
    """

    def __init__(self, a: str, b: str):
        self.a, self.b = a, b
        self.same, self.changed, self.renamed = [], [], []
        self.missing, self.extra, self.damaged = [], [], []
        self.unread = 0

    def __bool__(self):
        return bool(self.changed or self.renamed or self.missing or self.extra or self.damaged)


def diff(a: Source, b: Source, deep: bool = False, verify: bool = False) -> Difference:
    """Compares two checkpoints.

    Tensors with equal recorded checksums are equal, others differ: no value is read, except where
    one side has no checksum to compare (V1, another partitioning, another byte order). So data
    that was damaged after it was written is not noticed without ``verify``. A tensor that only
    its name tells apart from one tensor of the other side is reported as renamed.

    Args:
      a, b: as in `open_checkpoint`, or open checkpoints.
      deep: compare the values, and say how many differ and by how much. Values that are equal
        as numbers are then the same, such as 0.0 and -0.0; NaN is equal to NaN.
      verify: first read every byte of both, and check it against its checksum. A damaged tensor
        is reported as such, and not compared.

    Returns:
      A `Difference`.

    Example:
      >>> found = diff("model.ckpt-1000", "model.ckpt-2000")           # doctest: +SKIP
      >>> [change.name for change in found.changed]

    Raises:
      DamagedCheckpointError: a tensor that had to be read is damaged.
      SourceChangedError: one was written during the comparison.
    """
    opened = [as_checkpoint(path) for path in (a, b)]
    try:
        difference = _diff(opened[0], opened[1], deep, verify)
        for ckpt in opened:
            ckpt.check_unchanged()
        return difference
    finally:
        for path, ckpt in zip((a, b), opened):
            if not isinstance(path, Checkpoint):
                ckpt.close()


def _diff(a, b, deep, verify):
    difference = Difference(a.prefix, b.prefix)
    if verify:
        difference.damaged = [*_damaged(a, "a"), *_damaged(b, "b")]
    damaged = {tensor.name for tensor in difference.damaged}
    for name in a:
        if name not in b or name in damaged:
            continue
        change = _compare(a, b, name, deep, difference)
        if change is None:
            difference.same.append(name)
        else:
            difference.changed.append(change)
    missing = [name for name in a if name not in b and name not in damaged]
    extra = [name for name in b if name not in a and name not in damaged]
    difference.renamed = _renamed(a, b, missing, extra)
    difference.unread = 0 if verify else difference.unread + len(difference.renamed)
    old, new = {pair[0] for pair in difference.renamed}, {pair[1] for pair in difference.renamed}
    difference.missing = [name for name in missing if name not in old]
    difference.extra = [name for name in extra if name not in new]
    return difference


def _damaged(ckpt, side):
    """Yields a `DamagedTensor` for the first damage of each tensor of a checkpoint."""
    seen = set()
    for damage in verification.verify(ckpt).damages:
        if damage.name not in seen:
            seen.add(damage.name)
            yield DamagedTensor(damage.name, side, damage.what)


def _compare(a, b, name, deep, difference):
    """Returns the `Change` of a tensor that both have, or None if it is the same."""
    left_info, right_info = a.tensor(name), b.tensor(name)
    if left_info.dtype != right_info.dtype:
        return Change(name, "dtype", left_info.dtype.name, right_info.dtype.name, None, None, None)
    if left_info.shape != right_info.shape:
        return Change(
            name, "shape", list(left_info.shape), list(right_info.shape), None, None, None
        )
    left, right = _fingerprint(a, name), _fingerprint(b, name)
    comparable = left and right and left[:3] == right[:3]
    if left_info.dtype.kind == "x" or comparable and not deep:
        difference.unread += 1
        is_same = comparable and left == right
        return None if is_same else Change(name, "values", "", "", None, None, None)
    return _compare_values(a, b, name)


def _fingerprint(ckpt, name):
    """Returns what equal tensors have in common: type, shape, how they are cut; the checksums.

    Slices along the first axis are the bytes of the whole, one after the other: their checksums
    are joined, so that the cuts of a tensor do not matter.
    """
    tensor = ckpt.tensor(name)
    if any(part.crc is None or part.shard is None for part in tensor.parts):
        return None
    joined = along_first_axis(tensor) if tensor.dtype.size else None
    if joined is not None:
        crc = unmask(joined[0].crc) if joined else 0
        for part in joined[1:]:
            crc = joined_crc.joined(joined_crc.CRC32C, crc, unmask(part.crc), part.bytes)
        size = sum(part.bytes for part in joined)
        return tensor.dtype.number, tensor.shape, ("whole", ckpt.big_endian), ((size, crc),)
    parts = sorted((part.bounds, part.bytes, part.crc) for part in tensor.parts)
    cut = tuple(bounds for bounds, _, _ in parts), ckpt.big_endian
    return tensor.dtype.number, tensor.shape, cut, tuple((size, crc) for _, size, crc in parts)


def _renamed(a, b, missing, extra):
    """Returns the pairs of names of equal tensors that can be paired in one way only."""
    by_print = collections.defaultdict(lambda: ([], []))
    for side, (ckpt, names) in enumerate([(a, missing), (b, extra)]):
        for name in names:
            if ckpt.store.summary(name)[2]:  # empty tensors are all alike
                by_print[_fingerprint(ckpt, name)][side].append(name)
    by_print.pop(None, None)
    return [(old[0], new[0]) for old, new in by_print.values() if len(old) == len(new) == 1]


def _compare_values(a, b, name):
    count, max_abs, max_rel = compare_streams(stream(a, name), stream(b, name))
    return Change(name, "values", "", "", count, max_abs, max_rel) if count else None


def stream(ckpt, name):
    """Yields the values of a tensor as flat blocks, in the types that NumPy has."""
    from tfgraphtools.checkpoints.plans.stored import Stored

    stored = Stored(ckpt, name)
    for block in stored.blocks():
        yield dtypes.widened(block, stored.dtype)


def compare_streams(left, right):
    """Returns (how many differ, by how much at most, relatively) of two tensors' blocks.

    NaN equals NaN. The amounts are None for strings, infinite where one side is not finite.
    """
    import numpy as np

    from tfgraphtools.checkpoints.plans.streams import aligned

    count, max_abs, max_rel = 0, 0.0, 0.0
    for left_block, right_block in aligned([left, right]):
        unequal = left_block != right_block
        if left_block.dtype.kind in "fc":
            unequal &= ~(np.isnan(left_block) & np.isnan(right_block))
        if not unequal.any():
            continue
        count += int(unequal.sum())
        if left_block.dtype == object:
            max_abs = max_rel = None
        else:
            amount, relative = _largest(left_block[unequal], right_block[unequal])
            max_abs, max_rel = max(max_abs, amount), max(max_rel, relative)
    return count, max_abs, max_rel


def _largest(left, right):
    """Returns the largest absolute and relative difference; infinite if one side is."""
    import numpy as np

    wide = np.complex128 if left.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        if left.dtype.kind in "iu":  # 64-bit integers are no doubles: subtract them as integers
            distance = np.maximum(left, right).astype(object) - np.minimum(left, right).astype(
                object
            )
            distance = distance.astype(np.float64)
        else:
            distance = np.abs(left.astype(wide) - right.astype(wide))
        size = np.maximum(np.abs(left.astype(wide)), np.abs(right.astype(wide)))
        relative = distance / size
    return tuple(float(np.where(np.isnan(x), np.inf, x).max()) for x in (distance, relative))
