"""Layers, cells and variables that made other numbers of ops in TF 1.15."""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.seeds.array_ops import is_tensor
from tfgraphtools.compat.seeds.corrections import exactly, instead, more

_KERAS = "tf_keras.src."


def _convolution(call):
    layer = call.args[0]
    return int(all(rate == 1 for rate in layer.dilation_rate))


def _convolution_transpose(call):
    """TF 1.15 computed the height and width of the output by ops also when they are known."""
    layer, inputs = call.args[0], call.argument(1, "inputs")
    height, width = (2, 3) if layer.data_format == "channels_first" else (1, 2)
    sizes = inputs.shape.as_list()
    if None in (sizes[height], sizes[width]):
        return 0
    return 10 if layer.padding == "same" else 14


def _fused_batch_norm(call):
    from tensorflow.python.ops import resource_variable_ops

    layer, training = call.args[0], call.argument(2, "training")
    if not is_tensor(training) and not training:
        return 1
    made = 0 if is_tensor(training) else 2
    return made - 2 * resource_variable_ops.is_resource_variable(layer.moving_mean)


def _flatten(call):
    """TF 1.15 took an unknown batch size from the tensor: shape, slice, pack."""
    inputs = call.argument(1, "inputs")
    batch, *others = inputs.shape.as_list()
    return 6 if batch is None and None not in others else 0


def _regularizer(call):
    """Squares (or sizes), sum, factor, and a sum with zero; the variable is read first."""
    from tensorflow.python.ops import resource_variable_ops

    return 7 + resource_variable_ops.is_resource_variable(call.argument(1, "x"))


def _sparse_lookup(original):
    """TF 2.x looks ids up within the sum, TF 1.15 each different one once before it."""

    def lookup(params, segments, weights, ids, combiner, ignore_weights, max_norm, *others):
        from tensorflow.python.ops import array_ops, embedding_ops, math_ops

        if not ignore_weights:
            return original(
                params, segments, weights, ids, combiner, ignore_weights, max_norm, *others
            )
        _, partition_strategy, name = others
        if segments.dtype != "int32":
            segments = math_ops.cast(segments, "int32")
        ids, places = array_ops.unique(ids)
        embeddings = embedding_ops.embedding_lookup(
            params, ids, partition_strategy=partition_strategy, max_norm=max_norm
        )
        combine = {
            "sum": math_ops.sparse_segment_sum,
            "mean": math_ops.sparse_segment_mean,
            "sqrtn": math_ops.sparse_segment_sqrt_n,
        }[combiner]
        return combine(embeddings, places, segments, name=name)

    return lookup


def _identity_column(call):
    """TF 1.15 asserted that ids are in range, where nothing stands in for those that are not."""
    if not rows.is_off("tensorflow.feature_column.categorical_column_with_identity"):
        return 0  # the fix asserts so
    return 38 if call.args[0].default_value is None else 0


TABLE = Table(
    "layers, cells and variables",
    "listed",
    [
        Row(
            "seeds.layers.conv",
            "TF 2.0",
            "a convolutional layer made a constant for its dilation rate",
            more(_KERAS + "layers.convolutional.base_conv:Conv.convolution_op", _convolution),
        ),
        Row(
            "seeds.layers.conv2d_transpose",
            "TF 2.0",
            "conv2d_transpose computed the size of its output in the graph",
            more(
                _KERAS + "layers.convolutional.conv2d_transpose:Conv2DTranspose.call",
                _convolution_transpose,
            ),
        ),
        Row(
            "seeds.layers.batch_normalization",
            "TF 2.0",
            "fused batch normalization made constants of its empty statistics and momentum",
            more(
                _KERAS + "layers.normalization.batch_normalization:"
                "BatchNormalizationBase._fused_batch_norm",
                _fused_batch_norm,
            ),
        ),
        Row(
            "seeds.layers.flatten",
            "TF 2.0",
            "flatten took an unknown batch size from the tensor: six ops more",
            more(_KERAS + "layers.reshaping.flatten:Flatten.call", _flatten),
        ),
        Row(
            "seeds.regularizers.l1",
            "TF 2.3",
            "keras.regularizers.l1 made seven ops",
            exactly(_KERAS + "regularizers:L1.__call__", _regularizer),
        ),
        Row(
            "seeds.regularizers.l2",
            "TF 2.3",
            "keras.regularizers.l2 made seven ops",
            exactly(_KERAS + "regularizers:L2.__call__", _regularizer),
        ),
        Row(
            "seeds.categorical_column_with_identity",
            "TF 2.0",
            "categorical_column_with_identity asserted that its ids are in range",
            more(
                "tensorflow.python.feature_column.feature_column_v2:IdentityCategoricalColumn."
                "_transform_input_tensor",
                _identity_column,
            ),
        ),
        Row(
            "seeds.embedding_lookup_sparse",
            "TF 2.14",
            "embedding_lookup_sparse looked up each unique id once, before it combined them",
            instead(
                "tensorflow.python.ops.embedding_ops:embedding_lookup_sparse_impl", _sparse_lookup
            ),
        ),
        Row(
            "seeds.TensorArray.size",
            "TF 2.0",
            "the size of a TensorArray (and the end of dynamic_rnn) was always an op",
            exactly(
                "tensorflow.python.ops.tensor_array_ops:_GraphTensorArray.size",
                lambda call: 1,
            ),
        ),
    ],
)
