"""Values that a session's runs read in place of variables, which keep their own.

A feed replaces what is read: the output of a ref variable, and the outputs of the
ops that read a resource variable. No variable is written.
"""

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError

_ASK = frozenset(["VarIsInitializedOp", "VariableShape"])

#: Ops that take a resource variable to read it, and have no output to feed in its place.
_OTHER_READS = frozenset(
    ["Enter", "Identity", "If", "PartitionedCall", "ResourceGather"]
    + ["ResourceGatherNd", "StatefulPartitionedCall", "StatelessIf", "StatelessWhile", "Switch"]
    + ["Case", "StatelessCase", "SymbolicGradient", "While", "ReadVariableOp"]
)


class ValuesInPlace:
    """Values that runs read in place of variables.

    Args:
      pairs: list of (variable, array).

    Attributes:
      feed: {tensor: value}, for each run.
      unread: the variables, with their values, that ops of the graph read where no feed reaches.
    """

    def __init__(self, pairs):
        self.feed, self.unread, self._kind_of_op = {}, [], {}
        self._checked = set()  # the fetches that are known to be right
        for variable, value in pairs:
            self._add(variable, value)

    def _add(self, variable, value):
        handle = _tf.handle_of(variable)
        if _tf.is_ref(handle):
            self.feed[handle] = value
            reads = []
        else:
            reads = [op for op in handle.consumers() if _can_be_fed(op)]
            self.feed.update((op.outputs[0], value) for op in reads)
        others = [op for op in handle.consumers() if op not in reads and op.type not in _ASK]
        for op in others:
            if _tf.may_write(op, handle) and op.type not in _OTHER_READS:
                self._kind_of_op[op] = ("changes", variable)
            elif not _tf.is_ref(handle):
                self._kind_of_op[op] = ("reads in an op that takes the variable itself", variable)
        if any(op.type in _OTHER_READS for op in others) and not _tf.is_ref(handle):
            self.unread.append((variable, value))

    def check(self, place, fetches, graph, may_read):
        """Raises where a run would change one of the variables, or read it where no feed reaches.

        Args:
          place: who asks.
          fetches: of the run.
          graph: of the session.
          may_read: True where the variables that are `unread` have the values themselves.
        """
        names = frozenset(_names(fetches, graph))
        if not self._kind_of_op or names in self._checked:
            return
        starts = [graph.as_graph_element(name) for name in names]
        for op in _tf.upstream_ops(starts, controls=True):
            kind, variable = self._kind_of_op.get(op, ("", None))
            if kind and (kind == "changes" or not may_read):
                raise ArgumentError(
                    place,
                    "runs that only read the variables, as tensors"
                    if kind != "changes"
                    else "runs that evaluate, and change no variable that has an average",
                    f"one that {kind} {variable.op.name!r}: the op {op.name!r} of type {op.type}",
                    "Train in a session without this hook."
                    if kind == "changes"
                    else "Evaluate in a graph without the step: "
                    "Saver(optimizer.variables_to_restore()) restores the averages there.",
                )
        self._checked.add(names)


def _can_be_fed(op):
    is_read = op.type == "ReadVariableOp" and _tf.control_flow_context(op) is None
    return is_read and op.graph.is_feedable(op.outputs[0])


def _names(fetches, graph):
    """Yields the names of the tensors and ops that a run fetches."""
    for part in tf.nest.flatten(fetches, expand_composites=True):
        if part is not None:
            for item in part if _tf.is_partitioned(part) else [part]:
                yield graph.as_graph_element(item).name
