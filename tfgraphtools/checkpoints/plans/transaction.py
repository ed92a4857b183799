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
folder (or by `recover`): see `recovery`, which all writes share.
"""

import os

from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.checkpoints.plans.recovery import (
    Workspace,
    is_first_of_folder,
    shards_in_force,
)
from tfgraphtools.checkpoints.plans.replacement import require_folder
from tfgraphtools.checkpoints.plans.staging import ignores_case, sync_folder, write
from tfgraphtools.errors import DamagedCheckpointError, DestinationError

_INDEX = "index"


class Transaction(Workspace):
    """One write of a checkpoint. Use it in a ``with``: leaving it without `commit` undoes all.

    Args:
      prefix: the destination.
      overwrite: whether a checkpoint that is there may be replaced.
    """

    def __init__(self, prefix, overwrite):
        super().__init__(prefix)
        self.prefix = prefix
        self._require_destination(overwrite)

    def _require_destination(self, overwrite):
        if not self.base or self.base in (".", ".."):
            raise DestinationError(
                self.prefix,
                "a prefix",
                "a folder",
                "Add a name: {}".format(os.path.join(self.prefix, "model.ckpt")),
            )
        require_folder(self.prefix, self.folder)
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

    def free_count(self, wanted):
        """Returns the smallest number of shards, at least the given, that no file names."""
        taken = {count for _, count in self._shards()}
        count = max(1, wanted)
        while count in taken:
            count += 1
        return count

    def _shards(self):
        """Returns [(name, number of shards)] of files that have names of the prefix's shards."""
        form = str.casefold if ignores_case(self._hidden) else str
        shards = []
        for name in sorted(os.listdir(self.folder)):
            shard = bundle.split_shard_path(name)
            if shard and form(shard[0]) == form(self.base):
                shards.append((name, shard[2]))
        return shards

    def commit(self, shards, index, check):
        """Moves everything into place.

        Args:
          shards: the staged paths of all shards, in order; none if the old ones stay in use.
          index: the bytes of the new index.
          check: called last before the commit; what it raises undoes everything.
        """
        count = len(shards)
        new = [bundle.shard_path(self.base, i, count) for i in range(count)]
        staged = self.stage(_INDEX)
        write(staged, index)
        if shards:
            state = is_first_of_folder(self.folder)
            old = self._shards_in_force()
            self.announce({"base": self.base, "new": new, "old": old, "state": state})
        for source, name in zip(shards, new):
            os.rename(source, os.path.join(self.folder, name))
        sync_folder(self.folder)
        check()
        os.replace(staged, self.prefix + ".index")
        sync_folder(self.folder)

    def _shards_in_force(self):
        """Returns the shards of the index to be replaced; none if it is damaged: they stay."""
        try:
            in_force = shards_in_force(self.folder, self.base)
        except DamagedCheckpointError:
            return []
        return [name for name, count in self._shards() if count == in_force]
