"""Estimators of scikit-learn 1.0 that learned other numbers, or had other attribute names."""

import functools

from tfgraphtools.compat.engine import after_import, notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table

_CENTRES = Row(
    "sklearn.first_centres",
    "scikit-learn 1.3",
    "KMeans draws its first centres from the same random numbers as before",
)
_BATCHES = Row(
    "sklearn.batches",
    "scikit-learn 1.3",
    "MiniBatchKMeans draws its batches from the same random numbers as before",
)
_FITS = Row(
    "sklearn.fits",
    "scikit-learn 1.9",
    "GaussianProcessRegressor() keeps its kernel, LinearDiscriminantAnalysis() divides by n - k; "
    "PLSRegression gives a column for a vector; GaussianNB.sigma_, MultinomialNB.coef_",
)

TABLE = Table("fits of scikit-learn's estimators", "listed", [_CENTRES, _BATCHES, _FITS])


def install():
    """Makes estimators learn as before, once their modules are loaded."""
    for row, module, change in (
        (_CENTRES, "sklearn.cluster._kmeans", _draw_centres),
        (_BATCHES, "sklearn.cluster._kmeans", _draw_batches),
        (_FITS, "sklearn.cross_decomposition._pls", _regress_as_before),
        (_FITS, "sklearn.gaussian_process._gpr", _keep_kernel),
        (_FITS, "sklearn.discriminant_analysis", _divide_by_freedom),
        (_FITS, "sklearn.naive_bayes", _name_attributes),
    ):
        if not rows.is_off(row.name):
            after_import.call(module, change, row.name)


def _keep_kernel(module):
    """Uses a constant times RBF as the default kernel, and optimizes neither."""
    cls = module.GaussianProcessRegressor
    plain = cls.fit

    @functools.wraps(plain)
    def fit(self, *arguments, **options):
        if self.kernel is not None:
            return plain(self, *arguments, **options)
        rows.used(_FITS)
        kernels = module.C(1.0, "fixed"), module.RBF(1.0, "fixed")
        self.kernel = kernels[0] * kernels[1]
        try:
            return plain(self, *arguments, **options)
        finally:
            self.kernel = None

    state.set_attribute(cls, "fit", fit)


def _divide_by_freedom(module):
    """Divides the variance within classes by its degrees of freedom (solver "svd")."""
    cls = module.LinearDiscriminantAnalysis
    plain = cls._solve_svd

    @functools.wraps(plain)
    def solve(self, X, y):
        import numpy

        plain(self, X, y)
        within = X - self.means_[numpy.searchsorted(self.classes_, y)]
        columns = self.scalings_.shape[1]
        total = ((within @ self.scalings_) ** 2).sum()
        if not columns or not total:
            return
        change = (
            (len(X) - len(self.classes_)) * columns / total
        )  # 1 if scikit-learn still divides by them
        rows.used(_FITS)
        prior = numpy.log(self.priors_)
        self.scalings_ = self.scalings_ * change**0.5
        self.coef_ = self.coef_ * change
        self.intercept_ = (self.intercept_ - prior) * change + prior

    state.set_attribute(cls, "_solve_svd", solve)


def _name_attributes(module):
    def of(name, reduced=False):
        def value(self):
            found = getattr(self, name)
            rows.used(_FITS)
            return found[1:] if reduced and len(self.classes_) == 2 else found

        return property(value)

    state.set_attribute(module.GaussianNB, "sigma_", of("var_"), new=True)
    for cls in (module.MultinomialNB, module.BernoulliNB, module.ComplementNB):
        state.set_attribute(cls, "coef_", of("feature_log_prob_", reduced=True), new=True)
        state.set_attribute(cls, "intercept_", of("class_log_prior_", reduced=True), new=True)


class _Draws:
    """A random state whose `choice` ignores weights, as until 1.2."""

    def __init__(self, state_of_draws):
        self._state = state_of_draws

    def __getattr__(self, name):
        return getattr(self._state, name)

    def choice(self, count, size=None, replace=True, p=None):
        rows.used(_CENTRES)
        if size is None:
            return self._state.randint(count)
        return self._state.permutation(count)[:size]


def _draw_centres(module):
    base = module._BaseKMeans
    plain = base._init_centroids

    @functools.wraps(plain)
    def init_centroids(self, X, x_squared_norms, init, random_state, sample_weight, **options):
        import numpy

        alike = numpy.ones_like(sample_weight)
        return plain(self, X, x_squared_norms, init, _Draws(random_state), alike, **options)

    state.set_attribute(base, "_init_centroids", init_centroids)


def _draw_batches(module):
    """Draws a batch without weights, with ``randint``."""
    import numpy

    plain = module.MiniBatchKMeans.fit

    class Draws(numpy.random.RandomState):
        def choice(self, a, size=None, replace=True, p=None):
            if p is None or size is None or not replace:
                return super().choice(a, size, replace, p)
            rows.used(_BATCHES)
            return self.randint(0, a, size)

    @functools.wraps(plain)
    def fit(self, *arguments, **options):
        given = self.random_state
        self.random_state = draws = Draws(None if hasattr(given, "get_state") else given)
        if hasattr(given, "get_state"):
            draws.set_state(given.get_state())
        try:
            return plain(self, *arguments, **options)
        finally:
            self.random_state = given
            if hasattr(given, "set_state"):
                given.set_state(draws.get_state())

    state.set_attribute(module.MiniBatchKMeans, "fit", fit)


def _regress_as_before(module):
    base = module._PLS
    plain = base.fit

    @functools.wraps(plain)
    def fit(self, *arguments, **options):
        rows.used(_FITS)
        plain(self, *arguments, **options)
        self._predict_1d = False
        return self

    def coefficients(self):
        values = vars(self).get("coef_")
        if values is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'coef_'")
        if not notices.is_called_by_user():
            return values
        rows.used(_FITS)
        return (values * self._x_std).T

    def keep(self, values):
        vars(self)["coef_"] = values

    state.set_attribute(base, "fit", fit)
    state.set_attribute(base, "coef_", property(coefficients, keep), new=True)
