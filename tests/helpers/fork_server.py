"""Runs scripts in forks of a process that has imported TensorFlow once.

Started with one word, "plain" or "compat" (scripts run under ``tfgraphtools run``). Each line
of stdin is a job, a JSON object: the folder in which it runs, its words (a script and what
follows; under "compat" the words of ``run``; with "python" those of Python itself, -m and -c
too), variables of its environment, the files that take its stdout and stderr, and the seconds
that it may take. The answer is its exit code. Or a job names modules to "preload".
"""

import atexit
import importlib
import json
import os
import runpy
import signal
import sys
import types


def main():
    """Imports TensorFlow, says so, and serves until stdin ends."""
    kind = sys.argv[1]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import tensorflow

    if kind == "compat":
        import tf_keras  # noqa: F401  (what `run` loads at the first layer)

        import tfgraphtools._tf
        import tfgraphtools.compat.engine.rows
        import tfgraphtools.runner  # noqa: F401

        tfgraphtools.compat.engine.rows.tables()
    print(tensorflow.__version__, file=answers, flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        if "preload" in job:
            _preload(job["preload"])
            print(0, file=answers, flush=True)
            continue
        child = os.fork()
        if child == 0:
            _run(kind, job)
        print(_exit_code(os.waitpid(child, 0)[1]), file=answers, flush=True)


def _preload(modules):
    for name in modules:
        try:
            importlib.import_module(name)
        except ImportError:  # a script that needs it will say so
            pass


def _exit_code(status):
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)


def _run(kind, job):
    os.chdir(job["folder"])
    for name, value in job["environment"].items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    for number, name in ((0, os.devnull), (1, job["out"]), (2, job["err"])):
        flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(name, flags), number)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(job["seconds"])
    words = job["words"]
    code = 0
    try:
        if kind == "compat" and not job["python"]:
            from tfgraphtools.cli import main

            sys.path[0] = job["folder"]
            code = main(["run", *words])
        else:
            _run_python(job["folder"], words)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _run_python(folder, words):
    """What Python does with these words."""
    if words[0] == "-m":
        sys.path[0] = folder
        sys.argv[:] = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words[0] == "-c":
        sys.path[0] = folder
        sys.argv[:] = ["-c", *words[2:]]
        module = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(words[1], "<string>", "exec"), vars(module))
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
        sys.argv[:] = words
        runpy.run_path(words[0], run_name="__main__")


if __name__ == "__main__":
    main()
