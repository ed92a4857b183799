"""How models of Keras predict: classes, and without a progress bar."""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_CLASSES = Row(
    "tensorflow.keras.Sequential.predict_classes",
    "TF 2.6",
    "predict_classes and predict_proba of sequential models",
)
_QUIET = Row(
    "tensorflow.keras.Model.predict",
    "TF 2.9",
    "predict prints no progress bar by default; in eager execution 2.x prints one",
)


def _predict_classes(module):
    def predict_proba(self, x, batch_size=32, verbose=0):
        rows.used(_CLASSES)
        return self.predict(x, batch_size, verbose)

    def predict_classes(self, x, batch_size=32, verbose=0):
        rows.used(_CLASSES)
        found = self.predict(x, batch_size=batch_size, verbose=verbose)
        return found.argmax(axis=-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")

    for function in (predict_proba, predict_classes):
        state.set_attribute(module.Sequential, function.__name__, function, new=True)


def _predict_quietly(module):
    plain = module.Model.predict

    @functools.wraps(plain)
    def predict(self, *arguments, **options):
        if "verbose" not in options and len(arguments) < 3:  # x, batch_size, verbose
            rows.used(_QUIET)
            options["verbose"] = 0
        return plain(self, *arguments, **options)

    state.set_attribute(module.Model, "predict", predict)


CHANGES = (
    (_CLASSES, "engine.sequential", _predict_classes),
    (_QUIET, "engine.training", _predict_quietly),
)
