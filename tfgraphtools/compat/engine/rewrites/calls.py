"""Calls whose arguments have other names, positions or defaults today."""

from tfgraphtools.compat.engine.rewrites.kinds import Call, Rename, Runtime

_V1 = "tensorflow.compat.v1."
_TF1 = "tfgraphtools.tf1."


def _left_out(names, *keywords):
    return {name: Call(keywords=dict.fromkeys(keywords)) for name in names.split()}


def _renamed(names, **keywords):
    return {name: Call(keywords=keywords) for name in names.split()}


def _old_calls(names, keywords):
    return {
        name: Runtime(f"{_TF1}libraries.{name}", keywords=tuple(keywords.split()))
        for name in names.split()
    }


_SUMMARIES = {
    "tensorflow.scalar_summary": Call(_V1 + "summary.scalar", {"tags": "name", "values": "tensor"}),
    "tensorflow.histogram_summary": Call(_V1 + "summary.histogram", {"tag": "name"}),
    "tensorflow.image_summary": Call(
        _V1 + "summary.image",
        {"tag": "name", "max_images": "max_outputs"},
        ("", "", "max_outputs", "collections", "name"),
    ),
    "tensorflow.audio_summary": Call(_V1 + "summary.audio", {"tag": "name"}),
}


def _summary(name, call):
    why = "the tag is prefixed with the name scopes, and has no blanks"
    return Runtime(_TF1 + name.partition(".")[2], call, why)


#: Functions of networkx whose result was a matrix of SciPy, and is an array of SciPy.
_SPARSE_MATRICES = "adjacency_matrix laplacian_matrix normalized_laplacian_matrix incidence_matrix"

CALLS = {
    **_left_out("json.load json.loads json.dump json.dumps", "encoding"),
    **_old_calls(
        "pandas.read_csv pandas.read_table",
        "squeeze prefix date_parser delim_whitespace error_bad_lines",
    ),
    **_old_calls("sklearn.manifold.TSNE", "n_iter"),
    **_old_calls(
        "seaborn.jointplot seaborn.lmplot seaborn.regplot seaborn.residplot seaborn.pointplot "
        "seaborn.countplot seaborn.boxplot seaborn.violinplot seaborn.stripplot "
        "seaborn.swarmplot seaborn.barplot",
        "size",
    ),
    **_renamed(
        "numpy.histogram numpy.histogram2d numpy.histogramdd matplotlib.pyplot.hist",
        normed="density",
    ),
    **_renamed(
        "numpy.percentile numpy.nanpercentile numpy.quantile numpy.nanquantile",
        interpolation="method",
    ),
    **_renamed("numpy.unravel_index", dims="shape"),
    **_renamed("numpy.reshape", newshape="shape"),
    **_renamed("sklearn.preprocessing.OneHotEncoder", sparse="sparse_output"),
    **{
        f"networkx.{name}": Runtime(
            f"{_TF1}libraries.networkx.{name}",
            Call(wrapped="scipy.sparse.csr_matrix"),
            "the matrix is in the format csr",
        )
        for name in _SPARSE_MATRICES.split()
    },
    **{
        f"cPickle.{name}": Runtime(
            f"{_TF1}libraries.pickle.{name}",
            Rename(f"pickle.{name}"),
            "open the file in binary mode",
        )
        for name in ("dump", "Pickler", "Unpickler")
    },
    "tensorflow.batch_matmul": Call(
        _V1 + "matmul",
        {"x": "a", "y": "b", "adj_x": "adjoint_a", "adj_y": "adjoint_b"},
        ("", "", "adjoint_a", "adjoint_b", "name"),
        _TF1 + "batch_matmul",
    ),
    **{
        f"cPickle.{name}": Call(f"pickle.{name}", added={"encoding": '"latin1"'})
        for name in ("load", "loads")
    },
    # Those of today take lr= and go on with their default.
    **{
        f"keras.optimizers.{name}": Call(
            f"tf_keras.optimizers.legacy.{name}", {"lr": "learning_rate"}
        )
        for name in "SGD RMSprop Adagrad Adadelta Adam Adamax Nadam".split()
    },
    **{name: _summary(name, call) for name, call in _SUMMARIES.items()},
}
