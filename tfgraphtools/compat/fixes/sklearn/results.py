"""scikit-learn 1.0: the defaults and arguments of estimators, and the results of scores.

Each module is changed when it is loaded. The algorithm SAMME.R of AdaBoostClassifier was
removed: `run` reports its use.
"""

import functools

from tfgraphtools.compat.engine import after_import, notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table

_DEFAULTS = Row(
    "sklearn.defaults",
    "scikit-learn 1.2",
    "KMeans(n_init=10), LinearSVC(dual=True), MDS(n_init=4), FastICA's scale",
)
_SIGNS = Row(
    "sklearn.signs_of_components",
    "scikit-learn 1.5",
    "PCA chooses the solver, and the signs of its components, as before",
)
_ARGUMENTS = Row(
    "sklearn.renamed_arguments",
    "scikit-learn 1.2",
    "criterion='mse', loss='log', max_features='auto', penalty='none'",
)
_SCORES = Row(
    "sklearn.scores",
    "scikit-learn 1.1",
    "roc_curve, precision_recall_curve, log_loss and mean_squared_error(squared=) as before",
)
TABLE = Table(
    "estimators of scikit-learn",
    "listed",
    [_DEFAULTS, _SIGNS, _ARGUMENTS, _SCORES],
)

#: module -> {class: {argument: its default in 1.0}}
_OLD_DEFAULTS = {
    "sklearn.cluster._kmeans": {"KMeans": {"n_init": 10}, "MiniBatchKMeans": {"n_init": 3}},
    "sklearn.svm._classes": {"LinearSVC": {"dual": True}, "LinearSVR": {"dual": True}},
    "sklearn.manifold._mds": {"MDS": {"n_init": 4, "init": "random"}},
    "sklearn.decomposition._fastica": {"FastICA": {"whiten": "arbitrary-variance"}},
}

_CRITERIA = {"mse": "squared_error", "mae": "absolute_error"}
_LOSSES = {"log": "log_loss", "squared_loss": "squared_error"}
_BOOSTED = {"deviance": "log_loss", "ls": "squared_error", "lad": "absolute_error"}

#: module -> {class: ({old argument: new one}, {argument: {old value: new one}})}
_RENAMED = {
    "sklearn.ensemble._forest": {
        "RandomForestClassifier": ({}, {"max_features": {"auto": "sqrt"}}),
        "ExtraTreesClassifier": ({}, {"max_features": {"auto": "sqrt"}}),
        "RandomForestRegressor": ({}, {"max_features": {"auto": 1.0}, "criterion": _CRITERIA}),
        "ExtraTreesRegressor": ({}, {"max_features": {"auto": 1.0}, "criterion": _CRITERIA}),
    },
    "sklearn.tree._classes": {
        "DecisionTreeClassifier": ({}, {"max_features": {"auto": "sqrt"}}),
        "DecisionTreeRegressor": ({}, {"max_features": {"auto": None}, "criterion": _CRITERIA}),
    },
    "sklearn.ensemble._gb": {
        "GradientBoostingClassifier": ({}, {"loss": _BOOSTED, "max_features": {"auto": "sqrt"}}),
        "GradientBoostingRegressor": ({}, {"loss": _BOOSTED, "max_features": {"auto": None}}),
    },
    "sklearn.ensemble._weight_boosting": {
        "AdaBoostClassifier": ({"algorithm": None}, {}),
    },
    "sklearn.linear_model._stochastic_gradient": {
        "SGDClassifier": ({}, {"loss": _LOSSES, "penalty": {"none": None}}),
        "SGDRegressor": ({}, {"loss": _LOSSES, "penalty": {"none": None}}),
    },
    "sklearn.linear_model._logistic": {"LogisticRegression": ({}, {"penalty": {"none": None}})},
    "sklearn.cluster._kmeans": {
        "KMeans": (
            {"n_jobs": None, "precompute_distances": None},
            {"algorithm": {"full": "lloyd", "auto": "lloyd"}},
        ),
    },
    "sklearn.model_selection._search": {
        "GridSearchCV": ({"iid": None}, {}),
        "RandomizedSearchCV": ({"iid": None}, {}),
    },
    "sklearn.ensemble._iforest": {"IsolationForest": ({"behaviour": None}, {})},
    "sklearn.linear_model._base": {"LinearRegression": ({"normalize": None}, {})},
}


def install():
    """Restores the old behavior of scikit-learn, once each of its modules is loaded."""
    if not rows.is_off(_DEFAULTS.name):
        for module, classes in _OLD_DEFAULTS.items():
            change = functools.partial(_set_defaults, classes=classes)
            after_import.call(module, change, _DEFAULTS.name)
    if not rows.is_off(_ARGUMENTS.name):
        for module, classes in _RENAMED.items():
            change = functools.partial(_take_old_arguments, classes=classes)
            after_import.call(module, change, _ARGUMENTS.name)
    if not rows.is_off(_SIGNS.name):
        after_import.call("sklearn.decomposition._pca", _sign_by_columns, _SIGNS.name)
    if not rows.is_off(_SCORES.name):
        after_import.call("sklearn.metrics", _score_as_before, _SCORES.name)
    after_import.call("sklearn.ensemble._weight_boosting", _tell_of_boosting, "sklearn.notices")


#: Arguments that change no result: how many processes, or a scale that least squares undo.
_WITHOUT_MEANING = ("normalize", "n_jobs", "precompute_distances", "iid", "behaviour", "algorithm")


def _set_defaults(module, classes):
    for name, defaults in classes.items():
        cls = getattr(module, name, None)
        known = getattr(cls and cls.__init__, "__kwdefaults__", None) or {}
        for argument, value in defaults.items():
            if argument in known and known[argument] != value:
                state.set_item(known, argument, value)
                rows.used(_DEFAULTS)


def _take_old_arguments(module, classes):
    for name, (arguments, values) in classes.items():
        if hasattr(module, name):
            _take_in(getattr(module, name), arguments, values)


def _take_in(cls, arguments, values):
    plain = cls.__init__

    @functools.wraps(plain)
    def __init__(self, *given, **options):
        for argument, renamed in values.items():
            value = options.get(argument)
            if isinstance(value, str) and value in renamed:
                rows.used(_ARGUMENTS)
                options[argument] = renamed[value]
        for old, new in arguments.items():
            if old in options and (new or not options[old] or old in _WITHOUT_MEANING):
                rows.used(_ARGUMENTS)
                value = options.pop(old)
                if new and value is not None and value != "deprecated":
                    options[new] = value
        plain(self, *given, **options)

    state.set_attribute(cls, "__init__", __init__)


def _sign_by_columns(module):
    """Makes PCA choose the solver of 1.0, and take the signs from the columns of U."""
    plain_flip, plain_fit = module.svd_flip, module.PCA._fit

    def svd_flip(u, v, u_based_decision=True):
        rows.used(_SIGNS)
        return plain_flip(u, v, u_based_decision=u is not None)

    @functools.wraps(plain_fit)
    def fit(self, X):
        if self.svd_solver != "auto" or not hasattr(X, "shape") or len(X.shape) != 2:
            return plain_fit(self, X)
        count = min(X.shape) if self.n_components is None else self.n_components
        randomized = max(X.shape) > 500 and count != "mle" and 1 <= count < 0.8 * min(X.shape)
        self.svd_solver = "randomized" if randomized else "full"
        try:
            return plain_fit(self, X)
        finally:
            self.svd_solver = "auto"

    state.set_attribute(module, "svd_flip", svd_flip)
    state.set_attribute(module.PCA, "_fit", fit)


def _score_as_before(module):
    for function in (roc_curve, precision_recall_curve, log_loss, mean_squared_error):
        plain = getattr(module, function.__name__)
        wrapped = functools.wraps(plain)(functools.partial(function, plain))
        state.set_attribute(module, function.__name__, wrapped)


def roc_curve(plain, *arguments, **options):
    """The first threshold is the largest score plus 1, not infinity."""
    rates, hits, thresholds = plain(*arguments, **options)
    if len(thresholds) > 1 and thresholds[0] == float("inf"):
        rows.used(_SCORES)
        thresholds = thresholds.copy()
        thresholds[0] = thresholds[1] + 1
    return rates, hits, thresholds


def precision_recall_curve(plain, *arguments, **options):
    """The curve ends where the recall is 1."""
    precision, recall, thresholds = plain(*arguments, **options)
    full = int((recall == 1).sum()) - 1
    if full <= 0 or full >= len(thresholds):
        return precision, recall, thresholds
    rows.used(_SCORES)
    return precision[full:], recall[full:], thresholds[full:]


def log_loss(plain, y_true, y_pred, *, eps=1e-15, **options):
    """Probabilities are clipped to [eps, 1 - eps]."""
    import numpy

    rows.used(_SCORES)
    return plain(y_true, numpy.clip(numpy.asarray(y_pred, float), eps, 1 - eps), **options)


def mean_squared_error(plain, *arguments, squared=True, **options):
    """With ``squared=False``, the root of the mean of each output."""
    if squared:
        return plain(*arguments, **options)
    import numpy

    rows.used(_SCORES)
    average = options.pop("multioutput", "uniform_average")
    errors = numpy.sqrt(plain(*arguments, multioutput="raw_values", **options))
    if isinstance(average, str):
        return errors if average == "raw_values" else numpy.average(errors)
    return numpy.average(errors, weights=average)


def _tell_of_boosting(module):
    plain = module.AdaBoostClassifier.fit

    @functools.wraps(plain)
    def fit(self, *arguments, **options):
        notices.once(
            "sklearn.AdaBoostClassifier",
            "AdaBoostClassifier boosts with SAMME; until scikit-learn 1.4 its default was "
            "SAMME.R, which was removed and returns other probabilities",
        )
        return plain(self, *arguments, **options)

    state.set_attribute(module.AdaBoostClassifier, "fit", fit)
