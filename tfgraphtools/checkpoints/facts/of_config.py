"""A layer's facts from the configuration of a Keras model, in an ``.h5`` or ``.keras`` file."""

import json

_ASKED = ("activation", "recurrent_activation", "reset_after", "epsilon", "padding", "strides")
_DEEPEST = 64


class Config:
    """The layers of a configuration by their names.

    Args:
      text: the JSON.
    """

    def __init__(self, text):
        self._layers, self._twice = {}, set()
        try:
            self._walk(json.loads(text), _DEEPEST)
        except (ValueError, RecursionError):
            self._layers = {}

    def facts(self, scope):
        """Reads what the configuration says of the layer in whose scope tensors are.

        Returns:
          {question: value}.
        """
        for part in reversed(scope.split("/")):
            if part in self._layers and part not in self._twice:
                return self._layers[part]
        return {}

    def _walk(self, part, depth):
        if isinstance(part, list) and depth:
            for item in part:
                self._walk(item, depth - 1)
        elif isinstance(part, dict) and depth:
            config = part.get("config")
            if isinstance(config, dict) and isinstance(config.get("name"), str):
                self._add(part.get("class_name"), config)
            for item in part.values():
                self._walk(item, depth - 1)

    def _add(self, kind, config):
        settings = {}
        for name in _ASKED:
            value = config.get(name)
            if isinstance(value, list) and all(isinstance(size, int) for size in value):
                value = tuple(value)
            if isinstance(value, (str, bool, int, float, tuple)):
                settings[name] = value
        name = config["name"]
        for alias in (name, "forward_" + name, "backward_" + name):
            if self._layers.setdefault(alias, settings) != settings:
                self._twice.add(alias)
