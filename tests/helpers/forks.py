"""Scripts in processes of their own that do not wait for an import of TensorFlow."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Result(NamedTuple):
    """What a script did."""

    code: int
    out: str
    err: str

    def checked(self):
        """Its stdout; an error if it failed."""
        assert self.code == 0, self.out[-2000:] + self.err[-4000:]
        return self.out


class Server:
    """A `fork_server` of one interpreter; started on first use.

    A script that needs a fresh import of TensorFlow, a terminal or stdin takes `subprocess`.
    """

    def __init__(self, python, kind, environment=()):
        self.python = python
        self.kind = kind
        self.environment = dict(environment)
        self._process = None

    def start(self, folder, words, environment=(), seconds=60, outputs=None, python=False):
        """Starts a script in this folder, and returns a function that waits for its result.

        Args:
          folder: where it runs.
          words: the script and its arguments; options of ``run`` before them under "compat".
          environment: variables that it has besides those of the server; None for one it lacks.
          seconds: what it may take.
          outputs: the folder for what it prints; one of its own by default.
          python: whether the words are those of Python itself, under "compat" too.
        """
        process = self._started()
        own = None if outputs else tempfile.mkdtemp(prefix="fork")
        outputs = pathlib.Path(str(outputs or own))
        job = {
            "folder": str(folder),
            "words": [str(word) for word in words],
            "environment": dict(environment),
            "out": str(outputs / "out"),
            "err": str(outputs / "err"),
            "seconds": seconds,
            "python": python,
        }
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()

        def result():
            code = int(process.stdout.readline())
            out, err = (
                (outputs / name).read_text(encoding="utf-8", errors="replace")
                for name in ("out", "err")
            )
            if own:
                shutil.rmtree(own, ignore_errors=True)
            return Result(code, out, err)

        return result

    def run(self, folder, *words, environment=(), seconds=600):
        """Runs a script in this folder, and returns its result."""
        return self.start(folder, words, environment, seconds)()

    def run_python(self, folder, *words, environment=(), seconds=600):
        """Runs Python with these words in this folder, and returns the result."""
        return self.start(folder, words, environment, seconds, python=True)()

    def preload(self, modules):
        """Imports those of these modules that are installed, for all scripts that follow."""
        process = self._started()
        process.stdin.write(json.dumps({"preload": list(modules)}) + "\n")
        process.stdin.flush()
        process.stdout.readline()

    def _started(self):
        if self._process is None:
            environment = dict(os.environ, PYTHONPATH=str(ROOT), MPLBACKEND="Agg")
            environment.update(self.environment)
            environment.pop("TF2_BEHAVIOR", None)  # which TF 2 sets, and TF 1.15 obeys
            self._process = subprocess.Popen(
                [self.python, str(HERE / "fork_server.py"), self.kind],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                universal_newlines=True,
            )
            self._process.stdout.readline()  # its version: it is ready
        return self._process

    def close(self):
        """Ends the server."""
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()
