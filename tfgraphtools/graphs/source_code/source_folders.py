"""`graphs.source`: a graph of TF 1 as a folder of code that computes the same."""

import collections
import functools
import json
import os
import shutil
from typing import Any, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.plans.replacement import replacing
from tfgraphtools.errors import ArgumentError, DifferentOutputsError, GraphExportError
from tfgraphtools.graphs import showing
from tfgraphtools.graphs.comparing import corner_inputs, original_runs, output_differences
from tfgraphtools.graphs.converting import session_runs
from tfgraphtools.graphs.converting.extraction import PartOptions, Tensors
from tfgraphtools.graphs.converting.source_graphs import SourceGraph
from tfgraphtools.graphs.source_code import (
    gradient_comparisons,
    model_runs,
    regression_tests,
    simplifying,
    training_code,
    training_comparisons,
    training_sides,
    training_steps,
    weights,
)
from tfgraphtools.graphs.source_code.ir import ir_nodes, ir_reading
from tfgraphtools.graphs.source_code.keras import keras_library, keras_writer
from tfgraphtools.graphs.source_code.passes import loop_variables
from tfgraphtools.graphs.source_code.torch import (
    torch_library,
    torch_training_text,
    torch_writer,
)

#: What was written: ``inputs`` is {argument of the model: tensor of the graph}, ``outputs`` {name:
#: tensor}; ``changes``, ``differences`` and ``ranges`` as in `Extraction`; ``gradients`` is the
#: largest difference of a gradient, as a share of the largest one, or None where none was compared;
#: ``lines`` those of ``model.py``.
Source = collections.namedtuple(
    "Source", "path inputs outputs changes differences ranges gradients lines"
)


class _Target(NamedTuple):
    """A library that code is written for.

    Attributes:
      model: the class of the source of a model.
      library: its `model_runs.Library`.
      test: its `regression_tests.Lines`.
    """

    model: Any
    library: model_runs.Library
    test: regression_tests.Lines


_TARGETS = {
    "torch": _Target(torch_writer.TorchModel, torch_library.TORCH, torch_library.TEST),
    "keras": _Target(keras_writer.KerasModel, keras_library.KERAS, keras_library.TEST),
}
MODEL, WEIGHTS, NAMES = "model.py", "weights.safetensors", "names.json"
_NO_GRADIENTS = (
    "gradients were not compared: oneDNN's of convolutions may crash; set the environment variable "
    "TF_ENABLE_ONEDNN_OPTS=0"
)
TEST, RECORDED = "test_model.py", "test_model.npz"


def source(
    path: Path,
    outputs: Tensors = None,
    to: str = "torch",
    out: Optional[Path] = None,
    inputs: Tensors = None,
    checkpoint: Optional[Path] = None,
    samples: Optional[Mapping[str, Any]] = None,
    tolerance: float = 1e-5,
    tags: Optional[Sequence[str]] = None,
    overwrite: bool = False,
    constants: Optional[Mapping[str, Any]] = None,
    loss: Optional[str] = None,
) -> Any:
    """Writes a graph of TF 1 as source code of PyTorch or Keras 3.

    The folder has ``model.py``, with a class for each kind of scope and ``load()``, which needs
    PyTorch or Keras, and safetensors alone; ``weights.safetensors``; ``names.json``, which says for
    each tensor of the model the variable in the checkpoint and the steps between them; and
    ``test_model.py`` with recorded runs of the original. The code computes what the graph computes
    for inference. It is run beside the original on random numbers of two
    sizes and at corners, as in `convert`, and its gradients are compared, before the folder is put
    in its place.

    Args:
      path: a graph, as in `show`.
      outputs: names of ops or tensors; or {name in the result: tensor}. None: those of the
        signature.
      to: "torch", or "keras": for any backend; it is run on the one that ``KERAS_BACKEND`` names.
      out: the folder to write.
      inputs: the same for inputs; the graph is cut there. None: all placeholders that the outputs
        need.
      checkpoint, samples, tolerance, tags, overwrite, constants: as in `extract`.
      loss: the tensor that the graph's optimizer minimizes: ``training.py`` has it behind the
        outputs, with the optimizer, its state and one step. None: no training. PyTorch alone.

    Returns:
      A `Source`.

    Example:
      >>> source("model.ckpt-9.meta", "logits", out="model")           # doctest: +SKIP
      >>> import model.model
      >>> net = model.model.load()
      >>> net(images=torch.zeros(1, 224, 224, 3))

    Raises:
      GraphExportError: an op that cannot be written, with its scope and the reason; otherwise as in
        `extract`.
      DifferentOutputsError: the code computes something else. Nothing is written.
      MissingExtraError: PyTorch, Keras 3 or safetensors is not installed.
      ArgumentError: another target, a loss for Keras, or no folder.
      DestinationError: the path is taken.
    """
    _require_target(to, out, loss)
    target = _TARGETS[to]
    target.library.require_packages()
    options = PartOptions(checkpoint, tags, False, {}, {}, samples, constants=constants or {})
    with replacing(out, overwrite, folder_with=(MODEL,)) as staged:
        graph = SourceGraph(path, outputs, inputs, options)
        sides = training_sides.opened(graph, path, outputs, inputs, options)
        with graph.export() as export, export.session() as session, sides as (training, reason):
            result = functools.partial(
                _result,
                (target, graph.part, export, session, options, (path, loss)),
                staged,
                os.fspath(out),
                tolerance,
            )
            if training is not None:
                try:
                    return result(training, "")
                except (GraphExportError, DifferentOutputsError) as error:
                    if loss is not None:
                        raise
                    reason = training_sides.reason_of(error)
                    shutil.rmtree(staged)
            return result(None, reason)


def _result(arguments, staged, out, tolerance, training, reason):
    """Writes and compares a folder; returns the `Source`."""
    written = _Writing(*arguments, training, reason)
    os.mkdir(staged)
    written.write(staged, tolerance)
    rows, gradients = written.compare(staged, out, tolerance)
    return written.result(out, rows, gradients)


class _Writing:
    """A part of a graph that is written and compared.

    Args:
      target: a `_Target`.
      part, export, session: of the graph that infers.
      options: an `extraction.PartOptions`.
      file_and_loss: the path of the graph, and the name of its loss or None.
      training: its `TrainingSide`, or None to write for inference alone.
      reason: why that is so, although the graph trains.
    """

    def __init__(
        self, target, part, export, session, options, file_and_loss, training=None, reason=""
    ):
        self._target = target
        self._part, self._session, self._training = part, session, training
        self._original = session_runs.of_part(part, session)
        self._comparisons = original_runs.at_two_sizes(self._original, part, options.samples)
        self._changes = list(part.changes)
        if training is not None:
            self._program, self._changes = training.program, [training.words(target.model.MODE)]
            self._model = target.model(self._program, part.changes, reason)
        else:
            read = functools.partial(ir_reading.read, session, part, export.values)
            self._program, self._model = _inferring(target.model, read, part.changes, reason)
        self._changes += [f"training mode is not written: {reason}"] if reason else []
        self._tensors = self._model.tensors
        self._untold = []
        (self._path, loss), self._options, self._steps = file_and_loss, options, None
        if loss is not None:
            if self._model.refusal:
                reason = f"no training mode: {self._model.refusal}"
                raise ir_nodes.unwritable(part.place, [("--loss", loss, reason)])
            self._steps = training_code.Training(
                (self._path, options), loss, self._model, part, self._tensors
            )

    def write(self, folder, tolerance):
        """Writes the files into a folder."""
        from safetensors.numpy import save_file

        test = regression_tests.text(self._target.test, tolerance)
        for name, text in ((MODEL, self._model.text), (TEST, test)):
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        recorded = regression_tests.arrays_of(self._comparisons, self._model.arguments)
        np.savez(os.path.join(folder, RECORDED), **recorded)
        arrays = {key: weights.array_of(value) for key, value in self._tensors.items()}
        save_file(arrays, os.path.join(folder, WEIGHTS))
        names = {key: weights.described(value) for key, value in self._tensors.items()}
        with open(os.path.join(folder, NAMES), "w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(names, indent=2) + "\n")

        if self._steps is not None:
            arrays = self._steps.slots(self._options.checkpoint or showing.beside(self._part.place))
            training_steps.write(folder, torch_training_text.text(self._steps), arrays)

    def compare(self, folder, place, tolerance):
        """Returns (list of `Difference`, the largest difference of a gradient or None).

        Raises:
          DifferentOutputsError: one is above its limit.
        """
        runs = [run for comparison in self._comparisons for run in comparison.runs]
        run = self._run(folder, runs)
        rows = output_differences.differences(self._comparisons, run, tolerance)
        output_differences.require_equal(place, rows)
        if self._training is not None:
            self._compare_training(folder, place, tolerance)
        self._untold = self._notes()
        if self._steps is not None:
            difference = training_steps.compare(
                self._path, self._options, self._steps, self._tensors, folder, place
            )
            self._untold.append(training_steps.words(difference))
        if gradient_comparisons.may_crash(self._part):
            self._untold.append(_NO_GRADIENTS)
            return rows, None
        try:
            difference, key = gradient_comparisons.largest_difference(
                self._session, self._part, runs[0], run.gradients, self._tensors
            )
        except (LookupError, AttributeError) as error:
            # Of TensorFlow: a custom gradient, which no file holds; a loop in a branch.
            self._untold.append(f"gradients were not compared: {str(error).partition('. ')[0]}")
            return rows, None
        gradient_comparisons.require_small(place, difference, key)
        return rows, difference

    def _run(self, folder, runs, is_training=False):
        """Returns the `ModelRuns` of the model in a folder."""
        return model_runs.ModelRuns(
            self._target.library,
            folder,
            self._model.arguments,
            list(self._part.outputs),
            runs,
            is_training,
        )

    def _compare_training(self, folder, place, tolerance):
        originals = self._training.runs(self._comparisons)
        model = self._run(folder, originals.runs, True)
        training_comparisons.compare(originals, model, self._tensors, place, tolerance)

    def result(self, path, rows, gradients):
        """Returns the `Source`."""
        part = self._part
        runs = [run for row in self._comparisons for run in row.runs]
        return Source(
            path,
            {self._model.arguments[name]: tensor for name, tensor in part.inputs.items()},
            part.outputs,
            [*self._changes, *self._untold],
            rows,
            corner_inputs.ranges(runs),
            gradients,
            self._model.text.count("\n"),
        )

    def _notes(self):
        """Returns, in words, what was not compared."""
        return [*self._untaken(), *self._unseen_sizes()]

    def _untaken(self):
        """Returns, in words, the branches that no run took."""
        choices = [node for node in self._program.nodes() if node.op == "Choice"]
        loops = [loop_variables.inside(end) for end in loop_variables.ends(self._program)]
        in_loops = [node for node in choices if any(node in loop for loop in loops)]
        choices = [node for node in choices if node not in in_loops]
        predicates = sorted({node.attributes["predicate"] for node in choices})
        seen = {name: set() for name in predicates}
        for run in (run for comparison in self._comparisons for run in comparison.runs):
            for name in predicates:
                seen[name] |= self._predicate(name, run)
        unknown = "whether the runs took both branches of what is in a loop is not known"
        return [f"{node.name}: {unknown}" for node in in_loops] + [
            f"{node.name}: no run took the branch of {value}; pass samples that do (--samples)"
            for node in choices
            for value in (True, False)
            if value not in seen[node.attributes["predicate"]]
        ]

    def _predicate(self, name, run):
        """Returns {value} of a predicate in a run; nothing where it is in a branch not taken."""
        from tensorflow import errors

        feed = {self._part.inputs[key]: array for key, array in run.items()}
        try:
            return {bool(self._session.run(name, feed))}
        except errors.OpError:
            return set()

    def _unseen_sizes(self):
        sizes = [n for value in self._program.inputs.values() for n in (value.dims or ())[1:]]
        kinds = {comparison.inputs for comparison in self._comparisons}
        is_one_size = original_runs.ANOTHER_SIZE not in kinds
        if is_one_size and any(not isinstance(size, int) for size in sizes):
            return ["compared with one size alone of the axes behind the first one"]
        return []


def _inferring(write, read, changes, reason):
    """Returns (`Program`, model); of inputs whose sizes only fit if they are equal, with a check.

    Args:
      write: the class of the model.
      read: a function that returns a new `Program`.
      changes, reason: as in `torch_writer.TorchModel`.
    """
    program = read()
    try:
        simplifying.simplify(program)
        return program, write(program, changes, reason)
    except GraphExportError as error:
        program = read()
        try:
            simplifying.simplify(program, assumes=True)
            return program, write(program, changes, reason)
        except GraphExportError:
            raise error from None


def _require_target(to, out, loss):
    if to not in _TARGETS:
        names = " or ".join(f'"{name}"' for name in _TARGETS)
        raise ArgumentError("to", names, repr(to), 'Pass to="torch" (--to torch).')
    if out is None:
        raise ArgumentError("out", "a folder to write", "None", 'Pass out="model" (--out model).')
    if loss is not None and to != "torch":
        raise ArgumentError(
            "loss",
            "no loss: training.py is written for torch only",
            repr(loss),
            f'Leave it out, or pass to="torch" (--to torch) instead of "{to}".',
        )
