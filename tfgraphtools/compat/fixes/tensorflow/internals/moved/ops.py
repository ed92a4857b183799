"""Names of ``tensorflow.python.ops`` that live in another module now.

The layout is that of `moved.MOVED`, of which this is a part.
"""

MOVED = {
    "ops.array_ops": [
        ("TF 2.13", "ops.array_ops_stack: stack unstack"),
        ("TF 2.x", "ops.tensor_getitem_override: _check_index _slice_helper _SLICE_TYPE_ERROR"),
        ("TF 2.x", "ops.tensor_getitem_override: _SliceHelperVar=_slice_helper_var"),
    ],
    "ops.control_flow_ops": [
        ("TF 2.14", "ops.control_flow_assert: Assert"),
        ("TF 2.14", "ops.control_flow_case: case case_v2"),
        ("TF 2.14", "ops.cond: cond"),
        ("TF 2.13", "ops.control_flow_switch_case: switch_case"),
        ("TF 2.14", "ops.while_loop: while_loop while_loop_v2"),
        ("TF 2.x", "ops.control_flow_assert: _summarize_eager"),
        ("TF 2.x", "ops.cond: _UnpackIfSingleton _cast_indexed_slice_indices cond_for_tf_v2"),
        (
            "TF 2.x",
            "ops.control_flow_case: _assert_at_most_n_true _case_create_default_action "
            "_case_verify_and_canonicalize_args _case_helper",
        ),
        (
            "TF 2.x",
            "ops.control_flow_switch_case: _indexed_case_verify_and_canonicalize_args "
            "_indexed_case_helper",
        ),
    ],
    "ops.control_flow_v2_func_graphs": [
        ("TF 2.3", "framework.func_graph: FuncGraph"),
    ],
    "ops.control_flow_v2_toggles": [
        (
            "TF 2.x",
            "ops.control_flow_util_v2: output_all_intermediates=set_output_all_intermediates",
        ),
    ],
    "ops.custom_gradient": [
        ("TF 2.6", "ops.handle_data_util: copy_handle_data"),
        ("TF 2.x", "ops.custom_gradient: get_dependent_variables=_get_dependent_variables"),
    ],
    "ops.gen_math_ops": [
        ("TF 2.3", "ops.gen_special_math_ops: bessel_i0e bessel_i1e"),
    ],
    "ops.gradients_util": [
        ("TF 2.13", "framework.func_graph: FuncGraph"),
        ("TF 2.1", "eager.backprop_util: IsTrainable"),
    ],
    "ops.lookup_ops": [
        ("TF 2.x", "ops.lookup_ops: _check_table_dtypes=check_table_dtypes"),
    ],
    "ops.math_ops": [
        ("TF 2.x", "framework.sparse_tensor: _sparse_dense_truediv"),
        ("TF 2.x", "ops.bincount_ops: bincount=bincount_v1 bincount_v1"),
        ("TF 2.x", "ops.gen_special_math_ops: bessel_i0e bessel_i1e"),
        (
            "TF 2.x",
            "profiler.internal.flops_registry: _calc_mat_mul_flops _calc_batch_mat_mul_flops",
        ),
    ],
    "ops.nn": [
        (
            "TF 2.0",
            "ops.rnn: bidirectional_dynamic_rnn dynamic_rnn raw_rnn static_rnn "
            "static_state_saving_rnn",
        ),
        ("TF 1.9", "ops.rnn: static_bidirectional_rnn"),
    ],
    "ops.nn_grad": [
        (
            "TF 2.x",
            "ops.nn_fused_batch_norm_grad: _BatchNormGrad _FusedBatchNormGradGrad "
            "_FusedBatchNormGradGradV2 _FusedBatchNormGradGradV3",
        ),
    ],
    "ops.nn_impl": [
        ("TF 2.15", "ops.nn_impl_distribute: compute_average_loss scale_regularization_loss"),
        ("TF 2.x", "ops.nn_impl: l2_normalize_v2=l2_normalize"),
    ],
    "ops.nn_ops": [
        ("TF 2.x", "ops.nn_ops: _convert_padding=convert_padding"),
    ],
    "ops.parallel_for": [
        ("TF 2.15", "ops.parallel_for.gradients: batch_jacobian jacobian"),
        ("TF 2.15", "ops.parallel_for.control_flow_ops: for_loop"),
        ("TF 2.x", "ops.parallel_for.control_flow_ops: pfor"),
    ],
    "ops.ragged.ragged_dispatch": [
        ("TF 2.x", "ops.ragged.ragged_array_ops: _ragged_expand_dims_v1 _ragged_size_v1"),
        ("TF 2.x", "ops.ragged.ragged_gather_ops: _ragged_gather_v1 _ragged_gather_nd_v1"),
        ("TF 2.x", "ops.ragged.ragged_squeeze_op: _ragged_squeeze_v1"),
    ],
    "ops.random_ops": [
        ("TF 2.14", "ops.random_crop_ops: random_crop"),
    ],
    "ops.resource_variable_ops": [
        (
            "TF 2.x",
            "ops.resource_variable_ops: "
            "variable_handle_from_shape_and_dtype=_variable_handle_from_shape_and_dtype",
        ),
        ("TF 2.x", "ops.ref_variable: _to_proto_fn"),
    ],
    "ops.rnn": [
        ("TF 1.0", "ops.rnn: rnn=static_rnn bidirectional_rnn=static_bidirectional_rnn"),
        ("TF 1.0", "ops.rnn: state_saving_rnn=static_state_saving_rnn"),
    ],
    "ops.standard_ops": [
        ("TF 2.13", "ops.array_ops_stack: stack unstack"),
        ("TF 2.x", "ops.cond: cond"),
        ("TF 2.14", "ops.random_crop_ops: random_crop"),
        ("TF 2.13", "ops.variable_v1: VariableV1 is_variable_initialized"),
        ("TF 2.x", "ops.while_loop: while_loop"),
    ],
    "ops.summary_ops_v2": [
        (
            "TF 2.x",
            "ops.summary_ops_v2: ResourceSummaryWriter=_ResourceSummaryWriter "
            "NoopSummaryWriter=_NoopSummaryWriter _graph=graph",
        ),
    ],
    "ops.variable_scope": [
        ("TF 2.14", "ops.ref_variable: default_variable_creator"),
        ("TF 2.13", "ops.resource_variable_ops: default_variable_creator_v2"),
        (
            "TF 2.16",
            "ops.resource_variables_toggle: disable_resource_variables "
            "enable_resource_variables resource_variables_enabled _DEFAULT_USE_RESOURCE",
        ),
        ("TF 2.14", "ops.variable_v1: variable=VariableV1"),
    ],
    "ops.variables": [
        ("TF 2.13", "ops.variable_v1: VariableV1 is_variable_initialized"),
        ("TF 2.13", "ops.ref_variable: RefVariable"),
    ],
}
