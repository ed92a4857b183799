"""One script, one way, in a fresh copy of its folder, within a limit of time."""

import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from corpus_parts import data, forks, rule, ways

#: Whether scripts for this interpreter run in forks of this process.
forking = False

_LARGEST = 20 * 2**20  # bytes; larger files of a checkout are not copied
#: Names of environment variables that must not reach a script: TF 2.x sets the last one, in the
#: process that forks start from, and TF 1.15 would be eager.
_NOT_PASSED = (
    "PYTHONPATH", "TF_USE_LEGACY_KERAS", "DISPLAY", "PYTHONSTARTUP", "TF2_BEHAVIOR"
)  # fmt: skip


def run(script, way, repositories, limit, keep=None, enough=None):
    """Runs a script in one way and returns its `rule.Outcome`.

    Args:
      script: a `scripts.Script`.
      way: a key of `ways.WAYS`.
      repositories: the folder of checkouts, each named "owner+name".
      limit: seconds.
      keep: a folder in which the working copy stays; None deletes it.
      enough: lines of progress after which a script is ended as if at the limit.
    """
    copied = script.folder.partition("//")[0]
    source = pathlib.Path(repositories) / script.repository.replace("/", "+") / copied
    if not source.is_dir():
        return rule.Outcome(False, f"no checkout: {source}", 0.0)
    for command in ways.commands(way, script):
        place = pathlib.Path(tempfile.mkdtemp(prefix="corpus-", dir=keep))
        try:
            outcome = _once(command, script, way, source, place, limit, enough)
        finally:
            if keep is None:
                shutil.rmtree(str(place), ignore_errors=True)
        if outcome.ran:
            break
    return outcome


def _once(command, script, way, source, place, limit, enough):
    """Runs one command in a copy of the sources, with their data beside them."""
    words, environment = command
    inside = script.folder.partition("//")[2]
    folder = place / source.resolve().name
    shutil.copytree(str(source), str(folder), ignore=_too_much)
    environment = dict(environment, **ways.prepare(way, folder))
    key = script, tuple(words), tuple(sorted(environment.items())), _digest(folder)
    if key in _outcomes:  # two ways that made the same program of it
        return _outcomes[key]
    data.relocate(folder, data.make(script.data, folder / inside))
    if inside:  # as its guide's "python setup.py develop" would have it
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, [environment.get("PYTHONPATH"), str(folder)])
        )
    outcome = _start(words, folder / inside, environment, limit, place / "log", enough)
    _outcomes[key] = outcome
    return outcome


_outcomes = {}


def _digest(folder):
    """A digest of the Python files below a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        found.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return found.digest()


def _too_much(folder, names):
    def skipped(name):
        path = os.path.join(folder, name)
        return (
            name == ".git"
            or os.path.islink(path)
            or (os.path.isfile(path) and os.path.getsize(path) > _LARGEST)
        )

    return {name for name in names if skipped(name)}


def _start(words, folder, extra, limit, log, enough):
    environment = {key: value for key, value in os.environ.items() if key not in _NOT_PASSED}
    environment.update(
        MPLBACKEND="Agg",
        PYTHONUNBUFFERED="1",
        TF_CPP_MIN_LOG_LEVEL="2",
        CUDA_VISIBLE_DEVICES="",
        PYTHONIOENCODING="utf-8",
    )
    environment.update(extra)
    begun = time.time()
    with open(str(log), "wb") as output:
        if forking and words[:2] != [sys.executable, "-m"] and words[0] == sys.executable:
            process = forks.Fork(words, str(folder), environment, output)
        else:
            process = subprocess.Popen(
                words,
                cwd=str(folder),
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        code = _wait(process, begun + limit, log, enough)
    printed = log.read_bytes().decode("utf-8", "replace")
    return rule.judge(code, printed, time.time() - begun)


def _wait(process, deadline, log, enough):
    """The exit code, or None when the limit came first. Its children end with it."""
    try:
        while time.time() < deadline and not (enough and len(_progress(log, enough)) == enough):
            try:
                return process.wait(min(2, max(0, deadline - time.time())))
            except subprocess.TimeoutExpired:
                pass
        return None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def _progress(log, enough):
    return rule.progress(log.read_bytes().decode("utf-8", "replace"), enough)
