"""Modules that ``tensorflow.python`` itself held as attributes: ``tf.python.control_flow_ops``."""

#: package below ``tensorflow.python`` -> the names, and that of the module where it is another one.
_HELD = {
    "": "py_tf=pywrap_tensorflow",
    "compat": "fwd_compat=compat v2_compat",
    "compiler.xla": "jit xla",
    "eager": "context wrap_function",
    "framework": (
        "common_shapes config constant_op dtypes errors errors_impl framework_ops=ops "
        "graph_util pydev=device random_seed sparse_tensor tensor_shape tensor_spec "
        "tensor_util type_spec"
    ),
    "lib.io": "file_io python_io",
    "ops": (
        "array_grad array_ops bitwise=bitwise_ops check_ops clip_ops control_flow_ops "
        "control_flow_util cudnn_rnn_grad data_flow_grad gen_array_ops gen_batch_ops "
        "gen_control_flow_ops gen_data_flow_ops gen_functional_ops gen_io_ops gen_linalg_ops "
        "gen_math_ops gen_nn_ops gen_parsing_ops gen_random_ops gen_sparse_ops gen_state_ops "
        "gen_stateless_random_ops gen_string_ops gradient_checker_v2 image=image_ops "
        "initializers=initializers_ns linalg_ops_impl list_ops manip=manip_ops manip_grad "
        "map_fn math_grad math_ops metrics nn nn_ops ragged random_grad random_ops "
        "resource_variable_ops rnn rnn_cell rnn_grad sets sparse_grad sparse_ops state_grad "
        "state_ops stateful_random_ops tensor_array_ops vs=variable_scope"
    ),
    "ops.distributions": "distributions",
    "ops.linalg": "linalg",
    "ops.losses": "losses",
    "ops.signal": "signal",
    "platform": "app flags gfile logging=tf_logging resource_loader sysconfig test tf_logging",
    "training": "train=training",
    "util": (
        "deprecation dispatch function_utils nest object_identity tf_inspect tf_should_use "
        "util_compat=compat"
    ),
}

#: name -> module, both below ``tensorflow.python``.
MODULES = {
    name.partition("=")[0]: ".".join(filter(None, [place, name.rpartition("=")[2]]))
    for place, names in _HELD.items()
    for name in names.split()
}
