"""``tf.nn``: the order of arguments, dropout, static shapes, sums of 16 bits."""

import numbers

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@in_place_of(
    "tensorflow.nn.softmax_cross_entropy_with_logits "
    "tensorflow.nn.sparse_softmax_cross_entropy_with_logits "
    "tensorflow.nn.sigmoid_cross_entropy_with_logits",
    "TF 1.0",
    "takes (logits, labels) by position, as before 1.0; 1.0 to 2.10 refuse positional arguments, "
    "and since 2.11 labels come first",
)
def _cross_entropy(original, used, *arguments, **options):
    if arguments or "_sentinel" in options:
        used()
    options.pop("_sentinel", None)
    if arguments and arguments[0] is None:  # 1.x: a first argument that must be None
        options.update(zip(("labels", "logits"), arguments[1:]))
    else:
        options.update(zip(("logits", "labels", "name"), arguments))
    return original(**options)


@in_place_of(
    "tensorflow.nn.nce_loss tensorflow.nn.sampled_softmax_loss",
    "TF 1.0",
    "takes (inputs, labels) by position, too, as before 1.0",
)
def _sampled_loss(original, used, weights, biases, *arguments, **options):
    """Takes the one of the third and fourth argument that holds integers as the labels."""
    if len(arguments) > 1 and _is_whole(arguments[1]) and not _is_whole(arguments[0]):
        used()
        arguments = (arguments[1], arguments[0], *arguments[2:])
    return original(weights, biases, *arguments, **options)


def _is_whole(value):
    dtype = getattr(value, "dtype", None)
    return getattr(dtype, "is_integer", getattr(dtype, "kind", "") in ("i", "u"))


@in_place_of("tensorflow.nn.conv2d", "TF 2.2", "takes a list as input")
def _conv2d(original, used, input, *arguments, **options):
    if isinstance(input, (list, tuple)):
        from tfgraphtools._tf import v1

        used()
        input = v1.convert_to_tensor(input)
    return original(input, *arguments, **options)


@in_place_of(
    "tensorflow.nn.top_k tensorflow.math.top_k", "TF 2.2", "argument 4 is the name, as in 1.15"
)
def _top_k(original, used, *arguments, **options):
    if len(arguments) == 4 and isinstance(arguments[3], str):
        used()
        options["name"], arguments = arguments[3], arguments[:3]
    return original(*arguments, **options)


@replaces(
    "tensorflow.python.ops.nn_ops:_dropout",
    name="tensorflow.nn.dropout",
    since="TF 2.0",
    why="computes x * scale * mask: a dropped NaN stays NaN, and rounding is as in 1.15; a "
    "dropped NaN is 0 in 2.x",
)
def _dropout(original, x, rate, noise_shape, uniform_sampler, dummy_rng_step, name, default_name):
    """Drops as ``dropout_v2`` of TF 1.15's ``nn_ops``."""
    from tensorflow.python.framework import tensor_util
    from tensorflow.python.ops import math_ops, nn_ops

    from tfgraphtools._tf import v1

    if isinstance(rate, numbers.Real) and not 0 < rate < 1:  # nothing is dropped, or an error
        return original(x, rate, noise_shape, uniform_sampler, dummy_rng_step, name, default_name)
    _dropout.used()
    with v1.name_scope(name, default_name, [x]):
        x = v1.convert_to_tensor(x, name="x")
        if not v1.executing_eagerly():
            rate = v1.convert_to_tensor(rate, dtype=x.dtype, name="rate")
        if tensor_util.constant_value(rate) == 0:
            return x
        noise = uniform_sampler(shape=nn_ops._get_noise_shape(x, noise_shape), dtype=x.dtype)
        kept = x * (1 / (1 - rate)) * math_ops.cast(noise >= rate, x.dtype)
        if not v1.executing_eagerly():
            kept.set_shape(x.shape)
        return kept


@replaces(
    "tensorflow.python.ops.gen_nn_ops:conv2d_backprop_input",
    name="shapes.conv2d_transpose",
    since="TF 2.3",
    why="the static shape of a transposed convolution is output_shape, including the batch",
    cannot="call set_shape(output_shape) on the result",
)
def _conv2d_backprop_input(original, input_sizes, *arguments, **options):
    """Takes the batch from the shape that is asked for; 2.x from the input, where it is unknown."""
    from tensorflow.python.framework import tensor_util

    result = original(input_sizes, *arguments, **options)
    if hasattr(result, "op"):  # not in eager execution
        shape = tensor_util.constant_value_as_shape(result.op.inputs[0])
        before = str(result.shape)  # there is no list of an unknown rank
        if shape.ndims == 4:
            result.set_shape(shape)
        if str(result.shape) != before:
            _conv2d_backprop_input.used()
    return result


_HALVES = ("float16", "bfloat16")


@replaces(
    "tensorflow.python.ops.embedding_ops:embedding_lookup_sparse_impl",
    name="embeddings.half",
    since="TF 2.2",
    why="embedding_lookup_sparse sums embeddings of 16 bits in float32, and returns float32",
)
def _combine(original, params, segments, weights, ids, combiner, ignore, max_norm, *others):
    """Combines the looked up embeddings as a table of float32, which no rounding follows.

    TF 2.x rounds the sum to the 16 bits of the table again, or adds in 16 bits. Source: TF 1.15's
    ``embedding_ops.embedding_lookup_sparse``.
    """
    from tensorflow.python.framework import dtypes
    from tensorflow.python.ops import array_ops, embedding_ops, math_ops

    partition_strategy = others[1]
    dtype = getattr(params[0], "dtype", None)
    if dtype is None or dtypes.as_dtype(dtype).base_dtype not in _HALVES:
        return original(params, segments, weights, ids, combiner, ignore, max_norm, *others)
    _combine.used()
    ids, places = array_ops.unique(ids)
    embeddings = embedding_ops.embedding_lookup(
        params, ids, partition_strategy=partition_strategy, max_norm=max_norm
    )
    embeddings = math_ops.cast(embeddings, "float32")
    return original([embeddings], segments, weights, places, combiner, ignore, None, *others)


TABLES = (
    Table(
        "functions of networks whose arguments changed",
        "calls",
        [*_cross_entropy, *_sampled_loss, *_conv2d, *_top_k],
    ),
    replacing.table(
        "results of networks", _dropout, _conv2d_backprop_input, _combine, kind="patches"
    ),
)
