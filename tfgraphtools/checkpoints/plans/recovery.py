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
from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.format.wire import reading
from tfgraphtools.checkpoints.plans.disk import file_names
from tfgraphtools.checkpoints.plans.staging import (
    LOCK,
    STAGING,
    NotOursError,
    acquire,
    acquire_abandoned,
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
        _require_file_name(path, self.base)

    def __enter__(self):
        recover(self.folder)
        self._lock = self._acquired()
        if self._lock is None:
            raise DestinationError(
                self.path,
                "a destination of our own",
                "another process that writes it",
                "Wait until it is done.",
            )
        settle(self._hidden)
        return self

    def _acquired(self):
        try:
            return acquire(self._hidden)
        except FileNotFoundError as error:  # such as /proc, which is there
            raise DestinationError(
                self.path,
                "an existing folder that takes new files",
                f"{self.folder}, in which the system makes none",
                "Write to another folder.",
            ) from error
        except (NotOursError, PermissionError) as error:
            if isinstance(error, PermissionError) and not os.path.lexists(self._hidden):
                raise  # the destination's own folder cannot be written
            raise DestinationError(
                self.path,
                f"a free name for a working folder, {self._hidden}",
                "a file or folder that is not ours"
                if isinstance(error, NotOursError)
                else f"the working folder of another user: {_owner(self._hidden)} writes to this "
                "name, or was interrupted",
                "Nothing was changed. Have its owner remove it, or write to another name.",
            ) from error

    def __exit__(self, kind, error, traceback):
        # The same after a commit, an error and a kill: what is in place says what has to go.
        if self._lock is not None:
            _finish(self._hidden, self._lock)

    def stage(self, name):
        """Returns the path at which to write a file before it is moved into place."""
        return os.path.join(self._hidden, name)

    def announce(self, journal):
        """Writes the journal; it is on the disk at the end."""
        write(self.stage(_JOURNAL), json.dumps(journal).encode("ascii"))
        sync_folder(self._hidden)


def recover(folder: Path) -> int:
    """Cleans up after writes that were killed: what they left in a folder goes or is completed.

    Temporary files and shards that no index uses are removed. A SavedModel that was about to be
    replaced is put back. It touches nothing that a running write holds, nothing that this library
    did not put there, and nothing of another user's. Every write does this first; call it to clean
    up without writing.

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
        lock = acquire_abandoned(hidden) if STAGING.fullmatch(name) else None
        if lock is not None:
            cleaned += _finish(hidden, lock)
    return cleaned


def _finish(hidden, lock):
    """Settles a write, removes its folder and lets go of the lock; tells whether nothing is left.

    A file that cannot be removed (another user's, or one that a program of Windows has open) waits
    for a later `recover`, and the journal with it.
    """
    try:
        is_done = settle(hidden)
    except PermissionError:
        is_done = False
    except BaseException:
        os.close(lock)
        raise
    if is_done:
        dispose(hidden, lock)
    else:
        os.close(lock)
    return is_done


def _require_file_name(path, base):
    problem = file_names.problem(base)
    if problem is not None:
        raise DestinationError(
            path, "the name of a file", problem, "Nothing was changed. Write to another name."
        )


def _owner(path):
    """Returns the user whose a file is, as far as the system says."""
    try:
        number = os.stat(path).st_uid
    except OSError:
        return "somebody"
    try:
        import pwd

        return pwd.getpwuid(number).pw_name
    except (ImportError, KeyError):
        return f"user {number}"


def _names_in(folder):
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise CheckpointNotFoundError(
            os.fspath(folder),
            "a folder",
            "a file" if isinstance(error, NotADirectoryError) else "none",
            "Pass the folder of the checkpoints.",
        ) from error


def settle(hidden):
    """Undoes or completes what the journal in a hidden folder says, and empties the folder.

    Returns:
      Whether all is done: the journal stays while a file cannot be removed.
    """
    try:
        with open(os.path.join(hidden, _JOURNAL), "rb") as file:
            journal = json.loads(file.read().decode("ascii"))
    except (FileNotFoundError, ValueError):
        journal = {}  # it died before it had moved anything
    folder, is_done = os.path.dirname(hidden), True
    if isinstance(journal, dict) and _is_name(journal.get("replaces")):
        _put_back(hidden, os.path.join(folder, journal["replaces"]))
    elif isinstance(journal, dict) and _is_name(journal.get("base")):
        is_done = _settle_checkpoint(folder, hidden, journal)
    for name in sorted(os.listdir(hidden), key=lambda name: name == _JOURNAL):
        if name != LOCK and (is_done or name != _JOURNAL):
            is_done = _is_removed(os.path.join(hidden, name)) and is_done
    return is_done


def _is_removed(path):
    try:
        remove(path)
        return True
    except PermissionError:
        return False


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
        return True  # which shards it uses is not known: all stay
    is_done = True
    for name in list(journal.get("new", ())) + list(journal.get("old", ())):
        shard = bundle.split_shard_path(name) if _is_name(name) else None
        path = os.path.join(folder, name)
        is_of_base = shard and shard[0].casefold() == base.casefold()
        if is_of_base and shard[2] != count and not os.path.isdir(path):
            is_done = _is_removed(path) and is_done
    state = os.path.join(folder, _STATE)
    if journal.get("state") and count is not None and not os.path.lexists(state):
        staged = os.path.join(hidden, _STATE)
        write(staged, state_files.text(base))
        os.rename(staged, state)
        sync_folder(folder)
    return is_done


def shards_in_force(folder, base):
    """Tells how many shards the index at a prefix has, or None if there is none."""
    path = os.path.join(folder, base + ".index")
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (FileNotFoundError, IsADirectoryError):
        return None
    with reading(path):
        return bundle.parse_index(data).header.num_shards


def is_first_of_folder(folder):
    """Tells whether a folder has no checkpoint yet, and no state file that names one."""
    for name in os.listdir(folder):
        if name == _STATE or name.endswith((".index", ".meta")) or _SHARD.search(name):
            return False
    return True
