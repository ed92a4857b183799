"""Other models of scikit-learn 1.0 whose numbers or calls were others."""

import functools

from tfgraphtools.compat.engine import after_import, notices, rows, state
from tfgraphtools.compat.engine.attributes import fallback_row
from tfgraphtools.compat.engine.rows import Row, Table

_MODELS = Row(
    "sklearn.models",
    "scikit-learn 1.1",
    "NMF starts by nndsvd, QuadraticDiscriminantAnalysis divides by n - 1, max_features= keeps the "
    "same of equally frequent words, MLPRegressor((5,)) by position",
)


def _of_sklearn(name):
    def fallback(value):
        if type(value).__module__.partition(".")[0] != "sklearn":
            raise AttributeError
        return getattr(value, name)

    return fallback


TABLE = Table(
    "models of scikit-learn",
    "listed",
    [
        _MODELS,
        fallback_row(
            "sklearn.dropped_attributes",
            "scikit-learn 1.2",
            "n_features_ is n_features_in_; KernelPCA's lambdas_ and alphas_ are eigen..._",
            {
                "n_features_": _of_sklearn("n_features_in_"),
                "lambdas_": _of_sklearn("eigenvalues_"),
                "alphas_": _of_sklearn("eigenvectors_"),
            },
            "sklearn",
        ),
    ],
)

#: module -> {class: the cause that the report names}
_SAID = {
    "sklearn.covariance._robust_covariance": {
        "MinCovDet": "draws other subsets of the samples than scikit-learn 1.0 did"
    },
    "sklearn.decomposition._dict_learning": {
        "DictionaryLearning": "updates its dictionary otherwise since scikit-learn 1.1",
        "MiniBatchDictionaryLearning": "updates its dictionary otherwise since scikit-learn 1.1",
    },
    "sklearn.manifold._mds": {"MDS": "stops by another rule since scikit-learn 1.7"},
    "sklearn.ensemble._gb": {
        "GradientBoostingClassifier": "rounds the leaves of several classes otherwise"
    },
    "sklearn.linear_model._stochastic_gradient": {
        "SGDClassifier": "rounds the steps of loss='log' otherwise"
    },
    "sklearn.decomposition._sparse_pca": {
        "SparsePCA": "updates its components otherwise since scikit-learn 1.1"
    },
}


def install():
    """Makes them learn as before, once their modules are loaded."""
    for module, classes in _SAID.items():
        after_import.call(module, functools.partial(_tell, classes=classes), "sklearn.notices")
    if rows.is_off(_MODELS.name):
        return
    after_import.call("sklearn.decomposition._nmf", _start_by_zeros, _MODELS.name)
    after_import.call("sklearn.discriminant_analysis", _divide_by_freedom, _MODELS.name)
    after_import.call("sklearn.feature_extraction.text", _keep_the_same, _MODELS.name)
    after_import.call("sklearn.neural_network._multilayer_perceptron", _take_sizes, _MODELS.name)


def _tell(module, classes):
    for name, why in classes.items():
        cls = getattr(module, name, None)
        for method in ("fit", "fit_transform"):
            if cls is not None and method in vars(cls):
                state.set_attribute(cls, method, _telling(vars(cls)[method], name, why))


def _telling(plain, name, why):
    @functools.wraps(plain)
    def fit(self, *arguments, **options):
        if _is_concerned(self, arguments):
            notices.once("sklearn." + name, f"{name} {why}: its numbers differ")
        return plain(self, *arguments, **options)

    return fit


def _is_concerned(model, arguments):
    name = type(model).__name__
    if name == "SGDClassifier":
        return model.loss == "log_loss"
    return name != "GradientBoostingClassifier" or len(arguments) < 2 or len(set(arguments[1])) > 2


def _start_by_zeros(module):
    plain = module._initialize_nmf

    @functools.wraps(plain)
    def initialize(X, n_components, init=None, **options):
        if init is None and n_components <= min(X.shape):
            rows.used(_MODELS)
            init = "nndsvd"
        return plain(X, n_components, init=init, **options)

    state.set_attribute(module, "_initialize_nmf", initialize)


def _divide_by_freedom(module):
    cls = module.QuadraticDiscriminantAnalysis
    plain = cls._solve_svd

    @functools.wraps(plain)
    def solve(self, X):
        scaling, rotation, covariance = plain(self, X)
        rows.used(_MODELS)
        change = len(X) / (len(X) - 1)
        if covariance is not None:
            covariance = covariance * change
        if self.reg_param:  # it was added after the division
            scaling = (scaling - self.reg_param) * change + self.reg_param
            return scaling, rotation, covariance
        return scaling * change, rotation, covariance

    state.set_attribute(cls, "_solve_svd", solve)


def _keep_the_same(module):
    cls = module.CountVectorizer
    plain = cls._limit_features

    @functools.wraps(plain)
    def limit_features(self, X, vocabulary, high=None, low=None, limit=None):
        if limit is None:
            return plain(self, X, vocabulary, high, low, limit)
        import numpy

        rows.used(_MODELS)
        X = plain(self, X, vocabulary, high, low, None)
        count = X.shape[1]
        if count <= limit:
            return X
        sums = numpy.asarray(X.sum(axis=0)).ravel()
        kept = numpy.sort((-sums).astype("longdouble").argsort()[:limit])
        places = {int(old): new for new, old in enumerate(kept)}
        for term, place in list(vocabulary.items()):
            if int(place) in places:
                vocabulary[term] = places[int(place)]
            else:
                del vocabulary[term]
        return X[:, kept]

    state.set_attribute(cls, "_limit_features", limit_features)


def _take_sizes(module):
    plain = module.MLPRegressor.__init__

    @functools.wraps(plain)
    def __init__(self, *arguments, **options):
        if arguments and not isinstance(arguments[0], str):
            rows.used(_MODELS)
            names = ("hidden_layer_sizes", "activation")
            options.update(zip(names, arguments))
            arguments = ()
        plain(self, *arguments, **options)

    state.set_attribute(module.MLPRegressor, "__init__", __init__)
