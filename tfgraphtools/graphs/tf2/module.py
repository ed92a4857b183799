"""A graph of TF 1 as a `tf.Module`: called, differentiated, trained and saved as TF 2 does it."""

import functools
import os
from typing import Any, Dict, Iterable, Mapping, Optional, Union

import numpy as np

from tfgraphtools.checkpoints import open_checkpoint, plan
from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.graphs import graph_parts
from tfgraphtools.checkpoints.graphs.graph_values import GraphValues
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.plans.rules import exactly
from tfgraphtools.checkpoints.read.tensorflow_package import require_tensorflow
from tfgraphtools.errors import ArgumentError, GraphExportError
from tfgraphtools.graphs import showing
from tfgraphtools.graphs.converting import fixed_placeholders, source_graphs
from tfgraphtools.graphs.tf2 import functions, trained_constants

Tensors = Union[None, str, Iterable[str], Dict[str, str]]


def as_module(
    graph: Path,
    inputs: Tensors,
    outputs: Tensors,
    checkpoint: Optional[Path] = None,
    constants: Optional[Mapping[str, Any]] = None,
    trainable: Union[None, bool, Iterable[str]] = None,
) -> Any:
    """Returns a graph of TF 1 as a `tf.Module`, whose variables can be trained.

    It changes neither the graph nor the checkpoint. The gradient of a while loop of TF 1's control
    flow is refused: TensorFlow cannot build it from a saved graph. A graph whose mode a placeholder
    such as ``is_training`` chooses has both modes; the mode of any other graph for
    ``training=True`` is the one that was saved. If that mode needs more inputs, such as the rate of
    a dropout, ``training=True`` raises.

    Args:
      graph: a graph, as in `show`, of TF 1. Of several in a SavedModel: that with the tag "serve",
        else that without tags.
      inputs: names of ops or tensors; or {argument of the call: tensor}. A tensor that is no
        placeholder becomes one: the graph is cut there. None: all placeholders that the outputs
        need.
      outputs: the same for the results. The call returns a tensor for a string, a list for a list
        and a dictionary for a dictionary.
      checkpoint: the prefix with the values of the variables; None takes the checkpoint beside the
        graph, or in the SavedModel. A graph without variables needs none.
      constants: {placeholder: value}: it becomes a constant in both modes, as in `extract`.
      trainable: names of constants of a frozen graph that become variables and train; True: all of
        floating-point numbers with an axis that the outputs need.

    Returns:
      A `tf.Module`. Call it with the inputs in their order or by name, and ``training=``, which is
      False by default: True takes batch statistics, dropout, and runs the update ops. It has
      ``trainable_variables``; ``graph_variables``, {name in TF 1: variable}; ``losses``, the
      regularization losses; ``signatures`` for `tf.saved_model.save`; and
      ``save_checkpoint(prefix)``, for TF 1.

    Example:
      >>> net = as_module("model.ckpt-9.meta", "images", "logits")     # doctest: +SKIP
      >>> with tf.GradientTape() as tape:
      ...     loss = cross_entropy(labels, net(images, training=True)) + sum(net.losses)
      >>> optimizer.apply_gradients(zip(
      ...     tape.gradient(loss, net.trainable_variables), net.trainable_variables))

    Raises:
      GraphExportError: a tensor or an input is missing; this TensorFlow lacks an op; the form for
        inference of an op that trains is not known; a variable is not in the checkpoint.
      ArgumentError: TensorFlow 1.15, or no eager execution; no checkpoint for a graph with
        variables.
    """
    source = GraphSource(
        "graphs.as_module", graph, inputs, outputs, checkpoint, constants, trainable
    )
    tf = source.tf
    variables = {
        name: tf.Variable(value, trainable=source.is_trainable(name), name=name, dtype=value.dtype)
        for name, value in source.values.items()
    }
    return _module_class()(source, variables)


class GraphSource:
    """A graph for inference and for training, with the values of its variables.

    Args:
      caller: the public function, for errors.
      graph, inputs, outputs, checkpoint, constants, trainable: as in `as_module`.

    Attributes:
      tf: the module.
      inference, training: the `graph_parts.GraphPart` of each mode; None for training where the
        inputs are not enough for it, and `training_error` says what lacks.
      values: {variable: its value}.
      checkpoint: the prefix, or None.
    """

    def __init__(self, caller, graph, inputs, outputs, checkpoint, constants=None, trainable=None):
        self.tf = require_tensorflow(caller)
        _require_eager(self.tf, caller)
        meta, _, graph, _ = source_graphs.read(os.fspath(graph))
        fed = graph_parts.named(inputs).values()
        fixed_placeholders.fix(meta.graph_def, constants or {}, fed, graph)
        self.values, self._places = {}, {}
        self._constants = ()
        if trainable:
            wanted = graph_parts.named(outputs).values()
            self.values = trained_constants.as_variables(meta, trainable, wanted, fed, graph)
            self._constants = tuple(self.values)
        saved = type(meta)()
        saved.CopyFrom(meta)  # a part changes what it is made of
        self.inference = graph_parts.GraphPart(graph, outputs, inputs, meta=saved)
        inputs = self.inference.inputs if inputs is None else inputs
        self.training, self.training_error = None, None
        try:
            mode = graph_parts.TRAINING
            self.training = graph_parts.GraphPart(graph, outputs, inputs, mode, meta)
        except GraphExportError as error:  # such as a rate of dropout that nobody feeds
            self.training_error = error
        for part in self._parts():
            source_graphs.require_no_python(part)
        self._structure = outputs if isinstance(outputs, (str, dict)) else None
        has_variables = any(set(part.variables) - set(self.values) for part in self._parts())
        self.checkpoint = None
        if has_variables:
            self.checkpoint = _beside(graph) if checkpoint is None else os.fspath(checkpoint)
            self._read()

    def _parts(self):
        return [part for part in (self.inference, self.training) if part is not None]

    def _read(self):
        with open_checkpoint(self.checkpoint) as ckpt:
            for part in self._parts():
                values = GraphValues(ckpt, part)
                for name in part.variables:
                    if name not in self.values:
                        self.values[name] = values.read(name)
                        self._places[name] = values.place(name)

    def is_trainable(self, name):
        """Tells whether the graph calls a variable trainable."""
        return name in self.inference.trainable

    def functions_with(self, variables):
        """Returns the `GraphFunctions` of {variable: a `tf.Variable` with its value}."""
        return GraphFunctions(self, variables)

    def structured(self, values):
        """Returns {name: output} in the structure of the caller's ``outputs``."""
        if isinstance(self._structure, str):
            return next(iter(values.values()))
        return values if isinstance(self._structure, dict) else list(values.values())

    def tensors(self, positional, named):
        """Returns the inputs of a call as tensors, in their order."""
        names = list(self.inference.inputs)
        values = dict(zip(names, positional), **named)
        if len(positional) + len(named) != len(names) or set(values) != set(names):
            raise ArgumentError(
                "the inputs of the call",
                "one for each of " + ", ".join(names),
                f"{len(positional)} by position" + "".join(f", {name}=" for name in named),
                "Pass the inputs that the graph was given with.",
            )
        nodes = {node.name: node for node in self.inference.meta.graph_def.node}
        return [
            self._tensor(name, values[name], nodes[tensor.split(":")[0]].attr["dtype"].type)
            for name, tensor in self.inference.inputs.items()
        ]

    def _tensor(self, name, value, dtype):
        """Returns an input as a tensor of a dtype that holds its values, or raises."""
        dtype = self.tf.as_dtype(dtype)
        actual = getattr(value, "dtype", None)
        if self.tf.is_tensor(value) and actual != dtype:
            fits = np.can_cast(actual.as_numpy_dtype, dtype.as_numpy_dtype)
            value = self.tf.cast(value, dtype) if fits else value
        elif not isinstance(value, np.ndarray):
            fits = True
        elif dtype.is_integer or dtype.is_bool:  # numpy would cut fractions and high bits off
            fits = np.array_equal(value.astype(dtype.as_numpy_dtype), value)
        else:
            fits = value.dtype.kind != "c" or dtype.is_complex
        if fits:
            return self.tf.convert_to_tensor(value, dtype)
        raise ArgumentError(
            f"input {name}",
            f"values of {dtype.name}",
            f"{getattr(actual, 'name', actual)} that it cannot hold as they are",
            f'Cast them: tf.cast({name}, "{dtype.name}"); a Keras input: dtype="{dtype.name}".',
        )

    def save(self, variables, destination, like, overwrite):
        """Writes {variable: what has its value} as a checkpoint of TF 1."""
        arrays = {}
        if self._constants:
            raise ArgumentError(
                "save_checkpoint",
                "a graph whose weights are a checkpoint's",
                "constants that train: " + ", ".join(sorted(self._constants)[:4]),
                "Save the module by tf.saved_model.save or tf.train.Checkpoint.",
            )
        with open_checkpoint(self.checkpoint if like is None else like) as ckpt:
            for name, variable in variables.items():
                tensor, index = self._places[name]
                if index is None:
                    arrays[tensor] = variable.numpy()
                else:
                    arrays.setdefault(tensor, np.array(ckpt.read(tensor)))[index] = variable.numpy()
            shapes = {name: tuple(ckpt.store.summary(name)[1]) for name in ckpt}
            state = optimizer_slots.optimizer_state(shapes) - {"global_step"}
            replaced = [exactly(name) for name in sorted(state.union(arrays))]
            plan(ckpt, drop=replaced, add=arrays).apply(destination, overwrite=overwrite)


class GraphFunctions:
    """The functions of a graph in both modes, with variables.

    Args:
      source: a `GraphSource`.
      variables: {variable: a `tf.Variable`}.
    """

    def __init__(self, source, variables):
        self._source = source
        self._infer = functions.outputs_of(source.tf, source.inference, variables)
        self._train = self._losses = None
        if source.training is not None:
            self._train = functions.outputs_of(source.tf, source.training, variables)
            self._losses = functions.losses_of(source.tf, source.training, variables)

    def outputs(self, positional, named, is_training):
        """Returns the outputs for inputs by position and by name."""
        if is_training and self._train is None:
            raise self._source.training_error
        function = self._train if is_training else self._infer
        return self._source.structured(function(*self._source.tensors(positional, named)))

    def losses(self):
        """Returns the regularization losses, a list of scalars."""
        has_losses = self._losses is not None and self._source.training.losses
        return self._losses() if has_losses else []

    def signature(self):
        """Returns a `tf.function` of inference."""
        tf = self._source.tf
        specs = functions.specs(tf, self._source.inference)
        return tf.function(lambda *inputs: self._infer(*inputs), input_signature=specs)


@functools.lru_cache(None)
def _module_class():
    import tensorflow as tf

    class GraphModule(tf.Module):
        """A graph of TF 1: see `tfgraphtools.graphs.as_module`."""

        def __init__(self, source, variables):
            super().__init__(name="graph")
            self.graph_variables = variables
            self._source = source
            self._functions = source.functions_with(variables)

        def __call__(self, *inputs, training=False, **named):
            """Returns the outputs; ``training=True`` runs the graph as it trains."""
            return self._functions.outputs(inputs, named, training)

        @property
        def losses(self):
            """The regularization losses of the graph, a list of scalars."""
            return self._functions.losses()

        @property
        def signatures(self):
            """The signature of inference, for `tf.saved_model.save(module, folder, signatures)`."""
            return {"serving_default": self._functions.signature()}

        def save_checkpoint(self, destination, like=None, overwrite=False):
            """Writes the variables as a checkpoint that the graph's own Saver restores.

            What the module does not have, such as global_step, comes from ``like``, which is the
            checkpoint of this module by default; an optimizer's state is left out.

            Args:
              destination: the prefix to write.
              like: a checkpoint of the graph.
              overwrite: replace a checkpoint that is there.

            Raises:
              DestinationError: the prefix is taken.
            """
            self._source.save(self.graph_variables, destination, like, overwrite)

    return GraphModule


def _require_eager(tf, caller):
    if not tf.__version__.startswith("1.") and tf.executing_eagerly():
        return
    raise ArgumentError(
        caller,
        "TensorFlow 2 with eager execution",
        f"TensorFlow {tf.__version__} in graph mode",
        "Call it outside of `with tf.Graph().as_default():`, without tf.disable_eager_execution().",
    )


def _beside(graph):
    """Returns the prefix of the checkpoint that was written with a graph."""
    prefix = showing.beside(graph)
    if prefix is not None:
        return prefix
    raise ArgumentError(
        "checkpoint",
        f"the checkpoint with the variables of {graph}",
        "None",
        'Pass its prefix: checkpoint="model.ckpt-1000".',
    )
