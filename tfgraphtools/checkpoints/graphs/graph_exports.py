"""A ``.meta`` and a checkpoint as a SavedModel, or as one frozen graph, for TF 1.15 and TF 2.

What the outputs need is cut out of the graph before TensorFlow sees it: training
ops, and ops that this TensorFlow lacks, are in the way only if an output needs
them. Variables then get their values from the checkpoint, each by the name under
which the graph's own Saver restores it.
"""

import collections
import os
from typing import Any, Iterable, Optional

from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.graphs import graph_imports, graph_parts
from tfgraphtools.checkpoints.graphs.graph_values import GraphValues
from tfgraphtools.checkpoints.plans.replacement import replacing
from tfgraphtools.checkpoints.read.checkpoint import Source
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.checkpoints.read.tensorflow_package import require_tensorflow
from tfgraphtools.errors import GraphExportError

#: What was written: ``inputs`` and ``outputs`` are {name in the signature: tensor};
#: ``initializers`` are ops to run once before the first call (of a frozen graph with tables);
#: ``changes`` says what was changed in a training graph.
GraphExport = collections.namedtuple(
    "GraphExport", "path inputs outputs variables nodes initializers changes"
)

#: What says that a folder is a SavedModel, which another may replace.
_SAVED_MODEL = ("saved_model.pb", "saved_model.pbtxt")

_LARGEST_GRAPH = (1 << 31) - 1  # bytes of a protocol buffer


def to_saved_model(
    checkpoint: Source,
    graph: Optional[Path],
    folder: Path,
    outputs: Optional[Iterable[str]],
    inputs: Optional[Iterable[str]] = None,
    signature: str = "serving_default",
    overwrite: bool = False,
    keep_training: bool = False,
) -> Any:
    """Writes a SavedModel that `tf.saved_model.load` and `tf.compat.v1.saved_model.load` read.

    The variables stay variables; control flow stays as it is. Tables come with their initializers
    and with the files that they read (as assets). Devices are cleared.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      graph: the ``.meta`` file that was written beside a checkpoint of this model; None takes the
        one beside this checkpoint.
      folder: the folder to make.
      outputs: names of ops or tensors, such as ``["logits"]``; or {name in the signature: tensor}.
      inputs: the same for the input tensors; a tensor that is no placeholder becomes one: the graph
        is cut there, before an input pipeline for example. None: all placeholders that the
        outputs need.
      signature: the key of the signature.
      overwrite: replace a folder that is there.
      keep_training: leave a training graph as it is. By default it becomes what the same code
        builds for inference: is_training placeholders are False, batch normalisation takes its
        moving averages, dropout is gone; ``changes`` of the result says so.

    Returns:
      A `GraphExport`.

    Example:
      >>> to_saved_model("m.ckpt-9", "m.ckpt-9.meta", "saved", ["probs"])  # doctest: +SKIP
      >>> tf.saved_model.load("saved").signatures["serving_default"](x)

    Raises:
      GraphExportError: an op trains and its form for inference is not known; an op that the
        outputs need is one that this TensorFlow lacks; a variable
        is not in the checkpoint or of another shape; an input is missing. Nothing is written then.
      DestinationError: the folder is taken.
    """
    with opened(checkpoint) as ckpt, replacing(folder, overwrite, _SAVED_MODEL) as staged:
        place = _graph_of(ckpt, graph)
        export = Export(ckpt, _part(place, outputs, inputs, keep_training))
        with export.session() as session:
            export.save(session, staged, signature)
        ckpt.check_unchanged()
        return export.result(os.fspath(folder))


def to_frozen(
    checkpoint: Source,
    graph: Optional[Path],
    path: Path,
    outputs: Optional[Iterable[str]],
    inputs: Optional[Iterable[str]] = None,
    overwrite: bool = False,
    keep_training: bool = False,
) -> Any:
    """Writes a GraphDef (``.pb``) in which the variables are constants.

    Args:
      checkpoint, graph, outputs, inputs: as in `to_saved_model`.
      path: the file to write.
      overwrite: replace a file that is there.
      keep_training: as in `to_saved_model`.

    Returns:
      A `GraphExport`. If the graph has tables, run its ``initializers`` once after importing it.

    Example:
      >>> to_frozen("m.ckpt-9", "m.ckpt-9.meta", "frozen.pb", ["probs"])  # doctest: +SKIP

    Raises:
      GraphExportError: as in `to_saved_model`; or a variable is written to while the outputs are
        computed, or the constants are more than the 2 GiB that a GraphDef can have.
      DestinationError: the path is taken.
    """
    with opened(checkpoint) as ckpt, replacing(path, overwrite) as staged:
        place = _graph_of(ckpt, graph)
        export = Export(ckpt, _part(place, outputs, inputs, keep_training))
        with export.session() as session:
            frozen = export.freeze(session)
        with open(staged, "wb") as file:
            file.write(frozen.SerializeToString(deterministic=True))
        ckpt.check_unchanged()
        return export.result(os.fspath(path))


def _without_debug_names(path):
    """Removes the attribute that TF 2 adds to variables for messages alone: TF 1.15 refuses it."""
    from tensorflow.core.protobuf import saved_model_pb2

    with open(path, "rb") as file:
        model = saved_model_pb2.SavedModel.FromString(file.read())
    for meta in model.meta_graphs:
        for node in meta.graph_def.node:
            if node.op == "VarHandleOp" and "debug_name" in node.attr:
                del node.attr["debug_name"]
    with open(path, "wb") as file:
        file.write(model.SerializeToString(deterministic=True))


def _graph_of(ckpt, graph):
    """Returns the path of the graph: by default the .meta beside the checkpoint."""
    if graph is not None:
        return os.fspath(graph)
    path = ckpt.prefix + ".meta"
    if not os.path.isfile(path):
        raise GraphExportError(
            ckpt.prefix,
            "the .meta of its graph beside it",
            f"no file {path}",
            "Pass graph=... (--meta FILE), the .meta of another checkpoint of this model.",
        )
    return path


def _part(place, outputs, inputs, keep_training):
    mode = graph_parts.UNCHANGED if keep_training else graph_parts.INFERENCE
    return graph_parts.GraphPart(place, outputs, inputs, mode)


class Export:
    """A part of a graph in a Session with its values.

    Args:
      ckpt: an open checkpoint; None for a part without variables.
      part: a `graph_parts.GraphPart`.

    Attributes:
      values: the `GraphValues` of the part.
    """

    def __init__(self, ckpt, part):
        self._v1 = require_tensorflow(part.place).compat.v1
        self._part = part
        self.values = GraphValues(ckpt, part)

    def session(self):
        """Returns a Session of the graph whose variables have their values."""
        graph = self._v1.Graph()
        with graph.as_default(), graph_imports.importing(self._part.place):
            self._v1.train.import_meta_graph(self._part.meta, clear_devices=True)
        session = self._v1.Session(graph=graph)
        self.values.restore(session)
        return session

    def save(self, session, folder, signature):
        """Writes the SavedModel."""
        v1, graph = self._v1, session.graph
        with graph.as_default():
            info = v1.saved_model.utils.build_tensor_info
            definition = v1.saved_model.signature_def_utils.build_signature_def(
                {name: info(graph.get_tensor_by_name(t)) for name, t in self._part.inputs.items()},
                {name: info(graph.get_tensor_by_name(t)) for name, t in self._part.outputs.items()},
                v1.saved_model.signature_constants.PREDICT_METHOD_NAME,
            )
            main = None
            if self._part.initializers:
                main = v1.group(
                    *[graph.get_operation_by_name(name) for name in self._part.initializers],
                    name="init_all_tables",
                )
            builder = v1.saved_model.Builder(folder)
            builder.add_meta_graph_and_variables(
                session,
                [v1.saved_model.tag_constants.SERVING],
                {signature: definition},
                assets_collection=v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS),
                main_op=main,
                strip_default_attrs=True,
            )
            builder.save()
        _without_debug_names(os.path.join(folder, _SAVED_MODEL[0]))

    def freeze(self, session):
        """Returns the GraphDef with constants for variables, if TensorFlow can import it."""
        from tensorflow.errors import OpError

        v1 = self._v1
        size = self.values.size()
        if size > _LARGEST_GRAPH - self._part.meta.graph_def.ByteSize():
            raise GraphExportError(
                self._part.place,
                "constants of less than 2 GiB, the most that a GraphDef can have",
                f"{size} bytes",
                "Write a SavedModel: --to saved_model.",
            )
        names = [
            tensor.split(":")[0] for tensor in self._part.outputs.values()
        ] + self._part.initializers
        level = v1.logging.get_verbosity()
        v1.logging.set_verbosity(v1.logging.ERROR)  # it says that it is old
        try:
            frozen = v1.graph_util.convert_variables_to_constants(
                session, session.graph.as_graph_def(), names
            )
            with v1.Graph().as_default():
                v1.import_graph_def(frozen, name="")
                # TF 1.15 refuses attributes that only newer ops have, even at their defaults.
                frozen = v1.train.export_meta_graph(
                    graph_def=frozen, strip_default_attrs=True
                ).graph_def
        except (ValueError, KeyError, OpError) as error:
            raise GraphExportError(
                self._part.place,
                "outputs that only read their variables",
                " ".join(str(error).split()),
                "Choose outputs that write no variable, freeze under TF 2 (1.15 cannot look into "
                "bodies of control flow v2), or keep the variables: ckpt convert --to saved_model.",
            ) from error
        finally:
            v1.logging.set_verbosity(level)
        return frozen

    def result(self, path):
        """Returns the `GraphExport` of a path."""
        return GraphExport(
            path,
            self._part.inputs,
            self._part.outputs,
            len(self.values),
            len(self._part.meta.graph_def.node),
            self._part.initializers,
            self._part.changes,
        )
