"""Whether ``tfgraphtools doctor`` said beforehand what ``tfgraphtools run`` then did."""

import os
import pathlib
from unittest import mock

from tfgraphtools.compat.doctor import examine
from tfgraphtools.compat.doctor.statuses import STOPS


def table(scripts, how, outcomes, repositories):
    """What doctor says of each script, beside its run, as Markdown.

    A script that an old TensorFlow stops too, for whatever reason, is no miss of doctor's.

    Args:
      scripts: those that were to run.
      how: the ways, one of which is "run".
      outcomes: {(way, script name): Outcome}.
      repositories: the folder of checkouts.
    """
    right, alarms, misses, stops = 0, [], [], 0
    for script in scripts:
        named = _named(script, repositories)
        ran = outcomes["run", script.name].ran
        old = [way for way in ("tf1", "older") if way in how]
        if ran != bool(named):
            right += 1
        elif ran:
            alarms.append(f"| {script.name} | ran | {', '.join(named)[:150]} |")
        elif old and not any(outcomes[way, script.name].ran for way in old):
            stops += 1
        else:
            reason = outcomes["run", script.name].reason[:150].replace("|", "\\|")
            misses.append(f"| {script.name} | {reason} | nothing |")
    lines = [
        f"| doctor and run, of {len(scripts)} scripts | |",
        "|---|---|",
        f"| agree | {right} |",
        f"| doctor finds nothing; run and the old TensorFlow stop | {stops} |",
        f"| doctor finds nothing; run stops | {len(misses)} |",
        f"| false alarms: it runs | {len(alarms)} |",
    ]
    if misses or alarms:
        lines += ["", "| script | run | doctor names |", "|---|---|---|", *misses, *alarms]
    return "\n".join(lines)


def _named(script, repositories):
    """The names that doctor calls missing or not supported in a script."""
    folder = pathlib.Path(repositories).resolve() / script.repository.replace("/", "+")
    copied, inside, _ = script.folder.partition("//")
    importable = {"PYTHONPATH": str(folder / copied)} if inside else {}
    path = folder / script.folder.replace("//", "/") / script.path
    if not path.is_file():  # a module, started by -m
        path = path.parent
    before = os.getcwd()
    os.chdir(str(folder / script.folder.replace("//", "/")))  # some import from there
    try:
        with mock.patch.dict(os.environ, importable):  # as `runs` has it
            entries = examine([str(path)]).entries
    finally:
        os.chdir(before)
    return [entry.status.name for entry in entries if entry.status.status in STOPS]
