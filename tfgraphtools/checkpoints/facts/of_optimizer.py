"""The hyper-parameters of a training, which no tensor holds, from the ops that update variables."""

from tfgraphtools.checkpoints.facts import graph_ops as graphs
from tfgraphtools.checkpoints.format.wire import reading

#: {op without "Resource" and "Sparse": ({TF 1's name: number of the input}, attribute of Nesterov)}
_INPUTS = {
    "ApplyMomentum": {"momentum": 4},
    "ApplyAdam": {"beta1": 6, "beta2": 7, "epsilon": 8},
    "ApplyRMSProp": {"decay": 4, "momentum": 5, "epsilon": 6},
    "ApplyCenteredRMSProp": {"decay": 5, "momentum": 6, "epsilon": 7},
    "ApplyAdadelta": {"rho": 4, "epsilon": 5},
    "ApplyFtrl": {
        "l1_regularization_strength": 5,
        "l2_regularization_strength": 6,
        "learning_rate_power": 7,
    },
}


def hyperparameters(graph):
    """Reads the numbers of the optimizer that a graph trains with.

    Args:
      graph: a `Graph`.

    Returns:
      {TF 1's name: value}: those that are constants, and the same in every update.
    """
    values = {}
    with reading(graph.path, "Pass the .meta beside the checkpoint."):
        for node in graph.nodes.values():
            inputs = _INPUTS.get(node.op.replace("Resource", ""))
            for name, index in (inputs or {}).items():
                values.setdefault(name, set()).add(graph.constant(graph.input(node, index)))
            if inputs and node.op.endswith("ApplyMomentum"):
                nesterov = graphs.boolean(node, "use_nesterov")
                values.setdefault("use_nesterov", set()).add(float(nesterov))
    return {
        name: numbers.pop()
        for name, numbers in values.items()
        if len(numbers) == 1 and None not in numbers
    }
