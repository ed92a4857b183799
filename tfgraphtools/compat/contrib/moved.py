"""Where the internals that contrib's source uses have gone in TF 2.x.

Plain moves that any 1.x code may need are rows of the tables of compat; here is the
rest, which only contrib and the estimator ask for. Rows win over these.
"""

import importlib

from tfgraphtools.compat import rows, views
from tfgraphtools.compat.contrib import gone, kernels
from tfgraphtools.compat.rows import Row

_PYTHON = "tensorflow.python."

#: Modules, below ``tensorflow.python``: old name -> new name.
MODULES = {
    "distribute.distribution_strategy_context": "distribute.distribute_lib",
    "training.tracking": "trackable",
    "training.tracking.base": "trackable.base",
    "training.tracking.data_structures": "trackable.data_structures",
    "training.tracking.graph_view": "checkpoint.graph_view",
    "training.tracking.layer_utils": "trackable.layer_utils",
    "training.tracking.python_state": "trackable.python_state",
    "training.tracking.tracking": "trackable.autotrackable",
    "training.tracking.util": "checkpoint.checkpoint",
    "training.training_ops": "ops.gen_training_ops",
    "util.compat_internal": "util.compat",
}

#: Attributes of modules below ``tensorflow.python``: module -> {name: new module}, or
#: {name: "new module:new name"} where the name has changed too.
NAMES = {
    "data.ops.iterator_ops": {"IteratorV2": "data.ops.iterator_ops:OwnedIterator"},
    "distribute.parameter_server_strategy": {
        "ParameterServerStrategy": "distribute.parameter_server_strategy:ParameterServerStrategyV1"
    },
    "distribute.input_lib": {"DatasetIterator": "distribute.v1.input_lib"},
    "eager.context": {"list_devices": "framework.config:list_logical_devices"},
    "eager.function": {"defun": "eager.polymorphic_function.polymorphic_function:function"},
    "framework.graph_util": {"convert_variables_to_constants": "framework.convert_to_constants"},
    "framework.ops": {
        "IndexedSlices": "framework.indexed_slices",
        "IndexedSlicesValue": "framework.indexed_slices",
        "Tensor": "framework.tensor",
        "convert_n_to_tensor_or_indexed_slices": "framework.indexed_slices",
        "convert_to_tensor_or_indexed_slices": "framework.indexed_slices",
        "convert_to_tensor_v2": "framework.tensor_conversion",
        "default_session": "framework.stack",
        "internal_convert_n_to_tensor_or_indexed_slices": "framework.indexed_slices",
        "internal_convert_to_tensor_or_indexed_slices": "framework.indexed_slices",
        "register_tensor_conversion_function": "framework.tensor_conversion_registry",
    },
    "framework.tensor_util": {"is_tensor": "framework.tensor_util:is_tf_type"},
    "ops.array_ops": {"stack": "ops.array_ops_stack", "unstack": "ops.array_ops_stack"},
    "ops.control_flow_ops": {
        "Assert": "ops.control_flow_assert",
        "case": "ops.control_flow_case",
        "cond": "ops.cond",
        "while_loop": "ops.while_loop",
    },
    "ops.nn": {
        "bidirectional_dynamic_rnn": "ops.rnn",
        "dynamic_rnn": "ops.rnn",
        "raw_rnn": "ops.rnn",
        "static_rnn": "ops.rnn",
        "static_state_saving_rnn": "ops.rnn",
    },
    "ops.random_ops": {"random_crop": "ops.random_crop_ops"},
    "ops.variable_scope": {"variable": "ops.variable_v1:VariableV1"},
    "ops.variables": {
        "RefVariable": "ops.ref_variable",
        "VariableV1": "ops.variable_v1",
        "is_variable_initialized": "ops.variable_v1",
    },
    "pywrap_tensorflow": {"NewCheckpointReader": "training.py_checkpoint_reader"},
    "saved_model.utils_impl": {
        "get_variables_dir": "saved_model.path_helpers",
        "get_variables_path": "saved_model.path_helpers",
    },
    "tpu.tpu": {
        "_TPU_REPLICATE_ATTR": "tpu.tpu_replication",
        "core": "tpu.tpu_name_util",
        "outside_compilation": "tpu.tpu_replication",
    },
    "tpu.tpu_system_metadata": {"_TPUSystemMetadata": "tpu.tpu_system_metadata:TPUSystemMetadata"},
    "training.tracking.tracking": {
        "CapturableResource": "trackable.resource",
        "TrackableResource": "trackable.resource",
    },
    "util.nest": {"is_sequence": "util.nest:is_nested"},
}

def _gone(name, where):
    return lambda real: kernels.gone(name, where + ".ops")


def _remove_undocumented(real):
    """TF's own, for contrib alone: contrib.framework would strip names from core's ``nest``."""

    def remove_undocumented(module_name, *args, **kwargs):
        if module_name.startswith("tensorflow.contrib."):
            real.remove_undocumented(module_name, *args, **kwargs)

    return remove_undocumented


def _register_shape(real):
    """Shapes are inferred by the ops themselves."""
    return lambda op_type: lambda function: function


def _of_core_1_15(module, name):
    def provide(real):
        return getattr(importlib.import_module("tensorflow.contrib._core." + module), name)

    return provide


def _estimator_export(real):
    module = importlib.import_module("tensorflow_estimator.python.estimator.estimator_export")
    return module.estimator_export


def _stand_in(name, module):
    return lambda real: gone.stand_in(name, module)


def _profile_context(real):
    return importlib.import_module("tensorflow.python.profiler.profile_context").ProfileContext


#: What is not a move: name below ``tensorflow.python`` -> provide(real module).
OTHERS = {
    "data.experimental.ops.iterator_ops.CheckpointInputPipelineHook": _of_core_1_15(
        "iterator_ops", "CheckpointInputPipelineHook"
    ),
    "profiler.profile_context.ProfileContext": _profile_context,
    "tpu.tpu_strategy_util.initialize_tpu_system": _gone("initialize_tpu_system", "tf.contrib.tpu"),
    "util.tf_export.estimator_export": _estimator_export,
    **{
        "pywrap_tensorflow." + name: _stand_in(name, "tf.contrib.stat_summarizer")
        for name in ("DeleteStatSummarizer", "NewStatSummarizer", "StatSummarizer")
    },
    "framework.common_shapes.call_cpp_shape_fn": lambda real: None,
    "framework.ops.RegisterShape": _register_shape,
    "framework.ops.register_dense_tensor_like_type": lambda real: lambda tensor_type: None,
    "ops.summary_ops_v2.create_db_writer": _gone("create_db_writer", "tf.contrib.summary"),
    "util.all_util.remove_undocumented": _remove_undocumented,
}


def install():
    """Registers what no row of a table says already."""
    known = {row.name for table in rows.tables() for row in table.rows}
    for old, new in MODULES.items():
        if _PYTHON + old not in known:
            views.register_missing(_PYTHON + old, _row(old, _module(_PYTHON + old, _PYTHON + new)))
    for module, names in NAMES.items():
        for name, new in names.items():
            if "{}{}.{}".format(_PYTHON, module, name) not in known:
                views.register_attribute(_row(module + "." + name, _attribute(new, name)))
    for name, provide in OTHERS.items():
        if _PYTHON + name not in known:
            views.register_attribute(_row(name, provide))


def _row(name, provide):
    return Row(_PYTHON + name, None, "", provide)  # plumbing of contrib: not reported


def _module(old, new):
    return lambda: views.seen(old, importlib.import_module(new))


def _attribute(new, name):
    module, _, new_name = new.partition(":")

    def provide(real):
        return getattr(importlib.import_module(_PYTHON + module), new_name or name)

    return provide
