"""The attributes of a model of Keras that describe it: its inputs, its outputs, and its nodes.

In TF 1.15 a functional model had a first node, from its inputs to its outputs, so that
``model.get_output_at(0)`` is what it was made of and ``get_output_at(1)`` its first call; tf_keras
begins with the first call. A model that is not built had empty lists of inputs and outputs, and
no names of them.

Source: ``Network._init_graph_network`` and ``_init_subclassed_network`` of TF 1.15.
"""

import functools

from tfgraphtools.compat.engine.replacing import adds as adds_for
from tfgraphtools.compat.fixes.keras.behaviour.layers import METHODS
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_MODEL = "tf_keras.src.engine.training:Model."


@replaces("tf_keras.src.engine.functional:Functional._init_graph_network", row=METHODS)
def _init_graph_network(original, self, inputs, outputs, *arguments, **options):
    """Gives a functional model the first node of 1.15."""
    original(self, inputs, outputs, *arguments, **options)
    nodes = self._inbound_nodes
    if nodes and not isinstance(nodes[0], _node_class()):
        return  # a sequential model that was called before its shapes were known
    nodes[:] = [_node_class()(self)]  # created again when layers are added


@functools.lru_cache(maxsize=None)
def _node_class():
    from tf_keras.src.engine import functional

    class Node(functional.node_module.Node):
        """The node of a model's own inputs and outputs; no layer's output leads to it."""

        def __init__(self, layer):
            # not that of Node, which would have the outputs come from the model
            self.layer, self.is_input = layer, False
            self.call_args, self.call_kwargs = [layer._nested_inputs], {}
            self.outputs = layer._nested_outputs
            self._keras_inputs, self._keras_inputs_ids_and_indices = [], []
            self._flat_arguments = functional.tf.nest.flatten(self.call_args)
            self._single_positional_tensor_passed = False
            self.flat_input_ids = []
            self.flat_output_ids = [str(id(tensor)) for tensor in layer.outputs]

        @property
        def input_shapes(self):
            return functional.tf.nest.map_structure(
                functional.backend.int_shape, self.input_tensors
            )

    return Node


def _unknown_at_first(name):
    """Returns an attribute of models that is empty, not None as in 2.x, before they are built."""

    def get(self):
        value = vars(self).get(name)
        if value is not None:
            return value
        _at_first[0].used()
        if name in ("inputs", "outputs"):
            return []
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    return adds_for(_MODEL + name, row=METHODS, through=())(property(get))


_at_first = [
    _unknown_at_first(name)
    for name in ("inputs", "outputs", "input_names", "output_names", "history")
]


@replaces(
    _MODEL + "__copy__",
    name="tensorflow.keras.Model.__copy__",
    since="TF 2.10",
    why="copy.copy(model) shares the layers and weights of the model; 2.x copies the weights too",
)
def _copy(original, self):
    _copy.used()
    new = object.__new__(type(self))
    vars(new).update(vars(self))
    return new


@replaces(
    _MODEL + "_validate_compile",
    name="tensorflow.keras.Model.compile",
    since="TF 2.2",
    why="compile(distribute=) accepts a strategy of one replica in eager execution; 2.x refuses it",
)
def _validate_compile(original, self, optimizer, metrics, **options):
    if getattr(options.get("distribute"), "num_replicas_in_sync", 0) == 1:
        _validate_compile.used()
        del options["distribute"]  # one replica computes what the model itself does
    return original(self, optimizer, metrics, **options)


REPLACEMENTS = (_init_graph_network, *_at_first, _copy, _validate_compile)
