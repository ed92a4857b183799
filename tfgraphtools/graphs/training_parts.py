"""Parts of a graph that only train, by their purpose."""

import collections
import re

from tfgraphtools.checkpoints.facts import graph_ops as attributes
from tfgraphtools.checkpoints.optimizers.state_names import AVERAGE
from tfgraphtools.graphs import op_kinds, tensors

#: ``kind``: what it is; ``count``: nodes or variables; ``names``: ops, scopes or variables.
TrainingPart = collections.namedtuple("TrainingPart", "kind count names")

_MOVING = re.compile(r"(?:^|/)moving_(?:mean|variance)$|(?:^|/)AssignMovingAvg(?:_\d+)?(?:/|$)")


def parts(graph, variables):
    """Returns the `TrainingPart` of every kind that a graph has.

    Args:
      graph: a `graph_def_nodes.Graph`.
      variables: its `Variable` list, which says which ones are slots.
    """
    counted = collections.defaultdict(collections.Counter)
    for node in graph.all_nodes():
        for kind, name in _roles(node, graph):
            counted[kind][name] += 1
    slots = collections.Counter(
        row.slot for row in variables if row.slot and not row.slot.startswith(AVERAGE)
    )
    if slots:
        counted["optimizer slots"] = slots
    return [
        TrainingPart(kind, sum(counted[kind].values()), _names(kind, counted[kind]))
        for kind in _ORDER
        if counted[kind]
    ]


_ORDER = (
    "optimizer ops",
    "optimizer slots",
    "gradients",
    "dropout and noise",
    "batch normalization that trains",
    "updates of moving averages",
    "summaries",
    "queues",
    "savers",
)
_BY_SCOPE = ("dropout and noise", "batch normalization that trains", "updates of moving averages")


def _names(kind, counter):
    if kind in _BY_SCOPE:
        return list(counter)
    return [f"{name} x {count}" if count > 1 else name for name, count in sorted(counter.items())]


def _roles(node, graph):
    """Yields (kind, name) of a node, for all that it is."""
    op, name = node.op, node.name
    if op_kinds.GRADIENTS.search(name):
        yield "gradients", op_kinds.GRADIENTS.search(name).group().strip("/")
        return
    if op_kinds.APPLIES.fullmatch(op):
        yield "optimizer ops", op
    elif op in op_kinds.SAVERS:
        yield "savers", op
    elif "Summary" in op and op_kinds.SUMMARIES.fullmatch(op):
        yield "summaries", op
    elif "Queue" in op and op_kinds.QUEUES.fullmatch(op):
        yield "queues", op
    elif op in op_kinds.BATCH_NORMS:
        raw = node.attr("is_training")  # True where the attribute is absent
        if not len(raw) or tensors.attribute(node, "is_training").get(5, 0):
            yield "batch normalization that trains", name
    elif op.startswith("AssignSub") and node.inputs:
        target = attributes.endpoint(node.inputs[0])[0]
        branch = graph.nodes.get(target)
        if branch is not None and branch.op in ("Switch", "RefSwitch") and branch.inputs:
            target = attributes.endpoint(branch.inputs[0])[0]
        if _MOVING.search(target) or _MOVING.search(name):
            yield "updates of moving averages", target
    elif op.startswith(("Random", "Stateless")) and op_kinds.RANDOM.fullmatch(op):
        match = op_kinds.NOISE.search(name)
        if match:
            yield "dropout and noise", name[: match.end(1)]
