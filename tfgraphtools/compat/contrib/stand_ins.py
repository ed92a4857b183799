"""Stand-ins for modules of contrib and the estimator that cannot run on today's TensorFlow."""

import importlib
import types

from tfgraphtools.compat.contrib import op_wrappers
from tfgraphtools.compat.engine.loading import made_modules

_TPU = "it needs the TPU runtime of TF 1.15"

BOOSTED_TREES = "TF 2.x still names the ops of boosted trees, but has no kernels for them"

_TREES = "tensorflow.contrib.boosted_trees."
_TREES_GONE = "contrib's boosted trees are C++ ops, and were removed before 1.15"

#: Modules that stand in as long as nothing of theirs is used: name -> why.
MODULES = {
    "tensorflow.contrib.saved_model.python.saved_model.keras_saved_model": (
        "this is the export of Keras 2.2; use save() of tf.keras models"
    ),
    "tensorflow.contrib.tpu.python.tpu.keras_support": _TPU,
    "tensorflow_estimator.python.estimator.canned.boosted_trees": BOOSTED_TREES,
    **dict.fromkeys(
        [
            _TREES + "estimator_batch",
            _TREES + "estimator_batch.custom_loss_head",
            _TREES + "estimator_batch.dnn_tree_combined_estimator",
            _TREES + "estimator_batch.estimator",
            _TREES + "estimator_batch.trainer_hooks",
            _TREES + "proto",
            _TREES + "proto.learner_pb2",
        ],
        _TREES_GONE,
    ),
    "tensorflow.core.framework.remote_fused_graph_execute_info_pb2": (
        "it runs fused graphs on the DSP of phones with C++ ops of TF 1.15"
    ),
    "tensorflow.tools.graph_transforms": "its transforms are C++ ops of TF 1.15",
    "tensorflow.python.tpu.tpu_embedding": _TPU,
    "tensorflow.python.tpu.tpu_embedding_gradient": _TPU,
    "tensorflow.python.tpu.profiler": _TPU,
}


def spec(name):
    """Returns the spec of a stand-in."""
    return made_modules.spec(name, lambda name: StandIn(name, MODULES[name]))


class StandIn(types.ModuleType):
    """A module whose every name is a class that says why it cannot be made."""

    __all__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        full = self.__name__ + "." + name
        is_module = full in MODULES
        value = importlib.import_module(full) if is_module else stand_in(name, self.__name__)
        setattr(self, name, value)
        return value


def stand_in(name, module):
    """Returns a class whose constructor says why it cannot be used."""
    return type(name, (), {"__module__": module, "__init__": _refuse})


def why(value):
    """Returns why nobody can use what a module here has under some name; None for anything else."""
    if isinstance(value, type) and vars(value).get("__init__") is _refuse:
        return MODULES.get(value.__module__, "it needs C++ ops of TF 1.15")
    return None


def _refuse(self, *args, **kwargs):
    raise op_wrappers.gone_error(type(self).__name__, type(self).__module__)
