"""The report of an upgrade: the files, their new contents, and the findings in each."""

import difflib
import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from tfgraphtools.errors import ArgumentError
from tfgraphtools.upgrade import code_files
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, STATUSES, UNSEEN, Finding
from tfgraphtools.upgrade.trees import all_or_none, version_control


class File(NamedTuple):
    """One file.

    Fields:
      path: its absolute path.
      shown: its path as it was given.
      before, after: its bytes; the same where nothing changes.
      old, new: its text.
      findings: what was found, in the order of the lines.
      error: why it was left as it is, or None.
      is_new: whether the upgrade makes it.
    """

    path: str
    shown: str
    before: bytes
    after: bytes
    old: str
    new: str
    findings: Tuple[Finding, ...] = ()
    error: Optional[str] = None
    is_new: bool = False

    @property
    def changes(self) -> bool:
        """Whether anything in it changes."""
        return self.before != self.after

    def diff(self) -> List[str]:
        """Returns the lines of a unified diff, without their ends: ``git apply`` takes them."""
        old, new = (_lines(text) for text in self._texts())
        name = self.shown.lstrip("/")
        name += "\t" if " " in name else ""  # where a name with blanks ends, as git writes it
        before = "/dev/null" if self.is_new else "a/" + name
        lines = []
        for line in difflib.unified_diff(old, new, before, "b/" + name):
            lines.append(line[:-1] if line.endswith("\n") else line)
            if not line.endswith("\n"):
                lines.append("\\ No newline at end of file")
        return lines

    def _texts(self):
        """Returns the texts as the files have them, line ends included, if these are UTF-8."""
        try:
            return self.before.decode("utf-8"), self.after.decode("utf-8")
        except UnicodeDecodeError:
            return self.old, self.new


def _lines(text):
    """Returns lines with their ends; form feeds and what else Python splits at are in them."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def new_file(path: str, shown: str, text: str) -> File:
    """Returns the `File` of a module that the upgrade makes."""
    finding = Finding(1, os.path.basename(path), REWRITTEN, "copies", "a new file")
    return File(path, shown, b"", text.encode("utf-8"), "", text, (finding,), is_new=True)


class Report:
    """What `examine` found. Nothing is written before `write`.

    Fields:
      files: a list of `File`, in the order of their paths.
      notes: remarks on the whole codebase.
    """

    def __init__(self, found: List[File], notes: Tuple[str, ...] = ()) -> None:
        self.files = found
        self.notes = notes

    @property
    def changed(self) -> List[File]:
        """The files that change."""
        return [file for file in self.files if file.changes]

    @property
    def errors(self) -> List[File]:
        """The files that could not be read."""
        return [file for file in self.files if file.error]

    def diff(self) -> Iterator[str]:
        """Yields the lines of the unified diff of all files."""
        for file in self.changed:
            yield from file.diff()

    def counts(self) -> Dict[str, int]:
        """Returns status -> how many uses have it."""
        counts = dict.fromkeys(STATUSES, 0)
        for file in self.files:
            for finding in file.findings:
                counts[finding.status] += 1
        return counts

    @property
    def left(self) -> int:
        """How many uses were not rewritten, or fail in the result."""
        return self.counts()[CANNOT]

    @property
    def unseen(self) -> int:
        """How many uses are of packages that could not be looked at: not among those left."""
        return self.counts()[UNSEEN]

    def as_dict(self) -> Dict[str, Any]:
        """Returns the report as plain data, for JSON."""
        return {
            "files": [
                {
                    "path": file.shown,
                    "changes": file.changes,
                    "error": file.error,
                    "findings": [finding._asdict() for finding in file.findings],
                }
                for file in self.files
                if file.changes or file.findings or file.error
            ],
            "examined": len(self.files),
            "uses": self.counts(),
            "left": self.left,
            "not_looked_at": self.unseen,
            "notes": list(self.notes),
        }

    def write(self, force: bool = False, backup: bool = False) -> List[str]:
        """Writes the files that change, each in one step; all of them, or none.

        Args:
          force: also files that git cannot restore: with changes that are not committed,
            untracked or ignored ones, and those outside a checkout of git.
          backup: keep a copy of each file beside it, as NAME.orig; then files that git does not
            track need no force.

        Returns:
          the paths that were written.

        Raises:
          ArgumentError: git cannot restore a file, it has changed since it was read, or its
            NAME.orig is taken; then no file is written.
          PermissionError: a file is read-only; then no file is written.
          DestinationError: the disk is full; then all files are as they were.
        """
        changed = self.changed
        old = [file for file in changed if not file.is_new]
        if not force:
            _refuse_unrestorable(old, backup)
        for file in changed:
            _require_unchanged(file)
            code_files.require_writable(file.path)
            if backup and not file.is_new:
                _require_free(file.path, code_files.backup(file.path))
        all_or_none.replace_all([_replacement(file, backup) for file in changed])
        return [file.shown for file in changed]

    def unresolved(self) -> List[Tuple[str, Finding]]:
        """Returns (path, finding) of all that is left, or was not looked at."""
        return [
            (file.shown, finding)
            for file in self.files
            for finding in file.findings
            if finding.status in (CANNOT, UNSEEN)
        ]


def _replacement(file, backup):
    """Returns what `all_or_none.replace_all` does to a file that changes."""
    if file.is_new:
        return all_or_none.Replacement(file.path, None, file.after)
    copy = code_files.backup(file.path) if backup else None
    return all_or_none.Replacement(file.path, file.before, file.after, copy)


def _require_unchanged(file):
    if file.is_new and not os.path.lexists(file.path):
        return
    if os.path.islink(file.path) and file.is_new or code_files.read(file.path) != file.before:
        raise ArgumentError(
            file.shown,
            "the file unchanged since it was examined",
            "another one",
            "Run the upgrade again.",
        )


def _require_free(path, copy):
    """Raises `ArgumentError` where another file has the name of a copy."""
    is_file = os.path.isfile(copy) and not os.path.islink(copy)
    is_copy = is_file and code_files.read(copy) == code_files.read(path)
    if os.path.lexists(copy) and not is_copy:
        raise ArgumentError(
            "--backup (backup=True)",
            f"a free name for the copy of {os.path.basename(path)}",
            f"{copy}, another file, which would be lost",
            "Nothing was written. Move it elsewhere, or do without --backup.",
        )


def _refuse_unrestorable(old, backup):
    """Raises `ArgumentError` where a file would be lost; a backup replaces git, not a commit."""
    shown = {file.path: file.shown for file in old}
    reasons = version_control.unrestorable(list(shown))
    uncommitted = [p for p in shown if reasons.get(p) == version_control.UNCOMMITTED]
    if uncommitted:
        raise ArgumentError(
            _named(shown[path] for path in uncommitted),
            "files whose changes are all committed to git",
            "uncommitted changes, with which the upgrade would be mixed",
            "Nothing was written. Commit or stash them, or pass force=True (--force).",
        )
    if reasons and not backup:
        path = min(reasons, key=shown.get)
        raise ArgumentError(
            _named(shown[path] for path in reasons),
            "files that git can restore",
            f"{'one' if len(reasons) == 1 else 'some'} that it cannot: {reasons[path]}",
            "Nothing was written. Commit the code first, keep copies as NAME.orig with backup=True "
            "(--backup), or pass force=True (--force).",
        )


def _named(shown):
    first, *more = sorted(shown)
    return first + (f" and {len(more)} more" if more else "")
