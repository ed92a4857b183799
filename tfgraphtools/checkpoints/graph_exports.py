"""A ``.meta`` and a checkpoint as a SavedModel, or as one frozen graph, for TF 1.15 and TF 2.

What the outputs need is cut out of the graph before TensorFlow sees it: training
ops, and ops that this TensorFlow lacks, are in the way only if an output needs
them. Variables then get their values from the checkpoint, each by the name under
which the graph's own Saver restores it.
"""

import collections
import os

from tfgraphtools.checkpoints import graph_cuts, model
from tfgraphtools.checkpoints._proto import reading
from tfgraphtools.checkpoints.extents import lengths, resolve
from tfgraphtools.checkpoints.reader import Checkpoint, as_checkpoint
from tfgraphtools.checkpoints.staging import replacing
from tfgraphtools.errors import GraphExportError

#: What was written: ``inputs`` and ``outputs`` are {name in the signature: tensor};
#: ``initializers`` are ops to run once before the first call (of a frozen graph with tables).
GraphExport = collections.namedtuple(
    "GraphExport", "path inputs outputs variables nodes initializers"
)

_LARGEST_GRAPH = (1 << 31) - 1  # bytes of a protocol buffer
_INITIAL = "restored_value"


def to_saved_model(
    checkpoint, graph, folder, outputs, inputs=None, signature="serving_default", overwrite=False
):
    """Writes a SavedModel that `tf.saved_model.load` and `tf.compat.v1.saved_model.load` read.

    The variables stay variables; control flow stays as it is. Tables come with their initializers
    and with the files that they read (as assets). Devices are cleared.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      graph: the ``.meta`` file that was written beside a checkpoint of this model.
      folder: the folder to make.
      outputs: names of ops or tensors, such as ``["logits"]``; or {name in the signature: tensor}.
      inputs: the same for what is fed; a tensor that is no placeholder becomes one, which cuts
        off what is before it, such as an input pipeline. None: all placeholders that the outputs
        need.
      signature: the key of the signature.
      overwrite: replace a folder that is there.

    Returns:
      A `GraphExport`.

    Example:
      >>> to_saved_model("m.ckpt-9", "m.ckpt-9.meta", "saved", ["probs"])  # doctest: +SKIP
      >>> tf.saved_model.load("saved").signatures["serving_default"](x)

    Raises:
      GraphExportError: an op that the outputs need is one that this TensorFlow lacks; a variable
        is not in the checkpoint or of another shape; an input is missing. Nothing is written then.
      DestinationError: the folder is taken.
    """
    place = os.fspath(graph)
    with _opened(checkpoint) as ckpt, replacing(folder, overwrite, folder_too=True) as staged:
        part = _Part(ckpt, place, outputs, inputs)
        with part.session() as session:
            part.save(session, staged, signature)
        return part.result(os.fspath(folder))


def to_frozen(checkpoint, graph, path, outputs, inputs=None, overwrite=False):
    """Writes a GraphDef (``.pb``) in which the variables are constants.

    Args:
      checkpoint, graph, outputs, inputs: as in `to_saved_model`.
      path: the file to write.
      overwrite: replace a file that is there.

    Returns:
      A `GraphExport`. If the graph has tables, run its ``initializers`` once after importing it.

    Example:
      >>> to_frozen("m.ckpt-9", "m.ckpt-9.meta", "frozen.pb", ["probs"])  # doctest: +SKIP

    Raises:
      GraphExportError: as in `to_saved_model`; or a variable is written to while the outputs are
        computed, or the constants are more than the 2 GiB that a GraphDef can have.
      DestinationError: the path is taken.
    """
    place = os.fspath(graph)
    with _opened(checkpoint) as ckpt, replacing(path, overwrite) as staged:
        part = _Part(ckpt, place, outputs, inputs)
        with part.session() as session:
            frozen = part.freeze(session)
        with open(staged, "wb") as file:
            file.write(frozen.SerializeToString(deterministic=True))
        return part.result(os.fspath(path))


class _opened:
    """A checkpoint that is closed at the end unless it was given open."""

    def __init__(self, checkpoint):
        self._given = checkpoint

    def __enter__(self):
        self._ckpt = as_checkpoint(self._given)
        return self._ckpt

    def __exit__(self, *unused):
        if not isinstance(self._given, Checkpoint):
            self._ckpt.close()


class _Part:
    """What the outputs need of a graph, and its values."""

    def __init__(self, ckpt, place, outputs, inputs):
        import tensorflow as tf

        self._tf, self._v1 = tf, tf.compat.v1
        self._ckpt, self._place = ckpt, place
        self._meta = _read_meta(place, self._v1)
        graph_def = self._meta.graph_def
        # Looked up before anything is cut: the ops that restore are not kept.
        self._names = model.restored_variables(graph_def.SerializeToString())
        inputs = _named(inputs)
        fed = graph_cuts.cut_at(graph_def, list(inputs.values()), tf, place)
        self.outputs = self._tensors(_named(outputs), fed)
        self.inputs = {name: fed[tensor] for name, tensor in inputs.items()}
        self._cut()
        self._require_inputs(not inputs)
        graph_cuts.require_ops(graph_def, place)
        self._values = self._checked_values()

    def _tensors(self, named, fed):
        nodes = {node.name for node in self._meta.graph_def.node}
        for tensor in named.values():
            if graph_cuts.split_tensor(tensor)[0] not in nodes:
                raise graph_cuts.unknown_node(self._place, tensor, nodes)
        if not named:
            raise GraphExportError(
                self._place, "at least one output", "none", "Name the op of the result: --outputs."
            )
        return {
            name: fed.get(tensor, "{}:{}".format(*graph_cuts.split_tensor(tensor)))
            for name, tensor in named.items()
        }

    # The graph -------------------------------------------------------------

    def _cut(self):
        """Keeps what the outputs need, and what gives their variables and tables a value."""
        graph_def = self._meta.graph_def
        wanted = [
            tensor.split(":")[0]
            for tensor in list(self.outputs.values()) + list(self.inputs.values())
        ]
        self._variables = self._variable_defs(graph_cuts.needed(graph_def, wanted))
        self._detach_initial_values()
        for variable in self._variables.values():
            wanted += [variable.initializer_name, variable.snapshot_name.split(":")[0]]
        kept = graph_cuts.needed(graph_def, wanted)
        self.initializers = self._table_initializers(kept)
        kept = graph_cuts.needed(graph_def, wanted + self.initializers)
        graph_cuts.keep_only(graph_def, kept)
        self._keep_collections(kept)

    def _variable_defs(self, kept):
        """{node: VariableDef} of the variables that are kept, from the graph's collections."""
        from tensorflow.core.framework import variable_pb2

        known = {}
        self._trainable = set()
        for key, collection in self._meta.collection_def.items():
            for data in collection.bytes_list.value:
                variable = variable_pb2.VariableDef()
                try:
                    variable.ParseFromString(data)
                except Exception:  # another kind of proto: the collections do not say which
                    continue
                name = variable.variable_name.split(":")[0]
                known.setdefault(name, variable)
                if key == "trainable_variables":
                    self._trainable.add(name)
        nodes = [
            n.name
            for n in self._meta.graph_def.node
            if n.name in kept and n.op in graph_cuts.VARIABLES
        ]
        lost = [name for name in nodes if name not in known or not known[name].initializer_name]
        if lost:
            raise GraphExportError(
                self._place,
                "variables that the graph's collections list",
                "no description of " + ", ".join(lost[:8]),
                "Export the .meta again with Saver.export_meta_graph.",
            )
        return {name: known[name] for name in nodes}

    def _detach_initial_values(self):
        """Makes every initializer take a fed value, so that what computed it can go."""
        graph_def = self._meta.graph_def
        nodes = {node.name: node for node in graph_def.node}
        for name, variable in self._variables.items():
            fed = f"{name}/{_INITIAL}"
            node = graph_def.node.add(name=fed, op="Placeholder")
            node.attr["dtype"].type = nodes[name].attr["dtype"].type
            node.attr["shape"].shape.CopyFrom(nodes[name].attr["shape"].shape)
            nodes[variable.initializer_name].input[1] = fed
            variable.initial_value_name = fed + ":0"

    def _table_initializers(self, kept):
        """The ops that fill the tables that are kept."""
        nodes = self._meta.graph_def.node
        mutable = [n.name for n in nodes if n.name in kept and n.op in graph_cuts.MUTABLE_TABLES]
        if mutable:
            raise GraphExportError(
                self._place,
                "tables that a constant or a file fills",
                "mutable ones: " + ", ".join(mutable),
                "Cut them off with --inputs, or make them constant tables.",
            )
        return [
            node.name
            for node in nodes
            if node.op in graph_cuts.TABLE_INITIALIZERS
            and graph_cuts.split_tensor(node.input[0])[0] in kept
        ]

    def _keep_collections(self, kept):
        """Keeps the collections of what is kept; contexts of control flow serve gradients alone."""
        collected = self._meta.collection_def
        files = [f for f in collected["asset_filepaths"].node_list.value if f.split(":")[0] in kept]
        for key in list(collected):
            del collected[key]
        self._meta.ClearField("saver_def")
        self._meta.ClearField("asset_file_def")
        collected["asset_filepaths"].node_list.value.extend(files)
        for name, variable in self._variables.items():
            data = variable.SerializeToString()
            collected["variables"].bytes_list.value.append(data)
            if name in self._trainable:
                collected["trainable_variables"].bytes_list.value.append(data)

    def _require_inputs(self, take_all):
        """Every placeholder is an input, or there is one that nobody would feed."""
        ours = {f"{name}/{_INITIAL}" for name in self._variables}
        fed = {tensor.split(":")[0] for tensor in self.inputs.values()}
        nodes = [
            node.name
            for node in self._meta.graph_def.node
            if node.op in ("Placeholder", "PlaceholderV2") and node.name not in ours
        ]
        if take_all:
            self.inputs = {name: name + ":0" for name in nodes}
        missing = [name for name in nodes if name not in fed]
        if missing and not take_all:
            raise GraphExportError(
                self._place,
                "every placeholder that the outputs need among the inputs",
                "no " + ", ".join(missing),
                "Add them: --inputs {}.".format(" ".join(list(self.inputs) + missing)),
            )

    # The values ------------------------------------------------------------

    def _checked_values(self):
        """{variable: (name in the checkpoint, index or None)}, after a look at names and shapes."""
        found, missing, misfits = {}, [], []
        nodes = {node.name: node for node in self._meta.graph_def.node}
        for variable in self._variables:
            name, spec = self._names.get(variable, (variable, ""))
            if name not in self._ckpt:
                missing.append(name)
                continue
            bounds = _bounds(spec, self._place)
            tensor = self._ckpt.tensor(name)
            shape = tensor.shape if bounds is None else lengths(bounds)
            wanted = nodes[variable].attr["shape"].shape
            sizes = tuple(dimension.size for dimension in wanted.dim)
            if not wanted.unknown_rank and not _fits(shape, sizes):
                misfits.append(f"{name} of shape {list(shape)}, not {list(sizes)}")
            found[variable] = name, bounds and tuple(slice(*bound) for bound in bounds)
        if missing or misfits:
            raise self._lacking(missing, misfits)
        return found

    def _lacking(self, missing, misfits):
        import difflib

        near = difflib.get_close_matches(missing[0], list(self._ckpt), n=3) if missing else []
        return GraphExportError(
            self._ckpt.prefix,
            "every variable that the outputs need, {}".format(
                ", ".join(missing[:8] or ["in its shape"])
            ),
            "; ".join(misfits[:8]) or "none of these names",
            "Like {}? 'tfgraphtools ckpt doctor --graph {}' proposes renames.".format(
                " or ".join(near), self._place
            )
            if near
            else f"'tfgraphtools ckpt doctor --graph {self._place}' compares the two.",
        )

    def session(self):
        """A Session of the graph whose variables have their values."""
        graph = self._v1.Graph()
        with graph.as_default():
            try:
                self._v1.train.import_meta_graph(self._meta, clear_devices=True)
            except (ValueError, KeyError) as error:
                raise GraphExportError(
                    self._place, "a graph that TensorFlow imports", str(error), "See the message."
                ) from error
        session = self._v1.Session(graph=graph)
        for variable, (name, index) in self._values.items():
            initializer = graph.get_operation_by_name(self._variables[variable].initializer_name)
            fed = graph.get_tensor_by_name(f"{variable}/{_INITIAL}:0")
            value = self._ckpt.read(name, index, check=True)
            session.run(initializer, {fed: value.astype(fed.dtype.as_numpy_dtype)})
        return session

    # The results -----------------------------------------------------------

    def save(self, session, folder, signature):
        """Writes the SavedModel."""
        v1, graph = self._v1, session.graph
        with graph.as_default():
            info = v1.saved_model.utils.build_tensor_info
            definition = v1.saved_model.signature_def_utils.build_signature_def(
                {name: info(graph.get_tensor_by_name(t)) for name, t in self.inputs.items()},
                {name: info(graph.get_tensor_by_name(t)) for name, t in self.outputs.items()},
                v1.saved_model.signature_constants.PREDICT_METHOD_NAME,
            )
            main = None
            if self.initializers:
                main = v1.group(
                    *[graph.get_operation_by_name(name) for name in self.initializers],
                    name="init_all_tables",
                )
            builder = v1.saved_model.Builder(folder)
            builder.add_meta_graph_and_variables(
                session,
                [v1.saved_model.tag_constants.SERVING],
                {signature: definition},
                assets_collection=v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS),
                main_op=main,
            )
            builder.save()

    def freeze(self, session):
        """The GraphDef with constants for variables, if TensorFlow can import it."""
        v1 = self._v1
        size = sum(self._ckpt.store.summary(name)[2] or 0 for name, _ in self._values.values())
        if size > _LARGEST_GRAPH - self._meta.graph_def.ByteSize():
            raise GraphExportError(
                self._place,
                "constants of less than 2 GiB, the most that a GraphDef can have",
                f"{size} bytes",
                "Write a SavedModel: --to saved_model.",
            )
        names = [tensor.split(":")[0] for tensor in self.outputs.values()] + self.initializers
        level = v1.logging.get_verbosity()
        v1.logging.set_verbosity(v1.logging.ERROR)  # it says that it is old
        try:
            frozen = v1.graph_util.convert_variables_to_constants(
                session, session.graph.as_graph_def(), names
            )
            with v1.Graph().as_default():
                v1.import_graph_def(frozen, name="")
        except (ValueError, KeyError) as error:
            raise GraphExportError(
                self._place,
                "outputs that only read their variables",
                " ".join(str(error).split()),
                "Choose outputs that do not need the training step, freeze under TF 2 (1.15 cannot "
                "look into bodies of control flow v2), or take --to saved_model.",
            ) from error
        finally:
            v1.logging.set_verbosity(level)
        return frozen

    def result(self, path):
        return GraphExport(
            path,
            self.inputs,
            self.outputs,
            len(self._values),
            len(self._meta.graph_def.node),
            self.initializers,
        )


def _read_meta(path, v1):
    """The MetaGraphDef in a ``.meta``; a copy that can be changed."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        meta = v1.MetaGraphDef.FromString(data)
    except Exception as error:  # protobuf's own class, which has moved between its versions
        raise GraphExportError(
            path, "a MetaGraphDef", str(error), "Pass the .meta beside the checkpoint."
        ) from error
    if not meta.graph_def.node:
        raise GraphExportError(path, "a graph", "no nodes", "Pass the .meta beside the checkpoint.")
    return meta


def _named(tensors):
    """{name in the signature: tensor}."""
    if tensors is None:
        return {}
    if isinstance(tensors, dict):
        return dict(tensors)
    tensors = [tensors] if isinstance(tensors, str) else list(tensors)
    return collections.OrderedDict(
        ("{}".format(tensor[:-2] if tensor.endswith(":0") else tensor), tensor)
        for tensor in tensors
    )


def _bounds(spec, place):
    """The bounds of a slice that a Saver restores, ``"7 3 0,3:-"``; None for a whole tensor."""
    if not spec:
        return None
    words = spec.split(" ")
    extents = []
    for word in words[-1].split(":"):
        start, _, length = word.partition(",")
        extents.append((0, None) if word == "-" else (int(start), int(length)))
    with reading(place):
        return resolve(tuple(extents), tuple(map(int, words[:-1])))


def _fits(shape, wanted):
    return len(shape) == len(wanted) and all(w in (-1, s) for s, w in zip(shape, wanted))
