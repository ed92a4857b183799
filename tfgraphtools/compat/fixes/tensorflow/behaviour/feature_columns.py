"""Feature columns: what 1.15 refused, and how a column gives its configuration."""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _refuse_other_buckets():
    """Makes `categorical_column_with_identity` refuse numbers out of its range."""
    from tensorflow.python.feature_column import feature_column, feature_column_v2

    for owner, method in (
        (feature_column._IdentityCategoricalColumn, "_transform_feature"),
        (feature_column_v2.IdentityCategoricalColumn, "_transform_input_tensor"),
    ):
        state.set_attribute(owner, method, _checked(getattr(owner, method)))


def _checked(plain):
    @functools.wraps(plain)
    def transform(self, features):
        from tfgraphtools._tf import v1

        result = plain(self, features)
        if self.default_value is not None:
            return result
        rows.used(_IDENTITY)
        values = result.values
        buckets = v1.cast(self._num_buckets, v1.int64, name="num_buckets")
        zero = v1.cast(0, v1.int64, name="zero")
        checks = (
            v1.assert_less(
                values,
                buckets,
                data=(values, buckets),
                message=f'Bucket index for categorical column "{self.name}" '
                "exceeds number of buckets",
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

    return transform


_IDENTITY = Row(
    "tensorflow.feature_column.categorical_column_with_identity",
    "TF 2.4",
    "a number out of the range raises InvalidArgumentError; an indicator of zeros in 2.x",
    _refuse_other_buckets,
)


def _give_configurations():
    from tensorflow.python.feature_column import feature_column_v2_types

    kind = feature_column_v2_types.FeatureColumn

    def _get_config(self):
        if type(self).get_config is kind.get_config:
            raise NotImplementedError("Must be implemented in subclasses.")
        rows.used(_CONFIGURATION)
        return self.get_config()

    def _from_config(cls, config, custom_objects=None, columns_by_name=None):
        if cls.from_config.__func__ is kind.from_config.__func__:
            raise NotImplementedError("Must be implemented in subclasses.")
        rows.used(_CONFIGURATION)
        return cls.from_config(config, custom_objects, columns_by_name)

    state.set_attribute(kind, "_get_config", _get_config)
    state.set_attribute(kind, "_from_config", classmethod(_from_config))


_CONFIGURATION = Row(
    "feature_column._get_config",
    "TF 2.2",
    "column._get_config() and _from_config() are get_config() and from_config()",
    _give_configurations,
)

TABLE = Table("feature columns", "patches", [_IDENTITY, _CONFIGURATION])
