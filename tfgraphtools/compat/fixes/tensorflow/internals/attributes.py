"""Attributes of graphs, ops, tensors and strategies that left, and what says the same."""

from tfgraphtools.compat.engine.attributes import fallback_row
from tfgraphtools.compat.engine.rows import Row, Table


def _of(class_name, function):
    """The fallback for instances of a class of TensorFlow, and for the class itself."""

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

#: Methods that have another name now.
_RENAMED = {
    "_value_structure": ("OptionalSpec", lambda spec: spec._element_spec),
    "none_from_structure": ("Optional", lambda optional: optional.empty),
    "optional_restore": ("SaveableObject", lambda saveable: False),
    "value_structure": ("Optional", lambda optional: optional.element_spec),
}


def _uses_learning_phase(tensor):
    """Whether Keras's learning phase is among what a tensor of a graph is computed from."""
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


#: What TF 0.12 called methods and fields of objects; all others of its classes are in 1.15, too.
_BEFORE_ONE = {
    "pack": ("TensorArray", lambda array: array.stack),
    "unpack": ("TensorArray", lambda array: array.unstack),
}


TABLE = Table(
    "attributes of graphs and strategies",
    "listed",
    [
        fallback_row(
            "tensorflow.methods_before_one",
            "TF 1.0",
            "array.pack() and array.unpack(x) of a TensorArray",
            {name: _of(*how) for name, how in _BEFORE_ONE.items()},
            "tensorflow",
        ),
        fallback_row(
            "tensorflow.renamed_methods",
            "TF 2.2",
            "value_structure of Optional, optional_restore of saveable objects",
            {name: _of(*how) for name, how in _RENAMED.items()},
            "tensorflow",
        ),
        fallback_row(
            "tensorflow.private_attributes",
            "TF 2.14",
            "op._inputs, op._outputs, graph._version, tensor._value_index and similar attributes; "
            "op._node_def and op._op_def are bytes in 2.x; shape._dims holds numbers in 2.x",
            {name: _of(*how) for name, how in {**_FALLBACKS, **_OTHER_KIND}.items()},
            "tensorflow",
            first=_OTHER_KIND,
            cannot="private attributes of graphs: it depends on the class of an object, which the "
            "source does not show",
        ),
        fallback_row(
            "keras.uses_learning_phase",
            "TF 1.13",
            "tensor._uses_learning_phase and model.uses_learning_phase are derived from the graph",
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
)


def _in_both_modes(real, used):
    """1.15's own order of events: a test that skips itself in one of the modes has passed."""

    def run_in_graph_and_eager_modes(
        func=None, config=None, use_gpu=True, reset_test=True, assert_no_eager_garbage=False
    ):
        def decorator(test):
            if isinstance(test, type):
                raise ValueError(
                    "`run_in_graph_and_eager_modes` only supports test methods. "
                    "Did you mean to use `run_all_in_graph_and_eager_modes`?"
                )

            def decorated(self, *arguments, **options):
                used()
                _in_graph_mode(self, lambda: test(self, *arguments, **options), config, use_gpu)
                _in_eager_mode(self, lambda: test(self, *arguments, **options), use_gpu, reset_test)

            return decorated

        return decorator if func is None else decorator(func)

    return run_in_graph_and_eager_modes


def _in_graph_mode(case, test, config, use_gpu):
    import unittest

    from tensorflow.python.eager import context

    try:
        with context.graph_mode(), case.test_session(use_gpu=use_gpu, config=config):
            test()
    except unittest.SkipTest:
        pass


def _in_eager_mode(case, test, use_gpu, reset):
    import contextlib

    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

    if reset:
        case.tearDown()
        case._tempdir = None
    graph = ops.Graph()
    with graph.as_default(), context.eager_mode():
        if reset:
            case.setUp()
        with contextlib.nullcontext() if use_gpu else ops.device("/device:CPU:0"):
            test()
    ops.dismantle_graph(graph)


def _without_new_objects(real, used):
    plain = real.assert_no_new_pyobjects_executing_eagerly

    def assert_no_new_pyobjects_executing_eagerly(f=2):
        if not callable(f):  # how often it warms up
            return plain(f)
        used()
        return plain()(f)

    return assert_no_new_pyobjects_executing_eagerly


CALLS = Table(
    "helpers of TensorFlow's tests",
    "calls",
    [
        Row(
            "tensorflow.python.framework.test_util.run_in_graph_and_eager_modes",
            "TF 2.9",
            "takes reset_test and assert_no_eager_garbage; a test may skip itself in one mode",
            _in_both_modes,
        ),
        Row(
            "tensorflow.python.framework.test_util.assert_no_new_pyobjects_executing_eagerly",
            "TF 2.10",
            "also decorates a test without parentheses; 2.x then never runs the test",
            _without_new_objects,
        ),
    ],
)
