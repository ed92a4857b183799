"""Names and modules that left scikit-learn."""

import types

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import lookup, made, moved, standing


def _module(name, *modules, **more):
    """A function that makes a module of the contents of others, and of `more`."""

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
    """A way to split that knew its data beforehand, and was iterated itself."""

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
    """``cross_validation.StratifiedKFold``: each fold has as much of every label."""
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
    """``cross_validation.LeaveOneOut``: every sample is the test set once."""
    return _Splits(_ways().LeaveOneOut(), n)


def linear_assignment(X):
    """The pairs of least cost, [pairs, 2]."""
    import numpy
    from scipy.optimize import linear_sum_assignment

    return numpy.transpose(numpy.asarray(linear_sum_assignment(X)))


@made("sklearn.manifold.TSNE", "scikit-learn 1.7", "n_iter is max_iter; its defaults of then")
def _tsne(real, used):
    names = ("n_components", "perplexity", "early_exaggeration", "learning_rate", "max_iter")

    def TSNE(*arguments, **options):
        options.update(zip(names, arguments))
        if len(arguments) > 1 or not {"init", "learning_rate"} <= set(options):
            used()
        if "n_iter" in options:
            used()
            options["max_iter"] = options.pop("n_iter")
        options.setdefault("init", "random")
        options.setdefault("learning_rate", 200.0)
        return real.TSNE(**options)

    return TSNE


@made("sklearn.preprocessing.OneHotEncoder", "scikit-learn 1.4", "sparse is sparse_output now")
def _one_hot_encoder(real, used):
    def OneHotEncoder(*arguments, **options):
        if "sparse" in options:
            used()
            options["sparse_output"] = options.pop("sparse")
        return real.OneHotEncoder(*arguments, **options)

    return OneHotEncoder


@made("sklearn.preprocessing.Imputer", "scikit-learn 0.22", "sklearn.impute.SimpleImputer")
def _imputer(real):
    def Imputer(missing_values="NaN", strategy="mean", axis=0, verbose=0, copy=True):
        from sklearn.impute import SimpleImputer

        if axis:
            raise NotImplementedError("Imputer(axis=1): transpose the data and its result instead")
        missing = float("nan") if missing_values == "NaN" else missing_values
        return SimpleImputer(missing_values=missing, strategy=strategy, copy=copy)

    return Imputer


@standing(
    "sklearn.datasets.fetch_mldata",
    "scikit-learn 0.22",
    "mldata.org is no more: MNIST comes from openml.org",
)
def _fetch_mldata(dataname, **options):
    from sklearn.datasets import fetch_openml

    if dataname.lower() not in ("mnist original", "mnist-original"):
        raise NotImplementedError(
            f"fetch_mldata({dataname!r}): mldata.org is no more; see sklearn.datasets.fetch_openml"
        )
    found = fetch_openml("mnist_784", version=1, as_frame=False, data_home=options.get("data_home"))
    found.target = found.target.astype(float)
    return found


@made(
    "sklearn.datasets.load_boston",
    "scikit-learn 1.2",
    "contrib's copy, or a file that the user brings",
)
def _load_boston(real):
    from tfgraphtools.compat.datasets import boston

    return boston.load_boston


@made("sklearn.metrics.jaccard_similarity_score", "scikit-learn 0.23", "the share that is right")
def _jaccard(real):
    def jaccard_similarity_score(y_true, y_pred, normalize=True, sample_weight=None):
        import numpy as np

        if np.ndim(y_true) < 2:
            score = real.accuracy_score(
                y_true, y_pred, normalize=normalize, sample_weight=sample_weight
            )
            return score if normalize or sample_weight is not None else int(score)
        truth, said = np.asarray(y_true, bool), np.asarray(y_pred, bool)
        either = (truth | said).sum(1)
        scores = np.where(either, (truth & said).sum(1) / np.maximum(either, 1), 1.0)
        if normalize:
            return np.average(scores, weights=sample_weight)
        return np.dot(scores, np.ones_like(scores) if sample_weight is None else sample_weight)

    return jaccard_similarity_score


@made("sklearn.utils.extmath.log_logistic", "scikit-learn 1.7", "-log(1 + exp(-x))")
def _log_logistic(real):
    def log_logistic(X, out=None):
        import numpy as np

        return np.negative(np.logaddexp(0, np.negative(X)), out=out)

    return log_logistic


@made("sklearn.utils.extmath.norm", "scikit-learn 0.21", "the norm of a vector")
def _norm(real):
    def norm(x):
        import numpy as np

        return np.linalg.norm(np.ravel(x))

    return norm


@made("sklearn.utils.indices_to_mask", "scikit-learn 1.7", "True at these indices")
def _indices_to_mask(real):
    def indices_to_mask(indices, mask_length):
        import numpy as np

        mask = np.zeros(mask_length, dtype=bool)
        mask[indices] = True
        return mask

    return indices_to_mask


NAMES = Table(
    "names that left scikit-learn",
    "names",
    [
        _load_boston,
        _imputer,
        _fetch_mldata,
        *moved(
            "sklearn.metrics",
            "scikit-learn 0.23",
            {"calinski_harabaz_score": "sklearn.metrics:calinski_harabasz_score"},
        ),
        _jaccard,
        *moved(
            "sklearn.covariance",
            "scikit-learn 0.22",
            {
                "GraphLasso": "sklearn.covariance:GraphicalLasso",
                "GraphLassoCV": "sklearn.covariance:GraphicalLassoCV",
                "graph_lasso": "sklearn.covariance:graphical_lasso",
            },
        ),
        *moved(
            "sklearn.utils.extmath",
            "scikit-learn 0.23",
            {
                "fast_dot": "numpy:dot",
                "logsumexp": "scipy.special:logsumexp",
                "pinvh": "scipy.linalg:pinvh",
            },
        ),
        _log_logistic,
        _norm,
        _indices_to_mask,
        *moved(
            "sklearn.utils", "scikit-learn 0.24", {"safe_indexing": "sklearn.utils:_safe_indexing"}
        ),
        *moved(
            "sklearn.neighbors",
            "scikit-learn 1.3",
            {"DistanceMetric": "sklearn.metrics:DistanceMetric"},
        ),
        *moved(
            "sklearn.utils.graph",
            "scikit-learn 0.21",
            {"graph_laplacian": "scipy.sparse.csgraph:laplacian"},
        ),
        *moved(
            "sklearn.random_projection",
            "scikit-learn 0.24",
            {
                name: "sklearn.random_projection:_" + name
                for name in ("gaussian_random_matrix", "sparse_random_matrix")
            },
        ),
    ],
)

CALLS = Table("calls that scikit-learn took once", "calls", [_tsne, _one_hot_encoder])

_CHOICE = "sklearn.model_selection"

#: Since 0.22 a module that is not for users is hidden: package -> what its modules were called
#: ("classification" is "_classification" now, "k_means_:kmeans" is "_kmeans").
HIDDEN = {
    "cluster": "dbscan_ hierarchical:agglomerative k_means_:kmeans",
    "decomposition": "nmf online_lda:lda pca truncated_svd",
    "ensemble": "bagging base forest gradient_boosting voting_classifier:voting weight_boosting",
    "feature_extraction": "dict_vectorizer hashing:hash stop_words",
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
    "tree": "tree:classes",
    "utils": "testing",
}


def _hidden():
    for package, names in HIDDEN.items():
        package = "sklearn." + package
        for name in names.split():
            old, _, new = name.partition(":")
            now = package + "._" + (new or old.rstrip("_"))
            yield _row(f"{package}.{old}", "scikit-learn 0.24", package, now)


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
        *_hidden(),
    ],
)

TABLES = (NAMES, CALLS, MODULES)
