"""Runs of a written model, as functions of arrays."""

import os
import types

import numpy as np

from tfgraphtools.errors import GraphExportError, MissingExtraError
from tfgraphtools.graphs.source_code import gradient_comparisons


def require_packages():
    """Raises `MissingExtraError` unless PyTorch and safetensors are there."""
    for package in ("torch", "safetensors"):
        try:
            __import__(package)
        except ImportError as error:
            raise MissingExtraError(
                "graphs.source", f"the package {package}", "none", f"pip install {package}"
            ) from error


class TorchRuns:
    """Runs of the model in a folder.

    Args:
      folder: with ``model.py`` and its weights.
      arguments: {name of an input: argument of the model}.
      outputs: the names of its outputs.

    Attributes:
      model: the `torch.nn.Module`.
    """

    def __init__(self, folder, arguments, outputs):
        self._path = os.path.join(folder, "model.py")
        self._arguments, self._outputs = arguments, outputs
        module = types.ModuleType("model")
        module.__file__ = self._path
        with open(self._path, encoding="utf-8") as file:
            text = file.read()
        exec(compile(text, self._path, "exec"), module.__dict__)
        self.model = self._attempt(module.load)

    def __call__(self, arrays):
        """Returns {name: array} of the outputs."""
        import torch

        with torch.no_grad():
            tensors = self._attempt(self.tensors, arrays)
        return {name: tensor.detach().numpy() for name, tensor in tensors.items()}

    def tensors(self, arrays):
        """Returns {name: tensor} of the outputs."""
        import torch

        # A copy: PyTorch warns of arrays that cannot be written.
        inputs = {
            self._arguments[name]: torch.from_numpy(np.array(array))
            for name, array in arrays.items()
        }
        result = self.model(**inputs)
        return result if isinstance(result, dict) else {self._outputs[0]: result}

    def gradients(self, arrays):
        """Returns {key: gradient} of the parameters, as `gradient_comparisons` has the loss."""
        import torch

        self.model.zero_grad()
        outputs = self._attempt(self.tensors, arrays)
        flat = [t.reshape(-1) for t in outputs.values() if t.dtype == torch.float32]
        factors = [torch.from_numpy(gradient_comparisons.factors(t.numel())) for t in flat]
        total = sum((tensor * factor).sum() for tensor, factor in zip(flat, factors))
        total.backward()
        return {
            key: np.zeros(tuple(p.shape), np.float32) if p.grad is None else p.grad.numpy()
            for key, p in self.model.named_parameters()
        }

    def _attempt(self, function, *arguments):
        try:
            return function(*arguments)
        except Exception as error:  # whatever the code that was written raises
            words = " ".join(str(error).split())[:300]
            raise GraphExportError(
                self._path,
                "code that runs as the graph does",
                f"{type(error).__name__}: {words}",
                "Nothing was written. Cut the graph to find the op: --inputs and --outputs.",
            ) from error
