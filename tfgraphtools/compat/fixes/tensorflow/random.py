"""``tf.random``: names of the results, and static shapes of gamma numbers."""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.replacing import replaces
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.tensorflow.name_scope import named_result

_uniform = in_place_of(
    "tensorflow.random_uniform tensorflow.random.uniform",
    "TF 2.0",
    "random_uniform(..., name='z') gives z:0; z/RandomUniform:0 in 2.x",
)(named_result)

_V1 = "tensorflow.compat.v1:"


@replaces(
    "tensorflow.python.ops.random_ops:random_gamma",
    also=(_V1 + "random_gamma", _V1 + "random.gamma"),
    name="shapes.random_gamma",
    since="TF 2.0",
    why="dimensions that alpha or beta know are known of random_gamma, where another is unknown",
    cannot="call set_shape on the result",
)
def _random_gamma(original, *arguments, **options):
    """Takes what `alpha` and `beta` know; 2.x broadcasts to a shape that the graph computes."""
    from tensorflow.python.framework import tensor_util
    from tensorflow.python.ops import array_ops

    result = original(*arguments, **options)
    if hasattr(result, "op"):  # not in eager execution
        # maximum(tiny, gamma(shape, broadcast_to(alpha)) / beta)
        gamma, beta = result.op.inputs[1].op.inputs
        shape, broadcast = gamma.op.inputs
        of_parameters = array_ops.broadcast_static_shape(broadcast.op.inputs[0].shape, beta.shape)
        before = str(result.shape)  # there is no list of an unknown rank
        result.set_shape(tensor_util.constant_value_as_shape(shape).concatenate(of_parameters))
        if str(result.shape) != before:
            _random_gamma.used()
    return result


TABLES = (
    Table("random numbers under the name of the call", "calls", _uniform),
    replacing.table("static shapes of random numbers", _random_gamma, kind="patches"),
)
