"""Check every byte of a checkpoint against its checksums, and save what is intact."""

import collections
from typing import Any, Iterable, List

from tfgraphtools.checkpoints.format.checksums.crc32c import implementation
from tfgraphtools.checkpoints.format.extents import describe
from tfgraphtools.checkpoints.format.type_hints import Path, Progress
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import as_checkpoint
from tfgraphtools.errors import DamagedCheckpointError, SourceChangedError

#: One thing that is wrong: with the tensor ``name``, or with the file at ``place`` if that is None.
Damage = collections.namedtuple("Damage", "name place what")


class Verification:
    """The result of `verify`.

    Attributes:
      prefix: the checkpoint's prefix.
      tensors, bytes: how much was checked.
      damages: a list of `Damage`, empty if all is well.
      crc_by: the package that computed the checksums, or "NumPy".
    """

    def __init__(self, prefix: str, tensors: int, size: int, damages: Iterable[Any]):
        self.prefix = prefix
        self.tensors = tensors
        self.bytes = size
        self.damages = damages
        #: What computed the checksums: the name of a package, or NumPy.
        self.crc_by = implementation()

    @property
    def ok(self) -> bool:
        """True if nothing is damaged."""
        return not self.damages

    @property
    def damaged(self) -> List[str]:
        """The names of the damaged tensors, in the order of the index."""
        return list(
            dict.fromkeys(damage.name for damage in self.damages if damage.name is not None)
        )

    def __str__(self):
        if self.ok:
            return f"{self.prefix}: {self.tensors} tensors, {self.bytes} bytes: all intact"
        lines = [f"{self.prefix}: {len(self.damaged)} of {self.tensors} tensors are damaged"]
        for damage in self.damages:
            lines.append(f"  {damage.name or damage.place}: {damage.what}")
        return "\n".join(lines)


def verify(path: Source, progress: Progress = None) -> Verification:
    """Checks every checksum and every length of a checkpoint.

    It names exactly the tensors that are damaged: by flipped bytes, a shard that is cut short or
    missing, a slice that the index lists and does not hold. It changes nothing.

    Args:
      path: as in `open_checkpoint`, or an open `Checkpoint`.
      progress: called now and then with (bytes done, bytes in all).

    Returns:
      A `Verification`.

    Example:
      >>> report = verify("model.ckpt-1000")                           # doctest: +SKIP
      >>> report.ok, report.damaged
      (False, ['dense/kernel'])

    Raises:
      CheckpointNotFoundError: there is no checkpoint.
      SourceChangedError: it was written while it was checked.
    """
    try:
        ckpt = as_checkpoint(path, allow_missing_shards=True)
    except DamagedCheckpointError as error:  # the index: nothing else can be known
        return Verification(str(path), 0, 0, [Damage(None, error.place, error.got)])
    try:
        return _verify(ckpt, progress or (lambda done, total: None))
    finally:
        if not isinstance(path, Checkpoint):
            ckpt.close()


def _verify(ckpt, progress):
    damages = []
    sizes = {name: ckpt.store.summary(name)[2] or 0 for name in ckpt}
    done, total, seen = 0, sum(sizes.values()), {}
    for name in _in_file_order(ckpt):
        damages.extend(_check_tensor(ckpt, name, seen))
        done += sizes[name]
        progress(done, total)
    for name, extents in ckpt.store.orphans():
        bounds = describe(
            [(start, "" if size is None else start + size) for start, size in extents]
        )
        damages.append(Damage(name, ckpt.prefix, f"a slice {bounds} that no tensor lists"))
    ckpt.check_unchanged()
    _require_present(ckpt, damages)
    order = {name: i for i, name in enumerate(ckpt)}
    damages.sort(key=lambda damage: order.get(damage.name, len(order)))
    return Verification(ckpt.prefix, len(ckpt), total, damages)


def _require_present(ckpt, damages):
    """Raises if a training job removed the files meanwhile, which is no damage."""
    if damages and ckpt.store.files()[0].state() == "removed":
        raise SourceChangedError(
            ckpt.prefix,
            "a checkpoint that stays while it is checked",
            "one that was removed in the meantime",
            "A training job keeps its newest checkpoints only: copy one first, then check that.",
        )


def _in_file_order(ckpt):
    """Returns the names as their bytes lie on the disk, which reads faster than by name."""
    if ckpt.format != "V2":
        return list(ckpt)
    entries = ckpt.store.index.entries
    return sorted(entries, key=lambda name: (entries[name].shard, entries[name].offset))


def _check_tensor(ckpt, name, seen):
    """Yields what is wrong with a tensor. ``seen`` remembers ranges that several names share."""
    try:
        tensor = ckpt.tensor(name)
    except DamagedCheckpointError as error:
        yield Damage(name, error.place, error.got)
        return
    for part in tensor.parts:
        key = (part.shard, part.offset, part.bytes, part.crc, tensor.dtype, part.shape)
        if part.crc is None or part.shard is None or key not in seen:
            seen[key] = ckpt.check_part(tensor, part)
        if seen[key]:
            where = f" {describe(part.bounds)}" if tensor.partitioned else ""
            yield Damage(name, ckpt.prefix, seen[key] + where)


def salvage(path: Source, destination: Path, overwrite: bool = False) -> Any:
    """Writes the intact tensors of a damaged checkpoint.

    A partitioned tensor with a damaged slice is left out as a whole: nothing is filled in.

    Args:
      path: the damaged checkpoint.
      destination: the prefix to write.
      overwrite: replace a checkpoint that is there.

    Returns:
      The `Verification` that says what was left out.

    Raises:
      DamagedCheckpointError: nothing can be saved, as when the index is damaged.
    """
    from tfgraphtools.checkpoints.plans.plan import plan
    from tfgraphtools.checkpoints.plans.rules import exactly

    report = verify(path)
    if not report.tensors or len(report.damaged) == report.tensors:
        reason = report.damages[0].what if report.damages else "no tensors"
        raise DamagedCheckpointError(
            report.prefix,
            "at least one intact tensor",
            reason,
            "Restore the checkpoint from a backup.",
        )
    with as_checkpoint(path, allow_missing_shards=True) as ckpt:
        intact = plan(ckpt, drop=[exactly(name) for name in report.damaged if name in ckpt])
        intact.apply(destination, compact=True, overwrite=overwrite)
    return report
