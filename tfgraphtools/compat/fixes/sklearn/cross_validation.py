"""``sklearn.cross_validation``: folds of a number of samples, which are iterated themselves.

``KFold(n, n_folds=3)`` is iterated; in ``model_selection`` its method ``split`` gets the data. The
folds are the same. Those that are stratified are others since scikit-learn 0.22: they are refused.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import standing


class _Folds:
    """The splits of some samples.

    Args:
      splitter: one of ``model_selection``.
      n: the number of samples.
    """

    def __init__(self, splitter, n):
        self._splitter, self.n = splitter, n

    def __iter__(self):
        import numpy

        return self._splitter.split(numpy.empty([self.n, 1]))

    def __len__(self):
        import numpy

        return self._splitter.get_n_splits(numpy.empty([self.n, 1]))


_WHY = "the splits of n samples, which are iterated"


@standing("sklearn.cross_validation.KFold", "scikit-learn 0.20", _WHY)
def _k_fold(n, n_folds=3, shuffle=False, random_state=None):
    from sklearn import model_selection

    state = random_state if shuffle else None
    return _Folds(model_selection.KFold(n_folds, shuffle=shuffle, random_state=state), n)


@standing("sklearn.cross_validation.LeaveOneOut", "scikit-learn 0.20", _WHY)
def _leave_one_out(n):
    from sklearn import model_selection

    return _Folds(model_selection.LeaveOneOut(), n)


@standing("sklearn.cross_validation.ShuffleSplit", "scikit-learn 0.20", _WHY)
def _shuffle_split(n, n_iter=10, test_size=0.1, train_size=None, random_state=None):
    from sklearn import model_selection

    sizes = {"test_size": test_size, "train_size": train_size, "random_state": random_state}
    return _Folds(model_selection.ShuffleSplit(n_iter, **sizes), n)


def _refused(name, call):
    def refuse(*arguments, **options):
        raise NotImplementedError(
            f"sklearn.cross_validation.{name}: scikit-learn 0.20 removed it, and stratified folds "
            f"are others since 0.22. Write {call}, or run the program with scikit-learn<0.20 and "
            "Python 3.7."
        )

    row_name, since = f"sklearn.cross_validation.{name}", "scikit-learn 0.20"
    return standing(row_name, since, "refused by name", cannot=f"write {call}")(refuse)


TABLES = (
    Table(
        "folds of scikit-learn",
        "names",
        [
            _k_fold,
            _leave_one_out,
            _shuffle_split,
            _refused("StratifiedKFold", "model_selection.StratifiedKFold(n_splits=3).split(x, y)"),
            _refused(
                "StratifiedShuffleSplit",
                "model_selection.StratifiedShuffleSplit(n_splits=10, test_size=0.1).split(x, y)",
            ),
        ],
    ),
)
