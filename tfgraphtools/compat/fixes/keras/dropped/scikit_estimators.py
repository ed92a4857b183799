"""``tf.keras.wrappers.scikit_learn``: a Keras model as an estimator of scikit-learn.

Source: ``keras/wrappers/scikit_learn.py`` of TF 1.15.
"""

import copy
import functools
import types

from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.keras import models
from tfgraphtools.compat.fixes.keras.dropped import scikit_wrappers


def _is_argument(function, name):
    from tf_keras.src.utils import generic_utils

    return generic_utils.has_arg(getattr(function, "_function", function), name)


def _sequential(name):
    """Returns a method of ``Sequential``, those that tf_keras has lost included."""
    import tf_keras

    return getattr(models, name, None) or getattr(tf_keras.Sequential, name)


def _in_classes(y):
    from tf_keras.utils import to_categorical

    return to_categorical(y)


class BaseWrapper:
    """An estimator of scikit-learn that builds a new model in each `fit`.

    Args:
      build_fn: a function, or an object that is called, that returns a compiled model; None where a
        subclass is called for it.
      **sk_params: arguments of `build_fn`, and of ``fit``, ``predict`` and ``evaluate``.

    Raises:
      ValueError: an argument that none of these takes.
    """

    def __init__(self, build_fn=None, **sk_params):
        self.build_fn = build_fn
        self.sk_params = sk_params
        self.check_params(sk_params)

    def _builder(self):
        """Returns (what is called for a model, the function whose arguments count)."""
        if self.build_fn is None:
            return self.__call__, self.__call__
        if isinstance(self.build_fn, (types.FunctionType, types.MethodType)):
            return self.build_fn, self.build_fn
        return self.build_fn, self.build_fn.__call__

    def check_params(self, params):
        """Raises ValueError for a parameter that nothing takes."""
        names = ("fit", "predict", "predict_classes", "evaluate")
        functions = [*map(_sequential, names), self._builder()[1]]
        for name in params:
            if name != "nb_epoch" and not any(_is_argument(each, name) for each in functions):
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params):
        """Returns {parameter: value}; `params` change nothing."""
        return dict(copy.deepcopy(self.sk_params), build_fn=self.build_fn)

    def set_params(self, **params):
        """Sets parameters; returns the estimator."""
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def fit(self, x, y, **kwargs):
        """Builds a model and trains it; returns its history."""
        from tf_keras.src import losses

        build, signature = self._builder()
        self.model = build(**self.filter_sk_params(signature))
        if losses.is_categorical_crossentropy(self.model.loss) and len(y.shape) != 2:
            y = _in_classes(y)
        arguments = copy.deepcopy(self.filter_sk_params(_sequential("fit")))
        return self.model.fit(x, y, **dict(arguments, **kwargs))

    def filter_sk_params(self, fn, override=None):
        """Returns those of the parameters that are arguments of `fn`, and `override`."""
        params = {name: v for name, v in self.sk_params.items() if _is_argument(fn, name)}
        return dict(params, **(override or {}))

    def _evaluated(self, x, y, options):
        return self.model.evaluate(x, y, **self.filter_sk_params(_sequential("evaluate"), options))


class KerasClassifier(BaseWrapper):
    """A classifier of scikit-learn that is a Keras model: see `BaseWrapper`."""

    def fit(self, x, y, **kwargs):
        """Builds a model and trains it on classes; returns its history."""
        import numpy as np

        y = np.array(y)
        if len(y.shape) == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif len(y.shape) == 1 or y.shape[1:] == (1,):
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError("Invalid shape for y: " + str(y.shape))
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x, **kwargs):
        """Returns the class of each row of `x`."""
        function = _sequential("predict_classes")
        options = self.filter_sk_params(function, kwargs)
        return self.classes_[function(self.model, x, **options)]

    def predict_proba(self, x, **kwargs):
        """Returns the probabilities of the classes, two of them for one output."""
        import numpy as np

        function = _sequential("predict_proba")
        probabilities = function(self.model, x, **self.filter_sk_params(function, kwargs))
        if probabilities.shape[1] == 1:
            probabilities = np.hstack([1 - probabilities, probabilities])
        return probabilities

    def score(self, x, y, **kwargs):
        """Returns the accuracy on `x` and `y`.

        Raises:
          ValueError: the model was compiled without ``metrics=["accuracy"]``.
        """
        import numpy as np

        y = np.searchsorted(self.classes_, y)
        loss = getattr(self.model.loss, "__name__", self.model.loss)
        if loss == "categorical_crossentropy" and len(y.shape) != 2:
            y = _in_classes(y)
        outputs = self._evaluated(x, y, kwargs)
        outputs = outputs if isinstance(outputs, list) else [outputs]
        for name, output in zip(self.model.metrics_names, outputs):
            if name in ("accuracy", "acc"):
                return output
        raise ValueError(
            "The model is not configured to compute accuracy. You should pass "
            '`metrics=["accuracy"]` to the `model.compile()` method.'
        )


class KerasRegressor(BaseWrapper):
    """A regressor of scikit-learn that is a Keras model: see `BaseWrapper`."""

    def predict(self, x, **kwargs):
        """Returns the model's outputs, without dimensions of length 1."""
        import numpy as np

        options = self.filter_sk_params(_sequential("predict"), dict({"verbose": 0}, **kwargs))
        return np.squeeze(self.model.predict(x, **options))

    def score(self, x, y, **kwargs):
        """Returns minus the loss on `x` and `y`."""
        loss = self._evaluated(x, y, kwargs)
        return -loss[0] if isinstance(loss, list) else -loss


@functools.lru_cache(maxsize=None)
def _wrappers():
    """Returns the modules ``wrappers`` and ``wrappers.scikit_learn``."""
    package = types.ModuleType("tensorflow.keras.wrappers")
    module = types.ModuleType(package.__name__ + ".scikit_learn")
    for kind in (BaseWrapper, KerasClassifier, KerasRegressor):
        setattr(module, kind.__name__, kind)
    scikit_wrappers.answer_in(module)
    package.scikit_learn, package.__path__ = module, []
    return package, module


_WHY = "a Keras model as an estimator of scikit-learn"

TABLES = (
    Table(
        "estimators of scikit-learn",
        "modules",
        [
            Fix(keras + ".wrappers" + part, "TF 2.12", _WHY, lambda place=place: _wrappers()[place])
            for keras in (
                "tensorflow.keras",
                "tensorflow.python.keras",
                "tensorflow.contrib.keras",
                "keras",
            )
            for place, part in enumerate(("", ".scikit_learn"))
        ],
    ),
)
