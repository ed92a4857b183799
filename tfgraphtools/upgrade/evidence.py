"""Evidence that a file was written for TF 1 or for TF 2: the names that only one of them has."""

import ast
import functools
import pathlib

from tfgraphtools.analysis import guards, library_uses, scopes
from tfgraphtools.analysis.scopes import dotted
from tfgraphtools.upgrade import targets

_API_NAMES = pathlib.Path(__file__).with_name("api_names.tsv")

TF1, TF2, NEUTRAL = "TF 1", "TF 2", "either"

#: Code that takes its ``tensorflow`` from ``compat.v1``, and nothing from TF 2.
V1 = "compat.v1"

#: Names of ``compat.v1`` that fail in plain TF 2, or say that graphs are meant.
_OF_GRAPHS = (
    "placeholder placeholder_with_default sparse_placeholder layers nn.rnn_cell estimator "
    "disable_v2_behavior disable_eager_execution train.MonitoredTrainingSession Session"
).split()

#: Keyword arguments that only TF 1 has, in functions that both have.
_KEYWORDS = {
    "keep_prob",
    "keep_dims",
    "reduction_indices",
    "squeeze_dims",
    "concat_dim",
    "split_dim",
    "feed_dict",
}

#: Methods and attributes of datasets that only TF 1 has.
_OF_DATASETS = {
    "make_initializable_iterator",
    "make_one_shot_iterator",
    "output_classes",
    "output_shapes",
    "output_types",
}

#: Names that TF 2 has not, or that only a graph can call, and that `api_names.tsv` does not list.
_OF_TF1 = tuple(
    f"tensorflow.{name}."
    for name in (
        "data.Iterator.from_string_handle data.Iterator.from_structure "
        "keras.backend.get_session keras.backend.gradients keras.backend.set_session "
        "keras.layers.CuDNNGRU keras.layers.CuDNNLSTM"
    ).split()
)

#: Names that TF 1.15 has as well, and that speak of TF 2.
_OF_TF2 = ("tensorflow.compat.v2", "tensorflow.function")

#: What `passes.forms.variable_classes` writes in code of TF 1.
_BASE_OF_VARIABLES = "tensorflow.compat.v2.Variable"


def era(tree, file_scopes, names):
    """Returns `TF1`, `TF2`, `V1` or `NEUTRAL`; None for a file that does not use TensorFlow.

    What stands under a condition on the version, or where a missing name is expected, counts
    for neither. A file that shows both is TF 2's: it knows of both.

    Args:
      tree: the `ast.Module`.
      file_scopes: its `scopes.Scopes`.
      names: its `resolving.Names`.
    """
    guarded = guards.guarded(tree)
    seen = set()
    explicit = public = has_data = False
    for name, node in _uses(tree, file_scopes, names):
        seen.add(NEUTRAL)
        has_data = has_data or name.startswith("tensorflow.data.")
        if id(node) in guarded:
            continue
        public = public or not targets.is_inner(name)
        explicit = explicit or name.startswith("tensorflow.compat.v1.")
        if is_only_tf2(name):
            seen.add(TF2)
        elif is_only_tf1(name):
            seen.add(TF1)
    if TF2 in seen:
        return TF2
    if TF1 in seen:
        return TF1
    if explicit:
        return V1
    if not seen:
        return None
    is_tf1 = _has_tf1_keywords(tree) or (has_data and _reads_old_datasets(tree))
    return TF1 if public and is_tf1 else NEUTRAL


def shown(tree, file_scopes, names):
    """Returns what a module shows, apart: of `TF1` and `TF2`, those of which it uses names.

    Returns:
      (which of the two, all dotted names of TensorFlow in it).
    """
    guarded = guards.guarded(tree)
    eras, used = set(), set()
    for name, node in _uses(tree, file_scopes, names):
        used.add(name)
        if id(node) not in guarded:
            eras |= {TF2} if is_only_tf2(name) else {TF1} if is_only_tf1(name) else set()
    return eras | ({TF1} if used and _has_tf1_keywords(tree) else set()), used


def builds_graphs(tree, file_scopes, names):
    """Tells whether code of `V1` is TF 1's, ported by hand: it needs TF 1's behavior to run."""
    read = {name for name, _ in _uses(tree, file_scopes, names)}
    asked = [name for name in _OF_GRAPHS if name != "Session" or not _opens_graphs(read)]
    prefixes = tuple(f"tensorflow.compat.v1.{name}" for name in asked)
    return any((name + ".").startswith(tuple(prefix + "." for prefix in prefixes)) for name in read)


def _opens_graphs(read):
    """Tells whether names contain that of a graph: a Session on one runs in TF 2 as well."""
    return not read.isdisjoint(("tensorflow.Graph", "tensorflow.compat.v1.Graph"))


def reads_data_alone(tree, file_scopes, names):
    """Tells whether all that a module takes from TensorFlow is its reader of MNIST."""
    return all(
        name.startswith("tensorflow.examples.") for name, _ in _uses(tree, file_scopes, names)
    )


#: Modules that no TF 2 has.
_GONE_MODULES = ("contrib.", "examples.tutorials.", "python.ops.rnn_cell.")


def is_only_tf1(name):
    """Tells whether a dotted name can only have been meant for TF 1."""
    root, _, inner_name = name.partition(".")
    if inner_name.startswith(("compat.v1.contrib", "compat.v1.examples")):
        return True  # where only the import was changed
    if root != "tensorflow" or inner_name.startswith("compat"):
        return False
    if (inner_name + ".").startswith(_GONE_MODULES) or (name + ".").startswith(_OF_TF1):
        return True
    return _is_listed(inner_name, _names_of_era(TF1)) or _is_row(name)


def is_only_tf2(name):
    """Tells whether a dotted name can only have been meant for TF 2."""
    if name.startswith(_OF_TF2):
        return name != _BASE_OF_VARIABLES
    inner_name = name.partition("tensorflow.")[2]
    return bool(inner_name) and _is_listed(inner_name, _names_of_era(TF2)) and not _is_row(name)


def _is_row(name):
    """Tells whether a row is about the name itself (no module above it), never in TF 2."""
    return name.startswith("tensorflow.") and name in _lost()


@functools.lru_cache(maxsize=None)
def _lost():
    """Returns the names that TF 1 had, and no TF 2."""
    from tfgraphtools.compat.engine import rows

    return frozenset(
        row.name
        for table in rows.tables()
        for row in table.rows
        if table.kind in ("names", "modules")
        and (row.since or "").startswith(("TF 0.", "TF 1.", "TF 2.0"))
        and not row.name.endswith(("VERSION", "__version__"))
    )


def _is_listed(inner_name, listed):
    parts = inner_name.split(".")
    return any(".".join(parts[:end]) in listed for end in range(1, len(parts) + 1))


@functools.lru_cache(maxsize=None)
def _names_of_era(era):
    """Returns the public names, without ``tensorflow.``, that only "TF 1" or only "TF 2" has."""
    lines = _API_NAMES.read_text(encoding="utf-8").splitlines()
    rows_of_era = [line.split("\t")[1:] for line in lines if line.startswith(era + "\t")]
    return frozenset(
        f"{module}.{name}".lstrip(".") for module, names in rows_of_era for name in names.split()
    )


def _uses(tree, file_scopes, names):
    """Yields (dotted name, node) of what a module imports and reads of TensorFlow."""
    for name, node in [*library_uses.imported_names(tree), *_read(tree, names)]:
        if name.partition(".")[0] == "tensorflow":
            yield name, node


@functools.lru_cache(1)
def _read(tree, names):
    """Returns (dotted name, node) of the chains ``a.b.c`` in a module that mean something."""
    chains = []
    for node in scopes.nodes_of(tree):
        if isinstance(node, ast.Attribute):
            root, _ = dotted(node)
            if root is not None and isinstance(root.ctx, ast.Load):
                name = names.here(node)
                if name not in (None, "tensorflow.compat.v2"):  # what is read of it says it
                    chains.append((name, node))
    return chains


#: Modules of Keras 2 that Keras 3 has not, and that no row is about.
_KERAS_MODULES = tuple(
    f"keras.{name}."
    for name in (
        "applications.mobilenetv2 backend.cntk_backend backend.common backend.tensorflow_backend "
        "backend.theano_backend datasets.cifar layers.convolutional_recurrent "
        "layers.cudnn_recurrent legacy objectives preprocessing.text utils.conv_utils "
        "utils.layer_utils utils.test_utils utils.vis_utils wrappers.scikit_learn"
    ).split()
)

#: Keyword arguments and methods that Keras 1 and 2 had, and Keras 3 has not.
_KERAS_WORDS = frozenset(
    "nb_epoch nb_filter samples_per_epoch border_mode dim_ordering W_regularizer W_constraint "
    "b_regularizer b_constraint sample_weight_mode target_tensors schedule_decay write_grads "
    "fit_generator evaluate_generator predict_generator predict_classes to_yaml "
    "get_input_at get_input_mask_at get_input_shape_at get_losses_for get_updates_for "
    "get_output_at get_output_mask_at get_output_shape_at run_internal_graph".split()
)


def keras(tree, file_scopes, names):
    """Returns `TF1` for what was written for Keras 1 or 2, by names that Keras 3 has not.

    `NEUTRAL` for other users of the package ``keras``, None for what does not import it.
    """
    used = {name for name, _ in [*library_uses.imported_names(tree), *_read(tree, names)]}
    used = {name for name in used if name.partition(".")[0] == "keras"}
    if not used:
        return None
    rows_of_keras = {targets.row_of(name) for name in used} - {"keras"}
    if any(row.startswith("keras.") and targets.is_row(row) for row in rows_of_keras):
        return TF1
    if any((name + ".").startswith(_KERAS_MODULES) for name in used):
        return TF1
    words = {getattr(node, "attr", None) for node in scopes.nodes_of(tree)}
    words |= {node.arg for node in scopes.nodes_of(tree) if isinstance(node, ast.keyword)}
    has_old_rate = "lr" in words and any(name.startswith("keras.optimizers") for name in used)
    return TF1 if has_old_rate or words & _KERAS_WORDS else NEUTRAL


def needs_keras(tree, file_scopes, names):
    """Tells whether a module uses what TensorFlow takes from tf_keras."""
    seen = {name for name, _ in _uses(tree, file_scopes, names)}
    return any(
        targets.is_of_legacy_keras(name)
        or targets.is_of_legacy_keras(getattr(targets.of(name), "to", None) or "")
        for name in seen
    )


def _reads_old_datasets(tree):
    return any(
        isinstance(node, ast.Attribute) and node.attr in _OF_DATASETS
        for node in scopes.nodes_of(tree)
    )


def _has_tf1_keywords(tree):
    return any(
        keyword.arg in _KEYWORDS
        for node in scopes.nodes_of(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
    )
