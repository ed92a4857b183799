"""A proof by running: a command on a copy of the code as it is, and on one that was rewritten."""

import os
import re
import sys
import tempfile
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from tfgraphtools.errors import ArgumentError
from tfgraphtools.runs import copied_runs, file_comparison, output_comparison, tf1_python
from tfgraphtools.upgrade.trees import tf1_side

_TOLERANCE = 1e-6


class Proof(NamedTuple):
    """What running before and after showed.

    Fields:
      command: the words that were run.
      before: how the old code was run.
      codes: the exit codes, before and after.
      printed: the `runs.output_comparison.Comparison` of what they printed.
      files: (path, what differs) of the files that only one wrote, or that differ; of a checkpoint,
        the path of its index and the tensors.
      written: how many files hold the same, besides checkpoints.
      checked: how many checkpoints have the same tensors, by their values.
      varying: the files that differ between two runs of the old code.
      not_compared: (path, why) of files that differ, and that no rule compares.
      errors: the last line on stderr of each run that failed.
      unresolved: how many uses the upgrade left to people.
      unstable: the lines, "#" for each number, that differ between two runs of the old code;
        they were left out.
    """

    command: Tuple[str, ...]
    before: str
    codes: Tuple[int, int]
    printed: Any
    files: Tuple[Tuple[str, str], ...]
    written: int
    checked: int
    varying: Tuple[str, ...]
    not_compared: Tuple[Tuple[str, str], ...]
    errors: Tuple[str, ...]
    unresolved: int
    unstable: Tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the upgraded code did what the old one did, and that was more than to end."""
        return (
            self.codes == (0, 0)
            and bool(self.printed.numbers or self.written or self.checked)
            and self.printed.first is None
            and not self.files
        )

    def as_dict(self) -> Dict[str, Any]:
        """Returns the proof as plain data, for JSON."""
        proof = dict(self._asdict(), holds=self.holds, proved=self.proved(), not_proved=self.gaps())
        proof["printed"] = str(self.printed)
        return proof

    def proved(self) -> List[str]:
        """Returns what was shown to be the same, in words."""
        shown = []
        if self.codes[0] == self.codes[1]:
            shown.append(f"the exit code ({self.codes[0]})")
        if self.printed.first is None and self.printed.numbers:
            shown.append(f"{self.printed.numbers} printed numbers, to {_TOLERANCE:g}")
        elif self.printed.first is None:
            shown.append("what was printed (no numbers)")
        if self.written:
            shown.append(f"{self.written} written files")
        if self.checked:
            shown.append(f"the tensors of {self.checked} checkpoints, to {_TOLERANCE:g}")
        return shown

    def gaps(self) -> List[str]:
        """Returns what was not shown, in words."""
        missing = []
        if not self.printed.numbers:
            missing.append("numbers: none was printed")
        if self.unstable:
            missing.append("lines that differ between two runs: " + "; ".join(self.unstable))
        if self.varying:
            missing.append("files that differ between two runs: " + ", ".join(self.varying))
        missing += [f"{path}: {why}" for path, why in self.not_compared]
        if not self.checked:
            missing.append("checkpoints: none was written by both")
        missing.append("code that this command does not run")
        if self.unresolved:
            missing.append(f"{self.unresolved} uses that the upgrade did not change")
        return missing

    def lines(self) -> List[str]:
        """Returns the proof as text."""
        shown = [f"before: {self.before}; after: plain Python; command: {' '.join(self.command)}"]
        shown.append("exit codes: {} before, {} after".format(*self.codes))
        shown += list(self.errors)
        printed = str(self.printed).replace("here:  ", "after:  ").replace("there: ", "before: ")
        shown += printed.split("\n")
        shown += [f"{path}: {difference}" for path, difference in self.files]
        if self.codes == (0, 0) and not (self.printed.numbers or self.written or self.checked):
            shown.append("the proof fails: neither a number nor a file was there to be compared")
        shown.append("proved to be equal: " + ("; ".join(self.proved()) or "nothing"))
        shown.append("not proved: " + "; ".join(self.gaps()))
        return shown


def verify(
    report: Any,
    command: Sequence[str],
    python37: Optional[str] = None,
    options: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> Proof:
    """Runs a command before and after an upgrade, on copies of this folder, and compares.

    Where they differ, the old code runs once more: lines whose numbers then differ, such as times
    and draws without a seed, and files that differ then, are left out, and named.

    The two copies are at paths of one length, one after the other at the same place, so that
    paths that are printed are the same. Nothing here is changed.

    Args:
      report: the `Report` of the upgrade.
      command: words; the first names Python (``python train.py --steps 20``).
      python37: the path of a Python with TF 1.15 for the old code; ``tfgraphtools run`` by
        default.
      options: words for ``tfgraphtools run``, such as "--python2".
      ignore: regular expressions; what they match in the output is left out.

    Returns:
      a `Proof`.

    Raises:
      ArgumentError: the command does not start Python, a file lies outside this folder, or
        this folder is too large to be copied.
    """
    words = list(command)
    if not os.path.basename(words[0]).startswith("python") or len(words) < 2:
        raise ArgumentError(
            "--verify -- " + " ".join(words),
            "python and a script",
            words[0],
            "For example: tfgraphtools upgrade . --verify -- python train.py --steps 20",
        )
    if python37 is not None:
        tf1_python.require_tf1(python37, "--python37")
    here = os.getcwd()
    for file in report.changed:
        if os.path.relpath(file.path, here).startswith(os.pardir):
            raise ArgumentError(
                file.shown,
                "files of this folder, because only this folder is copied",
                here,
                "Run the command in the folder of the code.",
            )
    place = _first_of_program(words)
    old = [sys.executable, *words[1:place], "-m", "tfgraphtools", "run", *options, *words[place:]]
    old = old if python37 is None else [python37, *words[1:]]
    with tempfile.TemporaryDirectory(prefix="upgrade-verify-") as folder:
        before = copied_runs.run(old, folder, here, None, os.path.join(folder, "before"))
        prepare = tf1_side.rewriter(here) if python37 is not None and before.code else None
        if prepare is not None:
            kept = os.path.join(folder, "rewritten")
            before = copied_runs.run(old, folder, here, prepare, kept)
        rewrite = tf1_side.written(report.changed, here)
        new, kept = [sys.executable, *words[1:]], os.path.join(folder, "after")
        after = copied_runs.run(new, folder, here, rewrite, kept)
        rule = file_comparison.Rule(_TOLERANCE, ignore, _SIDES)
        changed = {os.path.relpath(file.path, here) for file in report.changed}
        verdict = file_comparison.compared(after.written, before.written, None, rule)
        verdict, unstable = _without(verdict, changed), set()
        printed = output_comparison.runs(after, before, _TOLERANCE, ignore)
        if before.code == after.code == 0 and (printed.first or verdict.other):
            again = copied_runs.run(old, folder, here, prepare, os.path.join(folder, "again"))
            unstable = output_comparison.unstable(before, again)
            runs = (after.written, before.written, again.written)
            verdict = _without(file_comparison.compared(*runs, rule), changed)
    before, after = (output_comparison.without(outcome, unstable) for outcome in (before, after))
    proof = _compared(words, python37, before, after, verdict, ignore)
    if prepare is not None:
        proof = proof._replace(before=proof.before + output_comparison.REWRITTEN)
    return proof._replace(unresolved=len(report.unresolved()), unstable=tuple(sorted(unstable)))


def _first_of_program(words):
    """Returns the place of the script, -m or -c in a command, after options of Python itself."""
    place = 1
    while place < len(words) and re.match(r"-[^-mc]", words[place]):
        place += 2 if words[place] in ("-W", "-X") else 1
    return place


#: What the report calls the two runs of a proof.
_SIDES = ("after the upgrade", "before the upgrade")


def _without(verdict, changed):
    """Returns a verdict without the files that the upgrade itself rewrites."""
    return file_comparison.Verdict(
        [name for name in verdict.same if name not in changed],
        [pair for pair in verdict.other if pair[0] not in changed],
        verdict.varying,
        verdict.not_compared,
    )


def _compared(words, python37, before, after, verdict, ignore):
    printed = output_comparison.runs(after, before, _TOLERANCE, ignore)
    printed = printed._replace(codes=(0, 0), errors=("", ""))  # the proof has its own
    runs = (("before", before), ("after", after))
    return Proof(
        command=tuple(words),
        before="TF 1.15" if python37 else "tfgraphtools run",
        codes=(before.code, after.code),
        printed=printed,
        files=tuple(verdict.other),
        written=len(verdict.same) - len(verdict.checkpoints),
        checked=len(verdict.checkpoints),
        varying=tuple(verdict.varying),
        not_compared=tuple(verdict.not_compared),
        errors=tuple(f"{when}: {run.error}" for when, run in runs if run.code),
        unresolved=0,
    )
