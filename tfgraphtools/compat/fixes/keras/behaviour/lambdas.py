"""Lambda layers that create variables: 1.15 kept them by name, among the layer's weights."""

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_ROW = Row(
    "tensorflow.keras.layers.Lambda.call",
    "TF 2.1",
    "a Lambda layer whose function creates variables has them as weights, and uses them again at "
    "its next call; in 2.x that is an error",
)


def _keep_variables(module):
    def call(self, inputs, mask=None, training=None):
        from tf_keras.src import backend

        from tfgraphtools._tf import v1

        arguments = dict(self.arguments)
        if self._fn_expects_mask_arg:
            arguments["mask"] = mask
        if self._fn_expects_training_arg:
            arguments["training"] = training

        def create(next_creator, **options):
            return _created(self, backend, next_creator, options)

        with v1.variable_creator_scope(create):
            return self.function(inputs, **arguments)

    state.set_attribute(module.Lambda, "call", call)


def _created(layer, backend, next_creator, options):
    """The layer's variable of this name: a new one where it has none."""
    rows.used(_ROW)
    known = layer.__dict__.setdefault("_variables_by_name", {})
    name = options.get("name")
    if name not in known:
        variable = known[name] = next_creator(**options)
        weights = layer._trainable_weights if variable.trainable else layer._non_trainable_weights
        weights.append(variable)
        backend.track_variable(variable)
    return known[name]


CHANGES = ((_ROW, "layers.core.lambda_layer", _keep_variables),)
