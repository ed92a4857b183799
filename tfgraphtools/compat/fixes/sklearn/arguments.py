"""Arguments of scikit-learn 1.0 that have another name, other values or another default today."""

import functools
import importlib
import inspect

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.replacing import install_after_import
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import build

_RENAMED = Row(
    "sklearn.arguments",
    "scikit-learn 1.1",
    "arguments that were renamed (base_estimator, affinity, fit_params, y_prob, Xt, n_iter, "
    "force_all_finite...), and those that no longer have a meaning (copy_X, X_idx_sorted...)",
)
_VALUES = Row(
    "sklearn.renamed_arguments",
    "scikit-learn 1.2",
    "criterion='mse', loss='log', max_features='auto', penalty='none'",
)
_DEFAULTS = Row(
    "sklearn.defaults", "scikit-learn 1.2", "KMeans(n_init=10), LinearSVC(dual=True)"
)
_SQUARED = Row(
    "sklearn.scores", "scikit-learn 1.6", "mean_squared_error(squared=False) is its root"
)
TABLE = Table(
    "arguments of scikit-learn 1.0", "listed", [_RENAMED, _VALUES, _DEFAULTS, _SQUARED]
)

#: module, what takes the argument there: its old and its new name
_NEW_NAMES = """
calibration CalibratedClassifierCV: base_estimator estimator
cluster AgglomerativeClustering FeatureAgglomeration: affinity metric
cluster FeatureAgglomeration.inverse_transform: Xred X
cross_decomposition PLSRegression.fit PLSSVD.fit PLSRegression.transform PLSSVD.transform: Y y
datasets make_sparse_spd_matrix: dim n_dim
decomposition NMF.inverse_transform: W X
ensemble BaggingClassifier BaggingRegressor AdaBoostClassifier: base_estimator estimator
ensemble AdaBoostRegressor: base_estimator estimator
linear_model BayesianRidge ARDRegression: n_iter max_iter
linear_model ElasticNetCV LassoCV MultiTaskElasticNetCV MultiTaskLassoCV: n_alphas alphas
linear_model RANSACRegressor: base_estimator estimator
linear_model RidgeCV RidgeClassifierCV: store_cv_values store_cv_results
metrics brier_score_loss: y_prob y_proba
metrics precision_recall_curve: probas_pred y_score
metrics pairwise_distances: force_all_finite ensure_all_finite
model_selection GridSearchCV.inverse_transform RandomizedSearchCV.inverse_transform: Xt X
model_selection cross_val_score cross_val_predict cross_validate: fit_params params
model_selection learning_curve permutation_test_score validation_curve: fit_params params
multioutput ClassifierChain RegressorChain: base_estimator estimator
pipeline Pipeline.inverse_transform: Xt X
preprocessing KBinsDiscretizer.inverse_transform: Xt X
semi_supervised SelfTrainingClassifier: base_estimator estimator
utils check_array check_X_y as_float_array: force_all_finite ensure_all_finite
"""

_ANY = object()

#: (module, what takes it there, an argument without a successor, the values without effect)
_WITHOUT_MEANING = (
    ("cluster", "Birch", "copy", _ANY),
    ("cluster", "KMeans", "n_jobs", _ANY),
    ("cluster", "KMeans", "precompute_distances", _ANY),
    ("covariance", "graphical_lasso", "cov_init", (None,)),
    ("decomposition", "NMF", "alpha", (0,)),
    ("decomposition", "NMF", "regularization", _ANY),
    ("ensemble", "AdaBoostClassifier", "algorithm", ("SAMME",)),
    ("ensemble", "IsolationForest", "behaviour", _ANY),
    ("impute", "SimpleImputer", "verbose", _ANY),
    ("linear_model", "LinearRegression", "normalize", _ANY),
    ("linear_model", "LogisticRegression", "multi_class", ("auto", "multinomial")),
    ("linear_model", "TheilSenRegressor", "copy_X", _ANY),
    ("metrics", "fowlkes_mallows_score", "sparse", _ANY),
    ("metrics.pairwise", "manhattan_distances", "sum_over_features", (True,)),
    ("model_selection", "GridSearchCV RandomizedSearchCV", "iid", _ANY),
    ("tree", "DecisionTreeClassifier.fit DecisionTreeRegressor.fit", "X_idx_sorted", _ANY),
)

_OF_CLASSES = {"max_features": {"auto": "sqrt"}}
_CRITERIA = {"mse": "squared_error", "mae": "absolute_error"}
_OF_REGRESSION = {"max_features": {"auto": 1.0}, "criterion": _CRITERIA}
_BOOSTED = {"deviance": "log_loss", "ls": "squared_error", "lad": "absolute_error"}
_OF_STEPS = {
    "loss": {"log": "log_loss", "squared_loss": "squared_error"},
    "penalty": {"none": None},
}

#: (module, classes, {argument: {old value: new value}})
_NEW_VALUES = (
    ("cluster", "KMeans", {"algorithm": {"full": "lloyd", "auto": "lloyd"}}),
    ("ensemble", "RandomForestClassifier ExtraTreesClassifier", _OF_CLASSES),
    ("ensemble", "RandomForestRegressor ExtraTreesRegressor", _OF_REGRESSION),
    ("ensemble", "GradientBoostingClassifier", {**_OF_CLASSES, "loss": _BOOSTED}),
    ("ensemble", "GradientBoostingRegressor", {"max_features": {"auto": None}, "loss": _BOOSTED}),
    ("linear_model", "SGDClassifier SGDRegressor", _OF_STEPS),
    ("linear_model", "LogisticRegression", {"penalty": {"none": None}}),
    ("tree", "DecisionTreeClassifier", _OF_CLASSES),
    ("tree", "DecisionTreeRegressor", {**_OF_REGRESSION, "max_features": {"auto": None}}),
)

#: (module, classes, {argument: its default in 1.0})
_OLD_DEFAULTS = (
    ("cluster", "KMeans", {"n_init": 10}),
    ("cluster", "MiniBatchKMeans", {"n_init": 3}),
    ("svm", "LinearSVC LinearSVR", {"dual": True}),
)


def install():
    """Makes user code's calls take the old arguments, once the modules are loaded."""
    for line in _NEW_NAMES.strip().splitlines():
        takers, _, names = line.partition(": ")
        module, takers = takers.split(" ", 1)
        _install(_RENAMED, module, takers, functools.partial(_rename, *names.split()))
    for module, takers, name, values in _WITHOUT_MEANING:
        _install(_RENAMED, module, takers, functools.partial(_leave_out, name, values))
    for module, takers, values in _NEW_VALUES:
        _install(_VALUES, module, takers, functools.partial(_change_values, values))
    for module, takers, defaults in _OLD_DEFAULTS:
        _install(_DEFAULTS, module, takers, functools.partial(_set_defaults, defaults))
    for name in ("mean_squared_error", "mean_squared_log_error"):
        function = functools.partial(_squared, name)
        install_after_import(*build.replacements(_SQUARED, function, "sklearn.metrics:" + name))


def _install(row, module, takers, change):
    """Changes the keyword arguments of functions, of methods, or of the ``__init__`` of classes."""
    names = [
        taker + ".__init__" if taker[0].isupper() and "." not in taker else taker
        for taker in takers.split()
    ]
    function = functools.partial(_call, change)
    install_after_import(
        *build.replacements(row, function, f"sklearn.{module}:" + " ".join(names))
    )


def _call(change, original, *arguments, **options):
    change(original, options)
    return original(*arguments, **options)


def _takes(function, name):
    return name in inspect.signature(function).parameters


def _rename(old, new, original, options):
    if old in options and not _takes(original, old):
        rows.used(_RENAMED)
        value = options.pop(old)
        if value is not None and not (isinstance(value, str) and value == "deprecated"):
            options[new] = value


def _leave_out(name, values, original, options):
    is_without = values is _ANY or options.get(name) in values
    if name in options and is_without and not _takes(original, name):
        rows.used(_RENAMED)
        del options[name]


def _change_values(values, original, options):
    for name, renamed in values.items():
        value = options.get(name)
        if isinstance(value, str) and value in renamed:
            rows.used(_VALUES)
            options[name] = renamed[value]


def _set_defaults(defaults, original, options):
    for name, value in defaults.items():
        if name not in options:
            rows.used(_DEFAULTS)
            options[name] = value


def _squared(name, original, *arguments, **options):
    """``squared=False``: the root, of several columns the mean of their roots."""
    if "squared" not in options or _takes(original, "squared"):
        return original(*arguments, **options)
    rows.used(_SQUARED)
    if options.pop("squared"):
        return original(*arguments, **options)
    root = getattr(importlib.import_module("sklearn.metrics"), "root_" + name)
    return root(*arguments, **options)
