"""``feature_column_v2.LinearModel``: the linear model of feature columns, which TF 2.x dropped.

The sum of what each column contributes, by weights that begin with zeros, and a bias.
"""

import functools

from tfgraphtools.compat.engine.rows import Row, Table


def _columns():
    from tensorflow.python.feature_column import feature_column_v2

    return feature_column_v2


class _Sum:
    """The computation of a `LinearModel`, for a class that is a layer of Keras as well."""

    def __init__(
        self,
        feature_columns,
        units=1,
        sparse_combiner="sum",
        trainable=True,
        name=None,
        **options,
    ):
        super().__init__(name=name, trainable=trainable, **options)
        columns = _columns()
        self._feature_columns = columns._normalize_feature_columns(feature_columns)
        for column in self._feature_columns:
            if not isinstance(column, (columns.DenseColumn, columns.CategoricalColumn)):
                raise ValueError(
                    "Items of feature_columns must be either a DenseColumn or "
                    f"CategoricalColumn. Given: {column}"
                )
        self._units = units
        self._sparse_combiner = sparse_combiner
        self._state_manager = columns._StateManagerImpl(self, self.trainable)
        self.bias = None

    def build(self, _):
        from tensorflow.python.ops import variable_scope

        from tfgraphtools._tf import v1

        with variable_scope._pure_variable_scope(self.name):
            for column in self._feature_columns:
                with variable_scope._pure_variable_scope(column.name):
                    self._build_column(column)
            self.bias = self.add_weight(
                name="bias_weights",
                dtype=v1.float32,
                shape=[self._units],
                initializer=v1.zeros_initializer(),
                trainable=self.trainable,
                use_resource=True,
                getter=v1.get_variable,  # which a scope's partitioner reaches
            )
        super().build(None)

    def _build_column(self, column):
        from tfgraphtools._tf import v1

        column.create_state(self._state_manager)
        is_sparse = isinstance(column, _columns().CategoricalColumn)
        size = column.num_buckets if is_sparse else column.variable_shape.num_elements()
        self._state_manager.create_variable(
            column,
            name="weights",
            dtype=v1.float32,
            shape=(size, self._units),
            initializer=v1.zeros_initializer(),
            trainable=self.trainable,
        )

    def call(self, features):
        from tfgraphtools._tf import v1

        if not isinstance(features, dict):
            raise ValueError(f"We expected a dictionary here. Instead we got: {features}")
        columns = _columns()
        with v1.name_scope(self.name):
            cache = columns.FeatureTransformationCache(features)
            sums = [self._sum_of(column, cache) for column in self._feature_columns]
            columns._verify_static_batch_size_equality(sums, self._feature_columns)
            total = v1.add_n(sums, name="weighted_sum_no_bias")
            return v1.nn.bias_add(total, self.bias, name="weighted_sum")

    def _sum_of(self, column, cache):
        from tfgraphtools._tf import v1

        with v1.name_scope(column.name):
            return _columns()._create_weighted_sum(
                column=column,
                transformation_cache=cache,
                state_manager=self._state_manager,
                sparse_combiner=self._sparse_combiner,
                weight_var=self._state_manager.get_variable(column, "weights"),
            )

    def get_config(self):
        from tensorflow.python.feature_column import serialization

        serialized = serialization.serialize_feature_columns(self._feature_columns)
        return dict(
            super().get_config(),
            feature_columns=serialized,
            units=self._units,
            sparse_combiner=self._sparse_combiner,
        )

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from tensorflow.python.feature_column import serialization

        feature_columns = serialization.deserialize_feature_columns(
            config["feature_columns"], custom_objects=custom_objects
        )
        return cls(**dict(config, feature_columns=feature_columns))


@functools.lru_cache(maxsize=None)
def _layer():
    from tf_keras.src.engine.base_layer import Layer

    return type("_LinearModelLayer", (_Sum, Layer), {"__doc__": _Sum.__doc__})


@functools.lru_cache(maxsize=None)
def _model():
    from tf_keras.src.engine import training

    class LinearModel(training.Model):
        """Predictions of a linear model, ``[batch, units]``, from a dictionary of features."""

        def __init__(
            self,
            feature_columns,
            units=1,
            sparse_combiner="sum",
            trainable=True,
            name=None,
            **options,
        ):
            super().__init__(name=name, **options)
            self.layer = _layer()(
                feature_columns, units, sparse_combiner, trainable, name=self.name, **options
            )

        def call(self, features):
            return self.layer(features)

        @property
        def bias(self):
            return self.layer.bias

    return LinearModel


_WHY = "the linear model of feature columns: a weight per bucket or number, and a bias"

TABLES = (
    Table(
        "the linear model of feature columns",
        "names",
        [
            Row(
                "tensorflow.python.feature_column.feature_column_v2." + name,
                "TF 2.4",
                _WHY,
                provide,
            )
            for name, provide in (
                ("LinearModel", lambda real: _model()),
                ("_LinearModelLayer", lambda real: _layer()),
            )
        ],
    ),
)
