"""A graph of TF 1 as a layer of Keras 3, on its TensorFlow backend."""

import functools
from typing import Any, Mapping, Optional

from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.errors import ArgumentError, MissingExtraError, TfgraphtoolsError
from tfgraphtools.graphs.tf2.module import GraphSource, Tensors

_CALLER = "graphs.as_keras_layer"


def as_keras_layer(
    graph: Path,
    inputs: Tensors,
    outputs: Tensors,
    checkpoint: Optional[Path] = None,
    name: Optional[str] = None,
    constants: Optional[Mapping[str, Any]] = None,
) -> Any:
    """Returns a graph of TF 1 as a layer of Keras 3, whose weights `fit` trains.

    Everything as in `as_module`. Keras passes ``training=`` itself; the regularization losses of
    the graph are the layer's. Weights and results keep the dtypes of the graph under every policy.
    With ``layer.trainable = False`` it infers in `fit`, too, as Keras's batch normalization does:
    no weight changes, averages included.

    Args:
      graph, inputs, outputs, checkpoint, constants: as in `as_module`.
      name: of the layer.

    Returns:
      A `keras.layers.Layer`. ``layer.graph_variables`` is {name in TF 1: weight}, and
      ``layer.save_checkpoint(prefix)`` writes them for TF 1. A model with it is saved by
      ``model.save_weights`` and ``model.export``; ``model.save`` refuses, as a ``.keras`` file has
      no place for the graph.

    Example:
      >>> body = as_keras_layer("model.ckpt-9.meta", "images", "pool5")   # doctest: +SKIP
      >>> model = keras.Sequential([body, keras.layers.Dense(10)])
      >>> model.compile("adam", "sparse_categorical_crossentropy"); model.fit(images, labels)

    Raises:
      As `as_module`; and MissingExtraError: Keras 3 is not installed.
      ArgumentError: Keras runs on another backend than TensorFlow.
    """
    layer_class = _layer_class()
    return layer_class(GraphSource(_CALLER, graph, inputs, outputs, checkpoint, constants), name)


@functools.lru_cache(None)
def _layer_class():
    keras = _keras()

    class GraphLayer(keras.layers.Layer):
        """A graph of TF 1: see `tfgraphtools.graphs.as_keras_layer`."""

        def __init__(self, source, name):
            super().__init__(name=name, dtype="float32", autocast=False)
            self.supports_jit = False  # XLA has no kernels for control flow of TF 1
            self._source = source
            self.graph_variables = {
                variable: self._weight(variable, value) for variable, value in source.values.items()
            }
            self._functions = source.functions_with(
                {name: weight.value for name, weight in self.graph_variables.items()}
            )
            self.built = True

        def _weight(self, variable, value):
            weight = self.add_weight(
                name=variable.replace("/", "."),  # Keras refuses a slash
                shape=value.shape,
                dtype=value.dtype.name,
                initializer="zeros",
                trainable=self._source.is_trainable(variable),
            )
            weight.assign(value)
            return weight

        def call(self, *inputs, training=None, **named):
            """Returns the outputs; ``training=True`` runs the graph as it trains, unless frozen."""
            for loss in self._functions.losses():
                self.add_loss(loss)
            try:
                return self._functions.outputs(inputs, named, training and self.trainable)
            except TfgraphtoolsError as error:  # Keras makes errors again, of one argument
                raise ValueError(str(error)) from error

        def save_checkpoint(self, destination, like=None, overwrite=False):
            """Writes the weights for TF 1: see ``save_checkpoint`` of `as_module`."""
            self._source.save(self.graph_variables, destination, like, overwrite)

        def get_config(self):
            """Raises `NotImplementedError`: no configuration holds a graph."""
            raise NotImplementedError(
                "A .keras file cannot hold the graph of a layer of graphs.as_keras_layer. Use "
                "model.save_weights(...) and build the model again, or model.export(folder)."
            )

    return GraphLayer


def _keras():
    try:
        import keras
    except ModuleNotFoundError:
        raise MissingExtraError(
            _CALLER, "Keras 3", "no module named 'keras'", "Install it: pip install keras."
        ) from None
    if keras.config.backend() != "tensorflow":
        raise ArgumentError(
            _CALLER,
            "Keras on the TensorFlow backend",
            keras.config.backend(),
            'Set the environment variable KERAS_BACKEND="tensorflow" before Keras is imported.',
        )
    return keras
