"""Methods that scikit-learn asks an estimator for: arguments by name, a score, its kind."""

import inspect

import numpy

from tfgraphtools.errors import ArgumentError


class ScikitLearn:
    """A base of estimators whose arguments are attributes of the same names."""

    #: Arguments that `restore` could not give back: see `saving`.
    _lost = ()

    def score(self, x, y):
        """Returns the share of classes that are right; for values, scikit-learn's R squared."""
        predicted = self.predict(x)
        right = numpy.asarray(y).reshape(predicted.shape)
        if self.n_classes > 1:
            return float(numpy.mean(predicted == right))
        unexplained = ((right - predicted) ** 2).sum(0)
        total = ((right - right.mean(0)) ** 2).sum(0)
        return float(numpy.mean(1 - unexplained / total))

    @property
    def _estimator_type(self):
        return "classifier" if self.n_classes > 1 else "regressor"

    @property
    def classes_(self):
        """The numbers of the classes."""
        return numpy.arange(self.n_classes)

    def get_params(self, deep=True):
        """Returns {argument: value}, but for the folder, which two estimators must not share."""
        names = set(inspect.signature(type(self).__init__).parameters) - {"self", "model_dir"}
        return {
            name: self._given_config if name == "config" else getattr(self, name)
            for name in sorted(names)
        }

    def set_params(self, **params):
        """Sets arguments, but for the configuration; returns the estimator.

        Raises:
          ArgumentError: it has no such argument.
        """
        known = sorted(self.get_params().keys() - {"config"})
        for name, value in params.items():
            if name not in known:
                raise ArgumentError(
                    f"{type(self).__name__}.set_params",
                    "one of " + ", ".join(known),
                    name,
                    "Make a new estimator for anything else.",
                )
            setattr(self, name, value)
        self._lost = tuple(name for name in self._lost if name not in params)
        return self

    def _check_whole(self, method):
        if self._lost:
            missing = ", ".join(name + "=..." for name in self._lost)
            raise ArgumentError(
                f"{type(self).__name__}.{method}",
                "an estimator with all its arguments",
                f"one that was restored without {', '.join(self._lost)}: save() does not save code",
                f"Set it: estimator.set_params({missing}). Prediction works without it.",
            )

    def __repr__(self):
        values = ", ".join(f"{name}={value}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({values})"

    def __sklearn_tags__(self):
        from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

        mixin = ClassifierMixin if self.n_classes > 1 else RegressorMixin
        return type("Tags", (mixin, BaseEstimator), {})().__sklearn_tags__()
