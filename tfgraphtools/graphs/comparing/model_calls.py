"""A model of PyTorch or Keras as a function of arrays in the order of the graph's axes."""

import itertools
from typing import Any, List, Mapping

import numpy as np

from tfgraphtools.checkpoints.facts import axis_labels, flat_maps
from tfgraphtools.checkpoints.facts.graph_ops import Graph
from tfgraphtools.checkpoints.format.wire import reading

#: Axes of a batch of maps, of which PyTorch has the channels first.
_MAPS = 4


class Caller:
    """A model as a function of arrays.

    Attributes:
      call: function of arrays that gives (list of outputs, {layer: output}).
      is_first: whether its maps have their channels first.
      names: the graph's names of its inputs, in its order.
      of_graph: the tensors of the graph that have their channels first, by name.
    """

    def __init__(self, call, is_first, shapes=None):
        self.call, self.is_first, self.names, self.of_graph = call, is_first, [], frozenset()
        self._shapes = shapes

    def orders(self, run):
        """Returns the inputs of a run in every order of axes in which the model may take them.

        The order is the model's own: maps of PyTorch have the channels first, unless it refuses
        them. Of sequences no rule says it. A Keras model says its shapes itself.
        """
        choices = [self._choices(place, run[name]) for place, name in enumerate(self.names)]
        return [list(order) for order in itertools.product(*choices)]

    def _choices(self, place, array):
        if array.ndim < 3:
            return [array]
        is_first = self.names[place].partition(":")[0] + ":0" in self.of_graph
        moved = _last(array) if is_first else _first(array)
        if not self.is_first:
            shape = self._shapes[place] if self._shapes and place < len(self._shapes) else None
            is_moved = not _fits(array.shape, shape) and _fits(moved.shape, shape)
            return [moved] if is_moved else [array]
        return [moved, array] if array.ndim >= _MAPS and not is_first else [array, moved]

    def as_in_graph(self, value, tensor, shape):
        """Returns an output in the order of the axes of a tensor; None if it has another shape."""
        value = np.asarray(value, np.float64)
        choices = [value]
        if value.ndim > 2:
            is_first = tensor in self.of_graph
            choices.append(_first(value) if is_first else _last(value))
            if self.is_first and value.ndim >= _MAPS and not is_first:
                choices.reverse()
        return next((choice for choice in choices if choice.shape == shape), None)


def _first(array):
    return np.moveaxis(array, -1, 1)


def _last(array):
    return np.moveaxis(array, 1, -1)


def channels_first(path):
    """Returns the names of the tensors of a graph that say to have their channels first."""
    with reading(path, "Pass the .meta beside the checkpoint."):
        labels = axis_labels.AxisLabels(Graph(path))
    names = set()
    for axes_of in (labels.after, labels.before):
        for (name, output), axes in axes_of.items():
            if len(axes) > 2 and axes[1] and axes[1][0][0] == flat_maps.CHANNEL:
                if len(axes[1]) == 1 and axes[-1][0][0] != flat_maps.CHANNEL:
                    names.add(f"{name}:{output}")
    return frozenset(names)


def _fits(shape, wanted):
    return (
        wanted is not None
        and len(shape) == len(wanted)
        and all(size in (None, own) for own, size in zip(shape, wanted))
    )


def of_torch(module):
    """Returns the `Caller` of a ``torch.nn.Module``, which infers and is left as it was."""
    import torch

    def call(arrays):
        seen, handles = {}, []
        for name, child in module.named_modules():
            handles.append(child.register_forward_hook(_noting(seen, name)))
        was_training = module.training
        module.eval()
        try:
            with torch.no_grad():
                parameter = next(iter(module.parameters()), torch.zeros(()))
                tensors = [torch.from_numpy(np.array(array)) for array in arrays]
                tensors = [
                    t.to(parameter.device, parameter.dtype) if t.is_floating_point() else t
                    for t in tensors
                ]
                values = module(*tensors)
        finally:
            module.train(was_training)
            for handle in handles:
                handle.remove()
        return _listed(values, _of_torch), seen

    return Caller(call, True)


def _noting(seen, name):
    def hook(module, inputs, value):
        if name not in seen and hasattr(value, "detach"):
            seen[name] = _of_torch(value)

    return hook


def _of_torch(value):
    return value.detach().cpu().float().numpy()


def of_keras(model):
    """Returns the `Caller` of a Keras model."""

    def call(arrays):
        values = model(arrays[0] if len(arrays) == 1 else arrays, training=False)
        return _listed(values, np.asarray), {}

    tensors = getattr(model, "inputs", None)
    shapes = [tuple(tensor.shape) for tensor in tensors] if tensors else None
    return Caller(call, False, shapes)


def _listed(values, convert):
    if isinstance(values, Mapping):
        values = list(values.values())
    if not isinstance(values, (list, tuple)):
        values = [values]
    flat: List[Any] = []
    for value in values:
        flat += _listed(value, convert) if isinstance(value, (list, tuple)) else [convert(value)]
    return flat
