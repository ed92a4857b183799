"""Lambda layers that create variables: 1.15 kept them by name, among the layer's weights."""

from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@replaces(
    "tf_keras.src.layers.core.lambda_layer:Lambda.call",
    name="tensorflow.keras.layers.Lambda.call",
    since="TF 2.1",
    why="a Lambda layer whose function creates variables has them as weights, and uses them "
    "again at its next call; in 2.x that is an error",
)
def _call(original, self, inputs, mask=None, training=None):
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


def _created(layer, backend, next_creator, options):
    """Returns the layer's variable of this name: a new one where it has none."""
    _call.used()
    known = layer.__dict__.setdefault("_variables_by_name", {})
    name = options.get("name")
    if name not in known:
        variable = known[name] = next_creator(**options)
        weights = layer._trainable_weights if variable.trainable else layer._non_trainable_weights
        weights.append(variable)
        backend.track_variable(variable)
    return known[name]


REPLACEMENTS = (_call,)
