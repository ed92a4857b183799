"""Removed modules of scikit-learn."""

import types

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import lookup


def _module(name, *modules, **more):
    """A function that makes a module with the contents of others, and with `more`."""

    def provide():
        result = types.ModuleType(name)
        for source in map(lookup, modules):
            for attribute in dir(source):
                if not attribute.startswith("__"):
                    setattr(result, attribute, getattr(source, attribute))
        for attribute, value in more.items():
            setattr(result, attribute, value)
        return result

    return provide


def _row(name, since, *modules, **more):
    why = "its contents are in " + " and ".join(modules) + " now"
    return Row(name, since, why, _module(name, *modules, **more))


class _Splits:
    """A cross-validation iterator that gets its data when it is created."""

    def __init__(self, splitter, samples, labels=None):
        self._splitter, self._samples, self._labels = splitter, samples, labels
        self.n = samples

    def __iter__(self):
        return self._splitter.split([[0]] * self._samples, self._labels)

    def __len__(self):
        return self._splitter.get_n_splits([[0]] * self._samples, self._labels)


def _ways():
    import sklearn.model_selection

    return sklearn.model_selection


def k_fold(n, n_folds=3, shuffle=False, random_state=None):
    """``cross_validation.KFold``: iterates over (train, test) indices of `n` samples."""
    seed = random_state if shuffle else None
    return _Splits(_ways().KFold(n_folds, shuffle=shuffle, random_state=seed), n)


def stratified_k_fold(y, n_folds=3, shuffle=False, random_state=None):
    """``cross_validation.StratifiedKFold``: folds with equal shares of every label."""
    seed = random_state if shuffle else None
    way = _ways().StratifiedKFold(n_folds, shuffle=shuffle, random_state=seed)
    return _Splits(way, len(y), y)


def shuffle_split(n, n_iter=10, test_size=0.1, train_size=None, random_state=None):
    """``cross_validation.ShuffleSplit``: `n_iter` random splits."""
    way = _ways().ShuffleSplit(
        n_iter, test_size=test_size, train_size=train_size, random_state=random_state
    )
    return _Splits(way, n)


def leave_one_out(n):
    """``cross_validation.LeaveOneOut``: each sample is the test set once."""
    return _Splits(_ways().LeaveOneOut(), n)


def linear_assignment(X):
    """The assignment of least cost, as pairs of indices [pairs, 2]."""
    import numpy
    from scipy.optimize import linear_sum_assignment

    return numpy.transpose(numpy.asarray(linear_sum_assignment(X)))


_CHOICE = "sklearn.model_selection"

#: Since 0.22 internal modules are private: package -> their old names, whose public contents the
#: package has.
HIDDEN = {
    "cluster": "dbscan_ hierarchical k_means_",
    "decomposition": "nmf online_lda pca truncated_svd",
    "ensemble": "bagging base forest gradient_boosting voting_classifier weight_boosting",
    "feature_extraction": "dict_vectorizer hashing",
    "feature_selection": "base rfe univariate_selection",
    "linear_model": "base coordinate_descent logistic ridge stochastic_gradient",
    "manifold": "isomap locally_linear mds t_sne",
    "metrics": "classification ranking regression scorer",
    "mixture": "gaussian_mixture",
    "neighbors": "base classification regression unsupervised",
    "neural_network": "multilayer_perceptron rbm",
    "preprocessing": "data label",
    "semi_supervised": "label_propagation",
    "svm": "base classes",
    "tree": "tree",
}


def _hidden():
    for package, names in HIDDEN.items():
        package = "sklearn." + package
        for name in names.split():
            yield _row(f"{package}.{name}", "scikit-learn 0.24", package)


MODULES = Table(
    "modules that left scikit-learn",
    "modules",
    [
        _row(
            "sklearn.cross_validation",
            "scikit-learn 0.20",
            _CHOICE,
            KFold=k_fold,
            StratifiedKFold=stratified_k_fold,
            ShuffleSplit=shuffle_split,
            LeaveOneOut=leave_one_out,
        ),
        _row("sklearn.grid_search", "scikit-learn 0.20", _CHOICE),
        _row("sklearn.learning_curve", "scikit-learn 0.20", _CHOICE),
        _row("sklearn.externals.joblib", "scikit-learn 0.23", "joblib"),
        _row("sklearn.externals.six", "scikit-learn 0.23", "six"),
        _row("sklearn.datasets.samples_generator", "scikit-learn 0.24", "sklearn.datasets"),
        _row("sklearn.datasets.base", "scikit-learn 0.24", "sklearn.datasets", "sklearn.utils"),
        _row("sklearn.lda", "scikit-learn 0.19", "sklearn.discriminant_analysis"),
        _row(
            "sklearn.utils.linear_assignment_",
            "scikit-learn 0.23",
            "scipy.optimize",
            linear_assignment=linear_assignment,
        ),
        _row(
            "sklearn.feature_extraction.stop_words",
            "scikit-learn 0.24",
            "sklearn.feature_extraction.text",
        ),
        _row("sklearn.utils.testing", "scikit-learn 0.24", "sklearn.utils", "numpy.testing"),
        *_hidden(),
    ],
)
