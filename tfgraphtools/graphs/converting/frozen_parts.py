"""Parts of graphs with constants for variables, and what the originals compute."""

import os

import numpy as np

from tfgraphtools.checkpoints.read.tensorflow_package import require_tensorflow
from tfgraphtools.errors import GraphExportError
from tfgraphtools.graphs import op_kinds
from tfgraphtools.graphs.converting import (
    batch_norms,
    debug_nodes,
    input_shapes,
    output_differences,
    random_inputs,
    renaming,
    session_runs,
)
from tfgraphtools.graphs.converting.source_graphs import SourceGraph

_ROW = 1e-3  # of the largest value: one row alone is computed by other kernels


class FrozenPart:
    """A part of a graph for inference, with constants for variables.

    Args:
      path, outputs, inputs, checkpoint, tags, keep_training, shapes, rename, samples, fold: as in
        `extract`.

    Attributes:
      tf: the module.
      place: the file that has the graph.
      graph_def: the GraphDef, without nodes that only copy, check or print.
      inputs, outputs: {name: tensor}.
      initializers: ops that fill its tables.
      changes: what was changed in a training graph, in words.
      random: the names of its ops that draw other numbers in each run.
      runs, expected: lists of {name: array}: the inputs, and the outputs of the original.
    """

    def __init__(self, path, outputs, inputs, options):
        self.tf = require_tensorflow(os.fspath(path))
        source = SourceGraph(
            path, outputs, inputs, options.checkpoint, options.tags, options.keep_training
        )
        part = source.part
        self.place, self.changes = part.place, list(part.changes)
        self.initializers = part.initializers
        freed = _freed(part, options.shapes)
        input_shapes.change(part, options.shapes)
        with source.export() as export, export.session() as session:
            original = session_runs.SessionRuns(
                part.place, session, part.inputs, part.outputs, part.initializers
            )
            self.runs, self.expected = self._run_original(original, part, options.samples)
            self.changes += output_differences.untold(self.expected) if part.inputs else []
            if freed:
                self._require_rows_alone(original)
            self.graph_def = export.freeze(session)
        input_shapes.forget(self.graph_def)
        _add_unused_inputs(self.graph_def, part)
        tensors = [*part.inputs.values(), *part.outputs.values()]
        fetched = [tensor.split(":")[0] for tensor in tensors] + part.initializers
        debug_nodes.strip(self.graph_def, fetched)
        self.random = [node.name for node in self.graph_def.node if _is_random(node)]
        if options.fold:
            self.changes += batch_norms.fold(self.graph_def, fetched)
        self._rename(part, options.rename)

    def described(self):
        """Returns {name of an input: (NumPy dtype, shape)}."""
        return _described(self.tf, self.graph_def, self.inputs)

    def _rename(self, part, names):
        self.inputs, self.outputs = renaming.renamed(
            self.graph_def, part.inputs, part.outputs, names
        )
        new_inputs = dict(zip(part.inputs, self.inputs))
        new_outputs = dict(zip(part.outputs, self.outputs))
        self.runs = [{new_inputs[name]: run[name] for name in run} for run in self.runs]
        self.expected = [{new_outputs[name]: run[name] for name in run} for run in self.expected]

    def _run_original(self, original, part, samples):
        """Returns (the runs, the outputs of each): the first attempt that the graph accepts."""
        described = _described(self.tf, part.meta.graph_def, part.inputs)
        if samples is not None:
            runs = random_inputs.of_samples(samples, described)
            return runs, [original(run) for run in runs]
        problem = None
        for runs in random_inputs.attempts(described):
            try:
                return runs, [original(run) for run in runs]
            except GraphExportError as error:
                problem = error
        raise problem

    def _require_rows_alone(self, original):
        """Raises where the first row of a batch is another one than alone: no free batch size."""
        try:
            alone = original(
                {name: array[:1] if array.ndim else array for name, array in self.runs[0].items()}
            )
        except GraphExportError as error:
            raise self._fixed(error.got) from error
        for name, expected in self.expected[0].items():
            row = np.asarray(alone[name])
            if row.shape != (1, *expected.shape[1:]):
                raise self._fixed(f"{name} of shape {list(row.shape)} for one row")
            atol = _ROW * max(np.abs(expected).max(), 1e-30)
            if not np.allclose(row, expected[:1], rtol=0, atol=atol, equal_nan=True):
                raise self._fixed(f"another first row of {name} in a batch than alone")

    def _fixed(self, problem):
        return GraphExportError(
            self.place,
            "a graph that computes each row by itself",
            problem,
            "Keep the first size of its inputs, which the graph has in its constants.",
        )


def _is_random(node):
    return not node.op.startswith("Stateless") and op_kinds.RANDOM.fullmatch(node.op)


def _freed(part, shapes):
    """Tells whether a first size that is fixed becomes free."""
    known = input_shapes.inputs_of(part.meta.graph_def, part.inputs)
    fixed = {name for name, row in known.items() if row.shape and row.shape[0] is not None}
    freed = {key.split(":")[0] for key, shape in shapes.items() if shape and shape[0] is None}
    nodes = {name: tensor.split(":")[0] for name, tensor in part.inputs.items()}
    return any(name in freed or nodes[name] in freed for name in fixed)


def _described(tf, graph_def, inputs):
    rows = input_shapes.inputs_of(graph_def, inputs)
    return {name: (tf.as_dtype(row.dtype).as_numpy_dtype, row.shape) for name, row in rows.items()}


def _add_unused_inputs(graph_def, part):
    """Keeps the placeholders of inputs that no output needs."""
    names = {node.name for node in graph_def.node}
    for node in part.meta.graph_def.node:
        if node.name + ":0" in part.inputs.values() and node.name not in names:
            graph_def.node.add().CopyFrom(node)
