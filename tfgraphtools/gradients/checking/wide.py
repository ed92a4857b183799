"""The same function in double precision: a copy of the graph that y is computed by.

In float32 a step is so large that it crosses the kinks of a network, or so small that
rounding is all that is left. In the copy steps of 1e-8 are exact to eight digits.
"""

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1

_WIDER = {
    getattr(tf, narrow).as_datatype_enum: getattr(tf, wider)
    for narrow, wider in [
        ("float16", "float64"),
        ("bfloat16", "float64"),
        ("float32", "float64"),
        ("complex64", "complex128"),
    ]
}
#: Stateful ops that a copy may run for itself: they hand out no data and draw no numbers.
_ALLOWED = _tf.VARIABLES | _tf.RESOURCE_READERS | _tf.CALLS | {"Assert", "Placeholder"}
_STORES = ("Stack", "TensorArray", "TensorList")


class WideCopy:
    """y as a function of a value of x, in double precision.

    With its gradient, the same backward ops in double precision: what rounding hides in float16, an
    error of 1%, is plain there. Raises what TensorFlow does where the graph has no such copy, or
    ValueError.

    Args:
      y, fed: tensors of the user's graph: y, and what stands for x.
      session: where the values of the variables are.
      feed_dict: of the user, for what else y is computed from.
      backward: the gradient of y and the placeholder of its weights, to be copied too, or ().
    """

    def __init__(self, y, fed, session, feed_dict, backward=()):
        ops = _tf.upstream_ops([y, *backward], controls=True)
        self._graph = _widened_graph([y, *backward])
        self._session = _tf.plain_session(self._graph)
        self._y, self._fed = self._of(y), self._of(fed)
        self._backward = [self._of(tensor) for tensor in backward]
        known = {op.name for op in self._graph.get_operations()}
        tensors = {y.graph.as_graph_element(key): value for key, value in feed_dict.items()}
        self._feeds = {
            self._of(tensor): value for tensor, value in tensors.items() if tensor.op.name in known
        }
        self._initialize([op for op in ops if op.type in _tf.VARIABLES], session)

    def at(self, value):
        """Returns y at a value of x."""
        fed = dict(self._feeds)
        fed[self._fed] = value
        return self._session.run(self._y, fed)

    def gradient(self, value, weights):
        """Returns the gradient of y with these weights at a value of x, or None."""
        if not self._backward:
            return None
        gradient, placeholder = self._backward
        fed = dict(self._feeds)
        fed.update({self._fed: value, placeholder: weights})
        try:
            return self._session.run(gradient, fed)
        except Exception:  # pylint: disable=broad-except  # an op without double precision
            return None

    def close(self):
        """Closes its session."""
        self._session.close()

    def _of(self, tensor):
        return self._graph.get_tensor_by_name(tensor.name)

    def _initialize(self, variables, session):
        """Gives the copies of variables the values that the session has."""
        if not variables:
            return
        with variables[0].graph.as_default(), v1.control_dependencies(None):
            values = session.run([_read(op) for op in variables])
        with self._graph.as_default():
            for op, value in zip(variables, values):
                copied = self._graph.get_operation_by_name(op.name).outputs[0]
                self._session.run(_assign(copied, op.get_attr("dtype"), value))


def _read(variable):
    """Returns the value of a variable, by its op."""
    if _tf.is_ref(variable.outputs[0]):
        return variable.outputs[0]
    return tf.raw_ops.ReadVariableOp(
        resource=variable.outputs[0], dtype=variable.get_attr("dtype"), name="check/read"
    )


def _assign(variable, dtype, value):
    """Returns the op that gives a value to the copy of a variable of this dtype."""
    value = tf.constant(value, _WIDER.get(dtype.as_datatype_enum, dtype))
    if _tf.is_ref(variable):
        return v1.assign(variable, value, validate_shape=False)
    return tf.raw_ops.AssignVariableOp(resource=variable, value=value)


def _widened_graph(tensors):
    source = tensors[0].graph
    definition = _tf.sub_graph(source.as_graph_def(), [tensor.op.name for tensor in tensors])
    functions = definition.library.function
    nodes = list(definition.node) + [node for function in functions for node in function.node_def]
    for node in nodes:
        _check_node(node, source)
        for value in node.attr.values():
            _widen(value)
        node.device = ""
    for function in functions:
        signature = function.signature
        for argument in [*signature.input_arg, *signature.output_arg]:
            if argument.type in _WIDER:
                argument.type = _WIDER[argument.type].as_datatype_enum
    graph = v1.Graph()
    with graph.as_default():
        v1.import_graph_def(definition, name="")
    return graph


def _check_node(node, graph):
    """Refuses what another precision or a session of its own gives another meaning."""
    kind = node.op
    if kind in _ALLOWED or kind.startswith(_STORES):
        return
    if kind == "Bitcast" or _tf.is_stateful_type(kind, graph):
        raise ValueError(f"no double precision for {node.name!r} of type {kind}")
    if any(dtype in _WIDER for dtype in _tf.fixed_output_types(kind, graph)):
        raise ValueError(f"{node.name!r} of type {kind} rounds whatever it is given")


def _widen(value):
    """Replaces the dtypes in an AttrValue."""
    if value.type in _WIDER:
        value.type = _WIDER[value.type].as_datatype_enum
    for i, dtype in enumerate(value.list.type):
        if dtype in _WIDER:
            value.list.type[i] = _WIDER[dtype].as_datatype_enum
    for tensor in [value.tensor, *value.list.tensor]:
        if tensor.dtype in _WIDER:
            wider = _WIDER[tensor.dtype].as_numpy_dtype
            tensor.CopyFrom(tf.make_tensor_proto(np.asarray(tf.make_ndarray(tensor), wider)))
    for function in [value.func, *value.list.func]:
        for inner in function.attr.values():
            _widen(inner)
