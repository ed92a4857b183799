"""One step of the optimizer of a PyTorch or Keras model, after which both are as they were."""

import collections

import numpy as np

from tfgraphtools.checkpoints.keras import keras_models, keras_optimizer_state
from tfgraphtools.checkpoints.torch import torch_optimizer_state
from tfgraphtools.errors import GraphExportError

#: A `Weight` of a model, its gradient, and its values before and after the step of the graph.
Move = collections.namedtuple("Move", "weight gradient before after")


def of(plan):
    """Returns the step of the optimizer that a plan gives its state."""
    if hasattr(plan.model, "module"):
        return TorchStep(plan)
    return KerasStep(plan)


class TorchStep:
    """A step of a ``torch.optim`` optimizer."""

    def __init__(self, plan):
        self._plan, self._optimizer = plan, plan.state.optimizer

    def rates(self):
        """Returns the learning rates of the groups of parameters."""
        return [group["lr"] for group in self._optimizer.param_groups]

    def moves(self, graph_moves):
        """Returns the moves of weights, None of one that the optimizer does not train.

        Args:
          graph_moves: a list of `Move`.
        """
        import torch

        parameters = self._plan.state.parameters
        all_parameters = [p for group in self._optimizer.param_groups for p in group["params"]]
        before = [(p, p.detach().clone(), p.grad) for p in all_parameters]
        optimizer, own_state = self._optimizer, self._optimizer.state
        optimizer.state = type(own_state)(getattr(own_state, "default_factory", None))
        optimizer.state.update(torch_optimizer_state.read(self._plan.state, self._plan.checkpoint))
        own_moves = []
        try:
            for parameter in all_parameters:
                parameter.grad = None
            for weight, gradient, value, _ in graph_moves:
                parameter = parameters.get(weight.path)
                if parameter is not None and weight.parts == 1:
                    as_tensor = torch.from_numpy(np.array(value, order="C"))
                    with torch.no_grad():
                        parameter.copy_(as_tensor)
                    gradient = torch.from_numpy(np.array(gradient, order="C"))
                    parameter.grad = gradient.to(parameter.device, parameter.dtype)
            optimizer.step()
            for weight, _, value, _ in graph_moves:
                parameter = parameters.get(weight.path)
                is_moved = parameter is not None and weight.parts == 1
                own_moves.append(_moved(_array(parameter), value) if is_moved else None)
        finally:
            optimizer.state = own_state
            with torch.no_grad():
                for parameter, value, gradient in before:
                    parameter.copy_(value)
                    parameter.grad = gradient
        return own_moves


def _array(parameter):
    return parameter.detach().cpu().double().numpy()


class KerasStep:
    """A step of the optimizer of a compiled Keras model."""

    _CLIPS = ("clipnorm", "global_clipnorm", "clipvalue")

    def __init__(self, plan):
        self._plan, self._model = plan, plan.model
        optimizer = self._model.optimizer
        clips = [name for name in self._CLIPS if getattr(optimizer, name, None)]
        if clips:
            raise GraphExportError(
                type(optimizer).__name__,
                "an optimizer that takes gradients as they are",
                f"one with {clips[0]}",
                "Compare the models over some steps yourself.",
            )

    def rates(self):
        """Returns the learning rate at the step that the checkpoint has."""
        rate = self._model.optimizer.learning_rate
        if callable(rate) and not hasattr(rate, "numpy"):
            rate = rate(self._plan.state.steps or 0)
        return [np.asarray(rate)]

    def moves(self, graph_moves):
        """Returns the moves of weights, None of one that is not trained; see `TorchStep`."""
        model, optimizer = self._model, self._model.optimizer
        slots = keras_optimizer_state.variables(model, self._plan.state)
        of_optimizer = getattr(optimizer, "variables", [])
        of_optimizer = of_optimizer() if callable(of_optimizer) else of_optimizer
        before = [(v, np.array(v)) for v in [*model.variables, *of_optimizer]]
        is_trained = {id(variable) for variable in model.trainable_variables}
        trained = [move for move in graph_moves if id(move.weight.variable) in is_trained]
        try:
            for move in trained:
                move.weight.variable.assign(move.before)
            keras_optimizer_state.apply(model, self._plan.state, self._plan.checkpoint, slots)
            optimizer.apply_gradients(
                [(_tensor(model, move.gradient), move.weight.variable) for move in trained]
            )
            return [
                _moved(np.asarray(move.weight.variable), move.before)
                if id(move.weight.variable) in is_trained
                else None
                for move in graph_moves
            ]
        finally:
            for variable, value in before:
                variable.assign(value)


def _tensor(model, array):
    """Returns an array as a tensor of the backend of a model's Keras."""
    if keras_models.package_of(model) == "keras":
        import keras

        return keras.ops.convert_to_tensor(array)
    import tensorflow as tf

    return tf.convert_to_tensor(array)


def _moved(after, before):
    return np.asarray(after, np.float64) - np.asarray(before, np.float64)
