"""What ``training.py`` says: the loss behind the outputs, the rate, the optimizer and its slots."""

import numpy as np

from tfgraphtools.checkpoints.graphs import cuts, graph_parts
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.errors import GraphExportError
from tfgraphtools.graphs.converting import source_graphs
from tfgraphtools.graphs.converting.source_graphs import SourceGraph
from tfgraphtools.graphs.source_code import optimizer_facts, simplifying, weights
from tfgraphtools.graphs.source_code.ir import ir_nodes, ir_reading
from tfgraphtools.graphs.source_code.scopes import module_building
from tfgraphtools.graphs.source_code.statements import identifiers
from tfgraphtools.graphs.source_code.torch import torch_target

_MOVES = ("reshape", "transpose")


class Training:
    """The training of a written model.

    Args:
      arguments: (path, options) as in `SourceGraph`.
      loss: the name of the loss.
      model: a `torch_writer.TorchModel`.
      part: the `GraphPart` that it was written from.
      tensors: {key of the model: `Value`}.

    Attributes:
      optimizer: an `optimizer_facts.Optimizer`.
      loss, rate: `ModuleSource` of the loss and the learning rate; no rate where it is a number
        (``rate_text``) or fed (``rate_argument``).
      loss_members, rate_members: {attribute: text}.
      outputs: {argument of the loss: output of the model}; fed_by_loss: further arguments.
      model_inputs: arguments of the model.
      left_out: keys of trainable parameters that the optimizer does not change.
      has_frozen: whether the model has parameters that are not trainable.
    """

    def __init__(self, arguments, loss, model, part, tensors):
        self._path, self._options = arguments
        self._tensors, self.loss_name = tensors, loss
        self.model_inputs = list(model.arguments.values())
        self.has_several = len(part.outputs) > 1
        meta = source_graphs.read(self._path, self._options.tags)[0]
        self._nodes = {node.name: node for node in meta.graph_def.node}
        self.optimizer = optimizer_facts.of_graph(meta.graph_def, self._path)
        self._keys = self._keys_of_variables()
        self._read_loss(loss, part, model)
        self._read_rate()

    # Parameters ------------------------------------------------------------------------------

    def _keys_of_variables(self):
        """Returns {variable that is updated: its key in the model}."""
        keys = {}
        for key, value in self._tensors.items():
            if value.op == ir_nodes.PARAMETER and not value.node.attributes.get("is_constant"):
                steps = value.node.attributes["steps"]
                if not any(step[0] in ("ones", "zeros") for step in steps):
                    keys.setdefault(value.node.name, []).append(key)
        own = {}
        for update in self.optimizer.updates:
            rows = keys.get(update.variable, [])
            if len(rows) != 1:
                what = f"{len(rows)} tensors" if rows else "no tensor"
                raise self._refused(f"{update.variable}, which is {what} of the model")
            steps = self._tensors[rows[0]].node.attributes["steps"]
            if any(step[0] not in _MOVES for step in steps):
                raise self._refused(f"{update.variable}, of which the model has a part")
            if not torch_target.is_trained(self._tensors[rows[0]]):
                raise self._refused(f"{update.variable}, which is not called trainable")
            own[update.variable] = rows[0]
        trained = set(own.values())
        layers = [v for key, v in self._tensors.items() if "running_" not in key]
        self.has_frozen = any(
            value.op == ir_nodes.PARAMETER and not torch_target.is_trained(value)
            for value in layers
        )
        self.left_out = [
            key for key, value in self._tensors.items()
            if key not in trained and torch_target.is_trained(value) and "running_" not in key
        ]  # fmt: skip
        return own

    def _refused(self, problem):
        return GraphExportError(
            self._path, "training that is written", problem, "Leave --loss out to write the model."
        )

    def slots(self, checkpoint):
        """Returns {name: array} of ``optimizer.safetensors``.

        Args:
          checkpoint: where the variables are.
        """
        with opened(checkpoint) as ckpt:
            return self._slots(ckpt.read)

    def _slots(self, ckpt_values):
        arrays = {}
        for update in self.optimizer.updates:
            key = self._keys[update.variable]
            steps = self._tensors[key].node.attributes["steps"]
            for name, variable in update.slots.items():
                array = weights.with_steps(ckpt_values(variable), steps)
                arrays[f"{key}.{name}"] = np.ascontiguousarray(array)
        for name, variable in self.optimizer.powers.items():
            arrays[name] = np.array(ckpt_values(variable))
        step = self.optimizer.step
        arrays["global_step"] = np.array(0 if step is None else ckpt_values(step), np.int64)
        return arrays

    # Programs --------------------------------------------------------------------------------

    def _program(self, outputs, inputs):
        graph = SourceGraph(self._path, outputs, inputs, self._options, graph_parts.BOTH)
        with graph.export() as export, export.session() as session:
            program = ir_reading.read(session, graph.part, export.values)
        simplifying.simplify(program)
        for node in program.nodes():
            if node.op == ir_nodes.LAYER:
                raise self._refused(
                    f"a loss that computes {node.name}, a layer, from what is no output; --outputs "
                    "must have the tensors that the loss reads (logits, not their softmax)"
                )
        return program, graph.part

    def _read_loss(self, loss, part, model):
        whole = SourceGraph(self._path, loss, None, self._options, graph_parts.BOTH).part
        names = {
            name if name not in whole.inputs else f"output/{name}": name for name in part.outputs
        }
        inputs = {key: self._original(part.outputs[name]) for key, name in names.items()}
        taken = {cuts.split_tensor(tensor) for tensor in inputs.values()}
        for name, tensor in whole.inputs.items():
            if cuts.split_tensor(tensor) not in taken:
                inputs[name] = tensor
        program, _ = self._program(loss, inputs)
        used = {name for name, value in program.inputs.items() if value.users}
        program.inputs = {name: v for name, v in program.inputs.items() if name in used}
        if not used & set(names):
            raise self._refused(f"a loss, {loss}, that reads no output of the model")
        self.loss = module_building.root_of(program, torch_target)
        arguments = dict(zip(program.inputs, [name for name, _ in self.loss.body.arguments]))
        self.outputs, self.fed_by_loss = {}, []
        for name, argument in arguments.items():
            if name in names:
                self.outputs[argument] = names[name]
            else:
                self.fed_by_loss.append(argument)
                if argument in self.model_inputs and model.arguments.get(name) != argument:
                    raise self._refused(f"two inputs that would be called {argument}")
        self.feeds = {**model.arguments, **{
            name: argument for name, argument in arguments.items() if argument in self.fed_by_loss
        }}  # fmt: skip
        self.loss_members = self._members(self.loss, self._model_parameter)
        self.reads_model = any("model." in text for text in self.loss_members.values())

    def _original(self, tensor):
        """Returns the tensor of which one is a copy: a loss may read the copy or the other."""
        node = self._nodes.get(cuts.split_tensor(tensor)[0])
        while node is not None and node.op == "Identity":
            source = self._nodes.get(cuts.split_tensor(node.input[0])[0])
            if source is None or source.op in cuts.VARIABLES:
                break
            tensor, node = node.input[0], source
        return tensor

    def _read_rate(self):
        self.rate, self.rate_members, self.rate_argument, self.rate_text = None, {}, None, ""
        node = self._nodes[cuts.split_tensor(self.optimizer.rate)[0]]
        if node.op in cuts.PLACEHOLDERS:
            self.rate_argument = identifiers.variable_name(node.name)
            self.feeds[node.name] = self.rate_argument
            return
        program, part = self._program(self.optimizer.rate, None)
        if part.inputs:
            raise self._refused("a learning rate that is computed from " + ", ".join(part.inputs))
        value = next(iter(program.outputs.values()))
        if value.array is not None:
            self.rate_text = repr(float(str(value.array)))
            return
        self.rate = module_building.root_of(program, torch_target)
        self.rate_members = self._members(self.rate, self._step)
        self.rate_text = 'learning_rate(group["global_step"]).item()'

    def _members(self, module, text_of):
        members = {}
        for attribute, member in module.body.members.items():
            if not isinstance(member, ir_nodes.Value) or member.op != ir_nodes.PARAMETER:
                raise self._refused(f"{attribute}, a tensor of constants")
            members[attribute] = text_of(member)
        return members

    def _step(self, value):
        if value.node.name != self.optimizer.step:
            raise self._refused(f"a learning rate that reads {value.node.name}")
        return "step"

    def _model_parameter(self, value):
        """Returns the text of a parameter in the layout of TensorFlow."""
        keys = [key for key, v in self._tensors.items() if v.node.name == value.node.name]
        if len(keys) != 1 or value.node.attributes["steps"]:
            raise self._refused(f"a loss that reads {value.node.name}")
        text = "model." + _indexed(keys[0])
        if all(user.op == "L2Loss" for user in value.users):
            return text
        for step in reversed(self._tensors[keys[0]].node.attributes["steps"]):
            if step[0] != "transpose":
                raise self._refused(f"a loss that reads {value.node.name}")
            inverse = [int(axis) for axis in np.argsort(step[1])]
            text += f".permute({', '.join(map(str, inverse))})"
        return text


def _indexed(key):
    """Returns a key as an expression: ``layers.0.weight`` is ``layers[0].weight``."""
    parts = key.split(".")
    return "".join(
        f"[{part}]" if part.isdigit() else ("." if number else "") + part
        for number, part in enumerate(parts)
    )
