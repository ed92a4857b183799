"""Predictions of models of Keras: classes, and no progress bar."""

from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.ownership import adds, replaces

_CLASSES = Row(
    "tensorflow.keras.Sequential.predict_classes",
    "TF 2.6",
    "predict_classes and predict_proba of sequential models",
)
_MODEL = "tf_keras.src.engine.sequential:Sequential."


@adds(_MODEL + "predict_proba", row=_CLASSES)
def predict_proba(self, x, batch_size=32, verbose=0):
    """Returns the outputs for these inputs."""
    predict_proba.used()
    return self.predict(x, batch_size, verbose)


@adds(_MODEL + "predict_classes", row=_CLASSES)
def predict_classes(self, x, batch_size=32, verbose=0):
    """Returns the class with the largest output; of one output, whether it is above one half."""
    predict_classes.used()
    outputs = self.predict(x, batch_size=batch_size, verbose=verbose)
    return outputs.argmax(axis=-1) if outputs.shape[-1] > 1 else (outputs > 0.5).astype("int32")


@replaces(
    "tf_keras.src.engine.training:Model.predict",
    name="tensorflow.keras.Model.predict",
    since="TF 2.9",
    why="predict prints no progress bar by default; in eager execution 2.x prints one",
)
def _predict(original, self, *arguments, **options):
    if "verbose" not in options and len(arguments) < 3:  # x, batch_size, verbose
        _predict.used()
        options["verbose"] = 0
    return original(self, *arguments, **options)


REPLACEMENTS = (predict_proba, predict_classes, _predict)
