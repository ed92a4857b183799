"""Findings of `upgrade` in a file: one entry for each use."""

from typing import NamedTuple

#: Rewritten to a public name of today.
REWRITTEN = "rewritten"
#: Rewritten to something of ``tfgraphtools.tf1``; refused under ``--no-runtime``.
RUNTIME = "needs the runtime"
#: Not rewritable, or not from the source alone: it is left.
CANNOT = "cannot"
#: Of a package that is not installed, or whose names nobody can look up: nothing is known of it.
UNSEEN = "not looked at"

STATUSES = (REWRITTEN, RUNTIME, CANNOT, UNSEEN)


class Finding(NamedTuple):
    """One use.

    Fields:
      line: from 1.
      name: the dotted name, or the thing, of old code.
      status: one of `STATUSES`.
      fix: the name of the fix that is about it.
      detail: what stands there now, or why it cannot be rewritten.
      remedy: what to do about it, where that is known.
    """

    line: int
    name: str
    status: str
    fix: str
    detail: str
    remedy: str = ""

    @property
    def reason(self) -> str:
        """The detail and the remedy, as one text."""
        return f"{self.detail}: {self.remedy}" if self.remedy else self.detail
