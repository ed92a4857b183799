"""Linear models of scikit-learn 1.0: ``normalize=``, one model per class, where they stop."""

import functools

from tfgraphtools.compat.engine import after_import, notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table

_NORMALIZED = Row(
    "sklearn.normalize",
    "scikit-learn 1.2",
    "Ridge(normalize=True) and similar; Lars, LassoLars and OrthogonalMatchingPursuit normalize",
)
_LOGISTIC = Row(
    "sklearn.LogisticRegression",
    "scikit-learn 1.7",
    "multi_class='ovr' and solver='liblinear' fit a model per class; lbfgs stops as before",
)

TABLE = Table("linear models of scikit-learn", "listed", [_NORMALIZED, _LOGISTIC])

#: module -> (classes that took ``normalize``, whether they did so by default)
_MODELS = {
    "sklearn.linear_model._ridge": ("Ridge RidgeCV RidgeClassifier", False),
    "sklearn.linear_model._coordinate_descent": ("Lasso LassoCV ElasticNet ElasticNetCV", False),
    "sklearn.linear_model._bayes": ("BayesianRidge ARDRegression", False),
    "sklearn.linear_model._least_angle": ("Lars LassoLars LarsCV LassoLarsCV LassoLarsIC", True),
    "sklearn.linear_model._omp": ("OrthogonalMatchingPursuit OrthogonalMatchingPursuitCV", True),
}


def install():
    """Makes them learn as before, once their modules are loaded."""
    if not rows.is_off(_NORMALIZED.name):
        for module, (names, default) in _MODELS.items():
            change = functools.partial(_normalizing, names=names.split(), default=default)
            after_import.call(module, change, _NORMALIZED.name)
    if not rows.is_off(_LOGISTIC.name):
        after_import.call("sklearn.linear_model._logistic", _logistic, _LOGISTIC.name)
    for module, names in _PATHS.items():
        change = functools.partial(_tell_of_paths, names=names.split())
        after_import.call(module, change, "sklearn.notices")


def _normalizing(module, names, default):
    for cls in [getattr(module, name) for name in names if hasattr(module, name)]:
        if "__init__" in vars(cls):
            state.set_attribute(cls, "__init__", _taking(cls.__init__, default))
        if "fit" in vars(cls):
            state.set_attribute(cls, "fit", _of_normalized(cls.fit))


def _taking(plain, default):
    @functools.wraps(plain)
    def __init__(self, *arguments, normalize=None, **options):
        if normalize in ("deprecated", None):
            normalize = default
        plain(self, *arguments, **options)
        vars(self)["_normalizes"] = bool(normalize)

    return __init__


def _of_normalized(plain):
    """Columns are centred and divided by their lengths; the coefficients are for them as given."""

    @functools.wraps(plain)
    def fit(self, X, y, *arguments, **options):
        is_on = vars(self).get("_normalizes") and self.fit_intercept and hasattr(X, "__len__")
        if not is_on:
            return plain(self, X, y, *arguments, **options)
        import numpy

        rows.used(_NORMALIZED)
        X = numpy.asarray(X, dtype=float)
        mean = X.mean(0)
        lengths = numpy.sqrt(((X - mean) ** 2).sum(0))
        lengths[lengths == 0] = 1
        vars(self)["_normalizes"] = False  # it may call itself
        try:
            plain(self, (X - mean) / lengths, y, *arguments, **options)
        finally:
            vars(self)["_normalizes"] = True
        self.coef_ = self.coef_ / lengths
        self.intercept_ = self.intercept_ - self.coef_ @ mean
        return self

    return fit


def _logistic(module):
    cls = module.LogisticRegression
    plain_init, plain_fit, plain_proba = cls.__init__, cls.fit, cls.predict_proba

    @functools.wraps(plain_init)
    def __init__(self, *arguments, multi_class="auto", **options):
        plain_init(self, *arguments, **options)
        vars(self)["_is_by_class"] = multi_class == "ovr"

    @functools.wraps(plain_fit)
    def fit(self, X, y, sample_weight=None):
        import numpy

        is_by_class = vars(self).get("_is_by_class") or self.solver == "liblinear"
        classes = numpy.unique(y) if is_by_class else ()
        vars(self)["_is_fit_by_class"] = len(classes) > 2
        if len(classes) < 3:
            return plain_fit(self, X, y, sample_weight)
        rows.used(_LOGISTIC)
        models = []
        for one in classes:
            plain_fit(self, X, (numpy.asarray(y) == one).astype(int), sample_weight)
            models.append((self.coef_, self.intercept_, self.n_iter_))
        self.classes_ = classes
        self.coef_, self.intercept_, self.n_iter_ = map(numpy.concatenate, zip(*models))
        if self.solver == "liblinear":
            self.n_iter_ = numpy.array([self.n_iter_.max()], dtype=self.n_iter_.dtype)
        return self

    @functools.wraps(plain_proba)
    def predict_proba(self, X):
        if not vars(self).get("_is_fit_by_class"):
            return plain_proba(self, X)
        from scipy.special import expit

        found = expit(self.decision_function(X))
        return found / found.sum(axis=1, keepdims=True)

    state.set_attribute(cls, "__init__", __init__)
    state.set_attribute(cls, "fit", fit)
    state.set_attribute(cls, "predict_proba", predict_proba)
    state.set_attribute(module, "optimize", _Minimizing(module.optimize))


class _Minimizing:
    """``scipy.optimize`` that minimizes sums of losses, and not means, to a tolerance."""

    def __init__(self, real):
        self._real = real

    def __getattr__(self, name):
        return getattr(self._real, name)

    def minimize(self, *arguments, **options):
        if options.get("method") != "L-BFGS-B" or "gtol" not in options.get("options", {}):
            return self._real.minimize(*arguments, **options)
        weights = options["args"][2]
        total = len(options["args"][0]) if weights is None else weights.sum()
        rows.used(_LOGISTIC)
        settings = dict(options["options"], gtol=options["options"]["gtol"] / total)
        settings.pop("ftol", None)
        settings.pop("maxls", None)
        return self._real.minimize(*arguments, **dict(options, options=settings))


#: Models that choose one of several alphas.
_PATHS = {
    "sklearn.linear_model._coordinate_descent": "LassoCV ElasticNetCV",
    "sklearn.linear_model._least_angle": "LarsCV LassoLarsCV",
}


def _tell_of_paths(module, names):
    for name in names:
        cls = getattr(module, name)
        plain = cls.fit

        @functools.wraps(plain)
        def fit(self, *arguments, _plain=plain, **options):
            notices.once(
                "sklearn.paths",
                f"{type(self).__name__} stops earlier at each alpha since scikit-learn 1.8, "
                "within tol, and may choose another alpha",
            )
            return _plain(self, *arguments, **options)

        state.set_attribute(cls, "fit", fit)
