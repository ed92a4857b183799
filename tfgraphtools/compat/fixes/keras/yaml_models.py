"""Models as YAML: ``model.to_yaml()`` and ``model_from_yaml``, which 2.x refuses.

Source: ``engine/network.py`` and ``saving/model_config.py`` of TF 1.15's Keras. Its FullLoader,
which is used here too, makes no objects of other classes than Python's own.
"""

from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_YAML = Fix(
    "tensorflow.keras.models.model_from_yaml",
    "TF 2.6",
    "model.to_yaml() and model_from_yaml(text); 2.x raises RuntimeError",
)


@replaces("tf_keras.src.engine.training:Model.to_yaml", row=_YAML)
def _to_yaml(original, self, **kwargs):
    """Returns the architecture as YAML text; `kwargs` go to ``yaml.dump``."""
    _to_yaml.used()
    return _yaml().dump(_without_classes(self._updated_config()), **kwargs)


@replaces("tf_keras.src.saving.legacy.model_config:model_from_yaml", row=_YAML)
def _model_from_yaml(original, yaml_string, custom_objects=None):
    """Returns the model, without weights, of a text of `to_yaml`."""
    from tf_keras import layers

    _model_from_yaml.used()
    yaml = _yaml()
    config = yaml.load(yaml_string, Loader=yaml.FullLoader)
    return layers.deserialize(config, custom_objects=custom_objects)


def _without_classes(value):
    """Returns the value in Python's containers: Keras's would be written with their classes."""
    if isinstance(value, dict):
        return {key: _without_classes(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        kind = list if isinstance(value, list) else tuple
        return kind(_without_classes(item) for item in value)
    return value


def _yaml():
    try:
        import yaml
    except ImportError:
        raise ImportError("to_yaml and model_from_yaml need PyYAML: pip install pyyaml") from None
    return yaml


REPLACEMENTS = (_to_yaml, _model_from_yaml)
