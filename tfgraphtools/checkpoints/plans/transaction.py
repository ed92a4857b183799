"""Put the files of a checkpoint in place in one step, or not at all.

A checkpoint is several files, and no system call replaces several files at
once. But readers start at the index: so the new shards get names that the index
in force does not use, and the one rename that puts the new index in place is
the moment at which the new checkpoint replaces the old one.

    1. a staging folder beside the destination; its lock is held while we live
    2. every new file is written there and flushed to the disk
    3. the journal says which names will come and which will go
    4. the shards are moved to their names
    5. the index is moved to its name                <- the commit
    6. shards that no index uses any more are removed, then the staging folder

Killed at any moment, what is left is cleaned up by the next write in that
folder (or by `recover`): the lock is free then, and the journal and the index in
force say which shards to remove.
"""

import json
import os

from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.checkpoints.format.wire import reading
from tfgraphtools.checkpoints.plans.staging import (
    LOCK,
    STAGING,
    acquire,
    dispose,
    name_for,
    remove,
    sync_folder,
    write,
)
from tfgraphtools.errors import DamagedCheckpointError, DestinationError

_JOURNAL, _INDEX = "journal", "index"


class Transaction:
    """One write of a checkpoint. Use it in a ``with``: leaving it without `commit` undoes all.

    Args:
      prefix: the destination.
      overwrite: whether a checkpoint that is there may be replaced.
    """

    def __init__(self, prefix, overwrite):
        self.prefix = prefix
        self.folder, self._base = os.path.split(os.path.abspath(prefix))
        self._staging = os.path.join(self.folder, name_for(self._base))
        self._lock = None
        self._require_destination(overwrite)

    def _require_destination(self, overwrite):
        if not self._base or self._base in (".", ".."):
            raise DestinationError(
                self.prefix,
                "a prefix",
                "a folder",
                "Add a name: {}".format(os.path.join(self.prefix, "model.ckpt")),
            )
        if not os.path.isdir(self.folder):
            raise DestinationError(
                self.prefix,
                "an existing folder",
                f"no {self.folder}",
                f"Make it first: mkdir -p {self.folder}",
            )
        taken = [p for p in (self.prefix, self.prefix + ".index") if os.path.exists(p)]
        if taken and not (overwrite and taken == [self.prefix + ".index"]):
            raise DestinationError(
                self.prefix,
                "a free prefix",
                taken[0] + ", which exists",
                "Write elsewhere, or pass overwrite=True (--force)."
                if taken[0] != self.prefix
                else "Write elsewhere.",
            )

    def __enter__(self):
        recover(self.folder)
        self._lock = acquire(self._staging)
        if self._lock is None:
            raise DestinationError(
                self.prefix,
                "a destination of our own",
                "another process that writes it",
                "Wait until it is done.",
            )
        _clean(self._staging)
        return self

    def __exit__(self, kind, error, traceback):
        # The same after a commit, an error and a kill: the index in force says what has to go.
        if self._lock is not None:
            _clean(self._staging)
            dispose(self._staging, self._lock)

    def stage(self, name):
        """The path at which to write a file before it is moved into place."""
        return os.path.join(self._staging, name)

    def free_count(self, wanted):
        """The smallest number of shards, at least the given one, whose names are all free."""
        taken = set(os.listdir(self.folder))
        count = max(1, wanted)
        while any(self._shard_name(i, count) in taken for i in range(count)):
            count += 1
        return count

    def commit(self, shards, index, check):
        """Moves everything into place.

        Args:
          shards: the staged paths of all shards, in order; none if the old ones stay in use.
          index: the bytes of the new index.
          check: called last before the commit; what it raises undoes everything.
        """
        count = len(shards)
        new = [self._shard_name(i, count) for i in range(count)]
        old = self._names_in_use() if shards else []
        staged = self.stage(_INDEX)
        write(staged, index)
        if shards:
            write(
                self.stage(_JOURNAL),
                json.dumps({"base": self._base, "new": new, "old": old}).encode("ascii"),
            )
            sync_folder(self._staging)
        for source, name in zip(shards, new):
            os.rename(source, os.path.join(self.folder, name))
        sync_folder(self.folder)
        check()
        os.rename(staged, self.prefix + ".index")
        sync_folder(self.folder)

    def _names_in_use(self):
        """The shards of the index that will be replaced."""
        count = _shards_in_force(self.folder, self._base)
        return [
            self._shard_name(i, count)
            for i in range(count or 0)
            if os.path.exists(os.path.join(self.folder, self._shard_name(i, count)))
        ]

    def _shard_name(self, shard, count):
        return bundle.shard_path(self._base, shard, count)


def recover(folder):
    """Removes what a killed write left in a folder: its temporary files, and shards of no index.

    It touches nothing that a running write holds, and nothing that this library did not put
    there. Every write does this first; call it to clean up without writing.

    Args:
      folder: the folder of the checkpoints.

    Returns:
      The number of interrupted writes that were cleaned up.

    Example:
      >>> recover("checkpoints")                                       # doctest: +SKIP
      1
    """
    cleaned = 0
    for name in sorted(os.listdir(folder)):
        staging = os.path.join(folder, name)
        if not STAGING.fullmatch(name) or not os.path.isdir(staging):
            continue
        lock = acquire(staging)
        if lock is not None:  # nobody holds it: its writer is dead
            _clean(staging)
            dispose(staging, lock)
            cleaned += 1
    return cleaned


def _clean(staging):
    """Removes shards that a write moved and did not commit, or replaced and did not remove."""
    try:
        with open(os.path.join(staging, _JOURNAL), "rb") as file:
            journal = json.loads(file.read().decode("ascii"))
        base, new, old = journal["base"], journal["new"], journal["old"]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        new, old, base = [], [], ""  # it died before it had moved anything
    folder = os.path.dirname(staging)
    try:
        count = _shards_in_force(folder, base)
    except DamagedCheckpointError:
        new = old = []  # which shards it uses is not known: all stay
    for name in new + old:
        shard = bundle.split_shard_path(name)
        if shard and shard[0] == base and os.sep not in name and shard[2] != count:
            remove(os.path.join(folder, name))
    for name in os.listdir(staging):
        if name != LOCK:
            remove(os.path.join(staging, name))


def _shards_in_force(folder, base):
    """How many shards the index at a prefix has, or None if there is none."""
    path = os.path.join(folder, base + ".index")
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (FileNotFoundError, IsADirectoryError):
        return None
    with reading(path):
        return bundle.parse_index(data).header.num_shards
