"""The part of a graph that some outputs need, cut out before TensorFlow sees it.

Its variables take their first values from placeholders, so that what computed
them, and whatever ops that needed, can go.
"""

import collections

from tfgraphtools.checkpoints.graphs import (
    average_updates,
    beam_trees,
    cuts,
    inference,
    loop_contexts,
    meta_graph_files,
    metagraph,
    static_shapes,
)
from tfgraphtools.checkpoints.read.tensorflow_package import require_tensorflow
from tfgraphtools.errors import GraphExportError

_INITIAL = "restored_value"

#: The mode of a part: what the same code builds for inference, what it builds for training (with
#: its update ops and regularization losses), or the graph as it was saved.
INFERENCE, TRAINING, UNCHANGED = "inference", "training", "unchanged"
#: The inference graph of what is built for training, with `two_modes.Modes`; and what is built for
#: training, without its dropout and with the ops that update its averages.
BOTH, WITHOUT_DROPOUT = "both", "without dropout"


class GraphPart:
    """The part of a graph that the outputs need.

    Args:
      place: the path of a graph: see `meta_graph_files.read_meta`.
      outputs, inputs: as in `graph_exports.to_saved_model`.
      mode: one of this module's.
      meta: the MetaGraphDef in the file, which this object then owns; None reads it.
      kept: further ops to keep among the updates, such as those of an optimizer.

    Attributes:
      place: the path.
      meta: the MetaGraphDef of the part.
      inputs, outputs: {name in the signature: tensor}.
      variables: {node: its VariableDef}.
      trainable: the variables that the graph calls trainable, kept or not.
      names: {variable: (its name in a checkpoint, its slice there)}, by the graph's own Saver.
      initializers: the ops that fill its tables.
      loops: list of the WhileContextDefs of its loops, which only gradients need.
      changes: what was changed for the mode, in words.
      modes: of BOTH, a `two_modes.Modes`; else None.
      updates, losses: the update ops and the tensors of the regularization losses of what the
        outputs need, when training.

    Raises:
      GraphExportError: no such tensor, an input that is missing, an op that this TensorFlow lacks.
    """

    def __init__(self, place, outputs, inputs, mode=INFERENCE, meta=None, kept=()):
        require_tensorflow(place)
        self.place = place
        self.meta = meta_graph_files.read_meta(place) if meta is None else meta
        graph_def = self.meta.graph_def
        # Looked up before anything is cut: the ops that restore are not kept.
        restores = {self.meta.saver_def.restore_op_name}
        self.names = metagraph.restored_variables(graph_def.SerializeToString(), restores)
        inputs = named(inputs)
        shapes = static_shapes.of_tensors(graph_def, inputs.values())
        fed = cuts.cut_at(graph_def, list(inputs.values()), place, shapes)
        self.outputs = self._tensors(named(outputs), fed)
        self.inputs = {name: fed[tensor] for name, tensor in inputs.items()}
        self.modes, self.updates = None, []
        self.changes = self._changed(mode)
        self.updates += kept
        is_training = mode == TRAINING
        if is_training:
            self.updates = self._collected("update_ops")
        self.losses = self._collected("regularization_losses") if is_training else []
        self._cut()
        self.changes = [*self.changes, *beam_trees.expand(graph_def)]
        self._require_inputs(not inputs)
        cuts.require_ops(graph_def, place)

    @staticmethod
    def value_of(variable):
        """Returns the placeholder of a variable's first value, as a tensor."""
        return f"{variable}/{_INITIAL}:0"

    def _changed(self, mode):
        inputs = [tensor.split(":")[0] for tensor in self.inputs.values()]
        wanted = [tensor.split(":")[0] for tensor in self.outputs.values()] + inputs
        if mode == INFERENCE:
            return inference.to_inference(self.meta.graph_def, wanted, inputs, self.place)
        if mode == BOTH:
            self.modes = inference.to_both(self.meta.graph_def, wanted, inputs, self.place)
        if mode == WITHOUT_DROPOUT:
            updates = inference.without_dropout(self.meta.graph_def, wanted, inputs, self.place)
            needed = cuts.needed(self.meta.graph_def, wanted)
            self.updates += [name for name in updates if self._needs_only(name, needed)]
        if mode == TRAINING:
            return inference.to_training(self.meta.graph_def, wanted, inputs)
        return []

    def _needs_only(self, update, needed):
        """Tells whether an update takes no statistics but those of what is needed."""
        nodes = {node.name: node.op for node in self.meta.graph_def.node}
        own = cuts.needed(self.meta.graph_def, [update]) - needed
        return not any(nodes[name] in average_updates.STATISTICS for name in own)

    def _collected(self, key):
        """Returns the tensors or ops of a collection that need nothing but what the outputs need.

        An update op of a batch normalisation needs its averages, too, and ops that take no
        statistics of their own.
        """
        graph_def = self.meta.graph_def
        tensors = [*self.outputs.values(), *self.inputs.values()]
        needed = cuts.needed(graph_def, [cuts.split_tensor(tensor)[0] for tensor in tensors])
        ops = {node.name: node.op for node in graph_def.node}
        is_loss = key == "regularization_losses"
        foreign = cuts.PLACEHOLDERS + (cuts.VARIABLES if is_loss else average_updates.STATISTICS)
        collected = []
        for name in dict.fromkeys(self.meta.collection_def[key].node_list.value):
            own = cuts.needed(graph_def, [cuts.split_tensor(name)[0]])
            has_input = is_loss and any(ops[node] in cuts.PLACEHOLDERS for node in own)
            if not has_input and not any(ops[node] in foreign for node in own - needed):
                collected.append(name)
        return collected

    def _tensors(self, named, fed):
        nodes = {node.name: node for node in self.meta.graph_def.node}
        for tensor in named.values():
            name, output = cuts.split_tensor(tensor)
            if name not in nodes:
                raise cuts.unknown_node(self.place, tensor, nodes)
            cuts.require_output(self.place, nodes[name], output)
        if not named:
            raise GraphExportError(
                self.place, "at least one output", "none", "Name the op of the result: --outputs."
            )
        return {
            name: fed.get(tensor, "{}:{}".format(*cuts.split_tensor(tensor)))
            for name, tensor in named.items()
        }

    def _cut(self):
        """Keeps what the outputs need, and what gives their variables and tables a value."""
        graph_def = self.meta.graph_def
        wanted = [
            tensor.split(":")[0]
            for tensor in [
                *self.outputs.values(),
                *self.inputs.values(),
                *self.updates,
                *self.losses,
            ]
        ]
        self.variables = self._variable_defs(cuts.needed(graph_def, wanted))
        self._detach_initial_values()
        for variable in self.variables.values():
            wanted += [variable.initializer_name, variable.snapshot_name.split(":")[0]]
        kept = cuts.needed(graph_def, wanted)
        self.initializers = self._table_initializers(kept)
        kept = cuts.needed(graph_def, wanted + self.initializers)
        cuts.keep_only(graph_def, kept)
        self._keep_collections(kept)

    def _variable_defs(self, kept):
        """Returns {node: VariableDef} of the kept variables, from the graph's collections."""
        from tensorflow.core.framework import variable_pb2

        known = {}
        self.trainable = set()
        for key, collection in self.meta.collection_def.items():
            for data in collection.bytes_list.value:
                variable = variable_pb2.VariableDef()
                try:
                    variable.ParseFromString(data)
                except Exception:  # another kind of proto: the collections do not say which
                    continue
                name = variable.variable_name.split(":")[0]
                known.setdefault(name, variable)
                if key == "trainable_variables":
                    self.trainable.add(name)
        nodes = [
            n.name for n in self.meta.graph_def.node if n.name in kept and n.op in cuts.VARIABLES
        ]
        if not known:  # a GraphDef
            known = dict(_variables_by_name(self.meta.graph_def, nodes))
        lost = [name for name in nodes if name not in known or not known[name].initializer_name]
        if lost:
            raise GraphExportError(
                self.place,
                "variables that the graph's collections list",
                "no description of " + ", ".join(lost[:8]),
                "Export the .meta again with Saver.export_meta_graph.",
            )
        return {name: known[name] for name in nodes}

    def _detach_initial_values(self):
        """Makes every initializer take a fed value, so that what computed it can go."""
        graph_def = self.meta.graph_def
        nodes = {node.name: node for node in graph_def.node}
        for name, variable in self.variables.items():
            fed = f"{name}/{_INITIAL}"
            node = graph_def.node.add(name=fed, op="Placeholder")
            node.attr["dtype"].type = nodes[name].attr["dtype"].type
            node.attr["shape"].shape.CopyFrom(nodes[name].attr["shape"].shape)
            nodes[variable.initializer_name].input[1] = fed
            variable.initial_value_name = fed + ":0"

    def _table_initializers(self, kept):
        """Returns the ops that fill the tables that are kept."""
        nodes = self.meta.graph_def.node
        mutable = [n.name for n in nodes if n.name in kept and n.op in cuts.MUTABLE_TABLES]
        if mutable:
            raise GraphExportError(
                self.place,
                "tables that a constant or a file fills",
                "mutable ones: " + ", ".join(mutable),
                "Cut them off with --inputs, or make them constant tables.",
            )
        return [
            node.name
            for node in nodes
            if node.op in cuts.TABLE_INITIALIZERS and cuts.split_tensor(node.input[0])[0] in kept
        ]

    def _keep_collections(self, kept):
        """Keeps the collections of what is kept; contexts of control flow serve gradients alone."""
        collected = self.meta.collection_def
        self.loops = loop_contexts.of_kept(self.meta, kept)
        files = [f for f in collected["asset_filepaths"].node_list.value if f.split(":")[0] in kept]
        for key in list(collected):
            del collected[key]
        self.meta.ClearField("saver_def")
        self.meta.ClearField("asset_file_def")
        collected["asset_filepaths"].node_list.value.extend(files)
        for name, variable in self.variables.items():
            data = variable.SerializeToString()
            collected["variables"].bytes_list.value.append(data)
            if name in self.trainable:
                collected["trainable_variables"].bytes_list.value.append(data)

    def _require_inputs(self, take_all):
        """Raises unless every placeholder is an input: nobody would feed another."""
        ours = {f"{name}/{_INITIAL}" for name in self.variables}
        fed = {tensor.split(":")[0] for tensor in self.inputs.values()}
        nodes = [
            node.name
            for node in self.meta.graph_def.node
            if node.op in ("Placeholder", "PlaceholderV2") and node.name not in ours
        ]
        if take_all:
            self.inputs = {name: name + ":0" for name in nodes}
        missing = [name for name in nodes if name not in fed]
        if missing and not take_all:
            raise GraphExportError(
                self.place,
                "every placeholder that the outputs need among the inputs",
                "no " + ", ".join(missing),
                "Add them: --inputs {}.".format(" ".join(list(self.inputs) + missing)),
            )


def _variables_by_name(graph_def, variables):
    """Yields (node, VariableDef) of variables whose ops have the names that TF 1 gives them."""
    from tensorflow.core.framework import variable_pb2

    nodes = {node.name: node for node in graph_def.node}
    for name in variables:
        is_resource = nodes[name].op == "VarHandleOp"
        read = name + ("/Read/ReadVariableOp" if is_resource else "/read")
        assign = nodes.get(name + "/Assign")
        if read in nodes and assign is not None and assign.input[0] == name:
            yield (
                name,
                variable_pb2.VariableDef(
                    variable_name=name + ":0",
                    initializer_name=assign.name,
                    snapshot_name=read + ":0",
                    is_resource=is_resource,
                ),
            )


def named(tensors):
    """Returns {name in the signature: tensor}."""
    if tensors is None:
        return {}
    if isinstance(tensors, dict):
        return dict(tensors)
    tensors = [tensors] if isinstance(tensors, str) else list(tensors)
    return collections.OrderedDict(
        ("{}".format(tensor[:-2] if tensor.endswith(":0") else tensor), tensor)
        for tensor in tensors
    )
