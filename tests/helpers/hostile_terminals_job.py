"""Runs command lines where something goes wrong around them, each in a process of its own.

Reads from stdin, as JSON, [[name of a condition, command line]], and prints [exit code, stderr] of
each. ``interrupted at N%`` raises SIGINT at that part of the calls of Python functions.
"""

import json
import os
import shutil
import signal
import sys
import tempfile

from tfgraphtools import cli

SEED = sys.argv[1]  # a folder, which each command gets a copy of


def _full():
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def _closed_pipe():
    read, write = os.pipe()
    os.close(read)
    os.dup2(write, 1)


def _ascii():
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="ascii", errors="strict")


def _narrow():
    os.environ["COLUMNS"] = "9"
    sys.stdout.isatty = lambda: True


CONDITIONS = {
    "full disk": _full,
    "closed pipe": _closed_pipe,
    "ASCII": _ascii,
    "narrow terminal": _narrow,
    "none": lambda: None,
}


def _is_finalizing(frame):
    """Tells whether Python would print an exception here itself, as of each in a ``__del__``."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


def _counting(limit=None):
    """Counts the calls of functions from now on; interrupts at the last."""
    calls = [0]

    def count(frame, event, argument):
        if event == "call":
            calls[0] += 1
            if limit and calls[0] >= limit and not _is_finalizing(frame):
                sys.setprofile(None)
                os.kill(os.getpid(), signal.SIGINT)

    sys.setprofile(count)
    return calls


def _child(condition, words, errors, calls_file):
    folder = tempfile.mkdtemp()
    here = os.path.join(folder, "here")
    shutil.copytree(SEED, here)
    os.chdir(here)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(errors, 2)
    sys.stdout = open(1, "w", closefd=False)
    sys.stderr = open(2, "w", closefd=False, errors="backslashreplace")
    sys.argv = ["tfgraphtools", *words]
    if condition.startswith("interrupted"):
        total = int(open(calls_file).read())
        _counting(max(1, total * int(condition.split()[2][:-1]) // 100))
    elif condition == "none":
        calls = _counting()
    else:
        CONDITIONS[condition]()
    try:
        cli.console_main()
    except SystemExit as stop:
        code = stop.code or 0
    except BaseException:
        sys.setprofile(None)
        import traceback

        traceback.print_exc()
        code = 99
    sys.setprofile(None)
    if condition == "none":
        with open(calls_file, "w") as file:
            file.write(str(calls[0]))
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = 98
    code = code if not _lost(here) else 97
    shutil.rmtree(folder)
    os._exit(code)


def _lost(here):
    """Tells whether a source of the command is damaged, or a result is half there."""
    from tfgraphtools import checkpoints

    for name in ("s", "t"):
        if os.path.exists(os.path.join(here, name + ".index")):
            if not checkpoints.verify(os.path.join(here, name)).ok:
                return True
    with open(os.path.join(here, "a.py")) as file:
        return file.read() not in (OLD, NEW) or not os.path.exists(os.path.join(here, "s.index"))


OLD = "import tensorflow as tf\ntf.mul(1, 2)\n"
NEW = (
    "import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n\ntf.multiply(1, 2)\n"
)  # fmt: skip


def main():
    scratch = tempfile.mkdtemp()
    answers = []
    for condition, words in json.load(sys.stdin):
        path = os.path.join(scratch, "errors")
        errors = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        calls_file = os.path.join(scratch, "-".join(words).replace("/", "_"))
        child = os.fork()
        if child == 0:
            _child(condition, words, errors, calls_file)
        _, status = os.waitpid(child, 0)
        os.close(errors)
        with open(path, encoding="utf-8", errors="replace") as file:
            answers.append([os.WEXITSTATUS(status) if os.WIFEXITED(status) else 96, file.read()])
    shutil.rmtree(scratch)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
