"""What an upgrade comes to: the files, their new contents, and what was found in each."""

import difflib
import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from tfgraphtools.errors import ArgumentError
from tfgraphtools.upgrade import files
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, STATUSES, Finding


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
        """The lines of a unified diff."""
        return list(
            difflib.unified_diff(
                self.old.splitlines(),
                self.new.splitlines(),
                "/dev/null" if self.is_new else "a/" + self.shown.lstrip("/"),
                "b/" + self.shown.lstrip("/"),
                lineterm="",
            )
        )


def new_file(path: str, shown: str, text: str) -> File:
    """The `File` of a module that the upgrade makes."""
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
        """The lines of the unified diff of all files."""
        for file in self.changed:
            yield from file.diff()

    def counts(self) -> Dict[str, int]:
        """status -> how many uses have it."""
        counts = dict.fromkeys(STATUSES, 0)
        for file in self.files:
            for finding in file.findings:
                counts[finding.status] += 1
        return counts

    def as_dict(self) -> Dict[str, Any]:
        """The report as plain data, for JSON."""
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
            "notes": list(self.notes),
        }

    def write(self, force: bool = False) -> List[str]:
        """Writes the files that change, each in one step.

        Args:
          force: also files that have changes which are not committed to git.

        Returns:
          the paths that were written.

        Raises:
          ArgumentError: a file has uncommitted changes, or has changed since it was read;
            then no file is written.
          PermissionError: a file is read-only; then no file is written.
        """
        changed = self.changed
        if not force:
            _refuse_uncommitted(changed)
        for file in changed:
            if file.is_new and not os.path.exists(file.path):
                continue
            if files.read(file.path) != file.before:
                raise ArgumentError(
                    file.shown,
                    "the file unchanged since it was examined",
                    "another one",
                    "Run the upgrade again.",
                )
            if not os.access(os.path.realpath(file.path), os.W_OK):
                raise PermissionError(
                    13,
                    files.READ_ONLY,
                    file.shown,
                )
        for file in changed:
            files.replace(file.path, file.after)
        return [file.shown for file in changed]

    def unresolved(self) -> List[Tuple[str, Finding]]:
        """(path, finding) of all that was not rewritten."""
        return [
            (file.shown, finding)
            for file in self.files
            for finding in file.findings
            if finding.status == CANNOT
        ]


def _refuse_uncommitted(changed):
    dirty = files.uncommitted([file.path for file in changed])
    if dirty:
        shown = sorted(file.shown for file in changed if file.path in dirty)
        more = f" and {len(shown) - 1} more" if shown[1:] else ""
        raise ArgumentError(
            shown[0] + more,
            "files whose changes are all committed to git",
            "uncommitted changes, with which the upgrade would be mixed",
            "Commit or stash them, or pass force=True (--force).",
        )
