"""Steps of a written ``training.py`` beside those of the graph that trains."""

import os
import tempfile

import numpy as np

from tfgraphtools.checkpoints.graphs import graph_parts
from tfgraphtools.errors import DifferentOutputsError, GraphExportError
from tfgraphtools.graphs.comparing import original_runs, random_inputs
from tfgraphtools.graphs.converting import input_shapes, session_runs
from tfgraphtools.graphs.converting.source_graphs import SourceGraph
from tfgraphtools.graphs.source_code import model_runs, weights
from tfgraphtools.graphs.source_code.torch import torch_library

COUNT = 4
#: The largest difference, as a share of the largest value of all variables.
TOLERANCE = 1e-4
_RATE = 0.01


def compare(path, options, training, tensors, folder, place):
    """Returns the largest difference of a variable after some steps, without dropout.

    Args:
      path, options: as of the `SourceGraph`.
      training: a `training_code.Training`.
      tensors: {key of the model: `Value`}.
      folder: with the files.
      place: the folder, for errors.

    Raises:
      DifferentOutputsError: the difference is above its limit.
    """
    optimizer = training.optimizer
    kept = [update.op for update in optimizer.updates]
    kept += [optimizer.counter] if optimizer.counter else []
    graph = SourceGraph(path, training.loss_name, None, options, graph_parts.WITHOUT_DROPOUT, kept)
    with graph.export() as export, export.session() as session:
        runs = _inputs(graph.part, session, options, training)
        export.values.restore(session)
        losses, values = _steps(graph.part, session, runs)
    actual = _of_model(folder, runs, training)
    worst, key = _worst(values, actual, tensors)
    worst_loss = _difference(losses, actual["losses"]) / max(float(np.abs(losses).max()), 1e-30)
    if not max(worst, worst_loss) <= TOLERANCE:
        error = DifferentOutputsError(
            place,
            f"variables and losses within {TOLERANCE:g} after {COUNT} steps of training.py",
            f"{worst:.2g} in {key}, and {worst_loss:.2g} in the losses",
            "Nothing was written. Leave --loss out to write the model alone.",
        )
        error.differences = []
        raise error
    return worst


def _inputs(part, session, options, training):
    """Returns a list of {input: array}, one for each step."""
    if options.samples is not None and set(part.inputs) <= set(options.samples):
        run = {name: np.asarray(options.samples[name]) for name in part.inputs}
        return [run] * COUNT
    described = input_shapes.described(part.meta.graph_def, part.inputs)
    original = session_runs.of_part(part, session)
    attempts = random_inputs.attempts(described)
    row = original_runs.first_accepted(original, attempts, "random numbers")
    if not all(np.isfinite(array).all() for each in row.expected for array in each.values()):
        raise GraphExportError(
            part.place,
            "a loss that is finite for random inputs, to compare steps with",
            "one that is not",
            "Pass samples with the labels, too: --samples data.npz.",
        )
    runs = (row.runs * COUNT)[:COUNT]
    if training.rate_argument is None:
        return runs
    name = next(key for key, value in training.feeds.items() if value == training.rate_argument)
    return [{**run, name: np.full_like(run[name], _RATE)} for run in runs]


def _steps(part, session, runs):
    graph = session.graph
    updates = [graph.get_operation_by_name(name) for name in part.updates]
    losses = []
    for run in runs:
        feed = {part.inputs[name]: array for name, array in run.items()}
        loss, _ = session.run([dict(part.outputs), updates], feed)
        losses.append(next(iter(loss.values())))
    reads = {name: row.snapshot_name for name, row in part.variables.items()}
    return np.array(losses), session.run(reads)


def _of_model(folder, runs, training):
    feeds = training.feeds
    with tempfile.TemporaryDirectory() as scratch:
        paths = [os.path.join(scratch, name) for name in ("runs.npz", "result.npz")]
        flat = {
            f"{number}/{feeds[name]}": array
            for number, run in enumerate(runs)
            for name, array in run.items()
            if name in feeds
        }
        np.savez(paths[0], **flat)
        request = dict(folder=folder, runs=paths[0], result=paths[1], steps=len(runs))
        request["rate"] = training.rate_argument
        problem = model_runs.answer(torch_library.TORCH, request).get("")
        if problem:
            raise GraphExportError(
                os.path.join(folder, "training.py"),
                "code that runs as the graph does",
                problem,
                "Nothing was written. Leave --loss out to write the model alone.",
            )
        with np.load(paths[1]) as arrays:
            return {name: arrays[name] for name in arrays.files}


def _worst(values, actual, tensors):
    """Returns (the largest difference, its key)."""
    largest = max(float(np.abs(array).max(initial=0)) for array in values.values())
    worst, worst_key = 0.0, ""
    for key, value in tensors.items():
        steps = value.node.attributes.get("steps", ())
        if value.node.name not in values or any(step[0] in ("ones", "zeros") for step in steps):
            continue
        expected = weights.with_steps(values[value.node.name], steps)
        difference = _difference(expected, actual[key]) / max(largest, 1e-30)
        if not difference <= worst:
            worst, worst_key = difference, key
    return worst, worst_key


def _difference(expected, actual):
    return float(np.abs(np.asarray(expected, float) - actual).max(initial=0))


def words(difference):
    """Returns, in words, what was compared."""
    return f"{COUNT} steps of training.py without dropout: variables differ by {difference:.2g}"


def write(folder, text, arrays):
    """Writes the files of a training."""
    from safetensors.numpy import save_file

    with open(os.path.join(folder, "training.py"), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    save_file(arrays, os.path.join(folder, "optimizer.safetensors"))
