"""Modules of ``tensorflow.python`` (and of before 1.0) that have another name now."""

import importlib

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.internals import held

#: since when -> {old module: today's}, both under ``tensorflow.python``. The versions are the first
#: of which it was found missing.
MOVED = {
    "TF 0.12": {
        "ops.constant_op": "framework.constant_op",
    },
    "TF 1.14": {
        "training.device_util": "distribute.device_util",
    },
    "TF 2.0": {
        "autograph.core.naming": "autograph.pyct.naming",
        "profiler.profile_context": "profiler.profiler_v2",
    },
    "TF 2.2": {
        "autograph.pyct.compiler": "autograph.pyct.loader",
    },
    "TF 2.5": {
        "framework.composite_tensor_utils": "framework.composite_tensor",
        "framework.tensor_like": "framework.ops",
        "ops.losses.loss_reduction": "ops.losses.losses_impl",
    },
    "TF 2.6": {
        "ops.gen_user_ops": "user_ops.ops.gen_user_ops",
    },
    "TF 2.7": {
        "data.experimental.ops.distribute_options": "data.ops.options",
        "data.experimental.ops.optimization_options": "data.ops.options",
        "data.experimental.ops.threading_options": "data.ops.options",
    },
    "TF 2.13": {
        "training.distribute": "distribute.distribute_lib",
        "training.distribution_strategy_context": "distribute.distribute_lib",
        "util.compat_internal": "util.compat",
        "util.future_api": "util.compat",
    },
    "TF 2.14": {
        "ops.rnn_cell_wrapper_impl": "ops.rnn_cell_impl",
        "training.saving.functional_saver": "checkpoint.functional_saver",
        "training.tracking": "trackable",
        "training.tracking.base": "trackable.base",
        "training.tracking.data_structures": "trackable.data_structures",
        "training.tracking.graph_view": "checkpoint.graph_view",
        "training.tracking.layer_utils": "trackable.layer_utils",
        "training.tracking.python_state": "trackable.python_state",
        "training.tracking.tracking": "trackable.autotrackable",
        "training.tracking.util": "checkpoint.checkpoint",
    },
    "TF 2.15": {
        "ops.linalg.linear_operator_algebra": "ops.linalg.linalg_impl",
        "ops.linalg.registrations_util": "ops.linalg.property_hint_util",
    },
    "TF 2.16": {
        "training.gen_training_ops": "ops.gen_training_ops",
        "training.training_ops": "ops.gen_training_ops",
    },
    "TF 2.19": {
        "pywrap_tensorflow_internal": "pywrap_tensorflow",
    },
    "TF 2.20": {
        "eager.profiler": "profiler.profiler_v2",
        "eager.profiler_client": "profiler.profiler_client",
    },
}

#: Modules from before 1.0, or outside ``tensorflow.python``: (since when, today's).
ELSEWHERE = {
    "tensorflow.core.protobuf.graph_debug_info_pb2": (
        "TF 2.x",
        "tensorflow.core.framework.graph_debug_info_pb2",
    ),
    "tensorflow.models.rnn.rnn": ("TF 1.0", "tensorflow.python.ops.rnn"),
    "tensorflow.models.rnn.rnn_cell": ("TF 1.0", "tensorflow.python.ops.rnn_cell"),
    "tensorflow.models.rnn.seq2seq": ("TF 1.0", "tensorflow.contrib.legacy_seq2seq"),
    "tensorflow.python.ops.seq2seq": ("TF 1.0", "tensorflow.contrib.legacy_seq2seq"),
}


#: Modules of ``tensorflow.python.tpu`` that belong to the estimator.
TPU = "_tpu_estimator_embedding error_handling tpu_config tpu_context tpu_estimator util"


def _provider(name):
    def provide():
        from tfgraphtools.compat.engine import views

        return views.module(name)

    return provide


def _package(name):
    def provide():
        import types

        return types.ModuleType(name)

    return provide


def _ours(name):
    def provide():
        return importlib.import_module("tfgraphtools.compat.fixes.tensorflow.internals." + name)

    return provide


def _module_wrapper():
    import types

    from tensorflow.python.util import module_wrapper

    made = types.ModuleType("tensorflow.python.util.deprecation_wrapper")
    made.DeprecationWrapper = module_wrapper.TFModuleWrapper
    return made


def _rows():
    for since, moved in MOVED.items():
        for old, new in moved.items():
            yield since, "tensorflow.python." + old, "tensorflow.python." + new
    for old, (since, new) in ELSEWHERE.items():
        yield since, old, new
    for old, new in held.MODULES.items():
        yield "TF 2.x", "tensorflow.python." + old, "tensorflow.python." + new
    for name in TPU.split():
        new = "tensorflow_estimator.python.estimator.tpu." + name
        yield "TF 2.x", "tensorflow.python.tpu." + name, new


TABLE = Table(
    "internal modules that moved",
    "modules",
    [Row(old, since, "today's module " + new, _provider(new)) for since, old, new in _rows()]
    + [
        Row(name, "TF 1.0", "the package of the RNN tutorial's helpers", _package(name))
        for name in (
            "tensorflow.models",
            "tensorflow.models.rnn",
            "tensorflow.models.rnn.ptb",
        )
    ]
    + [
        Row(
            "tensorflow.python.util.deprecation_wrapper",
            "TF 2.0",
            "today's module_wrapper.TFModuleWrapper",
            _module_wrapper,
        ),
        Row(
            "tensorflow.models.rnn.ptb.reader",
            "TF 1.0",
            "reads the Penn Treebank, as in the RNN tutorial",
            _ours("ptb"),
        ),
    ],
)
