"""``sklearn.cross_validation``: folds of a number of samples, which are iterated themselves.

``KFold(n, n_folds=3)`` is iterated; in ``model_selection`` its method ``split`` gets the data. The
folds are those of scikit-learn 0.19: they are shuffled once, when the object is created, and
stratified folds are those from before 0.22.
"""

import warnings

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import standing


class _Splits:
    """The splits of some samples, drawn again in each iteration.

    Args:
      splitter: one of ``model_selection``.
      n: the number of samples.
      y: their labels, for a splitter that takes them.
    """

    def __init__(self, splitter, n, y=None):
        self._splitter, self.n, self.y = splitter, n, y

    def _drawn(self):
        import numpy

        return self._splitter.split(numpy.empty([self.n, 1]), self.y)

    def __iter__(self):
        return iter(self._drawn())

    def __len__(self):
        import numpy

        return self._splitter.get_n_splits(numpy.empty([self.n, 1]), self.y)


class _Folds(_Splits):
    """Folds, which are shuffled once."""

    def __init__(self, n, n_folds, shuffle, random_state):
        from sklearn import model_selection

        state = random_state if shuffle else None
        folds = model_selection.KFold(n_folds, shuffle=shuffle, random_state=state)
        super().__init__(folds, n)
        self.n_folds, self.shuffle, self.random_state = n_folds, shuffle, random_state
        self._folds = list(self._drawn())

    def __iter__(self):
        return iter(self._folds)


class _StratifiedFolds(_Folds):
    """Folds in which each label has its share: each label's samples are divided by themselves."""

    def __init__(self, y, n_folds, shuffle, random_state):
        import numpy
        from sklearn.utils import check_random_state

        self.y = y = numpy.asarray(y)
        self.n, self.n_folds, self.shuffle = len(y), n_folds, shuffle
        self.random_state = random_state
        labels, counts = numpy.unique(y, return_counts=True)
        _check_counts(counts, n_folds)
        generator = check_random_state(random_state) if shuffle else None
        self.test_folds = numpy.zeros(self.n, int)
        for label, count in zip(labels, counts):
            folds = _Folds(max(count, n_folds), n_folds, shuffle, generator)
            self.test_folds[y == label] = _fold_of_each(folds)[:count]
        everything = numpy.arange(self.n)
        masks = (self.test_folds == fold for fold in range(n_folds))
        self._folds = [(everything[~mask], everything[mask]) for mask in masks]

    def __len__(self):
        return self.n_folds


def _check_counts(counts, n_folds):
    fewest = min(counts)
    if max(counts) < n_folds:
        raise ValueError(f"All the n_labels for individual classes are less than {n_folds} folds.")
    if fewest < n_folds:
        warnings.warn(
            f"The least populated class in y has only {fewest} members, which is too few. The "
            "minimum number of labels for any class cannot be less than "
            f"n_folds={n_folds}.",
            stacklevel=4,
        )


def _fold_of_each(folds):
    """Returns the number of the fold that tests each sample."""
    import numpy

    numbers = numpy.zeros(folds.n, int)
    for number, (_, test) in enumerate(folds):
        numbers[test] = number
    return numbers


_WHY = "the splits of samples, which are iterated"


@standing("sklearn.cross_validation.KFold", "scikit-learn 0.20", _WHY)
def _k_fold(n, n_folds=3, shuffle=False, random_state=None):
    return _Folds(n, n_folds, shuffle, random_state)


@standing("sklearn.cross_validation.StratifiedKFold", "scikit-learn 0.20", _WHY)
def _stratified_k_fold(y, n_folds=3, shuffle=False, random_state=None):
    return _StratifiedFolds(y, n_folds, shuffle, random_state)


@standing("sklearn.cross_validation.LeaveOneOut", "scikit-learn 0.20", _WHY)
def _leave_one_out(n):
    from sklearn import model_selection

    return _Splits(model_selection.LeaveOneOut(), n)


@standing("sklearn.cross_validation.ShuffleSplit", "scikit-learn 0.20", _WHY)
def _shuffle_split(n, n_iter=10, test_size=0.1, train_size=None, random_state=None):
    from sklearn import model_selection

    sizes = {"test_size": test_size, "train_size": train_size, "random_state": random_state}
    return _Splits(model_selection.ShuffleSplit(n_iter, **sizes), n)


@standing("sklearn.cross_validation.StratifiedShuffleSplit", "scikit-learn 0.20", _WHY)
def _stratified_shuffle_split(y, n_iter=10, test_size=0.1, train_size=None, random_state=None):
    from sklearn import model_selection

    sizes = {"test_size": test_size, "train_size": train_size, "random_state": random_state}
    return _Splits(model_selection.StratifiedShuffleSplit(n_iter, **sizes), len(y), y)


TABLES = (
    Table(
        "folds of scikit-learn",
        "names",
        [
            _k_fold,
            _stratified_k_fold,
            _leave_one_out,
            _shuffle_split,
            _stratified_shuffle_split,
        ],
    ),
)
