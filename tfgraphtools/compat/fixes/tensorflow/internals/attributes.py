"""Private attributes of graphs, ops and tensors that user code read, and what says the same."""

from tfgraphtools.compat.engine.attributes import fallback_row
from tfgraphtools.compat.engine.rows import Row, Table


def _of(class_name, function):
    def fallback(value):
        for cls in type(value).__mro__:
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
    "_value_index": ("Tensor", lambda tensor: tensor.value_index),
    "_consumers": ("Tensor", lambda tensor: tensor.consumers()),
}

TABLE = Table(
    "private attributes of graphs",
    "listed",
    [
        fallback_row(
            "tensorflow.private_attributes",
            "TF 2.14",
            "op._inputs, op._outputs, graph._version, tensor._value_index and their kin",
            {name: _of(*how) for name, how in _FALLBACKS.items()},
            "tensorflow",
        )
    ],
)


def _in_both_modes(real, used):
    plain = real.run_in_graph_and_eager_modes

    def run_in_graph_and_eager_modes(func=None, config=None, use_gpu=True, **dropped):
        if dropped:
            used()
        return plain(func=func, config=config, use_gpu=use_gpu)

    return run_in_graph_and_eager_modes


CALLS = Table(
    "helpers of TensorFlow's tests",
    "calls",
    [
        Row(
            "tensorflow.python.framework.test_util.run_in_graph_and_eager_modes",
            "TF 2.9",
            "takes reset_test and assert_no_eager_garbage, which change nothing",
            _in_both_modes,
        )
    ],
)
