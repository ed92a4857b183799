"""Parts of graphs with constants for variables, and what the originals compute."""

import os

import numpy as np

from tfgraphtools.checkpoints.read.tensorflow_package import require_tensorflow
from tfgraphtools.errors import GraphExportError
from tfgraphtools.graphs import op_kinds
from tfgraphtools.graphs.comparing import corner_inputs, original_runs, output_differences
from tfgraphtools.graphs.converting import (
    batch_norms,
    debug_nodes,
    input_shapes,
    large_constants,
    origins,
    renaming,
    session_runs,
    uncut_graphs,
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
      comparisons: list of `output_differences.Comparison`: what it was given, and what the original
        gave; first ordinary numbers or the samples.
    """

    def __init__(self, path, outputs, inputs, options):
        self.tf = require_tensorflow(os.fspath(path))
        source = SourceGraph(path, outputs, inputs, options)
        part, self._checkpoint = source.part, source.checkpoint
        self.place, self.changes = part.place, list(part.changes)
        self.initializers = part.initializers
        freed = _freed(part, options.shapes)
        input_shapes.change(part, options.shapes)
        arrays = _take_large_constants(part)
        with source.export() as export, export.session() as session:
            original = session_runs.of_part(part, session, large_constants.feeds(arrays))
            self.comparisons = original_runs.comparisons(original, part, options.samples)
            first = self.comparisons[0]
            self.changes += output_differences.untold(first.expected) if part.inputs else []
            if freed:
                self._require_rows_alone(original)
            self.graph_def = export.freeze(session)
        del original  # which has the arrays, too
        if options.samples is None:
            whole = uncut_graphs.comparison(path, source, options)
            self.comparisons += [] if whole is None else [whole]
        input_shapes.forget(self.graph_def)
        _add_unused_inputs(self.graph_def, part)
        tensors = [*part.inputs.values(), *part.outputs.values()]
        fetched = [tensor.split(":")[0] for tensor in tensors] + part.initializers
        debug_nodes.strip(self.graph_def, fetched)
        large_constants.put_back(self.graph_def, arrays)
        self.random = [node.name for node in self.graph_def.node if _is_random(node)]
        if options.fold:
            self.changes += batch_norms.fold(self.graph_def, fetched)
        self._rename(part, options.rename)

    def described(self):
        """Returns {name of an input: (NumPy dtype, shape)}."""
        return input_shapes.described(self.graph_def, self.inputs)

    def ranges(self):
        """Returns {name of an input: (the least, the largest value)} of all comparisons."""
        return corner_inputs.ranges([run for row in self.comparisons for run in row.runs])

    def metadata(self):
        """Returns {key: text} of what it was made of and compared with."""
        return origins.metadata(self.place, self._checkpoint, self.ranges())

    def _rename(self, part, names):
        self.inputs, self.outputs = renaming.renamed(
            self.graph_def, part.inputs, part.outputs, names
        )
        new_inputs = dict(zip(part.inputs, self.inputs))
        new_outputs = dict(zip(part.outputs, self.outputs))
        self.comparisons = [row.renamed(new_inputs, new_outputs) for row in self.comparisons]

    def _require_rows_alone(self, original):
        """Raises where the first row of a batch is another one than alone: no free batch size."""
        first = self.comparisons[0]
        try:
            alone = original(
                {name: array[:1] if array.ndim else array for name, array in first.runs[0].items()}
            )
        except GraphExportError as error:
            raise self._fixed(error.got) from error
        for name, expected in first.expected[0].items():
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


def _take_large_constants(part):
    """Returns {name: array} of large constants, for which a part gets placeholders."""
    graph_def, arrays = large_constants.without(part.meta.graph_def)
    part.meta.ClearField("graph_def")
    meta = type(part.meta)()
    meta.CopyFrom(part.meta)  # the memory of a field is that of its message
    meta.graph_def.CopyFrom(graph_def)
    part.meta = meta
    return arrays


def _is_random(node):
    return not node.op.startswith("Stateless") and op_kinds.RANDOM.fullmatch(node.op)


def _freed(part, shapes):
    """Tells whether a first size that is fixed becomes free."""
    known = input_shapes.inputs_of(part.meta.graph_def, part.inputs)
    fixed = {name for name, row in known.items() if row.shape and row.shape[0] is not None}
    freed = {key.split(":")[0] for key, shape in shapes.items() if shape and shape[0] is None}
    nodes = {name: tensor.split(":")[0] for name, tensor in part.inputs.items()}
    return any(name in freed or nodes[name] in freed for name in fixed)


def _add_unused_inputs(graph_def, part):
    """Keeps the placeholders of inputs that no output needs."""
    names = {node.name for node in graph_def.node}
    for node in part.meta.graph_def.node:
        if node.name + ":0" in part.inputs.values() and node.name not in names:
            graph_def.node.add().CopyFrom(node)
