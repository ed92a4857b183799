"""``tf.random``: names of the results."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.tensorflow.name_scope import named_result

_uniform = in_place_of(
    "tensorflow.random_uniform tensorflow.random.uniform",
    "TF 2.0",
    "random_uniform(..., name='z') gives z:0; z/RandomUniform:0 in 2.x",
)(named_result)

TABLES = (Table("random numbers under the name of the call", "calls", _uniform),)
