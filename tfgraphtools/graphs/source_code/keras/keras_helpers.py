"""Functions and classes that a model brings along where Keras has none that is equal."""

from tfgraphtools.graphs.source_code.keras import keras_image_helpers
from tfgraphtools.graphs.source_code.statements import helper_texts

_ATTENTION = '''
def attention(queries, keys, values, mask=None, scale=None):
    """Returns softmax(queries @ transposed keys * scale + mask) @ values."""
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    scores = queries @ ops.swapaxes(keys, -1, -2) * scale
    if mask is not None:
        scores = scores + mask
    return ops.softmax(scores, axis=-1) @ values
'''

_UNIT_ROWS = '''
def unit_rows(x, axis, epsilon):
    """Divides by the length along an axis; epsilon is the least square of a length."""
    squares = ops.sum(ops.square(x), axis=axis, keepdims=True)
    return x * ops.rsqrt(ops.maximum(squares, epsilon))
'''

_CROSS_ENTROPY = '''
def cross_entropy(logits, labels):
    """Cross-entropy with the gradient softmax(logits) - labels, also of rows of 0."""
    loss = ops.categorical_crossentropy(labels, logits, from_logits=True)
    linear = ops.logsumexp(logits, axis=-1) - ops.sum(labels * logits, axis=-1)
    return linear + ops.stop_gradient(loss - linear)
'''

_GATHER = '''
def gather_nd(x, places):
    """Takes the elements of which each row of places has the leading indices."""
    shape, count = ops.shape(x), places.shape[-1]
    flat = places[..., 0]
    for axis in range(1, count):
        flat = flat * shape[axis] + places[..., axis]
    return ops.take(ops.reshape(x, (-1, *shape[count:])), flat, axis=0)
'''

_BUCKET = '''
def bucket_of(x, limits):
    """Returns how many of some limits a number reaches."""
    reached = ops.expand_dims(x, axis=-1) >= ops.convert_to_tensor(limits, x.dtype)
    return ops.sum(ops.cast(reached, "int32"), axis=-1)
'''

_STACK = '''
def stack_rows(rows, size, axis=0):
    """Stacks what a loop gave; zeros follow where it ended before a size."""
    missing = ops.zeros_like(rows[0])
    return ops.stack(rows + [missing] * (int(size) - len(rows)), axis=axis)
'''

_REVERSE = '''
def reverse_sequence(x, lengths):
    """Reverses the first steps of each sequence, as many as its length says."""
    steps = ops.arange(ops.shape(x)[1])
    places = ops.expand_dims(ops.cast(lengths, "int32"), axis=-1) - 1 - steps
    places = ops.where(places >= 0, places, steps)
    return ops.take_along_axis(x, ops.expand_dims(places, axis=-1), axis=1)
'''

_MASKED = '''
class Masked{name}(keras.layers.{name}):
    """Stops at the length of each sequence: zeros follow, and the state stays."""

    def __init__(self, units, **kwargs):
        super().__init__(units, zero_output_for_mask=True, **kwargs)

    def call(self, x, lengths, initial_state=None, training=False):
        lengths = ops.expand_dims(ops.cast(lengths, "int32"), axis=-1)
        mask = ops.arange(ops.shape(x)[1]) < lengths
        return super().call(x, initial_state, mask=mask, training=training)
'''

_FUSED_BATCH_NORMALIZATION = '''
class FusedBatchNormalization(keras.layers.BatchNormalization):
    """Batch normalization that corrects its moving variance by n / (n - 1).

    TensorFlow's fused op does so; Keras takes the variance of the batch itself.
    """

    def call(self, x, training=False):
        if training and self.trainable:
            axes = tuple(range(len(x.shape) - 1))
            count = ops.cast(ops.size(x) / x.shape[-1], x.dtype)
            missing = ops.var(x, axis=axes) / ops.maximum(count - 1, 1)
            y = super().call(x, training=True)
            self.moving_variance.assign_add((1 - self.momentum) * missing)
            return y
        return super().call(x, training=False)
'''

_COLUMNS = '''
class {name}Embedding(keras.layers.Embedding):
    """The {name_in_text} of the rows of several ids; ids below 0 are missing."""

    def call(self, ids):
        is_given = ops.expand_dims(ids >= 0, axis=-1)
        rows = ops.where(is_given, super().call(ops.maximum(ids, 0)), 0.0)
        total = ops.sum(rows, axis=1)
        return {result}
'''

#: {name: text}, each before what it calls it.
_HELPERS = {
    "attention": _ATTENTION,
    "unit_rows": _UNIT_ROWS,
    "cross_entropy": _CROSS_ENTROPY,
    "bucket_of": _BUCKET,
    "gather_nd": _GATHER,
    "reverse_sequence": _REVERSE,
    **{f"Masked{name}": _MASKED.format(name=name) for name in ("LSTM", "SimpleRNN")},
    "stack_rows": _STACK,
    "FusedBatchNormalization": _FUSED_BATCH_NORMALIZATION,
    **keras_image_helpers.HELPERS,
    "SumEmbedding": _COLUMNS.format(name="Sum", name_in_text="sum", result="total"),
    "MeanEmbedding": _COLUMNS.format(
        name="Mean",
        name_in_text="mean",
        result="total / ops.maximum(ops.sum(ops.cast(is_given, rows.dtype), axis=1), 1)",
    ),
}


def needed(source):
    """Returns the text of the helpers that a source calls."""
    return helper_texts.needed(source, _HELPERS)
