"""Runs of a written model, in a process of its own that stays for the next model."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from typing import Any, Dict, NamedTuple, Tuple

import numpy as np

from tfgraphtools.errors import GraphExportError, MissingExtraError

#: {(the process that started it, its script): the process}: one for all models of a library. It
#: ends when its input does, and so with this process; a fork starts its own.
_processes: Dict[Any, Any] = {}


class Library(NamedTuple):
    """What runs models.

    Attributes:
      title: its name.
      script: the path of the program that answers requests.
      packages: that must be installed; ``keras/ops`` is the one that has this folder, Keras 3.
    """

    title: str
    script: str
    packages: Tuple[str, ...]

    def require_packages(self):
        """Raises `MissingExtraError` unless its packages are there."""
        for path in self.packages:
            package, _, folder = path.partition("/")
            spec = importlib.util.find_spec(package)
            places = (spec.submodule_search_locations or ()) if spec is not None else ()
            if not any(os.path.isdir(os.path.join(place, folder)) for place in places):
                raise MissingExtraError(
                    "graphs.source",
                    f"the package {package} for {self.title}",
                    "none" if spec is None else "an older one",
                    f"pip install {package}",
                )


class ModelRuns:
    """Runs of the model in a folder: all at once, then looked up.

    Args:
      library: a `Library`.
      folder: with ``model.py`` and its weights.
      arguments: {name of an input: argument of the model}.
      outputs: the names of its outputs.
      runs: list of {name: array} of the inputs; gradients are those of the first one.
      is_training: whether the model trains, without dropout.

    Attributes:
      gradients: {key: array} of the parameters.
    """

    def __init__(self, library, folder, arguments, outputs, runs, is_training=False):
        self._folder, self._outputs, self._runs = folder, outputs, runs
        with tempfile.TemporaryDirectory() as scratch:
            paths = [os.path.join(scratch, name) for name in ("runs.npz", "result.npz")]
            np.savez(paths[0], **_flat(runs, arguments))
            numbers = [str(number) for number in range(len(runs))]
            request = dict(folder=folder, runs=paths[0], result=paths[1], numbers=numbers)
            request["training"] = is_training
            self._errors = answer(library, request)
            if "" in self._errors:
                raise self._failed(self._errors[""])
            with np.load(paths[1]) as arrays:
                self._results = {name: arrays[name] for name in arrays.files}
        start = "gradients/"
        self.gradients = {
            name[len(start) :]: array
            for name, array in self._results.items()
            if name.startswith(start)
        }

    def __call__(self, arrays):
        """Returns {name: array} of the outputs of one of the runs."""
        number = str(next(i for i, run in enumerate(self._runs) if run is arrays))
        if number in self._errors:
            raise self._failed(self._errors[number])
        start = number + "/outputs/"
        only = self._results.get(start)
        if only is not None:
            return {self._outputs[0]: only}
        return {name: self._results[start + name] for name in self._outputs}

    def buffers(self, number):
        """Returns {key: array} of the moving averages and constants after a run."""
        start = f"{number}/buffers/"
        return {
            name[len(start) :]: array
            for name, array in self._results.items()
            if name.startswith(start)
        }

    def _failed(self, words):
        return GraphExportError(
            os.path.join(self._folder, "model.py"),
            "code that runs as the graph does",
            words,
            "Nothing was written. Cut the graph to find the op: --inputs and --outputs.",
        )


def _flat(runs, arguments):
    return {
        f"{number}/{arguments[name]}": array
        for number, run in enumerate(runs)
        for name, array in run.items()
    }


def answer(library, request):
    """Returns the answer of the process of a library, which this starts where there is none."""
    process = _started(library)
    try:
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
    except OSError:
        line = ""
    if not line:
        return {"": f"the process of {library.title} ended with exit code {process.wait()}"}
    return json.loads(line)


def _started(library):
    """Returns the process."""
    key = os.getpid(), library.script
    process = _processes.get(key)
    if process is None or process.poll() is not None:
        process = subprocess.Popen(
            [sys.executable, library.script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            universal_newlines=True,
        )
        _processes[key] = process
    return process
