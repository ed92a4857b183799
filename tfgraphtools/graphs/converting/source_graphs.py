"""Parts of graphs in any kind of file, with the values of their variables."""

import contextlib
import os
import re

from tfgraphtools.checkpoints.format.wire import reading
from tfgraphtools.checkpoints.graphs import cuts, graph_parts, meta_graph_files
from tfgraphtools.checkpoints.graphs.graph_exports import Export
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.checkpoints.read.tensorflow_package import require_tensorflow
from tfgraphtools.errors import GraphExportError
from tfgraphtools.graphs import op_kinds, showing
from tfgraphtools.graphs.converting import fixed_placeholders
from tfgraphtools.graphs.reading import files

_DEFAULT_SIGNATURE = "serving_default"
_WAITS = re.compile(
    r"IteratorGetNext|Queue(De|En)queue|ReaderRead|Barrier(Take|Insert)|(Map|OrderedMap)?Unstage"
)


class SourceGraph:
    """A part of a graph in a file.

    Args:
      path, outputs, inputs: as in `extract`.
      options: an `extraction.PartOptions`.
      mode: one of `graph_parts`; None: as the options say.
      kept: further ops, as in `GraphPart`.

    Attributes:
      part: a `graph_parts.GraphPart`.
      outputs, inputs: {name: tensor}, as they were given or as the signature says.
      checkpoint: the values of its variables, as it was passed or as it lies beside, or None.
    """

    def __init__(self, path, outputs, inputs, options, mode=None, kept=()):
        path = os.fspath(path)
        require_tensorflow(path)
        meta, signatures, path, notes = read(path, options.tags)
        if outputs is None:
            outputs, inputs = _of_signature(path, options.tags, signatures, inputs)
            inputs = fixed_placeholders.without(inputs, options.constants)
        if mode is None:
            mode = graph_parts.UNCHANGED if options.keep_training else graph_parts.INFERENCE
        self.outputs, self.inputs = graph_parts.named(outputs), graph_parts.named(inputs)
        fed = self.inputs.values()
        notes += fixed_placeholders.fix(meta.graph_def, options.constants, fed, path)
        self._placeholders = {n.name for n in meta.graph_def.node if n.op in cuts.PLACEHOLDERS}
        with reading(path, files.NEXT_STEP):
            self.part = graph_parts.GraphPart(path, outputs, inputs, mode, meta, kept)
        self.part.changes = notes + list(self.part.changes)
        self.checkpoint = options.checkpoint or showing.beside(self.part.place)
        require_no_python(self.part)
        _require_no_queues(self.part)

    def is_cut(self, name):
        """Tells whether an input is no placeholder of the file."""
        return cuts.split_tensor(self.inputs[name])[0] not in self._placeholders

    @contextlib.contextmanager
    def export(self):
        """Gives the `Export` of the part, with its checkpoint open."""
        if not self.part.variables:
            yield Export(None, self.part)
            return
        if self.checkpoint is None:
            raise GraphExportError(
                self.part.place,
                "the checkpoint of its variables beside it",
                "a file that has none",
                'Pass checkpoint="model.ckpt-1000" (--checkpoint).',
            )
        with opened(self.checkpoint) as ckpt:
            yield Export(ckpt, self.part)


def read(path, tags=None):
    """Returns (MetaGraphDef, list of `Signature`, the file that has it, notes).

    Raises:
      GraphExportError: TensorFlow does not read it, or it is a SavedModel of TF 2.
    """
    content = files.read(path)
    with reading(content.path, files.NEXT_STEP):
        meta_graph, notes = showing.chosen(content, tags)
    try:
        meta = _parsed(content, meta_graph)
    except Exception as error:  # protobuf's own classes, which have moved between its versions
        raise GraphExportError(
            content.path,
            "a graph that TensorFlow reads",
            " ".join(str(error).split()).rstrip("."),
            "The file is damaged: take another copy of it.",
        ) from error
    meta_graph_files.require_tf1(meta, content.path)
    return meta, meta_graph.signatures, content.path, notes


def _parsed(content, meta_graph):
    """Returns the MetaGraphDef."""
    from tensorflow.compat import v1

    data, start, end = meta_graph.graph
    if content.is_text:  # TensorFlow's reader knows every field
        return _from_text(content, meta_graph)
    if content.meta_graphs:
        return v1.MetaGraphDef.FromString(bytes(data))
    meta = v1.MetaGraphDef()
    is_whole = isinstance(data, bytes) and (start, end) == (0, len(data))
    meta.graph_def.ParseFromString(data if is_whole else bytes(data[start:end]))
    return meta


def _from_text(content, meta_graph):
    from google.protobuf import text_format
    from tensorflow.compat import v1
    from tensorflow.core.protobuf import saved_model_pb2

    message = {files.GRAPH: v1.GraphDef, files.META_GRAPH: v1.MetaGraphDef}.get(content.kind)
    with open(content.path, encoding="utf-8") as file:
        parsed = text_format.Parse(file.read(), (message or saved_model_pb2.SavedModel)())
    if content.kind == files.GRAPH:
        return v1.MetaGraphDef(graph_def=parsed)
    if content.kind == files.META_GRAPH:
        return parsed
    tags = meta_graph.tags
    return next(meta for meta in parsed.meta_graphs if list(meta.meta_info_def.tags) == tags)


def _of_signature(path, tags, signatures, inputs):
    """Returns (outputs, inputs), each {name: tensor}, of the signature of a graph."""
    signatures = [row for row in signatures if row.outputs and row.name != "__saved_model_init_op"]
    default = [row for row in signatures if row.name == _DEFAULT_SIGNATURE] or signatures
    if len(default) != 1:
        likely = [tensor.name for tensor in showing.show(path, tags=tags).outputs]
        raise GraphExportError(
            path,
            "the names of its outputs",
            f"none, and {len(default)} signatures that would say them",
            "Pass outputs=[...] (--outputs){}".format(
                ": likely ones are {}.".format(", ".join(likely[:6])) if likely else "."
            ),
        )
    outputs = {key: tensor.name for key, tensor in sorted(default[0].outputs.items())}
    if inputs is None:
        inputs = {key: tensor.name for key, tensor in sorted(default[0].inputs.items())}
    return outputs, inputs


def require_no_python(part):
    """Raises `GraphExportError` if a part calls the Python process that built it."""
    calls = [f"{n.name} ({n.op})" for n in part.meta.graph_def.node if n.op in op_kinds.PYTHON]
    if calls:
        raise GraphExportError(
            part.place,
            "ops that are in the file",
            "calls of the Python process that built the graph: " + ", ".join(calls[:4]),
            "Cut them off: name the tensors behind them in --inputs, or choose other --outputs.",
        )


def _require_no_queues(part):
    """Raises where a run would wait for ever, or each one would take another element."""
    queues = [node for node in part.meta.graph_def.node if _WAITS.match(node.op)]
    if queues:
        raise GraphExportError(
            part.place,
            "no queue and no iterator, for whose elements a run waits",
            ", ".join(f"{node.name} ({node.op})" for node in queues[:4]),
            "Cut it off: name the tensors that it gives in --inputs, or choose other --outputs.",
        )
