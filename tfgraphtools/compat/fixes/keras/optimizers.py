"""The initial values of optimizers of Keras."""

from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@replaces(
    "tf_keras.src.optimizers.legacy.adagrad:Adagrad.from_config",
    name="tensorflow.keras.optimizers.Adagrad.from_config",
    since="TF 2.0",
    why="compile('adagrad') starts with accumulators of 0, as in 1.15; 0.1 in 2.x",
    cannot="write compile(Adagrad(initial_accumulator_value=0.0)) instead of compile('adagrad')",
)
def _from_config(original, cls, config, custom_objects=None):
    if "initial_accumulator_value" not in config:
        _from_config.used()
        config = dict(config, initial_accumulator_value=0.0)
    return original(cls, config, custom_objects)


REPLACEMENTS = (_from_config,)
