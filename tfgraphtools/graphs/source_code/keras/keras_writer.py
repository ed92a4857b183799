"""A program as the text of a model of Keras."""

from tfgraphtools.graphs.source_code import weights
from tfgraphtools.graphs.source_code.keras import (
    keras_arrangement,
    keras_model_text,
    keras_names,
    keras_target,
)
from tfgraphtools.graphs.source_code.scopes import module_building

_TITLE = "A model that was written from a TF1 graph."


class KerasModel:
    """The source of a model.

    Args:
      program: a simplified `Program`.
      changes: what was changed for inference, in words.
      reason: why training mode is not written.

    Attributes:
      as `torch_writer.TorchModel`.
    """

    #: How a user chooses training mode.
    MODE = "training=True"

    def __init__(self, program, changes=(), reason=""):
        keras_arrangement.rearrange(program)
        if not program.has_modes and changes:
            program.refusal = reason or "the graph infers"
        self.refusal = program.refusal
        self.root = module_building.root_of(program, keras_target)
        self.tensors = {
            keras_names.path(key): value for key, value in weights.tensors(self.root).items()
        }
        of_layers = map(keras_names.path, weights.of_layers(self.root))
        frozen = [key for key in of_layers if _is_frozen(key, self.tensors[key])]
        self.text = keras_model_text.text(self.root, _TITLE, self.tensors, frozen)
        names = [name for name, _ in self.root.body.arguments]
        self.arguments = dict(zip(program.inputs, names))


def _is_frozen(key, value):
    """Tells whether a parameter of a layer is a variable that the graph does not train."""
    is_average = key.rpartition(".")[2].startswith("moving_")
    return not is_average and not value.node.attributes.get("is_trainable", True)
