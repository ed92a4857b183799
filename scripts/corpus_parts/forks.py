"""Scripts in forks of this process, which has imported TensorFlow once: seconds less for each."""

import importlib
import os
import runpy
import signal
import subprocess
import sys
import time

#: What most scripts import; none of them starts a thread or reads what a script may set first.
_PRELOADED = "tensorflow tf_keras numpy scipy.sparse matplotlib.pyplot PIL.Image sklearn"


def preload():
    """Imports what most scripts import; those that are not installed are passed over."""
    os.environ.update(MPLBACKEND="Agg", TF_CPP_MIN_LOG_LEVEL="2", CUDA_VISIBLE_DEVICES="")
    for name in _PRELOADED.split():
        try:
            importlib.import_module(name)
        except ImportError:
            pass


class Fork:
    """A script in a fork, with the part of `subprocess.Popen` that `runs` uses.

    Args:
      words: this interpreter, and the script with its arguments, or -m and a module.
      folder: where it runs.
      environment: all variables that it has.
      output: a file that takes what it prints.
    """

    def __init__(self, words, folder, environment, output):
        self._code = None
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _run(words[1:], folder, environment, output)

    def wait(self, timeout=None):
        """The exit code; `subprocess.TimeoutExpired` where it takes longer."""
        end = None if timeout is None else time.time() + timeout
        while self._code is None:
            done, status = os.waitpid(self.pid, 0 if end is None else os.WNOHANG)
            if done:
                self._code = (
                    os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
                )
            elif time.time() > end:
                raise subprocess.TimeoutExpired("fork", timeout)
            else:
                time.sleep(0.1)
        return self._code


def _run(words, folder, environment, output):
    os.setsid()
    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        sys.stdout = open(1, "w", buffering=1, encoding="utf-8", closefd=False)
        sys.stderr = open(2, "w", buffering=1, encoding="utf-8", closefd=False)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = _exit_code(words, folder)
    finally:
        sys.stdout.flush()
        os._exit(code)


def _exit_code(words, folder):
    extra = os.environ.get("PYTHONPATH", "")
    sys.path[1:1] = [place for place in extra.split(os.pathsep) if place]
    try:
        if words[0] == "-m":
            sys.path[0], sys.argv[:] = folder, words[1:]
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.path[0], sys.argv[:] = os.path.dirname(os.path.abspath(words[0])), words
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        import traceback

        traceback.print_exc()
        return 1
    return 0
