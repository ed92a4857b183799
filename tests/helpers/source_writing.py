"""Graphs of TF 1.15, each written once as source, and run in processes of their own."""

import contextlib
import json
import pathlib
import subprocess
import sys

import numpy as np

from tfgraphtools import errors, graphs

#: What no target writes -> the words by which it is refused.
REFUSED = {
    "loop_in_a_branch": r"Enter \(cond/while/.*\): a loop in a branch",
    "written_backwards": r"StridedSlice \(while/.*\): an axis or a shape that is computed",
    "written_every_other": r"TensorArrayWriteV3 .*not written in order",
}
#: Cases without a gradient that has the name of a variable.
WITHOUT_GRADIENTS = {
    "counted_twice",
    "double_precision",
    "fibonacci_of_loop",
    "integers",
    "sizes_as_numbers",
    "without_names",
}
#: Inputs whose sizes belong together, which random sizes do not fit.
WITH_SAMPLES = {"attention_of_graph"}


def recorded(folder, name):
    """Returns (the path of the .meta, its outputs, options)."""
    arrays = np.load(str(folder / (name + ".npz")))
    outputs = [key[6:] for key in arrays.files if key.startswith("0/out/")]
    samples = None
    if name in WITH_SAMPLES:
        samples = {key[5:]: arrays[key] for key in arrays.files if key.startswith("0/in/")}
    return str(folder / name / "model.meta"), outputs, {"samples": samples}


class Runner:
    """A process that runs what is written in a folder, where there is no tfgraphtools.

    Args:
      script: its file in tests/graphs.
      arguments: before those of all such scripts: the folder of graphs, and that of models.
    """

    def __init__(self, script, *arguments):
        path = pathlib.Path(__file__).parent.parent / "graphs" / script
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        command = [sys.executable, str(path), *map(str, arguments)]
        self._process = subprocess.Popen(command, text=True, cwd="/", **pipes)
        self._computed = {}

    def computed(self, name):
        """Returns what the script prints of a model."""
        if name not in self._computed:
            self._process.stdin.write(name + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            assert line, f"the process ended with exit code {self._process.wait()}"
            self._computed[name] = json.loads(line)
        return self._computed[name]

    def close(self):
        with contextlib.suppress(BrokenPipeError):  # it has ended
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


class Written:
    """The sources of graphs, each written once.

    Args:
      graphs_folder: of TF 1.15.
      folder: to write to.
      to: the library.

    Attributes:
      results: {name: `Source` or error}.
    """

    def __init__(self, graphs_folder, folder, to="torch"):
        self._graphs, self._folder, self._to = graphs_folder, folder, to
        self.results = {}

    def __getitem__(self, name):
        """Returns the `Source` of a graph, or the error."""
        if name not in self.results:
            path, outputs, options = recorded(self._graphs, name)
            out = self._folder / name
            try:
                result = graphs.source(path, outputs, to=self._to, out=out, **options)
            except errors.TfgraphtoolsError as error:
                result = error
            self.results[name] = result
        return self.results[name]

    def lines(self, name):
        """Returns the lines of ``model.py``."""
        return pathlib.Path(self[name].path, "model.py").read_text().splitlines()
