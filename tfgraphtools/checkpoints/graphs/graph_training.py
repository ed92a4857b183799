"""Facts of a training graph that no checkpoint holds: sparse updates, clipping, fused ops."""

import collections
import os

from tfgraphtools.checkpoints.format.wire import reading
from tfgraphtools.checkpoints.graphs import metagraph
from tfgraphtools.checkpoints.plans import rules
from tfgraphtools.errors import PlanError

#: ``source``: the .meta that was read, or None if nothing is known; ``sparse``: the tensors of a
#: checkpoint that the graph updates by rows; ``is_clipped``: by the global norm;
#: ``has_fused_statistics``: a fused batch normalisation that trains; ``has_nadam``: an Adam with
#: Nesterov's momentum; ``refs``: the tensors of variables that are no resource variables.
Training = collections.namedtuple(
    "Training", "source sparse is_clipped has_fused_statistics has_nadam refs"
)

UNKNOWN = Training(None, frozenset(), False, False, False, frozenset())

_BY_ROWS = {
    "ScatterAdd",
    "ScatterSub",
    "ScatterUpdate",
    "ResourceScatterAdd",
    "ResourceScatterSub",
    "ResourceScatterUpdate",
}
_REFS = {"Variable", "VariableV2"}
_ADAM = {"ApplyAdam", "ResourceApplyAdam"}
_FUSED = {"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"}


def read(path):
    """Returns the `Training` of a ``.meta``.

    Example:
      >>> read("model.ckpt-1000.meta").sparse                          # doctest: +SKIP
      frozenset({'embedding'})

    Raises:
      DamagedCheckpointError: it is no graph.
    """
    path = os.fspath(path)
    nodes, restores = metagraph.nodes(path)
    with reading(path, "Pass the .meta beside the checkpoint."):
        names = metagraph.restored_by(nodes, restores)
    sparse, refs = set(), set()
    for node in nodes.values():
        if node.op in _REFS:
            refs.add(names.get(node.name, (node.name, ""))[0])
        if node.inputs and (node.op in _BY_ROWS or "SparseApply" in node.op):
            variable = node.inputs[0].split(":")[0]
            sparse.add(names.get(variable, (variable, ""))[0])
    return Training(
        path,
        frozenset(sparse),
        any("clip_by_global_norm" in name for name in nodes),
        any(node.op in _FUSED and _is_training(node) for node in nodes.values()),
        any(
            node.op in _ADAM and metagraph.boolean(node, "use_nesterov", False)
            for node in nodes.values()
        ),
        frozenset(refs),
    )


def beside(ckpt, graph=None):
    """Returns the `Training` of a graph, by default the .meta beside a checkpoint, or UNKNOWN."""
    if graph is not None:
        return read(graph)
    path = ckpt.prefix + ".meta"
    return read(path) if os.path.isfile(path) else UNKNOWN


def sparse(known, patterns, detection):
    """Returns a function that says why an optimizer of Keras 3 would not go on exactly, or "".

    Its arguments are a variable, whether an Embedding layer of Keras holds it, and the class of the
    optimizer.

    Args:
      known: a `Training`.
      patterns: the user's patterns of sparse variables, which count first; [] for none.
      detection: the `Detection` of the optimizer.
    """
    sparse_names = set()
    if patterns:
        sparse_names = set(
            rules.matching(patterns, list(detection.by_variable), "sparse_gradients=")
        )
    elif patterns is None:
        for variable, state in detection.by_variable.items():
            if known.sparse.intersection([variable, *state.slots.values()]):
                sparse_names.add(variable)

    def why(variable, is_embedding, class_name):
        if variable in sparse_names:
            return "TF 1's gradient is sparse" + (f" in {known.source}" if patterns is None else "")
        if patterns is not None or not is_embedding:
            return ""
        if known.source is None:
            return "TF 1's gradient is sparse if it looked the rows up, and no graph says it"
        if class_name == "SGD" and not known.is_clipped:
            return ""
        if class_name == "SGD":
            return "an Embedding layer's gradient is sparse, and Keras 3 clips by another norm"
        return "an Embedding layer's gradient is sparse, and Keras 3 squares repeated rows singly"

    return why


def require_adam(known, detection):
    """Raises `PlanError` if what is saved as Adam was another optimizer of the same names.

    NadamOptimizer and LazyAdamOptimizer of tf.contrib.opt are subclasses that keep Adam's name.
    Both scatter into the variable itself, where Adam moves all of its rows.
    """
    adams = [name for name, state in detection.by_variable.items() if state.kind == "Adam"]
    if not adams:
        return
    by_rows = sorted(known.sparse.intersection(adams))
    if known.has_nadam:
        got = f"NadamOptimizer of tf.contrib.opt in {known.source}, whose state is named as Adam's"
    elif by_rows:
        got = (
            f"one that updates only the rows looked up of {by_rows[0]!r} in {known.source}, as "
            "LazyAdamOptimizer of tf.contrib.opt does, whose state is named as Adam's"
        )
    else:
        return
    raise PlanError(
        "the optimizer's state",
        "an optimizer from which training goes on exactly",
        got,
        "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer).",
    )


def notes(known, normalised, is_legacy, detection=None):
    """Returns sentences: what training in Keras does differently, or must be told.

    Args:
      known: a `Training`.
      detection: the `Detection` of the optimizer whose state goes along, or None.
      normalised: names of the batch normalisations of the new model.
      is_legacy: whether the new model is one of tf_keras.
    """
    sentences = []
    kinds = {state.kind for state in detection.by_variable.values()} if detection else set()
    if "Adam" in kinds and known.source is None:
        sentences.append(
            "the slots are called Adam; NadamOptimizer and LazyAdamOptimizer of tf.contrib.opt use "
            "the same name, and Keras and PyTorch cannot continue them: pass the .meta of the "
            "training to have this checked (graph=, --meta)"
        )
    if normalised and not is_legacy and (known.source is None or known.has_fused_statistics):
        is_known = f"{known.source} has" if known.has_fused_statistics else "if TF 1 had"
        sentences.append(
            "{}: {} a fused batch normalisation (4-D inputs), its moving variance takes the "
            "unbiased variance of a batch, n / (n - 1) times that of Keras 3, n being the elements "
            "per channel: training that goes on moves it to another value; the layer of tf_keras "
            "goes on as TF 1's".format(", ".join(normalised), is_known)
        )
    if known.is_clipped:
        sentences.append(
            f"{known.source} clips by the global norm: compile with global_clipnorm=..., as it "
            "had; Keras 3 counts the repeated rows of an Embedding layer otherwise in that norm"
        )
    return sentences


def _is_training(node):
    """Tells whether an op trains: the default, which a graph may leave out, is True."""
    return metagraph.boolean(node, "is_training", True)
