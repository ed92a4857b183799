"""Several files replaced together: all or none, also where the disk is full or a kill comes.

Each new content is written beside its file first, and the old file gets a second name. Only then a
journal says what is about to happen, and the new files take their places. Whoever finds a journal
can put back the old files: `recover` does.
"""

import contextlib
import hashlib
import json
import os
import shutil
from typing import Dict, Iterable, List, NamedTuple, Optional

from tfgraphtools import files
from tfgraphtools.errors import ArgumentError, DestinationError

#: The name of a journal, in the folder that holds all files of the upgrade.
JOURNAL = ".tfgraphtools-upgrade.json"


class Replacement(NamedTuple):
    """One file.

    Fields:
      path: its absolute path.
      before: its bytes; None where it is to be made.
      after: its new bytes.
      backup: the path at which a copy of the old file is kept, or None.
    """

    path: str
    before: Optional[bytes]
    after: bytes
    backup: Optional[str] = None


def replace_all(replacements: List[Replacement]) -> None:
    """Replaces all files, or none.

    Raises:
      DestinationError: one could not be written; all files are as they were. If they could not be
        put back, the message names those that are new.
      ArgumentError: a file is no longer as it was examined; all files are as they were.
    """
    if not replacements:
        return
    staged = [_Staged(replacement) for replacement in replacements]
    journals = _journals_for(staged)
    try:
        for entry in staged:
            entry.prepare()
        for journal, entries in journals.items():
            files.write_whole(journal, _described(entries))
        for entry in staged:
            entry.put_in_place()
        for journal in journals:
            os.unlink(journal)  # from here on all are new, whatever happens
    except BaseException as error:
        _undo(staged, journals, error)
        raise
    for entry in staged:
        entry.forget()


def _undo(staged, journals, error):
    """Puts all old files back; raises `DestinationError` for what the system refused."""
    failures = [entry.path for entry in staged if not entry.put_back()]
    if failures:
        raise DestinationError(
            _listed(failures),
            "the old file put back after a failure",
            f"an upgraded one: {error}",
            "The other files are as they were. "
            + _REMEDY.format(" ".join(map(os.path.dirname, journals))),
        ) from error
    for journal in journals:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(journal)
    if isinstance(error, OSError) and not isinstance(error, DestinationError):
        raise DestinationError(
            "upgrade --write",
            "room and permission to write all files",
            error.strerror or str(error),
            "Nothing was changed: all files are as they were. Free space, and run it again.",
        ) from error


#: What to do about an upgrade that was interrupted.
_REMEDY = "To put back the old files: tfgraphtools upgrade {} --recover"


class _Staged:
    """One file, its new content beside it, and a second name of the old file."""

    def __init__(self, replacement):
        self.path = replacement.path
        self._change = replacement
        self._real = os.path.realpath(replacement.path)
        stem = os.path.join(os.path.dirname(self._real), f".tfgraphtools-{os.urandom(6).hex()}")
        self._new, self._old = stem + ".new", stem + ".old"
        self._has_backup = self._is_prepared = False

    @property
    def described(self):
        """What the journal says of it."""
        return {
            "path": self._real,
            "new": self._new,
            "old": None if self._change.before is None else self._old,
            "before": None if self._change.before is None else _digest(self._change.before),
            "after": _digest(self._change.after),
        }

    def prepare(self):
        """Writes what is needed to put the file in its place, and to put the old one back."""
        status = None
        if self._change.before is not None:
            status = os.stat(self._real)
            _second_name(self._real, self._old)
            _require_unchanged(self.path, self._old, self._change.before)
            self._keep_backup()
        files.write_whole(self._new, self._change.after, status)
        self._is_prepared = True

    def _keep_backup(self):
        backup = self._change.backup
        if backup is not None and not os.path.lexists(backup):
            self._has_backup = True
            files.write_whole(backup, self._change.before, os.stat(self._real))

    def put_in_place(self):
        """Makes the file the new one."""
        os.replace(self._new, self._real)

    def put_back(self):
        """Makes the file the old one, and removes the rest; tells whether that was possible."""
        is_placed = self._is_prepared and not os.path.lexists(self._new)
        try:
            if is_placed and self._change.before is not None:
                os.replace(self._old, self._real)
            elif is_placed and _digest_of(self._real) == _digest(self._change.after):
                os.unlink(self._real)  # it was not there before
        except OSError:
            return False
        self.forget()
        if self._has_backup:
            with contextlib.suppress(OSError):
                os.unlink(self._change.backup)
        return True

    def forget(self):
        """Removes what is beside the file."""
        for path in (self._new, self._old):
            with contextlib.suppress(OSError):
                os.unlink(path)


def _second_name(path, name):
    """Gives a file a second name: where the file system has no such thing, a copy."""
    try:
        os.link(path, name)
    except OSError:
        shutil.copy2(path, name)


def _require_unchanged(path, old, before):
    if _digest_of(old) != _digest(before):
        raise ArgumentError(
            path,
            "the file unchanged since it was examined",
            "another one",
            "Nothing was written. Run the upgrade again.",
        )


def _digest(data):
    return hashlib.sha256(data).hexdigest()


def _digest_of(path):
    """Returns the digest of a file; None where there is none."""
    try:
        with open(path, "rb") as file:
            return _digest(file.read())
    except FileNotFoundError:
        return None


def _described(staged):
    entries = [entry.described for entry in staged]
    return (json.dumps({"files": entries}, indent=1) + "\n").encode("ascii")


def _journals_for(staged):
    """Returns {path of a journal: its files}: one in the folder that holds all files.

    Where that may not be written, there is one in each folder of files.
    """
    folders = [os.path.dirname(os.path.realpath(entry.path)) for entry in staged]
    common = os.path.commonpath(folders)
    if os.access(common, os.W_OK) and os.stat(common).st_mode & 0o222:
        return {os.path.join(common, JOURNAL): staged}
    journals: Dict[str, List[_Staged]] = {}
    for folder, entry in zip(folders, staged):
        journals.setdefault(os.path.join(folder, JOURNAL), []).append(entry)
    return journals


def require_none_interrupted(paths: Iterable[str]) -> None:
    """Raises `ArgumentError` where an upgrade of files was interrupted, and names its state.

    Args:
      paths: those of the files.
    """
    for journal in _journals_above(paths):
        entries = _entries(journal)
        new = [entry["path"] for entry in entries if _is_new(entry)]
        raise ArgumentError(
            os.path.dirname(journal),
            "code of which no upgrade was interrupted",
            f"{len(new)} of {len(entries)} files upgraded{': ' if new else ''}{_listed(new)}",
            _REMEDY.format(os.path.dirname(journal)),
        )


def recover(paths: Iterable[str]) -> List[str]:
    """Puts back the old files of upgrades that were interrupted.

    Args:
      paths: files or folders of the code.

    Returns:
      the paths of the files that were put back.

    Raises:
      ArgumentError: a file was changed since then; no file is changed.
    """
    restored = []
    paths = list(paths)
    for journal in sorted({*_journals_above(paths), *_journals_below(paths)}):
        entries = _entries(journal)
        for entry in entries:
            _require_known(entry)
        for entry in entries:
            restored += [entry["path"]] * _restore(entry)
        os.unlink(journal)
        for entry in entries:
            for name in (entry["new"], entry["old"]):
                with contextlib.suppress(OSError, TypeError):
                    os.unlink(name)
    return restored


def _require_known(entry):
    digest = _digest_of(entry["path"])
    if digest not in (entry["before"], entry["after"]):
        where = f": it is in {entry['old']}" if entry["old"] else ""
        raise ArgumentError(
            entry["path"],
            "the file as the interrupted upgrade left it",
            "one that was changed since then, or removed",
            f"Nothing was changed. Put the old content back by hand{where}, and run it again.",
        )


def _restore(entry):
    """Puts one old file back; tells whether it was the new one."""
    if not _is_new(entry):
        return False
    if entry["old"] is None:
        os.unlink(entry["path"])
    else:
        os.replace(entry["old"], entry["path"])
    return True


def _is_new(entry):
    digest = _digest_of(entry["path"])
    return digest == entry["after"] and digest != entry["before"]


def _entries(journal):
    """Returns what a journal says.

    Raises:
      ArgumentError: it is none.
    """
    try:
        with open(journal, "rb") as file:
            entries = json.loads(file.read().decode("utf-8"))["files"]
        keys = {"path", "new", "old", "before", "after"}
        top = os.path.join(os.path.dirname(journal), "")
        if all(set(entry) == keys and _is_below(entry, top) for entry in entries):
            return entries
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise ArgumentError(
        journal, "the journal of an upgrade", "another file", "Move it elsewhere, and run it again."
    )


def _is_below(entry, top):
    """Tells whether an entry is about files of this library below the folder of the journal."""
    folder = os.path.dirname(entry["path"])
    names = [entry["new"], *([entry["old"]] if entry["old"] else [])]
    return os.path.realpath(entry["path"]).startswith(top) and all(
        os.path.dirname(name) == folder and os.path.basename(name).startswith(".tfgraphtools-")
        for name in names
    )


def _journals_above(paths):
    """Returns the paths of the journals in the folders around paths and around where links lead."""
    paths = list(paths)
    folders = {os.path.realpath(folder) for folder in set(map(os.path.dirname, paths))}
    folders.update(os.path.dirname(os.path.realpath(p)) for p in paths if os.path.islink(p))
    around = set(folders)
    for folder in folders:
        while folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
            around.add(folder)
    journals = (os.path.join(folder, JOURNAL) for folder in around)
    return sorted(journal for journal in journals if os.path.isfile(journal))


def _journals_below(paths):
    """Yields the paths of the journals in folders and below them."""
    for path in map(os.path.realpath, paths):
        for place, _, names in os.walk(path) if os.path.isdir(path) else ():
            if JOURNAL in names:
                yield os.path.join(place, JOURNAL)


def _listed(paths):
    shown = ", ".join(os.path.relpath(path) for path in paths[:5])
    return shown + (f" and {len(paths) - 5} more" if len(paths) > 5 else "")
