"""``tf.feature_column``: numbers out of the range of an identity column are refused."""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_IDENTITY = Fix(
    "tensorflow.feature_column.categorical_column_with_identity",
    "TF 2.4",
    "a number out of the range raises InvalidArgumentError; an indicator of zeros in 2.x",
)
_COLUMNS = "tensorflow.python.feature_column."


def _transform(original, self, features):
    """Refuses numbers out of the range of an identity column."""
    from tfgraphtools._tf import v1

    result = original(self, features)
    if self.default_value is not None:
        return result
    _transform_of_v1.used()
    values = result.values
    buckets = v1.cast(self._num_buckets, v1.int64, name="num_buckets")
    zero = v1.cast(0, v1.int64, name="zero")
    checks = (
        v1.assert_less(
            values,
            buckets,
            data=(values, buckets),
            message=f'Bucket index for categorical column "{self.name}" exceeds number of buckets',
            name="assert_less_than_num_buckets",
        ),
        v1.assert_greater_equal(
            values,
            zero,
            data=(values,),
            message=f'Negative bucket index for categorical column "{self.name}"',
            name="assert_greater_or_equal_0",
        ),
    )
    with v1.control_dependencies([check for check in checks if check is not None]):
        values = v1.identity(values)
    return v1.SparseTensor(result.indices, values, result.dense_shape)


_transform_of_v1 = replaces(
    _COLUMNS + "feature_column:_IdentityCategoricalColumn._transform_feature", row=_IDENTITY
)(_transform)
_transform_of_v2 = replaces(
    _COLUMNS + "feature_column_v2:IdentityCategoricalColumn._transform_input_tensor",
    row=_IDENTITY,
)(_transform)


TABLES = (replacing.table("feature columns", _transform_of_v1, _transform_of_v2, kind="patches"),)
