"""A graph in a file, described without TensorFlow and without its source."""

import collections
import os
from typing import Any, Dict, List, Optional, Sequence

from tfgraphtools import garbage_collector
from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.format.wire import expect_int, reading
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.errors import ArgumentError, CheckpointNotFoundError, TfgraphtoolsError
from tfgraphtools.graphs import (
    borders,
    drawing,
    loops_and_calls,
    obstacles,
    outputs,
    scope_tree,
    tensors,
    training_parts,
    variables,
)
from tfgraphtools.graphs.reading import files, meta_graphs
from tfgraphtools.graphs.reading.graph_def_nodes import Graph

_CONSTANTS = ("Const", "HostConst")
_SERVE = "serve"  # the tag of the graph that is taken where none is named, or none (TF-Hub)


class Summary:
    """What `show` says of a graph.

    Attributes:
      path: the file.
      kind: "MetaGraphDef", "GraphDef", "SavedModel", "TF-Hub module" or "event file".
      version: of the TensorFlow that wrote it, "" if the file does not say.
      producer: the version of GraphDef, or None.
      tags: the tags of a SavedModel's graph.
      nodes: how many nodes the graph has, those of functions excluded.
      signatures: list of (name, method, inputs, outputs); the last two are {key: Tensor}.
      inputs, outputs: list of (name, dtype, shape, op): where values enter, and probable outputs.
      variables: list of (name, dtype, shape, bytes, trainable, slot, key, saved).
      checkpoint: the prefix of the checkpoint beside the file, "" if there is none.
      constants: (how many, how many bytes of the file).
      collections: list of (name, count, kind).
      ops: {op: count}, functions excluded.
      control_flow: (v1, v2, calls, loops, tensor_arrays).
      functions: list of (name, nodes, calls).
      training: list of (kind, count, names): what only trains.
      obstacles: list of (op, nodes, reason): what cannot leave Python or TF 1.
      notes: list of str.
    """

    def __init__(self, content: Any, meta_graph: Any, graph: Graph, notes: List[str]) -> None:
        definitions = meta_graph.op_definitions
        self._graph, self._shapes = graph, tensors.Shapes(graph)
        self.path, self.kind, self.notes = content.path, content.kind, notes
        self.version, self.producer = meta_graph.version, graph.producer
        self.tags, self.signatures = meta_graph.tags, meta_graph.signatures
        self.collections = meta_graph.collections
        self.nodes = len(graph.nodes)
        counter = collections.Counter(node.op for node in graph.nodes.values())
        self.ops = dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))
        self.constants = _constants(graph)
        self.variables = variables.variables(graph, meta_graph.trainable, meta_graph.restore_op)
        self.inputs = borders.inputs(graph, self._shapes, definitions)
        self.outputs = outputs.outputs(
            graph, self.inputs, self._shapes, definitions, meta_graph.update_ops
        )
        self.control_flow = loops_and_calls.control_flow(graph)
        self.functions = loops_and_calls.functions(graph)
        self.training = training_parts.parts(graph, self.variables)
        self.obstacles = obstacles.obstacles(graph, os.path.dirname(self.path))
        self.checkpoint = ""

    def tree(self, depth: Optional[int] = None) -> scope_tree.Scope:
        """Returns the scopes of the graph, each with ops, parameters and FLOPs, as a `Scope`.

        It counts neither the ops of functions nor the state of optimizers as parameters.

        Args:
          depth: levels of scopes, None for all of them.
        """
        model = (row for row in self.variables if not row.slot)
        held = {row.name: tensors.size(row.shape) or 0 for row in model}
        if not self.variables:
            held = _weights(self._graph)
        with reading(self.path, files.NEXT_STEP):
            return scope_tree.tree(self._graph, self._shapes, held, depth)

    def node_list(self) -> List[Any]:
        """Returns [[name, op, [[position of an input's node, output, shape]]]], for a drawing.

        The output of a control edge is -1. An input that no node of the graph gives is left out.
        """
        with reading(self.path, files.NEXT_STEP):
            return drawing.nodes(self._graph, self._shapes)

    def as_dict(self) -> Dict[str, Any]:
        """Returns a dictionary of plain values, for JSON."""
        names = (
            "path kind version producer tags nodes checkpoint constants ops notes inputs outputs "
            "variables signatures collections control_flow functions training obstacles"
        )
        return {name: _plain(getattr(self, name)) for name in names.split()}


def show(
    path: Path, checkpoint: Optional[Path] = None, tags: Optional[Sequence[str]] = None
) -> Summary:
    """Describes the graph in a file, without TensorFlow.

    Ops need not exist in any TensorFlow that is installed. Nothing is run, and no shape is
    inferred: a shape that the file does not say is None.

    Args:
      path: a ``.meta``, a ``.pb`` or ``.pbtxt`` of a GraphDef, a SavedModel or TF-Hub module (its
        folder or file), an event file, the prefix of a checkpoint or its folder. The content
        tells which one it is.
      checkpoint: a checkpoint of its variables; the one beside the file if None.
      tags: of a SavedModel with several graphs: those of one of them, a list of str.

    Returns:
      A `Summary`.

    Example:
      >>> summary = show("model.ckpt-1000.meta")                        # doctest: +SKIP
      >>> [(tensor.name, tensor.shape) for tensor in summary.inputs]    # doctest: +SKIP
      [('x:0', (None, 784))]

    Raises:
      DamagedCheckpointError: the file holds no graph, or is damaged.
      FileNotFoundError: there is none.
      ArgumentError: no graph has these tags.
    """
    with garbage_collector.paused():
        content = files.read(path)
        with reading(content.path, files.NEXT_STEP):
            meta_graph, notes = chosen(content, tags)
            graph = Graph(*meta_graph.graph)
            if not graph.nodes and not graph.functions:
                notes.append("the graph has no nodes")
            summary = Summary(content, meta_graph, graph, notes)
        _add_checkpoint(summary, checkpoint)
    return summary


def chosen(content, tags):
    """Returns (the `MetaGraph` of a `files.Content` that has some tags, notes)."""
    notes = list(content.notes)
    if not content.meta_graphs:
        meta_graph = meta_graphs.MetaGraph(b"")
        meta_graph.graph = content.graph, 0, len(content.graph)
        return meta_graph, notes
    if len(content.meta_graphs) == 1 and tags is None:
        return meta_graphs.MetaGraph(content.meta_graphs[0]), notes
    parsed = [meta_graphs.MetaGraph(data) for data in content.meta_graphs]
    parsed.sort(key=lambda meta_graph: (_SERVE not in meta_graph.tags, bool(meta_graph.tags)))
    listed = ["[{}]".format(", ".join(meta_graph.tags)) for meta_graph in parsed]
    if tags is None:
        others = ", ".join(listed[1:])
        notes.append(f"the SavedModel has {len(parsed)} graphs: also those of the tags {others}")
        return parsed[0], notes
    for meta_graph in parsed:
        if set(meta_graph.tags) == set(tags):
            return meta_graph, notes
    raise ArgumentError(
        content.path,
        f"tags of a graph: {', '.join(listed)}",
        f"[{', '.join(tags)}]",
        "Pass tags=[...] (--tags) of one of them.",
    )


def _constants(graph):
    """Returns (how many constants, the bytes that they take in the file)."""
    sizes = [node.size for node in graph.nodes.values() if node.op in _CONSTANTS]
    return len(sizes), sum(sizes)


def _weights(graph):
    """Returns {name: elements} of the constants of a frozen graph that are like weights."""
    held = {}
    for node in graph.nodes.values():
        if node.op in _CONSTANTS:
            dtype = dtypes.by_number(expect_int(tensors.attribute(node, "dtype").get(6, 0)))
            shape = tensors.own_shape(node) if dtype.kind == "f" else None
            if shape:
                held[node.name] = tensors.size(shape) or 0
    return held


def _add_checkpoint(summary, checkpoint):
    """Adds what the checkpoint has of the variables; a damaged one beside the graph is a note."""
    if not summary.variables:
        return
    prefix = beside(summary.path) if checkpoint is None else checkpoint
    if prefix is None:
        return
    try:
        with opened(prefix, allow_missing_shards=True) as ckpt:
            summary.variables = variables.in_checkpoint(summary.variables, ckpt)
            summary.checkpoint = ckpt.prefix
    except (TfgraphtoolsError, OSError) as error:
        if checkpoint is not None:
            raise
        if not isinstance(error, CheckpointNotFoundError):
            summary.notes.append(f"the checkpoint was not read: {error}")


def beside(path):
    """Returns the prefix of the variables that belong to a file, or None."""
    folder, name = os.path.split(path)
    if name.startswith("saved_model.pb"):
        prefix = os.path.join(folder, "variables", "variables")
        return prefix if os.path.isfile(prefix + ".index") else None
    return path[: -len(".meta")] if name.endswith(".meta") else None


def _plain(value):
    """Returns named tuples as dictionaries, and tuples as lists."""
    if hasattr(value, "_asdict"):
        return {key: _plain(item) for key, item in value._asdict().items()}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
