"""What of ``tf.contrib`` another public function does, under other names of its arguments.

`upgrade` uses these rewrites where the runtime may not be imported: the runtime has the
functions of contrib themselves, which name their ops otherwise.
"""

from tfgraphtools.compat.engine.rewrites.kinds import Call, Rename

_V1 = "tensorflow.compat.v1."

#: The names of the arguments of `contrib.losses`, in its order.
_LOSSES = {
    "absolute_difference": "predictions labels weights scope",
    "cosine_distance": "predictions labels axis weights scope",
    "log_loss": "predictions labels weights epsilon scope",
    "mean_pairwise_squared_error": "predictions labels weights scope",
    "mean_squared_error": "predictions labels weights scope",
    "sigmoid_cross_entropy": "logits multi_class_labels weights label_smoothing scope",
    "softmax_cross_entropy": "logits onehot_labels weights label_smoothing scope",
    "sparse_softmax_cross_entropy": "logits labels weights scope",
}

_ALL_LOSSES = "add_loss compute_weighted_loss get_losses get_regularization_losses get_total_loss"

#: Of `contrib.metrics`, each called streaming_... there.
_METRICS = {
    **dict.fromkeys(
        "accuracy mean_absolute_error mean_squared_error precision recall "
        "root_mean_squared_error false_negatives false_positives true_positives".split(),
        "predictions labels",
    ),
    "auc": "predictions labels",
    "mean": "values weights metrics_collections updates_collections name",
    "mean_iou": "predictions labels num_classes",
}

_DATASETS = (
    "Counter CsvDataset RandomDataset SqlDataset TFRecordWriter bucket_by_sequence_length "
    "choose_from_datasets copy_to_device dense_to_sparse_batch enumerate_dataset "
    "get_single_element group_by_reducer group_by_window ignore_errors make_csv_dataset "
    "make_saveable_from_iterator map_and_batch parallel_interleave parse_example_dataset "
    "prefetch_to_device rejection_resample sample_from_datasets scan shuffle_and_repeat "
    "unbatch unique"
)

_LOOKUP = "tensorflow.python.ops.lookup_ops."
_TABLES = (
    "index_table_from_file index_to_string_table_from_file IdTableWithHashBuckets "
    "TextFileIdTableInitializer TextFileStringTableInitializer"
)


def _named(to, words):
    words = words.split()
    keywords = {old: new for old, new in _BEFORE_ONE.items() if new in words}
    return Call(to, keywords, tuple(words))


#: What arguments of losses and metrics were called before 1.0.
_BEFORE_ONE = {"weight": "weights", "targets": "labels"}


#: Of `contrib.framework`: the same functions as in ``tf.train``.
_CHECKPOINTS = "init_from_checkpoint list_variables load_checkpoint load_variable"

INSTEAD = {
    "framework.nest": Rename(_V1 + "nest"),
    "framework.nest.is_sequence": Rename(_V1 + "nest.is_nested"),
    **{f"framework.{name}": Rename(f"{_V1}train.{name}") for name in _CHECKPOINTS.split()},
    **{f"losses.{name}": _named(f"{_V1}losses.{name}", words) for name, words in _LOSSES.items()},
    **{f"losses.{name}": Rename(f"{_V1}losses.{name}") for name in _ALL_LOSSES.split()},
    **{
        f"metrics.streaming_{name}": _named(f"{_V1}metrics.{name}", words)
        for name, words in _METRICS.items()
    },
    "metrics.confusion_matrix": _named(
        _V1 + "math.confusion_matrix", "labels predictions num_classes dtype name weights"
    ),
    **{f"data.{name}": Rename(f"{_V1}data.experimental.{name}") for name in _DATASETS.split()},
    **{f"lookup.{name}": Rename(_LOOKUP + name) for name in _TABLES.split()},
    **{
        f"lookup.{name}": Call(_LOOKUP + name, {"mapping": "vocabulary_list"})
        for name in ("index_table_from_tensor", "index_to_string_table_from_tensor")
    },
    "lookup.HashTable": Rename(_V1 + "lookup.StaticHashTable"),
    "compiler.jit.experimental_jit_scope": Rename(_V1 + "xla.experimental.jit_scope"),
    "eager.Iterator": Rename("builtins.iter"),
    "eager.Variable": Rename(_V1 + "Variable"),
    "tensorboard.plugins.projector": Rename("tensorboard.plugins.projector"),
}


def instead(name):
    """The rewrite of a name of contrib to a public function of today, or None.

    Example:
      >>> instead("tensorflow.contrib.eager.Variable")
      Rename(to='tensorflow.compat.v1.Variable', uncalled=None)
    """
    name = name[len("tensorflow.contrib.") :]
    owner, _, leaf = name.rpartition(".")
    found = INSTEAD.get(name)
    if found is None and isinstance(INSTEAD.get(owner), Rename):  # a module
        return Rename(f"{INSTEAD[owner].to}.{leaf}")
    return found
