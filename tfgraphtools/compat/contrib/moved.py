"""Internals of TF 1.15 that only contrib and the estimator ask for, and where they are now.

What any 1.x code may ask for is in the tables of compat; this is plumbing beside them.
"""

import importlib

from tfgraphtools.compat.contrib import gone, kernels
from tfgraphtools.compat.engine import registry, views
from tfgraphtools.compat.engine.rows import Row

_PYTHON = "tensorflow.python."

#: Modules, below ``tensorflow.python``: old name -> new name.
MODULES = {"distribute.distribution_strategy_context": "distribute.distribute_lib"}

#: Modules below ``tensorflow.python`` that TF 2.x rewrote: user code gets 1.15's own source.
COPIES = (
    "framework.error_interpolation",
    "ops.linalg.linear_operator_algebra",
    "ops.parallel_for.test_util",
    "saved_model.nested_structure_coder",
)

#: Names that TF 2.x has dropped from modules below ``tensorflow.python``: of 1.15's own source.
COPIED_NAMES = {
    "data.experimental.ops.distribute": "_RebatchDataset",
    "data.experimental.ops.iterator_ops": "CheckpointInputPipelineHook",
    "framework.common_shapes": "avg_pool_shape conv2d_shape depthwise_conv2d_native_shape "
    "get2d_conv_output_size get_conv_output_size has_fully_defined_shape matmul_shape "
    "max_pool_shape no_outputs scalar_shape separable_conv2d_shape unchanged_shape "
    "unchanged_shape_with_rank unchanged_shape_with_rank_at_least "
    "unchanged_shape_with_rank_at_most",
    "layers.utils": "object_list_uid static_shape",
    "ops.linalg.linear_operator_util": "cholesky_solve_with_broadcast "
    "matrix_triangular_solve_with_broadcast",
}

#: Where 1.15's source of the two above is served.
_COPIED = "tensorflow.contrib._core."

#: Attributes of modules below ``tensorflow.python``: module -> {name: new module}, or
#: {name: "new module:new name"} where the name has changed too.
NAMES = {
    "distribute.distribute_lib": {"get_loss_reduction": "distribute.distribute_utils"},
    "distribute.input_lib": {"DatasetIterator": "distribute.v1.input_lib"},
    "distribute.parameter_server_strategy": {
        "ParameterServerStrategy": "distribute.parameter_server_strategy:ParameterServerStrategyV1"
    },
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
}


def _gone_function(name, where):
    return lambda real: kernels.gone(name, where + ".ops")


def _gone_class(name, where):
    return lambda real: gone.stand_in(name, where)


def _served(module, name):
    """A name of a module that the legacy installation serves."""
    return lambda real: getattr(importlib.import_module(module), name)


def _remove_undocumented(real):
    """TF's own, for contrib alone: contrib.framework would strip names from core's ``nest``."""

    def remove_undocumented(module_name, *args, **kwargs):
        if module_name.startswith("tensorflow.contrib."):
            real.remove_undocumented(module_name, *args, **kwargs)

    return remove_undocumented


#: What is not a move: name below ``tensorflow.python`` -> provide(real module).
OTHERS = {
    "ops.summary_ops_v2.create_db_writer": _gone_function("create_db_writer", "tf.contrib.summary"),
    "profiler.profile_context.ProfileContext": _served(
        "tensorflow.python.profiler.profile_context", "ProfileContext"
    ),
    "tpu.tpu_strategy_util.initialize_tpu_system": _gone_function(
        "initialize_tpu_system", "tf.contrib.tpu"
    ),
    **{  # the places of a frame's parts, which 1.15's own source asks for
        "util.tf_stack.TB_" + name: (lambda real, place=place: place)
        for place, name in enumerate(("FILENAME", "LINENO", "FUNCNAME", "CODEDICT"))
    },
    "util.all_util.remove_undocumented": _remove_undocumented,
    "util.tf_export.estimator_export": _served(
        "tensorflow_estimator.python.estimator.estimator_export", "estimator_export"
    ),
    **{
        "pywrap_tensorflow." + name: _gone_class(name, "tf.contrib.stat_summarizer")
        for name in ("DeleteStatSummarizer", "NewStatSummarizer", "StatSummarizer")
    },
}


def install():
    """Registers all of it."""
    for old, new in MODULES.items():
        registry.register_missing(_PYTHON + old, _row(old, _module(_PYTHON + old, _PYTHON + new)))
    for old in COPIES:
        registry.register_missing(_PYTHON + old, _row(old, _module(_PYTHON + old, _copy_of(old))))
    for old, names in COPIED_NAMES.items():
        for name in names.split():
            registry.register_attribute(_row(old + "." + name, _served(_copy_of(old), name)))
    for module, names in NAMES.items():
        for name, new in names.items():
            registry.register_attribute(_row(module + "." + name, _attribute(new, name)))
    for name, provide in OTHERS.items():
        registry.register_attribute(_row(name, provide))


def _row(name, provide):
    return Row(_PYTHON + name, None, "", provide)  # plumbing of contrib: not reported


def _module(old, new):
    return lambda: views.seen(old, importlib.import_module(new))


def _copy_of(module):
    return _COPIED + module.rpartition(".")[2]


def _attribute(new, name):
    module, _, new_name = new.partition(":")

    def provide(real):
        return getattr(importlib.import_module(_PYTHON + module), new_name or name)

    return provide
