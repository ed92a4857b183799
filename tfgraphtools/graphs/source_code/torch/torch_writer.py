"""A program as the text of a model of PyTorch."""

from tfgraphtools.graphs.source_code.scopes import module_building
from tfgraphtools.graphs.source_code.torch import torch_layout, torch_model_text, torch_target


class Model:
    """The source of a model.

    Args:
      program: a simplified `Program`.

    Attributes:
      root: its `ModuleSource`.
      text: of ``model.py``.
      arguments: {name of an input: argument of ``forward``}.
    """

    def __init__(self, program):
        torch_layout.arrange(program)
        self.root = module_building.root_of(program, torch_target)
        self.text = torch_model_text.text(self.root, "A model that was written from a TF1 graph.")
        names = [name for name, _ in self.root.body.arguments]
        self.arguments = dict(zip(program.inputs, names))
