"""The result of a plan, read as a checkpoint: for exports, and for whatever reads one."""

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format import extents as _extents
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint
from tfgraphtools.checkpoints.read.stored_tensors import Part, Tensor, WholeStore, whole


def view(plan):
    """Returns the `Checkpoint` that `Plan.apply` would write, without writing it.

    Tensors that keep their bytes are read where they lie, the others are computed when they are
    asked for. Closing it closes the plan's checkpoints.
    """
    return Checkpoint(PlanStore(plan))


class PlanStore(WholeStore):
    """The targets of a plan, with the questions of `tensor_stores`."""

    format = "plan"

    def __init__(self, plan):
        self._checkpoints = plan.checkpoints
        self.prefix = plan.checkpoints[0].prefix
        self.num_shards = 1
        self.big_endian = plan.checkpoints[0].big_endian
        self._shards = []  # the files of kept parts, as (checkpoint, number of its shard)
        self._pieces = {}
        self._tensors = {target.name: self._tensor(target) for target in plan.targets}

    def _tensor(self, target):
        parts = []
        for piece in target.parts:
            part = self._kept_part(piece) if piece.kept else _computed_part(target, piece)
            self._pieces[target.name, part.bounds] = piece, target.sources
            parts.append(part)
        return Tensor(target.name, target.dtype, target.shape, target.partitioned, parts)

    def _kept_part(self, piece):
        """Returns the stored part with its file's number of ours: several checkpoints' shards."""
        ckpt, part = piece.kept
        shard = ckpt, part.shard
        if shard not in self._shards:
            self._shards.append(shard)
        return part._replace(shard=self._shards.index(shard))

    def _kept(self, tensor, part):
        """Returns (store, tensor, part) where a kept part lies, or None of a computed one."""
        piece, sources = self._pieces[tensor.name, part.bounds]
        if not piece.kept:
            return None
        ckpt, stored = piece.kept
        return ckpt.store, ckpt.store.tensor(sources[0]), stored

    def summary(self, name):
        tensor = self._tensors[name]
        sizes = [part.bytes for part in tensor.parts]
        size = None if None in sizes else sum(sizes)
        return tensor.dtype.name, tensor.shape, size, len(tensor.parts) * tensor.partitioned

    def path(self, shard):
        ckpt, number = self._shards[shard]
        return ckpt.store.path(number)

    def file(self, shard):
        ckpt, number = self._shards[shard]
        return ckpt.store.file(number)

    def files(self):
        return [file for ckpt in self._checkpoints for file in ckpt.store.files()]

    def has_plain_bytes(self, tensor):
        kept = self._kept(tensor, tensor.parts[0])
        return bool(kept) and not tensor.partitioned and kept[0].has_plain_bytes(kept[1])

    def require(self, tensor, part):
        kept = self._kept(tensor, part)
        if kept:
            kept[0].require(*kept[1:])

    def check(self, tensor, part):
        kept = self._kept(tensor, part)
        if kept:  # what is computed checks what it reads
            kept[0].check(*kept[1:])

    def streams(self, tensor, part):
        kept = self._kept(tensor, part)
        return bool(kept) and kept[0].streams(*kept[1:])

    def chunks(self, tensor, part):
        kept = self._kept(tensor, part)
        return kept[0].chunks(*kept[1:])

    def bytes_of(self, tensor, part, start, size):
        kept = self._kept(tensor, part)
        return kept[0].bytes_of(*kept[1:], start, size)

    def array(self, tensor, part):
        kept = self._kept(tensor, part)
        if kept:
            return kept[0].array(*kept[1:])
        values = self._pieces[tensor.name, part.bounds][0].expression.view()
        return values.reshape(-1).tolist() if values.dtype == object else values


def _computed_part(target, piece):
    if piece.extents is None:
        bounds = whole(target.shape)
    else:
        bounds = _extents.resolve(piece.extents, target.shape)
    size = target.dtype.size and _extents.elements(piece.shape) * target.dtype.size
    if target.dtype.number == dtypes.STRING:
        size = 0
    return Part(bounds, piece.extents, tuple(piece.shape), 0, None, size, None)
