"""Private attributes of ``tf.Graph``, ``tf.Operation``, tensors and strategies that left."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.engine.translate.removed_attributes import fallback_row


def _of(class_name, function):
    """Returns the fallback for instances of a class of TensorFlow, and for the class itself."""

    def fallback(value):
        kind = value if isinstance(value, type) else type(value)
        if kind.__name__ == "ShouldUseWrapper":  # what a write to a TensorArray gives
            kind = value.__class__
        for cls in kind.__mro__:
            if cls.__name__ == class_name and cls.__module__.startswith("tensorflow."):
                return function(value)
        raise AttributeError

    return fallback


_FALLBACKS = {
    "_inputs": ("Operation", lambda op: list(op.inputs)),
    "_outputs": ("Operation", lambda op: list(op.outputs)),
    "_control_inputs": ("Operation", lambda op: list(op.control_inputs)),
    "_next_id_counter": ("Graph", lambda graph: graph.version),
    "_version": ("Graph", lambda graph: graph.version),
    "_last_id": ("Graph", lambda graph: graph.version),
    "_value_index": ("Tensor", lambda tensor: tensor.value_index),
    "_consumers": ("Tensor", lambda tensor: tensor.consumers()),
}

#: Attributes that are still there: bytes of protos, and a tuple of numbers.
_OTHER_KIND = {
    "_node_def": ("Operation", lambda op: op.node_def),
    "_op_def": ("Operation", lambda op: op.op_def),
    "_dims": ("TensorShape", lambda shape: shape.dims),
}


#: Names of methods of objects in TF 0.12.
_BEFORE_ONE = {
    "pack": ("TensorArray", lambda array: array.stack),
    "unpack": ("TensorArray", lambda array: array.unstack),
}


def _uses_learning_phase(tensor):
    """Tells whether Keras's learning phase is among what a tensor of a graph is computed from."""
    if type(tensor).__name__ not in ("SymbolicTensor", "Tensor"):
        raise AttributeError
    seen, waiting = set(), [tensor.op]
    while waiting:
        op = waiting.pop()
        if op.type == "PlaceholderWithDefault" and op.name.endswith("keras_learning_phase"):
            return True
        if op not in seen:
            seen.add(op)
            waiting.extend(value.op for value in op.inputs)
    return False


def _any_uses_learning_phase(model):
    if not type(model).__module__.startswith("tf_keras."):
        raise AttributeError
    return any(map(_uses_learning_phase, model.outputs))


TABLES = (
    Table(
        "attributes of graphs and strategies",
        "listed",
        [
            fallback_row(
                "tensorflow.private_attributes",
                "TF 2.14",
                "op._inputs, op._outputs, graph._version, tensor._value_index and similar "
                "attributes; in 2.x op._node_def and op._op_def are bytes, shape._dims numbers",
                {name: _of(*how) for name, how in {**_FALLBACKS, **_OTHER_KIND}.items()},
                "tensorflow",
                first=_OTHER_KIND,
                cannot="private attributes of graphs: it depends on the class of an object, which "
                "the source does not show",
            ),
            fallback_row(
                "tensorflow.methods_before_one",
                "TF 1.0",
                "array.pack() and array.unpack(x) of a TensorArray",
                {name: _of(*how) for name, how in _BEFORE_ONE.items()},
                "tensorflow",
            ),
            fallback_row(
                "keras.uses_learning_phase",
                "TF 1.13",
                "tensor._uses_learning_phase and model.uses_learning_phase are derived from the "
                "graph",
                {
                    "_uses_learning_phase": _uses_learning_phase,
                    "uses_learning_phase": _any_uses_learning_phase,
                },
            ),
            fallback_row(
                "tensorflow.distribute.Strategy.experimental_run_v2",
                "TF 2.5",
                "strategy.experimental_run_v2(...) is strategy.run(...)",
                {"experimental_run_v2": _of("StrategyBase", lambda strategy: strategy.run)},
                "tensorflow",
            ),
        ],
    ),
)
