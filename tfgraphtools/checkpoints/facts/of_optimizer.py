"""The hyper-parameters of a training, which no tensor holds, from the ops that update variables."""

import collections

from tfgraphtools.checkpoints.facts import graph_ops as graphs
from tfgraphtools.checkpoints.format.wire import reading

#: ``values``: {TF 1's name: number} of what is constant and the same in every update; ``source``:
#: the file that says it, None if no file does; ``several``: {name: the numbers} of what differs.
Hyper = collections.namedtuple("Hyper", "values source several")
Hyper.__new__.__defaults__ = ({},)

UNKNOWN = Hyper({}, None)

_FTRL = {
    "learning_rate": 4,
    "l1_regularization_strength": 5,
    "l2_regularization_strength": 6,
    "learning_rate_power": 7,
}
_SHRINKAGE = "l2_shrinkage_regularization_strength"
_SPARSE_FTRL = {name: index + 1 for name, index in _FTRL.items()}
_RMSPROP = {"learning_rate": 3, "decay": 4, "momentum": 5, "epsilon": 6}
_CENTERED = {"learning_rate": 4, "decay": 5, "momentum": 6, "epsilon": 7}
_ADADELTA = {"learning_rate": 3, "rho": 4, "epsilon": 5}

#: {op without "Resource": {TF 1's name: number of the input}}
_INPUTS = {
    "ApplyGradientDescent": {"learning_rate": 1},
    "ApplyMomentum": {"learning_rate": 2, "momentum": 4},
    "SparseApplyMomentum": {"learning_rate": 2, "momentum": 5},
    "ApplyKerasMomentum": {"learning_rate": 2, "momentum": 4},
    "SparseApplyKerasMomentum": {"learning_rate": 2, "momentum": 5},
    "ApplyAdam": {"learning_rate": 5, "beta1": 6, "beta2": 7, "epsilon": 8},
    "ApplyRMSProp": _RMSPROP,
    "SparseApplyRMSProp": _RMSPROP,
    "ApplyCenteredRMSProp": _CENTERED,
    "SparseApplyCenteredRMSProp": _CENTERED,
    "ApplyAdagrad": {"learning_rate": 2},
    "SparseApplyAdagrad": {"learning_rate": 2},
    "ApplyAdadelta": _ADADELTA,
    "SparseApplyAdadelta": _ADADELTA,
    "ApplyFtrl": _FTRL,
    "SparseApplyFtrl": _SPARSE_FTRL,
    "ApplyFtrlV2": dict(_FTRL, **{_SHRINKAGE: 7, "learning_rate_power": 8}),
    "SparseApplyFtrlV2": dict(_SPARSE_FTRL, **{_SHRINKAGE: 8, "learning_rate_power": 9}),
}
_NESTEROV = ("ApplyMomentum", "ApplyKerasMomentum")

#: {kind of optimizer, or the end of its name: the ops, without what stands before "Apply"}
_OPS = {
    "GradientDescent": ("GradientDescent",),
    "Momentum": ("Momentum", "KerasMomentum"),
    "Adam": ("Adam",),
    "AdamW": ("Adam",),
    "RMSProp": ("RMSProp",),
    "CenteredRMSProp": ("CenteredRMSProp",),
    "RMSprop": ("RMSProp", "CenteredRMSProp"),
    "Adagrad": ("Adagrad",),
    "Adadelta": ("Adadelta",),
    "Ftrl": ("Ftrl", "FtrlV2"),
}


def hyperparameters(graph, kind=None, variables=None):
    """Reads the numbers of an optimizer that a graph trains with.

    Args:
      graph: a `Graph`.
      kind: a kind of optimizer; None for all.
      variables: names of the tensors that it trains; None for all.

    Returns:
      A `Hyper`.
    """
    nodes = None
    if variables is not None:
        nodes = {node for tensor in variables for node in graph.variables(tensor)}
    ops = None if kind is None else _OPS.get(_family(kind), ())
    numbers = collections.defaultdict(set)
    with reading(graph.path, "Pass the .meta beside the checkpoint."):
        for node in graph.nodes.values():
            op = node.op.replace("Resource", "")
            if op not in _INPUTS or ops is not None and op.rpartition("Apply")[2] not in ops:
                continue
            variable = graph.input(node, 0)
            if nodes is not None and (variable is None or variable.name not in nodes):
                continue
            for name, index in _INPUTS[op].items():
                numbers[name].add(graph.constant(graph.input(node, index)))
            if op.endswith(_NESTEROV):
                numbers["use_nesterov"].add(float(graphs.boolean(node, "use_nesterov")))
        if not numbers and ops in (None, ("Adam",)):
            numbers = _of_scopes(graph)
    values = {name: next(iter(of_name)) for name, of_name in numbers.items() if len(of_name) == 1}
    return Hyper(
        {name: value for name, value in values.items() if value is not None},
        graph.path,
        {name: sorted(ns - {None}) for name, ns in numbers.items() if len(ns - {None}) > 1},
    )


def _family(kind):
    """Returns the kind without what `tf.keras` puts around it: "tf.keras RMSprop, momentum"."""
    return kind.rpartition("tf.keras ")[2].partition(",")[0]


def _of_scopes(graph):
    """Returns the numbers of an Adam whose gradients are all sparse: no op has them as inputs."""
    numbers = collections.defaultdict(set)
    for node in graph.nodes.values():
        scope, _, name = node.name.rpartition("/")
        if name in _INPUTS["ApplyAdam"] and node.op == "Const" and "Adam" in scope:
            numbers[name].add(graph.constant(node))
    return numbers
