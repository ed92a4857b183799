"""Changes to single modules of the legacy installation, made to their source as it is loaded.

Each replaces a few words that must stand in the source: the packages are known by
their hashes, so a mismatch is a mistake of ours.
"""

_ARRAY_OPS = "from tensorflow.python.ops import array_ops"

#: Beside it, what calls the losses of scripts.
_LOSSES = _ARRAY_OPS + "; from tfgraphtools.compat.contrib import losses as _losses"

#: Device specifications of 1.x: their fields may be set, and they merge in place.
_DEVICES = (
    ("framework import device as ", "framework import device_spec as "),
    ("device.DeviceSpec", "device.DeviceSpecV1"),
)

#: What a strategy asks its class for.
_KEYS = "  _collective_key_base = 0\n\n  def __init__(self,\n"

#: module -> ((what stands there, what is compiled instead), ...).
ADAPTATIONS = {
    # Shapes are inferred in C++: nothing calls it.
    "tensorflow.contrib._core.common_shapes": (
        ("ops._set_call_cpp_shape_fn(call_cpp_shape_fn)", ""),
    ),
    # TF 1.0's, on the distributions of today.
    "tensorflow.contrib.bayesflow.python.ops.stochastic_tensor": (
        (
            "from tensorflow.contrib.distributions.python.ops import distribution",
            "from tensorflow.python.ops.distributions import distribution",
        ),
        (
            "self._dist.is_continuous and self._dist.is_reparameterized",
            "self._dist.reparameterization_type == distribution.FULLY_REPARAMETERIZED",
        ),
    ),
    "tensorflow.contrib.checkpoint.python.python_state": (
        (
            "_lookup_dependency(self, name)",
            "_lookup_dependency(self, name, cached_dependencies=None)",
        ),
        ('"_self_update_uid")', '"_self_update_uid", "_update_uid")'),
    ),
    "tensorflow.contrib.distribute.python.collective_all_reduce_strategy": (
        # Today's strategies keep a number for each process in their class, and options as one.
        ("  def __init__(self,\n               num_gpus", _KEYS + "               num_gpus"),
        (
            "        communication=communication,\n        cluster_resolver",
            "        communication_options=_options(implementation=communication),\n"
            "        cluster_resolver",
        ),
        (
            "from tensorflow.python.distribute import distribute_lib",
            "from tensorflow.python.distribute import distribute_lib\n"
            "from tensorflow.python.distribute.collective_util import Options as _options",
        ),
    ),
    "tensorflow.contrib.distribute.python.mirrored_strategy": (
        ("  def __init__(self,\n               devices", _KEYS + "               devices"),
    ),
    "tensorflow.contrib.distributions.python.ops.vector_diffeomixture": (("np.int(", "int("),),
    "tensorflow.contrib.framework.python.ops.variables": _DEVICES,
    "tensorflow.contrib.image.python.ops.image_ops": (
        # Core has its own by now.
        ('@ops.RegisterGradient("ImageProjectiveTransformV2")', ""),
    ),
    "tensorflow.contrib.learn.python.learn.datasets.base": (
        (
            "import csv",
            "import csv; from tfgraphtools.compat.datasets import downloads as _downloads",
        ),
        (
            "temp_file_name, _ = urlretrieve_with_retry(source_url)",
            "temp_file_name = _downloads.local(filename, work_directory, source_url)",
        ),
        ("np.int,", "int,"),
        ("np.float)", "float)"),
        ("np.float,", "float,"),
    ),
    "tensorflow.contrib.learn.python.learn.datasets.text_datasets": (("np.str,", "str,"),),
    "tensorflow.contrib.learn.python.learn.estimators.run_config": (
        # Today's estimator asks its configuration for more.
        (
            "self._protocol = protocol",
            "self._protocol = protocol; self._checkpoint_save_graph_def = True",
        ),
    ),
    "tensorflow.contrib.learn.python.learn.learn_io.data_feeder": (
        # An array of one element was a number to NumPy.
        (
            "out[i] = _access(data, sample)",
            "out[i] = np.reshape(_access(data, sample), out[i].shape)",
        ),
        ("int(_access(data, sample))", "int(np.reshape(_access(data, sample), ()))"),
    ),
    "tensorflow.contrib.learn.python.learn.learn_io.generator_io": (
        ("from collections import Container", "from collections.abc import Container"),
    ),
    "tensorflow.contrib.legacy_seq2seq.python.ops.seq2seq": (
        (_ARRAY_OPS, _LOSSES + ", cells as _cells"),
        ("copy.deepcopy(cell)", "_cells.copied(cell)"),
        (
            "softmax_loss_function(labels=target, logits=logit)",
            "_losses.called(softmax_loss_function, target, logit)",
        ),
    ),
    "tensorflow.contrib.opt.python.training.external_optimizer": (
        ("np.infty", "np.inf"),
        # SciPy turned float32 into float64 itself.
        ("[loss_grad_func_wrapper, initial_val]", "[loss_grad_func_wrapper, _double(initial_val)]"),
        (
            "'fun': func, 'jac': grad_func",
            "'fun': lambda x, f=func: _double(f(x)), 'jac': lambda x, f=grad_func: _double(f(x))",
        ),
        (
            "def _accumulate(list_):",
            "_double = lambda value: np.asarray(value, 'float64')\n\ndef _accumulate(list_):",
        ),
    ),
    "tensorflow.contrib.opt.python.training.weight_decay_optimizers": (
        # Nothing orders the decay and the gradient. Of a resource variable 1.15 computes the
        # gradient first; of a ref variable now one, now the other.
        (
            "_resource_apply_dense(self, grad, var):\n"
            "    with ops.control_dependencies([self._decay_weights_op(var)]):",
            "_resource_apply_dense(self, grad, var):\n    with ops.control_dependencies([grad]):\n"
            "      decay_op = self._decay_weights_op(var)\n"
            "    with ops.control_dependencies([decay_op]):",
        ),
        (
            "    decay_op = self._decay_weights_sparse_op(var, indices, scatter_add)",
            "    with ops.control_dependencies([grad]):\n"
            "      decay_op = self._decay_weights_sparse_op(var, indices, scatter_add)",
        ),
    ),
    "tensorflow.contrib.optimizer_v2.optimizer_v2": (
        # What a checkpoint asks an object for has another name, and is a mapping.
        (
            "  @property\n  def _checkpoint_dependencies(self):",
            "  def _trackable_children(self, save_type=None, **options):\n"
            "    return {one.name: one.ref for one in self._checkpoint_dependencies}\n\n"
            "  @property\n  def _checkpoint_dependencies(self):",
        ),
        (
            "_lookup_dependency(self, name)",
            "_lookup_dependency(self, name, cached_dependencies=None)",
        ),
        # A value of a checkpoint was a tensor.
        (
            "checkpoint_position=slot_variable_position)\n",
            "checkpoint_position=slot_variable_position).wrapped_value\n",
        ),
    ),
    "tensorflow.contrib.seq2seq.python.ops.beam_search_decoder": (("np.Inf", "np.inf"),),
    "tensorflow.contrib.seq2seq.python.ops.loss": (
        (_ARRAY_OPS, _LOSSES),
        (
            "softmax_loss_function(labels=targets, logits=logits_flat)",
            "_losses.called(softmax_loss_function, targets, logits_flat)",
        ),
    ),
    "tensorflow.python.eager.execution_callbacks": (("np.complex)", "complex)"),),
    "tensorflow.contrib.util.loader": (
        ("load_library.load_op_library(path)", "_kernels.Library(path)"),
        (
            "from tensorflow.python.framework import load_library",
            "from tfgraphtools.compat.contrib import kernels as _kernels",
        ),
    ),
    "tensorflow_estimator.contrib.estimator.python.estimator.replicate_model_fn": _DEVICES,
    "tensorflow_estimator.python.estimator.estimator_export": (
        # Every use of an estimator would be warned of.
        ("func = deprecation.deprecated(None, 'Use tf.keras instead.')(func)", "pass"),
        ("tf_export.ESTIMATOR_API_NAME", "tf_export.TENSORFLOW_API_NAME"),
    ),
}


def adapted(name, source):
    """Returns the source of a module, changed where it must be.

    Args:
      name: the full name of the module.
      source: the bytes of its file.
    """
    for old, new in ADAPTATIONS.get(name, ()):
        old, new = old.encode(), new.encode()
        assert old in source, (name, old)
        source = source.replace(old, new)
    return source
