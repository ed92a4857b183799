"""Removed modules of scikit-learn."""

import pathlib
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

_FILE = pathlib.Path(__file__).with_name("modules.tsv")


def _moved():
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, since, modules = line.split("\t")
            yield _row(name, since, *modules.split())


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
        _row(
            "sklearn.utils.linear_assignment_",
            "scikit-learn 0.23",
            "scipy.optimize",
            linear_assignment=linear_assignment,
        ),
        *_moved(),
    ],
)
