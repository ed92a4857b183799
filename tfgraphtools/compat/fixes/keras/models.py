"""``tf.keras.Model`` and ``Sequential``: their inputs, predictions, copies and configurations.

TF 1.15 asked for what the layers ask (``network.Network.input_spec`` is that of the input layers,
which have none, ``Sequential.input_spec`` that of the first layer): a model of ``Input([4])`` took
tensors of shape [2, 4, 4], and a sequential model a dict of one tensor, whatever its key. tf_keras
checks ranks, dimensions and keys of every model, and gives a tensor that lacks the last dimension
of an ``Input([3, 1])`` one more.

In configurations of sequential models tf_keras lists an ``InputLayer`` first; 1.15 wrote
``batch_input_shape`` into the first layer.
"""

from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import adds, replaces

_MODEL = "tf_keras.src.engine.training:Model."
_INPUTS = Fix(
    "tensorflow.keras.Model.input_spec",
    "TF 2.2",
    "a functional model accepts inputs whose shapes and keys differ from its Input layers; 2.x "
    "refuses them",
)
_FUNCTIONAL = "tf_keras.src.engine.functional:Functional."


@replaces(_FUNCTIONAL + "_conform_to_reference_input", row=_INPUTS)
def _conform_to_reference_input(original, self, tensor, ref_input):
    rank, expected = _rank(tensor), _rank(ref_input)
    # Numbers in a row (rank 1) are made a column, as by 1.15's `fit`.
    if None in (rank, expected) or rank == 1 or rank != expected - 1 or ref_input.shape[-1] != 1:
        return original(self, tensor, ref_input)
    _conform_to_reference_input.used()
    return tensor


@replaces(_FUNCTIONAL + "input_spec", row=_INPUTS)
def _input_spec(original, self):
    if hasattr(self, "_manual_input_spec"):
        return original(self)
    _input_spec.used()
    from tf_keras.src.engine import sequential  # which imports the module of this class

    if isinstance(self, sequential.Sequential):
        return self.layers[0].input_spec
    return None  # 1.15: one None for each input


def _rank(tensor):
    return getattr(getattr(tensor, "shape", None), "rank", None)


_CLASSES = Fix(
    "tensorflow.keras.Sequential.predict_classes",
    "TF 2.6",
    "predict_classes and predict_proba of sequential models",
)
_SEQUENTIAL = "tf_keras.src.engine.sequential:Sequential."


@adds(_SEQUENTIAL + "predict_proba", row=_CLASSES)
def predict_proba(self, x, batch_size=32, verbose=0):
    """Returns the outputs for these inputs."""
    predict_proba.used()
    return self.predict(x, batch_size, verbose)


@adds(_SEQUENTIAL + "predict_classes", row=_CLASSES)
def predict_classes(self, x, batch_size=32, verbose=0):
    """Returns the class with the largest output; of one output, whether it is above one half."""
    predict_classes.used()
    outputs = self.predict(x, batch_size=batch_size, verbose=verbose)
    return outputs.argmax(axis=-1) if outputs.shape[-1] > 1 else (outputs > 0.5).astype("int32")


@replaces(
    _MODEL + "predict",
    name="tensorflow.keras.Model.predict",
    since="TF 2.9",
    why="predict prints no progress bar by default; in eager execution 2.x prints one",
)
def _predict(original, self, *arguments, **options):
    if "verbose" not in options and len(arguments) < 3:  # x, batch_size, verbose
        _predict.used()
        options["verbose"] = 0
    return original(self, *arguments, **options)


@replaces(
    _MODEL + "__copy__",
    name="tensorflow.keras.Model.__copy__",
    since="TF 2.10",
    why="copy.copy(model) shares the layers and weights of the model; 2.x copies the weights too",
)
def _copy(original, self):
    _copy.used()
    new = object.__new__(type(self))
    vars(new).update(vars(self))
    return new


@replaces(
    _SEQUENTIAL + "get_config",
    name="tensorflow.keras.Sequential.get_config",
    since="TF 2.2",
    why="get_config()['layers'] of a sequential model begins with its first layer; in 2.x with "
    "an InputLayer",
)
def _get_config(original, self):
    config = original(self)
    layers = config["layers"]
    if len(layers) < 2 or layers[0]["class_name"] != "InputLayer":
        return config
    _get_config.used()
    first, *others = layers
    shape = first["config"].get("batch_input_shape")
    others[0]["config"].setdefault("batch_input_shape", shape)
    return {**config, "layers": others}


@replaces(
    _MODEL + "_set_inputs",
    name="tensorflow.keras.Model._set_inputs",
    since="TF 2.2",
    why="model._set_inputs(x) makes the weights of a subclassed model in eager execution; in 2.x "
    "it makes none",
)
def _set_inputs(original, self, inputs, outputs=None, training=None):
    original(self, inputs, outputs, training)
    if not self.built:
        _set_inputs.used()
        import tensorflow as tf

        options = {} if training is None else {"training": training}
        self(tf.nest.map_structure(_symbolic, inputs), **options)


def _symbolic(value):
    """Returns an input like a value, for a batch of any size; floats have Keras's dtype."""
    import tensorflow as tf
    from tf_keras import Input, backend
    from tf_keras.src.engine import keras_tensor

    if isinstance(value, keras_tensor.KerasTensor):
        return value
    dtype = tf.as_dtype(value.dtype)
    kind = backend.floatx() if dtype.is_floating else dtype
    return Input(batch_shape=(None, *value.shape[1:]), dtype=kind)


REPLACEMENTS = (
    _conform_to_reference_input,
    _input_spec,
    predict_proba,
    predict_classes,
    _predict,
    _copy,
    _get_config,
    _set_inputs,
)
