"""Arguments of scikit-learn 1.0 that have another name today, or none."""

import functools
import sys
from typing import Any, NamedTuple

from tfgraphtools.compat.engine import after_import, rows, state
from tfgraphtools.compat.engine.rows import Row, Table

ROW = Row(
    "sklearn.arguments",
    "scikit-learn 1.1",
    "arguments that were renamed (base_estimator, affinity, fit_params, y_prob, Xt, n_iter, "
    "force_all_finite...), and those that no longer had a meaning (copy_X, X_idx_sorted...)",
)
TABLE = Table("arguments of scikit-learn 1.0", "listed", [ROW])


class _Renamed(NamedTuple):
    """A module below ``sklearn``, what takes the argument there, its old and its new name."""

    module: str
    takers: str
    old: str
    new: str


_VALIDATIONS = (
    "cross_val_score cross_val_predict cross_validate learning_curve permutation_test_score "
    "validation_curve"
)
_PATHS = "ElasticNetCV LassoCV MultiTaskElasticNetCV MultiTaskLassoCV"

_RENAMED = (
    _Renamed("calibration", "CalibratedClassifierCV", "base_estimator", "estimator"),
    _Renamed("cluster._agglomerative", "AgglomerativeClustering", "affinity", "metric"),
    _Renamed("cluster._agglomerative", "FeatureAgglomeration", "affinity", "metric"),
    _Renamed(
        "cluster._feature_agglomeration", "AgglomerationTransform.inverse_transform", "Xred", "X"
    ),
    _Renamed("cross_decomposition._pls", "_PLS.fit PLSRegression.fit PLSSVD.fit", "Y", "y"),
    _Renamed("cross_decomposition._pls", "_PLS.transform PLSSVD.transform", "Y", "y"),
    _Renamed("datasets._samples_generator", "make_sparse_spd_matrix", "dim", "n_dim"),
    _Renamed("decomposition._nmf", "_BaseNMF.inverse_transform", "W", "X"),
    _Renamed("ensemble._bagging", "BaggingClassifier", "base_estimator", "estimator"),
    _Renamed("ensemble._bagging", "BaggingRegressor", "base_estimator", "estimator"),
    _Renamed("ensemble._weight_boosting", "AdaBoostClassifier", "base_estimator", "estimator"),
    _Renamed("ensemble._weight_boosting", "AdaBoostRegressor", "base_estimator", "estimator"),
    _Renamed("isotonic", "IsotonicRegression.transform", "T", "X"),
    _Renamed("linear_model._bayes", "BayesianRidge ARDRegression", "n_iter", "max_iter"),
    _Renamed("linear_model._coordinate_descent", _PATHS, "n_alphas", "alphas"),
    _Renamed("linear_model._ransac", "RANSACRegressor", "base_estimator", "estimator"),
    _Renamed(
        "linear_model._ridge",
        "_BaseRidgeCV RidgeClassifierCV",
        "store_cv_values",
        "store_cv_results",
    ),
    _Renamed("metrics", "brier_score_loss", "y_prob", "y_proba"),
    _Renamed("metrics", "precision_recall_curve", "probas_pred", "y_score"),
    _Renamed("metrics.pairwise", "pairwise_distances", "force_all_finite", "ensure_all_finite"),
    _Renamed("model_selection._search", "BaseSearchCV.inverse_transform", "Xt", "X"),
    _Renamed("model_selection._validation", _VALIDATIONS, "fit_params", "params"),
    _Renamed("multioutput", "ClassifierChain RegressorChain", "base_estimator", "estimator"),
    _Renamed("pipeline", "Pipeline.inverse_transform", "Xt", "X"),
    _Renamed("preprocessing._discretization", "KBinsDiscretizer.inverse_transform", "Xt", "X"),
    _Renamed(
        "semi_supervised._self_training", "SelfTrainingClassifier", "base_estimator", "estimator"
    ),
    _Renamed(
        "utils.validation",
        "check_array check_X_y as_float_array",
        "force_all_finite",
        "ensure_all_finite",
    ),
)

#: Old argument -> the old name of the attribute that fitting makes of it.
_FITTED = {"base_estimator": "base_estimator_"}

_ANY = object()


class _Dropped(NamedTuple):
    """An argument without a successor, and the only value at which it changes nothing."""

    module: str
    takers: str
    name: str
    value: Any = _ANY


_DROPPED = (
    _Dropped("cluster._birch", "Birch", "copy"),
    _Dropped("cluster._kmeans", "_BaseKMeans.predict", "sample_weight"),
    _Dropped("covariance._graph_lasso", "graphical_lasso", "cov_init", None),
    _Dropped("decomposition._nmf", "NMF", "alpha", 0),
    _Dropped("decomposition._nmf", "NMF", "regularization"),
    _Dropped("impute._base", "SimpleImputer", "verbose"),
    _Dropped("linear_model._theil_sen", "TheilSenRegressor", "copy_X"),
    _Dropped("metrics", "fowlkes_mallows_score", "sparse"),
    _Dropped("metrics.pairwise", "manhattan_distances", "sum_over_features", True),
    _Dropped(
        "tree._classes", "DecisionTreeClassifier.fit DecisionTreeRegressor.fit", "X_idx_sorted"
    ),
)


def install():
    """Takes the old arguments, once the modules are loaded."""
    if rows.is_off(ROW.name):
        return
    for one in _RENAMED:
        after_import.call("sklearn." + one.module, functools.partial(_rename, one), ROW.name)
    for one in _DROPPED:
        after_import.call("sklearn." + one.module, functools.partial(_drop, one), ROW.name)
    after_import.call("sklearn.metrics", _take_squared, ROW.name)
    after_import.call("sklearn.calibration", _take_normalize, ROW.name)
    after_import.call("sklearn.linear_model._ridge", _name_values, ROW.name)


def _rename(one, module):
    def change(options):
        if one.old in options:
            rows.used(ROW)
            value = options.pop(one.old)
            if value is not None and not (isinstance(value, str) and value == "deprecated"):
                options[one.new] = value
        return options

    for taker in one.takers.split():
        owner, _, method = taker.partition(".")
        _wrap(module, taker, change)
        if isinstance(getattr(module, owner), type) and not method:
            _name_parameter(getattr(module, owner), one.old, one.new)


def _drop(one, module):
    def change(options):
        value = options.get(one.name, one.value)
        if one.name in options and (one.value is _ANY or value == one.value):
            rows.used(ROW)
            options.pop(one.name)
        return options

    for taker in one.takers.split():
        _wrap(module, taker, change)


def _wrap(module, taker, change):
    """Changes the keyword arguments of a function, a method, or the ``__init__`` of a class."""
    owner, _, name = taker.partition(".")
    target = getattr(module, owner)
    if isinstance(target, type):
        name = name or "__init__"
    else:
        target, name = module, owner
    plain = getattr(target, name)

    @functools.wraps(plain)
    def changed(*arguments, **options):
        return plain(*arguments, **change(options))

    _set(target, name, changed)


def _set(target, name, new):
    """Sets an attribute of a class, or of a module and of the package that has it from there."""
    plain = getattr(target, name)
    state.set_attribute(target, name, new)
    package = sys.modules.get(target.__name__.rpartition(".")[0])
    if getattr(package, name, None) is plain:  # loaded before
        state.set_attribute(package, name, new)


def _name_parameter(cls, old, new):
    """``model.base_estimator``, ``base_estimator_`` and ``set_params(base_estimator__depth=3)``."""
    state.set_attribute(cls, old, _alias(new), new=True)
    if old in _FITTED:
        state.set_attribute(cls, _FITTED[old], _alias(new + "_"), new=True)
    plain = cls.set_params

    @functools.wraps(plain)
    def set_params(self, **options):
        renamed = {}
        for name, value in options.items():
            first, divider, rest = name.partition("__")
            if first == old:
                rows.used(ROW)
            renamed[(new if first == old else first) + divider + rest] = value
        return plain(self, **renamed)

    state.set_attribute(cls, "set_params", set_params)


def _alias(name):
    def value(self):
        rows.used(ROW)
        return getattr(self, name)

    return property(value)


def _take_squared(module):
    """``mean_squared_log_error(squared=False)``: its root, the mean of the roots of columns."""
    plain = module.mean_squared_log_error

    @functools.wraps(plain)
    def mean_squared_log_error(*arguments, **options):
        if "squared" not in options:
            return plain(*arguments, **options)
        rows.used(ROW)
        is_squared = options.pop("squared")
        return (plain if is_squared else module.root_mean_squared_log_error)(*arguments, **options)

    _set(module, "mean_squared_log_error", mean_squared_log_error)


def _take_normalize(module):
    """``calibration_curve(normalize=True)``: probabilities from the least to the greatest."""
    plain = module.calibration_curve

    @functools.wraps(plain)
    def calibration_curve(y_true, y_prob, *arguments, **options):
        if "normalize" in options:
            rows.used(ROW)
            if options.pop("normalize"):
                y_prob = (y_prob - y_prob.min()) / (y_prob.max() - y_prob.min())
        return plain(y_true, y_prob, *arguments, **options)

    state.set_attribute(module, "calibration_curve", calibration_curve)


def _name_values(module):
    """``RidgeCV(store_cv_values=True).cv_values_``."""
    for cls in (module._BaseRidgeCV, module.RidgeClassifierCV):
        state.set_attribute(cls, "cv_values_", _alias("cv_results_"), new=True)
