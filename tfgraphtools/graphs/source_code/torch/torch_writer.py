"""A program as the text of a model of PyTorch."""

from tfgraphtools.graphs.source_code import weights
from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.scopes import module_building
from tfgraphtools.graphs.source_code.torch import torch_layout, torch_model_text, torch_target

_TITLE = "A model that was written from a TF1 graph."


class TorchModel:
    """The source of a model.

    Args:
      program: a simplified `Program`.
      changes: what was changed for inference, in words.
      reason: why training mode is not written.

    Attributes:
      root: its `ModuleSource`.
      tensors: {key: `Value`} of all its parameters and constants.
      text: of ``model.py``.
      refusal: why it has no training mode, although the graph has another one; or "".
      arguments: {name of an input: argument of ``forward``}.
    """

    #: How a user chooses training mode.
    MODE = "model.train()"

    def __init__(self, program, changes=(), reason=""):
        torch_layout.arrange(program)
        self.root = module_building.root_of(program, torch_target)
        refusal = ""
        if not program.has_modes and (changes or _has_batch_norm(program)):
            refusal = reason or "the graph infers"
        self.refusal = refusal
        self.tensors = weights.tensors(self.root)
        of_layers = weights.of_layers(self.root)
        frozen = [key for key in of_layers if _is_frozen(key, self.tensors[key])]
        self.text = torch_model_text.text(self.root, _TITLE, refusal, frozen)
        names = [name for name, _ in self.root.body.arguments]
        self.arguments = dict(zip(program.inputs, names))


def _is_frozen(key, value):
    """Tells whether a parameter of a layer is a variable that the graph does not train."""
    return "running_" not in key and not value.node.attributes.get("is_trainable", True)


def _has_batch_norm(program):
    """Tells whether PyTorch would take statistics of the batch in training mode."""
    return any(
        node.op == ir_nodes.LAYER and node.attributes["kind"] == "batch_norm"
        for node in program.nodes()
    )
