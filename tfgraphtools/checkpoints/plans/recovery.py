"""One protocol for whatever is put in place: checkpoints, files and folders.

A write works in a hidden folder beside its destination, whose lock it holds while
it lives, and says in a journal there what it is about to do. `settle` undoes or
completes what a journal says, by what it finds: it runs at the end of every write,
and for a write that was killed at the beginning of the next one or in `recover`.

    {"base": NAME, "new": [...], "old": [...], "state": bool}   a checkpoint
    {"replaces": NAME}                                          a file or a folder

Shards that the index in force does not use are removed; if the index is a first
checkpoint in its folder, a state file ``checkpoint`` names it. A folder that had to
give way before the new one came returns to its place.
"""

import json
import os
import re

from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.checkpoints.format.types import Path
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
from tfgraphtools.checkpoints.read import state_files
from tfgraphtools.errors import CheckpointNotFoundError, DamagedCheckpointError, DestinationError

_JOURNAL = "journal"
_STATE = "checkpoint"
_SHARD = re.compile(r"-\d{5,}-of-\d{5,}$")

#: What a folder is called that gives way to another, and what takes its place.
OLD, NEW = "old", "file"


class Workspace:
    """The hidden folder of one write. Use it in a ``with``: what it leaves there is settled.

    Args:
      path: the destination: a prefix, a file or a folder.
    """

    def __init__(self, path):
        self.path = path
        self.folder, self.base = os.path.split(os.path.abspath(path))
        self._hidden = os.path.join(self.folder, name_for(self.base))
        self._lock = None

    def __enter__(self):
        recover(self.folder)
        self._lock = acquire(self._hidden)
        if self._lock is None:
            raise DestinationError(
                self.path,
                "a destination of our own",
                "another process that writes it",
                "Wait until it is done.",
            )
        settle(self._hidden)
        return self

    def __exit__(self, kind, error, traceback):
        # The same after a commit, an error and a kill: what is in place says what has to go.
        if self._lock is not None:
            settle(self._hidden)
            dispose(self._hidden, self._lock)

    def stage(self, name):
        """The path at which to write a file before it is moved into place."""
        return os.path.join(self._hidden, name)

    def announce(self, journal):
        """Writes the journal; it is on the disk at the end."""
        write(self.stage(_JOURNAL), json.dumps(journal).encode("ascii"))
        sync_folder(self._hidden)


def recover(folder: Path) -> int:
    """Cleans up after writes that were killed: what they left in a folder goes or is completed.

    Temporary files and shards that no index uses are removed. A SavedModel that was about to be
    replaced is put back. It touches nothing that a running write holds, and nothing that this
    library did not put there. Every write does this first; call it to clean up without writing.

    Args:
      folder: the folder of the checkpoints or models.

    Returns:
      The number of interrupted writes that were cleaned up.

    Example:
      >>> recover("checkpoints")                                       # doctest: +SKIP
      1

    Raises:
      CheckpointNotFoundError: there is no such folder.
    """
    cleaned = 0
    for name in _names_in(folder):
        hidden = os.path.join(folder, name)
        if not STAGING.fullmatch(name) or not os.path.isdir(hidden):
            continue
        lock = acquire(hidden)
        if lock is not None:  # nobody holds it: its writer is dead
            settle(hidden)
            dispose(hidden, lock)
            cleaned += 1
    return cleaned


def _names_in(folder):
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise CheckpointNotFoundError(
            os.fspath(folder), "a folder", "none", "Pass the folder of the checkpoints."
        ) from error


def settle(hidden):
    """Undoes or completes what the journal in a hidden folder says, and empties the folder."""
    try:
        with open(os.path.join(hidden, _JOURNAL), "rb") as file:
            journal = json.loads(file.read().decode("ascii"))
    except (FileNotFoundError, ValueError):
        journal = {}  # it died before it had moved anything
    folder = os.path.dirname(hidden)
    if isinstance(journal, dict) and _is_name(journal.get("replaces")):
        _put_back(hidden, os.path.join(folder, journal["replaces"]))
    elif isinstance(journal, dict) and _is_name(journal.get("base")):
        _settle_checkpoint(folder, hidden, journal)
    for name in os.listdir(hidden):
        if name != LOCK:
            remove(os.path.join(hidden, name))


def _is_name(value):
    return isinstance(value, str) and bool(value) and os.path.basename(value) == value


# A file or a folder ---------------------------------------------------------


def _put_back(hidden, path):
    """Returns what gave way, if what should have taken its place has not left the folder."""
    old, new = os.path.join(hidden, OLD), os.path.join(hidden, NEW)
    if os.path.lexists(old) and os.path.lexists(new) and not os.path.lexists(path):
        os.rename(old, path)
        sync_folder(os.path.dirname(path))


# A checkpoint ---------------------------------------------------------------


def _settle_checkpoint(folder, hidden, journal):
    base = journal["base"]
    try:
        count = shards_in_force(folder, base)
    except DamagedCheckpointError:
        return  # which shards it uses is not known: all stay
    for name in list(journal.get("new", ())) + list(journal.get("old", ())):
        shard = bundle.split_shard_path(name) if _is_name(name) else None
        path = os.path.join(folder, name)
        if shard and shard[0] == base and shard[2] != count and not os.path.isdir(path):
            remove(path)
    state = os.path.join(folder, _STATE)
    if journal.get("state") and count is not None and not os.path.lexists(state):
        staged = os.path.join(hidden, _STATE)
        write(staged, state_files.text(base))
        os.rename(staged, state)
        sync_folder(folder)


def shards_in_force(folder, base):
    """How many shards the index at a prefix has, or None if there is none."""
    path = os.path.join(folder, base + ".index")
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (FileNotFoundError, IsADirectoryError):
        return None
    with reading(path):
        return bundle.parse_index(data).header.num_shards


def is_first_of_folder(folder):
    """Whether a folder has no checkpoint yet, and no state file that names one."""
    for name in os.listdir(folder):
        if name == _STATE or name.endswith((".index", ".meta")) or _SHARD.search(name):
            return False
    return True
