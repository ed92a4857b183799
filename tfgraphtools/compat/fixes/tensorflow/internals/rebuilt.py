"""Internals that 2.x does without, where a few lines do what they did."""

import contextlib

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.internals.private import MODULES as GENERATED


def _nothing(*arguments, **options):
    """Stands for a registration that TF no longer needs."""


def _register_shape(real):
    class RegisterShape:
        """Shape functions live in C++ since 1.0: a Python one is not called."""

        def __init__(self, op_type):
            self.op_type = op_type

        def __call__(self, function):
            return function

    return RegisterShape


def _node_def(real):
    def _NodeDef(op_type, name, device=None, attrs=None):
        node_def = real._NodeDef(op_type, name, attrs)
        if device is not None:
            node_def.device = device(node_def) if callable(device) else real._device_string(device)
        return node_def

    return _NodeDef


def _op_def_library(real):
    class OpDefLibrary:
        """Builds ops by their type; TF 2.x has functions for it."""

        def add_op(self, op_def):
            """Does nothing: a loaded library has registered its ops."""

        add_op_list = add_op

        def apply_op(self, op_type_name, name=None, **keywords):
            return real.apply_op(op_type_name, name, **keywords)

        def _apply_op_helper(self, op_type_name, name=None, **keywords):
            return real._apply_op_helper(op_type_name, name, **keywords)

    return OpDefLibrary


def _ops_of_a_module(real):
    from tensorflow.python.framework import op_def_library

    return _op_def_library(op_def_library)()


def _op_callback(real):
    """The context manager that two functions replaced."""

    @contextlib.contextmanager
    def calling(callback_fn):
        def callback(op_type, inputs, attrs, outputs, op_name=None, graph=None):
            if graph is not None and op_type in ("Const", b"Const"):  # were made another way
                return None
            return callback_fn(op_type, inputs, attrs, outputs, op_name=op_name, graph=graph)

        real.add_op_callback(callback)
        try:
            yield
        finally:
            real.remove_op_callback(callback)

    def op_callback(callback_fn):
        if not callable(callback_fn):  # at once, before the block is entered
            raise ValueError(
                "Passed callback function cannot be None."
                if callback_fn is None
                else "Callback function passed to op_callback() is expected to be callable, but "
                f"is not. Got {callback_fn}: pass a function(op_type, inputs, attrs, outputs, "
                "op_name=None, graph=None)"
            )
        return calling(callback_fn)

    return op_callback


def _registered_ops(real):
    def get_registered_ops():
        from tensorflow.core.framework import op_def_pb2
        from tensorflow.python.client import pywrap_tf_session

        listed = op_def_pb2.OpList()
        buffer = pywrap_tf_session.TF_GetAllOpList()
        listed.ParseFromString(pywrap_tf_session.TF_GetBuffer(buffer))
        return {op.name: op for op in listed.op}

    return get_registered_ops


def _in_graph_mode(real):
    return lambda: not real.executing_eagerly()


def _like_rnncell(real):
    def like_rnncell(cell):
        parts = ("output_size", "state_size", "zero_state")
        return callable(cell) and all(hasattr(cell, part) for part in parts)

    return like_rnncell


def linear_of_cells(real):
    """The helper that hand-written cells call: ``[a, b] x W + b``.

    Until 1.0 its signature was (args, output_size, bias, bias_start, scope), and its
    variables were "Matrix" and "Bias" in that scope.
    """

    def linear(args, output_size, bias, *old, bias_start=None, scope=None, **initializers):
        if old and not isinstance(old[0], (int, float)):
            initializers.update(zip(("bias_initializer", "kernel_initializer"), old))
        elif old:
            bias_start, scope = (old + (scope,))[:2]
        if bias_start is None and scope is None:
            return _product(args, output_size, bias, ("kernel", "bias"), **initializers)
        from tfgraphtools._tf import v1

        start = v1.constant_initializer(bias_start or 0.0)
        with v1.variable_scope(scope or "Linear"):
            return _product(args, output_size, bias, ("Matrix", "Bias"), bias_initializer=start)

    return linear


def _product(args, size, bias, names, bias_initializer=None, kernel_initializer=None):
    from tfgraphtools._tf import v1

    args = list(args) if isinstance(args, (list, tuple)) else [args]
    joined = args[0] if len(args) == 1 else v1.concat(args, 1)
    shape = [int(joined.shape[1]), size]
    kernel = v1.get_variable(names[0], shape, dtype=joined.dtype, initializer=kernel_initializer)
    product = v1.matmul(joined, kernel)
    if not bias:
        return product
    start = v1.zeros_initializer() if bias_initializer is None else bias_initializer
    offset = v1.get_variable(names[1], [size], dtype=joined.dtype, initializer=start)
    return v1.nn.bias_add(product, offset)


def _layer():
    from tf_keras.src.legacy_tf_layers import base

    return base.Layer


def _tensor_like(real):
    from tensorflow.python.framework import indexed_slices, sparse_tensor, tensor

    kinds = (tensor.Tensor, sparse_tensor.SparseTensor, indexed_slices.IndexedSlices)

    class Kind(type):
        def __instancecheck__(cls, instance):
            return isinstance(instance, kinds)

        def __subclasscheck__(cls, other):
            return issubclass(other, kinds)

    return Kind("_TensorLike", (), {"__module__": real.__name__})


def _not_trackable(real):
    class NotTrackable:
        """Marks what is not to be saved with the object that holds it."""

    return NotTrackable


def _bfloat16_type(real):
    from tfgraphtools._tf import v1

    return lambda: v1.bfloat16.as_numpy_dtype


def _keras_model_summary():
    from tf_keras.src import callbacks

    return callbacks.keras_model_summary


def _partitioned_call(real):
    """Takes a function of `Defun`, of which it knows the types of the results."""

    def partitioned_call(
        args, f, tout=None, executing_eagerly=None, config=None, executor_type=None
    ):
        from tensorflow.python.ops import gen_functional_ops
        from tensorflow.python.util import function_utils

        from tfgraphtools.compat.fixes.tensorflow.behaviour import functions

        if tout is None:
            tout = tuple(result.type for result in f.definition.signature.output_arg)
        if config is None:
            config = function_utils.get_disabled_rewriter_config()
        kind = "stateful_partitioned_call" if f.stateful_ops else "partitioned_call"
        call = getattr(gen_functional_ops, kind)
        types = dict(args=args, Tout=tout, f=f)
        return functions.result_or_op(
            lambda: call(**types, config_proto=config, executor_type=executor_type or "") or None
        )

    return partitioned_call


def _reduced_shape(real):
    def reduced_shape(input_shape, axes):
        from tfgraphtools._tf import v1

        return v1.convert_to_tensor(real.reduced_shape(input_shape, axes))

    return reduced_shape


def _rpc_options(real):
    from tensorflow.core.protobuf import rpc_options_pb2

    return rpc_options_pb2.RPCOptions


#: (name, since when: the first version of which it was found missing, why, provide)
_ROWS = [
    (
        "pywrap_tensorflow.TF_bfloat16_type",
        "TF 2.2",
        "the type of bfloat16 in NumPy",
        _bfloat16_type,
    ),
    (
        "ops.summary_ops_v2.keras_model",
        "TF 2.5",
        "writes a model's configuration; Keras has it",
        lambda real: _keras_model_summary(),
    ),
    (
        "training.tracking.tracking.NotTrackable",
        "TF 2.2",
        "marks objects that are not saved",
        _not_trackable,
    ),
    ("eager.context.in_graph_mode", "TF 1.7", "not executing_eagerly()", _in_graph_mode),
    ("layers.base._Layer", "TF 1.3", "Layer", lambda real: _layer()),
    ("ops.rnn_cell._linear", "TF 1.0", "[a, b] x kernel + bias", linear_of_cells),
    ("ops.rnn_cell.linear", "TF 0.12", "[a, b] x Matrix + Bias", linear_of_cells),
    ("ops.rnn_cell_impl._linear", "TF 1.5", "[a, b] x kernel + bias", linear_of_cells),
    (
        "ops.rnn_cell_impl._like_rnncell",
        "TF 1.10",
        "whether an object has the attributes of a cell",
        _like_rnncell,
    ),
    (
        "framework.ops.RegisterShape",
        "TF 2.1",
        "shape functions live in C++: a no-op",
        _register_shape,
    ),
    (
        "framework.ops.set_shapes_for_outputs",
        "TF 1.8",
        "shapes are inferred: a no-op",
        lambda real: _nothing,
    ),
    (
        "framework.ops._TensorLike",
        "TF 2.3",
        "the class of which tensors are instances",
        _tensor_like,
    ),
    ("framework.ops.register_dense_tensor_like_type", "TF 2.3", "a no-op", lambda real: _nothing),
    (
        "framework.common_shapes.call_cpp_shape_fn",
        "TF 2.1",
        "shapes are inferred: a no-op",
        lambda real: _nothing,
    ),
    ("framework.ops._NodeDef", "TF 2.1", "takes device= before attrs=", _node_def),
    ("framework.ops._set_call_cpp_shape_fn", "TF 2.1", "a no-op", lambda real: _nothing),
    ("framework.op_def_registry.register_op_list", "TF 2.1", "a no-op", lambda real: _nothing),
    (
        "framework.op_def_registry.get_registered_ops",
        "TF 2.1",
        "the registered ops of the binary",
        _registered_ops,
    ),
    (
        "framework.op_def_library.OpDefLibrary",
        "TF 2.1",
        "builds ops by their type",
        _op_def_library,
    ),
    (
        "ops.math_ops.reduced_shape",
        "TF 2.2",
        "returns a tensor, also for a known shape",
        _reduced_shape,
    ),
    (
        "ops.functional_ops.partitioned_call",
        "TF 2.13",
        "calls a function of Defun, and infers the types of its results",
        _partitioned_call,
    ),
    ("framework.op_callbacks.op_callback", "TF 2.2", "adds and removes a callback", _op_callback),
    *(
        (module + "._op_def_lib", "TF 2.1", "builds ops by their type", _ops_of_a_module)
        for module in (
            "framework.test_ops",
            *("ops.gen_" + name + "_ops" for name in GENERATED),
        )
    ),
    (
        "framework.tensor_shape.scalar",
        "TF 2.1",
        "TensorShape([])",
        lambda real: lambda: real.TensorShape([]),
    ),
    (
        "framework.tensor_shape.vector",
        "TF 2.1",
        "TensorShape([length])",
        lambda real: lambda length: real.TensorShape([length]),
    ),
    (
        "framework.tensor_shape.matrix",
        "TF 2.1",
        "TensorShape([rows, columns])",
        lambda real: lambda rows, columns: real.TensorShape([rows, columns]),
    ),
]

#: What tests combine with strategies, of which Keras has the names by now.
_COMBINED = (
    "adagrad_optimizer_keras_v2_fn adagrad_optimizer_v1_fn adam_optimizer_keras_v2_fn "
    "adam_optimizer_v1_fn distributions_and_v1_and_v2_optimizers distributions_and_v1_optimizers "
    "distributions_and_v2_optimizers gradient_descent_optimizer_keras_v2_fn "
    "gradient_descent_optimizer_v1_fn optimizers_v1 optimizers_v1_and_v2 optimizers_v2 "
    "rmsprop_optimizer_keras_v2_fn rmsprop_optimizer_v1_fn"
).split()


def _combined(name):
    def provide(real):
        from tf_keras.src.distribute import optimizer_combinations

        return getattr(optimizer_combinations, name)

    return provide


TABLE = Table(
    "internals that were removed",
    "names",
    [Row("tensorflow.python." + name, *row) for name, *row in _ROWS]
    + [
        Row(
            "tensorflow.core.protobuf.config_pb2.RPCOptions",
            "TF 2.14",
            "the module rpc_options_pb2 has it",
            _rpc_options,
        )
    ]
    + [
        Row(
            "tensorflow.python.distribute.strategy_combinations." + name,
            "TF 2.6",
            "Keras has it today: an optimizer for tests of strategies",
            _combined(name),
        )
        for name in _COMBINED
    ],
)
