"""Names, methods and calls of estimators and other objects that scikit-learn removed."""

from tfgraphtools.compat.engine.rewrite_kinds import old_call
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import in_place_of, left, of, provides, renaming, standing


@in_place_of(
    "sklearn.manifold.TSNE",
    "scikit-learn 1.7",
    "n_iter is max_iter now; uses the old defaults",
    rewrite=old_call("sklearn.manifold.TSNE", "n_iter"),
)
def _tsne(original, used, *arguments, **options):
    names = ("n_components", "perplexity", "early_exaggeration", "learning_rate", "max_iter")
    options.update(zip(names, arguments))
    if len(arguments) > 1 or not {"init", "learning_rate"} <= set(options):
        used()
    if "n_iter" in options:
        used()
        options["max_iter"] = options.pop("n_iter")
    options.setdefault("init", "random")
    options.setdefault("learning_rate", 200.0)
    return original(**options)


@provides("sklearn.preprocessing.Imputer", "scikit-learn 0.22", "sklearn.impute.SimpleImputer")
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
    "mldata.org is gone: downloads MNIST from openml.org",
)
def _fetch_mldata(dataname, **options):
    from sklearn.datasets import fetch_openml

    if dataname.lower() not in ("mnist original", "mnist-original"):
        raise NotImplementedError(
            f"fetch_mldata({dataname!r}): mldata.org is gone; use sklearn.datasets.fetch_openml"
        )
    digits = fetch_openml(
        "mnist_784", version=1, as_frame=False, data_home=options.get("data_home")
    )
    digits.target = digits.target.astype(float)
    return digits


@provides(
    "sklearn.datasets.load_boston",
    "scikit-learn 1.2",
    "reads contrib's copy, or a file that you provide",
)
def _load_boston(real):
    from tfgraphtools.compat.datasets import boston

    return boston.load_boston


@provides("sklearn.metrics.jaccard_similarity_score", "scikit-learn 0.23", "the accuracy")
def _jaccard(real):
    def jaccard_similarity_score(y_true, y_pred, normalize=True, sample_weight=None):
        if getattr(y_true, "ndim", 1) > 1:
            raise NotImplementedError("jaccard_similarity_score of labels: write jaccard_score")
        score = real.accuracy_score(
            y_true, y_pred, normalize=normalize, sample_weight=sample_weight
        )
        return score if normalize or sample_weight is not None else int(score)

    return jaccard_similarity_score


def _feature_names(transformer):
    """Returns the function that gives a list of names, and of an encoder an array."""
    names = transformer.get_feature_names_out
    return names if type(transformer).__name__ == "OneHotEncoder" else lambda: list(names())


NAMES = Table(
    "functions and classes that left scikit-learn",
    "names",
    [
        _load_boston,
        _imputer,
        _fetch_mldata,
        _jaccard,
    ],
)

CALLS = Table(
    "old calls of scikit-learn",
    "calls",
    [
        *_tsne,
        renaming("sklearn.preprocessing.OneHotEncoder", "scikit-learn 1.4", sparse="sparse_output"),
    ],
)

ATTRIBUTES = Table(
    "methods that scikit-learn's objects had",
    "listed",
    [
        left(
            "sklearn.get_feature_names",
            "scikit-learn 1.2",
            "get_feature_names_out()",
            of("sklearn"),
            {"get_feature_names": _feature_names},
            "sklearn",
        )
    ],
)

TABLES = (*removed.tables_of("scikit-learn"), NAMES, CALLS, ATTRIBUTES)
