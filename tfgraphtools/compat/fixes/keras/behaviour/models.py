"""What a model of Keras says of itself: its inputs, its outputs, and its nodes.

In TF 1.15 a functional model had a first node, from its inputs to its outputs, so that
``model.get_output_at(0)`` is what it was made of and ``get_output_at(1)`` its first call; tf_keras
begins with the first call. A model that is not built had empty lists of inputs and outputs, and
no names of them.

Source: ``Network._init_graph_network`` and ``_init_subclassed_network`` of TF 1.15.
"""

import functools
import sys

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.loading import dispatch
from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.keras.behaviour.layers import METHODS

_COPY = Row(
    "tensorflow.keras.Model.__copy__",
    "TF 2.10",
    "copy.copy(model) shares the layers and weights of the model; 2.x copies the weights too",
)
_DISTRIBUTE = Row(
    "tensorflow.keras.Model.compile",
    "TF 2.2",
    "compile(distribute=) accepts a strategy of one replica in eager execution; 2.x refuses it",
)


def _begin_with_own_node(functional):
    """Gives functional models the first node of 1.15."""
    model, node_module = functional.Functional, functional.node_module
    plain = model._init_graph_network

    def _init_graph_network(self, inputs, outputs, *arguments, **options):
        plain(self, inputs, outputs, *arguments, **options)
        nodes = self._inbound_nodes
        if nodes and not isinstance(nodes[0], Node):
            return  # a sequential model that was called before its shapes were known
        nodes[:] = [Node(self)]  # created again when layers are added

    class Node(node_module.Node):
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

    def _get_node_attribute_at_index(self, node_index, attr, attr_name):
        rows.used(METHODS)
        return super(model, self)._get_node_attribute_at_index(node_index, attr, attr_name)

    state.set_attribute(model, "_init_graph_network", _init_graph_network)
    state.set_attribute(model, "_get_node_attribute_at_index", _get_node_attribute_at_index)


def _know_nothing_before(training):
    """An unbuilt model of user code has empty lists, and no names; in 2.x all is None."""
    for name in ("inputs", "outputs", "input_names", "output_names", "history"):
        state.set_attribute(training.Model, name, _unknown_at_first(name), new=True)


def _unknown_at_first(name):
    def get(self):
        value = vars(self).get(name)
        if value is None and dispatch.is_user_module(sys._getframe(1).f_globals):
            rows.used(METHODS)
            if name in ("inputs", "outputs"):
                return []
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return value

    def set_(self, value):
        vars(self)[name] = value

    return property(get, set_)


def _share_what_is_copied(module):
    def __copy__(self):
        rows.used(_COPY)
        new = object.__new__(type(self))
        vars(new).update(vars(self))
        return new

    state.set_attribute(module.Model, "__copy__", __copy__, new=True)


def _compile_for_one_replica(module):
    plain = module.Model._validate_compile

    @functools.wraps(plain)
    def _validate_compile(self, optimizer, metrics, **options):
        if getattr(options.get("distribute"), "num_replicas_in_sync", 0) == 1:
            rows.used(_DISTRIBUTE)
            del options["distribute"]  # one replica computes what the model itself does
        return plain(self, optimizer, metrics, **options)

    state.set_attribute(module.Model, "_validate_compile", _validate_compile)


CHANGES = (
    (METHODS, "engine.functional", _begin_with_own_node),
    (METHODS, "engine.training", _know_nothing_before),
    (_COPY, "engine.training", _share_what_is_copied),
    (_DISTRIBUTE, "engine.training", _compile_for_one_replica),
)
