"""The result of a command, as plain data for the report."""

import os
import re

from tfgraphtools.revive.failures import failure_causes
from tfgraphtools.runs import output_comparison, timed_runs
from tfgraphtools.upgrade.findings import CANNOT

_TEST = re.compile(r"^(PASSED|FAILED|ERROR) (\S+::\S+|\S+\.py)(?: - .*)?$", re.MULTILINE)

#: Errors of a source of Python 2 under Python 3.
_UNREADABLE = ("SyntaxError", "TabError", "IndentationError")


def result(command, outcome, cause, repeat=(), written=()):
    """Returns the result of a command.

    Args:
      command: an `entry_points.Command`.
      outcome: the `timed_runs.Outcome` of its last step; None if it was not run.
      cause: the `failure_causes.Cause` of a failure, or None.
      repeat: lines of a shell that do the same.
      written: names of the files that its steps wrote.
    """
    return {
        "line": command.line,
        "place": command.place,
        "runs": bool(outcome and outcome.runs),
        "status": outcome.status if outcome else timed_runs.FAILED,
        "code": outcome.code if outcome else None,
        "checkpoints": sum(name.endswith(timed_runs.CHECKPOINTS) for name in written),
        "cause": cause._asdict() if cause else None,
        "repeat": list(repeat),
        "written": list(written),
    }


def written_by_ended(*runs):
    """Returns, for each run, the names of the files that only commands wrote which ended in all.

    Args:
      *runs: the `result`s of the same commands in several runs.
    """
    names, excluded = [set() for _ in runs], set()
    for results in zip(*runs):
        have_ended = all(command["status"] == timed_runs.ENDED for command in results)
        for written, command in zip(names, results):
            (written if have_ended else excluded).update(command["written"])
    return [written - excluded for written in names]


def blame(before, after, left=()):
    """Sets the cause of a command that runs under `run`, and fails upgraded: the upgrade is ours.

    Args:
      before, after: the `result` under `run` and of the upgraded code, which is changed.
      left: the findings of the upgrade, of which the one at the line of the error says why.
    """
    cause = after["cause"]
    if not before["runs"] or not cause or cause["what"].startswith(failure_causes.LEFT_OVER):
        return  # the last: the run before wrote it
    lacks = "the upgrade lacks something: go on with 'run', "
    lacks += f"or {_by_hand(cause['place'], left)}."
    if after["status"] == timed_runs.SILENT:
        cause["remedy"] += f" If that does not help, {lacks}"
    elif re.search(r"\bpython\S* -c ", after["line"]):
        cause["kind"] = failure_causes.COMMAND
        cause["remedy"] = "'upgrade' changes files: put the code after -c into one."
    else:
        cause["kind"] = failure_causes.THIS_LIBRARY
        cause["remedy"] = f"It runs under 'tfgraphtools run', so {lacks}"


def _by_hand(place, left):
    """Returns what to change for an upgrade: what is left at this line, else the nearest use."""
    uses = {
        "{path}:{line}".format(**finding): "{name}: ".format(**finding)
        + (finding["remedy"] or finding["detail"])
        for finding in left
        if finding["status"] == CANNOT
    }
    if place in uses:
        return f"change this line: {uses[place]}"
    if uses:
        nearest = max(sorted(uses), key=lambda line: len(os.path.commonprefix([line, place])))
        return f"change what is left, first {nearest}, {uses[nearest]}"
    return "change this line by hand" if place else "see which uses are left"


def _tests(run):
    """Returns {test: "PASSED", "FAILED" or "ERROR"} of what pytest printed."""
    return {name: end for end, name in _TEST.findall(run.output)}


def _compared_tests(ours, theirs, again):
    """Returns how tests end, one by one, beside TF 1.15; those that vary there are left out."""
    stable = [name for name in theirs if again.get(name) == theirs[name]]
    other = [name for name in stable if ours.get(name) != theirs[name]]
    text = f"{len(stable) - len(other)} of {len(stable)} tests end as on TF 1.15"
    if other:
        name = other[0]
        text += f"; {name}: {theirs[name]} there, {ours.get(name, 'not run')} here"
    if len(theirs) > len(stable):
        text += f"; {len(theirs) - len(stable)} vary between two runs of TF 1.15"
    return {"same": not other, "text": text}


def compared(ours, theirs, again, our_run, their_run, their_second_run):
    """Returns how the output of a command compares with TF 1.15's, in words.

    Args:
      ours, theirs, again: the `result` under `run`, under TF 1.15 and there once more.
      our_run, their_run, their_second_run: what was printed, as `copied_runs.CopiedRun`s.
    """
    verdict = {"line": ours["line"], "same": None}
    tests = [_tests(run) for run in (our_run, their_run, their_second_run) if run]
    if all(tests) and tests:
        return dict(verdict, **_compared_tests(*tests))
    if theirs["status"] == timed_runs.FAILED:
        why = failure_causes.Cause(**theirs["cause"])
        if why.kind == failure_causes.ENVIRONMENT:
            return dict(verdict, text=f"not comparable: the Python of --tf1 has {why.what}")
        if why.what.startswith(_UNREADABLE):
            return dict(verdict, text="not comparable: the Python of --tf1 cannot read this code")
        too = "" if ours["runs"] else ", too"
        return dict(verdict, text=f"not comparable: it fails on TF 1.15{too} ({why})")
    if {timed_runs.PROGRESS, timed_runs.SILENT} & {ours["status"], theirs["status"]}:
        return dict(verdict, text="not comparable: it was stopped before it ended")
    if not ours["runs"]:
        return dict(verdict, text="not comparable: it runs on TF 1.15 only")
    varying = output_comparison.unstable(their_run, their_second_run)
    comparison = output_comparison.runs(
        *(output_comparison.without(run, varying) for run in (our_run, their_run))
    )
    remark = f"; {len(varying)} kinds of lines differ between two runs of TF 1.15" * bool(varying)
    if not comparison.numbers:
        why = "it prints other numbers each time" if varying else "it prints no number"
        return dict(verdict, text=f"not comparable: {why}")
    return dict(verdict, same=comparison.first is None, text=str(comparison) + remark)
