"""Carry out a plan: link what stays, write what is new, move it all into place at once."""

import collections
import os

from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.checkpoints.format.checksums.crc32c import mask
from tfgraphtools.checkpoints.format.wire import reading
from tfgraphtools.checkpoints.plans.overlay import Overlay, copy_range
from tfgraphtools.checkpoints.plans.staging import DISK
from tfgraphtools.checkpoints.plans.transaction import Transaction
from tfgraphtools.checkpoints.read.paths import is_inside
from tfgraphtools.errors import DestinationError

#: ``linked`` and ``written`` are bytes; ``dead`` those of linked shards that no tensor uses.
Result = collections.namedtuple("Result", "prefix tensors linked written dead")


def write(plan, destination, compact=False, overwrite=False, link=True, progress=None):
    """Writes the checkpoint that a plan describes; see `Plan.apply`."""
    destination = os.fspath(destination)
    _refuse_outside(plan, destination)
    try:
        with reading(plan.checkpoints[0].prefix), Transaction(
            destination, overwrite
        ) as transaction:
            return _Writer(plan, transaction, compact, link, progress).run()
    except OSError as error:
        if isinstance(error, DestinationError) or error.errno not in DISK:
            raise
        raise DestinationError(
            destination,
            "room and permission to write",
            error.strerror,
            "Nothing was changed. Free space, or write to another disk.",
        ) from error


def _refuse_outside(plan, destination):
    """Refuses a copied folder that names its original, which the user did not pass."""
    for ckpt in plan.checkpoints:
        if (
            ckpt.folder is not None
            and not is_inside(ckpt.prefix, ckpt.folder)
            and _is_same_file(ckpt.prefix + ".index", destination + ".index")
        ):
            raise DestinationError(
                destination,
                f"a checkpoint in {ckpt.folder}, to write over it",
                ckpt.note,
                f"If that is the one to change, open it by its prefix: {ckpt.prefix}.",
            )


class _Writer:
    """One run of `write`: collects the shards, then the entries, then commits."""

    def __init__(self, plan, transaction, compact, link, progress):
        self._plan, self._transaction = plan, transaction
        self._compact, self._link = compact, link
        self._first = plan.checkpoints[0]
        self._linked = {}  # (checkpoint, shard) -> shard of the result
        self._progress = progress or (lambda done, total: None)

    def run(self):
        self._choose_shards()
        if self._keeps_its_shards():
            return self._rewrite_index()
        transaction, paths = self._transaction, []
        for (ckpt, shard), number in self._linked.items():
            paths.append(transaction.stage(f"shard-{number}"))
            self._take(ckpt.store.file(shard), paths[-1])
        overlay = Overlay(
            transaction.stage("overlay"), len(self._linked), self._first.big_endian, self._progress
        )
        with overlay:
            index = self._index(overlay)
        if overlay.used or not paths:
            overlay.open().close()
            paths.append(overlay.path)
        paths += self._padding(len(paths))
        header = self._header()._replace(num_shards=len(paths))
        data = bundle.serialize_index(index._replace(header=header))
        transaction.commit(paths, data, self._check_sources)
        linked = sum(ckpt.store.file(shard).size for ckpt, shard in self._linked)
        return self._result(linked, overlay.size)

    def _choose_shards(self):
        """Numbers the source shards that are linked: those of which something is kept."""
        for target in self._plan.targets:
            for piece in target.parts:
                if piece.kept and self._is_linkable(piece.kept[0]):
                    ckpt, part = piece.kept
                    ckpt.store.file(part.shard).view(part.offset, part.bytes)  # all of it is there
                    self._linked.setdefault((ckpt, part.shard), None)
        order = {ckpt: i for i, ckpt in enumerate(self._plan.checkpoints)}
        ordered = sorted(self._linked, key=lambda key: (order[key[0]], key[1]))
        self._linked = {key: number for number, key in enumerate(ordered)}

    def _is_linkable(self, ckpt):
        """Tells whether shards can be linked: V1 has none of ours; byte orders must agree."""
        return (
            not self._compact and ckpt.format == "V2" and ckpt.big_endian == self._first.big_endian
        )

    def _header(self):
        if self._first.format == "V2":
            return self._first.store.index.header
        return bundle.Header()

    # An index over the same shards ------------------------------------------

    def _keeps_its_shards(self):
        """Returns True for a change of names in place: the index alone is new."""
        ckpt = self._first
        return (
            len(self._plan.checkpoints) == 1
            and ckpt.format == "V2"
            and self._link
            and not self._compact
            and _is_same_file(ckpt.prefix + ".index", self._transaction.prefix + ".index")
            and len(self._linked) == ckpt.num_shards
            and all(piece.kept for target in self._plan.targets for piece in target.parts)
        )

    def _rewrite_index(self):
        index = self._index(None)._replace(header=self._header())
        self._transaction.commit([], bundle.serialize_index(index), self._check_sources)
        linked = sum(self._first.store.file(shard).size for _, shard in self._linked)
        return self._result(linked, 0)

    # Shards ----------------------------------------------------------------

    def _take(self, file, path):
        """Links a source shard, or copies it where it cannot be linked."""
        if self._link and "://" not in file.path:
            try:
                os.link(os.path.realpath(file.path), path)
                return
            except (OSError, AttributeError):  # no hard links here: a full disk refuses the copy
                pass
        with open(path, "wb") as out:
            copy_range(file, 0, file.size, out)
            out.flush()
            os.fsync(out.fileno())

    def _padding(self, count):
        """Adds empty shards, so that the names of the shards are none of those in use."""
        paths = []
        for i in range(self._transaction.free_count(count) - count):
            paths.append(self._transaction.stage(f"empty-{i}"))
            open(paths[-1], "wb").close()
        return paths

    # The index -------------------------------------------------------------

    def _index(self, overlay):
        """Returns the entries of all targets; what is not linked is written to the overlay."""
        index = bundle.Index(None, {}, {})
        places = self._copy_kept(overlay)
        total = sum(
            _size(piece)
            for target in self._plan.targets
            for piece in target.parts
            if not self._is_linked(piece)
        )
        if overlay is not None:
            overlay.total = total
        for target in self._plan.targets:
            entries = [self._entry(target, piece, overlay, places) for piece in target.parts]
            if not target.partitioned:
                (index.entries[target.name],) = entries
                continue
            extents = tuple(piece.extents for piece in target.parts)
            index.entries[target.name] = bundle.Entry(
                target.dtype.number, tuple(target.shape), slices=extents
            )
            index.slices[target.name] = dict(zip(extents, entries))
        return index

    def _is_linked(self, piece):
        return bool(piece.kept) and (piece.kept[0], piece.kept[1].shard) in self._linked

    def _is_copied(self, piece):
        """Tells whether kept bytes go to the overlay as they are; others must be decoded."""
        if not piece.kept or self._is_linked(piece):
            return False
        ckpt = piece.kept[0]
        return ckpt.format == "V2" and ckpt.big_endian == self._first.big_endian

    def _copy_kept(self, overlay):
        """Copies kept ranges, neighbours in one go; returns where each one went."""
        ranges = {
            (piece.kept[0], piece.kept[1].shard, piece.kept[1].offset, piece.kept[1].bytes)
            for target in self._plan.targets
            for piece in target.parts
            if self._is_copied(piece)
        }
        return overlay.copy(ranges, self._plan.checkpoints) if ranges else {}

    def _entry(self, target, piece, overlay, places):
        shape, number = tuple(piece.shape), target.dtype.number
        if self._is_linked(piece):
            ckpt, part = piece.kept
            shard, offset = self._linked[(ckpt, part.shard)], part.offset
            return bundle.Entry(number, shape, shard, offset, part.bytes, part.crc)
        if self._is_copied(piece):
            ckpt, part = piece.kept
            offset = places[(ckpt, part.shard, part.offset, part.bytes)]
            return bundle.Entry(number, shape, overlay.shard, offset, part.bytes, part.crc)
        offset, size, crc = overlay.append(_expression(target, piece))
        return bundle.Entry(number, shape, overlay.shard, offset, size, mask(crc))

    # The end ---------------------------------------------------------------

    def _check_sources(self):
        for ckpt in self._plan.checkpoints:
            ckpt.check_unchanged()

    def _result(self, linked, written):
        used = {
            (piece.kept[0], piece.kept[1].shard, piece.kept[1].offset, piece.kept[1].bytes)
            for target in self._plan.targets
            for piece in target.parts
            if self._is_linked(piece)
        }
        live = sum(size for _, _, _, size in used)
        return Result(
            self._transaction.prefix,
            len(self._plan.targets),
            linked,
            written,
            max(0, linked - live),
        )


def _expression(target, piece):
    """Returns what to compute for a piece; kept bytes that cannot be copied are read as values."""
    if piece.expression is not None:
        return piece.expression
    from tfgraphtools.checkpoints.plans.stored import Stored

    ckpt, part = piece.kept
    return Stored(ckpt, target.sources[0], part)


def _size(piece):
    if piece.kept:
        return piece.kept[1].bytes or 0
    from tfgraphtools.checkpoints.format.extents import elements

    return elements(piece.shape) * (piece.expression.dtype.size or 1)


def _is_same_file(a, b):
    try:
        return os.path.samefile(a, b)
    except OSError:
        return False
