"""Names that a layer or a model of Keras has of its own, on every backend."""

#: Of `keras.layers.Layer`, `keras.Model`, and `torch.nn.Module`, which they are on PyTorch.
_OWN = frozenset(
    "T_destination activity_regularizer add_loss add_metric add_module add_variable add_weight "
    "apply autocast bfloat16 buffers build build_from_config built call call_signature_parameters "
    "call_super_init children compile compile_from_config compiled compute_dtype compute_loss "
    "compute_mask compute_metrics compute_output_shape compute_output_spec count_params cpu cuda "
    "double dtype dtype_policy dump_patches eval evaluate export extra_repr fit float forward "
    "from_config get_buffer get_build_config get_compile_config get_config get_extra_state "
    "get_layer get_metrics_result get_parameter get_quantization_layer_structure get_state_tree "
    "get_submodule get_weights half input input_dtype input_spec inputs ipu jit_compile layers "
    "load_own_variables load_state_dict load_weights loss losses make_predict_function "
    "make_test_function make_train_function metrics metrics_names metrics_variables modules mtia "
    "name named_buffers named_children named_modules named_parameters non_trainable_variables "
    "non_trainable_weights operation optimizer output outputs parameters path predict "
    "predict_function predict_on_batch predict_step quantization_mode quantize quantized_build "
    "quantized_call register_backward_hook register_buffer register_forward_hook "
    "register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook "
    "register_load_state_dict_post_hook register_load_state_dict_pre_hook register_module "
    "register_parameter register_state_dict_post_hook register_state_dict_pre_hook "
    "rematerialized_call requires_grad_ reset_metrics run_eagerly save save_own_variables "
    "save_weights set_extra_state set_state_tree set_submodule set_weights share_memory state_dict "
    "stateless_call stateless_compute_loss steps_per_execution stop_training summary supports_jit "
    "supports_masking symbolic_call test_function test_on_batch test_step to to_empty to_json "
    "torch_params train train_function train_on_batch train_step trainable trainable_variables "
    "trainable_weights training type variable_dtype variables weights xpu zero_grad".split()
)


def attribute(name):
    """Returns what a member of a layer is called: ``layers_`` where Keras has ``layers``."""
    return name + "_" if name in _OWN else name


def path(key):
    """Returns the key of a tensor by the attributes of layers."""
    return ".".join(map(attribute, key.split(".")))
