"""What 1.15 had and no TF has any more: the name raises, and says why and what to do."""

from tfgraphtools.compat.engine.rows import Row, Table

_TPU_DEBUG = (
    "debug variants of TPU embedding ops; TF 2.x has no such op. Use the op without "
    "'GradAccumDebug'."
)
_STATISTICS = (
    "tf.data's statistics were removed in TF 2.6. Use tf.profiler, or leave them out: "
    "they do not change the data."
)
_LITE = (
    "the LSTM of TF Lite's converter for TF1 was removed in TF 2.x. Convert with a TF 1.15 of "
    "its own."
)
_OPTIMIZERS = ("ADAM", "Adadelta", "Adagrad", "FTRL", "Momentum", "ProximalAdagrad", "RMSProp")


def _gone(since, why, *names):
    return [Row("tensorflow." + name, since, why) for name in names]


ROWS = (
    _gone(
        "TF 2.6",
        _STATISTICS,
        "data.experimental.StatsAggregator",
        "data.experimental.StatsOptions",
        "data.experimental.bytes_produced_stats",
        "data.experimental.latency_stats",
    )
    + _gone(
        "TF 2.6",
        "options of an optimisation of tf.data that was removed. Leave them out: they do not "
        "change the data.",
        "data.experimental.MapVectorizationOptions",
    )
    + _gone(
        "TF 2.16",
        "a hook of tf.estimator, which left TF with 2.16. Save the iterator with "
        "tf.data.experimental.make_saveable_from_iterator.",
        "data.experimental.CheckpointInputPipelineHook",
    )
    + _gone(
        "TF 2.6",
        _LITE,
        "lite.experimental.get_potentially_supported_ops",
        "lite.experimental.nn",
    )
    + _gone(
        "TF 2.7",
        _TPU_DEBUG,
        *(
            f"raw_ops.{way}TPUEmbedding{name}ParametersGradAccumDebug"
            for way in ("Load", "Retrieve")
            for name in _OPTIMIZERS
        ),
    )
    + _gone(
        "TF 2.16",
        "it set up the embeddings of TPUEstimator, which left TF. Use "
        "tf.tpu.experimental.embedding.TPUEmbedding and its optimizers.",
        "tpu.experimental.AdagradParameters",
        "tpu.experimental.AdamParameters",
        "tpu.experimental.StochasticGradientDescentParameters",
    )
    + _gone(
        "TF 2.6",
        "TF 2.x removed this op. Pack the bits with tf.bitwise on uint8.",
        "raw_ops.CompareAndBitpack",
    )
    + _gone(
        "TF 2.4",
        "Keras's own export of three graphs was removed. Use model.save(path, save_format='tf').",
        "keras.experimental.export_saved_model",
    )
    + _gone(
        "TF 2.5",
        "no public program used it. Write messages with tf.logging, and numbers with tf.summary.",
        "python.training.tensorboard_logging",
    )
    + _gone(
        "TF 2.x",
        "no public program used it. Use tf.make_tensor_proto(array).",
        "python.framework.fast_tensor_util",
    )
    + _gone(
        "TF 2.15",
        "Keras's wrappers for scikit-learn were removed. Install the package scikeras.",
        "keras.wrappers",
    )
)

TABLES = (Table("names without a replacement, and why", "gone", ROWS),)
