"""The parts of a backward pass that a run can change: values, shapes, or nothing."""

from tfgraphtools import _tf
from tfgraphtools.gradients.explaining import zero_rules

CONSTANT, SHAPE, VALUE = range(3)

#: Stateful ops whose state lives in one run, or that give no more than a handle.
_WITHIN_A_RUN = ("TensorArray", "Stack", "VarHandleOp")
_LOOP_STEPS = {"Enter": 1, "RefEnter": 1, "Exit": -1, "RefExit": -1}


class Varying:
    """The facts about the ops of a graph of v1 control flow, without calls of functions.

    Args:
      graph: that holds the backward pass.
      seed: the name of the op that the backward pass starts from.
      starts: the names of the ops that make the xs.

    ``level`` is ``{op: CONSTANT, SHAPE or VALUE}``, ``seeded`` the ops that depend on
    the seed, ``depth`` is ``{op: number of loops around it}``, ``branches`` that of branches.
    """

    def __init__(self, graph, seed, starts):
        self._seed, self._starts = seed, starts
        self.level, self.depth, self.branches, self.seeded = {}, {}, {}, set()
        self._classes, self._numbers = {}, {}
        ops = graph.get_operations()
        while any([self._changes(op) for op in ops]):
            pass
        for op in ops:
            self._classes[op] = self._numbers.setdefault(self._signature(op), op.name)

    def class_of(self, tensor):
        """Returns a class that is equal for tensors computed alike, outside of loops."""
        while tensor.op.type in ("Identity", "Switch") and not self.depth[tensor.op]:
            tensor = tensor.op.inputs[0]
        return self._classes.get(tensor.op, tensor.op.name), tensor.value_index

    def _changes(self, op):
        """Looks at an op again; True if more is known of it now."""
        sources = _sources(op)
        seeded = op.name == self._seed or any(source.op in self.seeded for source in sources)
        seeded = seeded and op.type not in _tf.SHAPE_OPS
        depth = _count(self.depth, _LOOP_STEPS.get(op.type, 0), op)
        branches = _count(self.branches, _branch_step(op), op)
        after = (self._level_of(op, sources), depth, branches, seeded)
        before = (self.level.get(op), self.depth.get(op), self.branches.get(op), op in self.seeded)
        self.level[op], self.depth[op], self.branches[op] = after[:3]
        if seeded:
            self.seeded.add(op)
        return after != before

    def _level_of(self, op, sources):
        if op.name == self._seed:
            return CONSTANT
        if self.is_source(op):
            return VALUE
        if op.type in _tf.SHAPE_OPS:
            fixed = all(source.shape.is_fully_defined() for source in sources)
            return CONSTANT if fixed and not op.type.startswith("Tensor") else SHAPE
        return max([self.level.get(source.op, CONSTANT) for source in sources] or [CONSTANT])

    def is_source(self, op):
        """Returns True for an op that a run gives a value to, and for an x."""
        if op.name in self._starts or op.type.startswith("Placeholder"):
            return True
        if op.control_inputs and op.inputs and _tf.is_ref(op.inputs[0]):
            return True  # a read at its own time: something may be assigned before
        return _tf.is_stateful(op) and not op.type.startswith(_WITHIN_A_RUN)

    def is_exclusive(self, merge):
        """Tells whether a Merge heads a loop, or each of its inputs is a branch's end."""
        inside = self.branches[merge]
        return not _branch_step(merge) or all(
            self.branches[source.op] > inside for source in merge.inputs
        )

    def _signature(self, op):
        """Returns what is equal for ops that compute the same."""
        read = op.type == "ReadVariableOp" and not op.control_inputs
        own = self.is_source(op) or _tf.is_stateful(op) or op.type in _tf.CONTROL_FLOW
        if self.depth[op] or own and not read:
            return op.name
        return (*kind_of(op), tuple(self.class_of(source) for source in op.inputs))


def kind_of(op):
    """Returns the type and attributes of an op: equal for ops of the same function."""
    attributes = sorted(
        (name, value.SerializeToString())
        for name, value in op.node_def.attr.items()
        if not name.startswith("_")
    )
    return op.type, tuple(attributes)


def _count(known, step, op):
    """Tells how many loops, or branches, are around an op; the most of what it waits for.

    The way back to the head of a loop does not count: it would go around for ever.
    """
    around = [source.op for source in op.inputs if not source.op.type.endswith("NextIteration")]
    around += op.control_inputs
    return max(max([known.get(waited_for, 0) for waited_for in around] or [0]) + step, 0)


def _branch_step(op):
    """Returns 1 where a branch begins, -1 where branches end, 0 for a loop's ops."""
    if op.type in ("Switch", "RefSwitch"):
        return int(op.inputs[1].op.type != "LoopCond")
    if op.type in ("Merge", "RefMerge"):
        return -int(not any(source.op.type.endswith("NextIteration") for source in op.inputs))
    return 0


def _sources(op):
    """Returns the tensors that an op computes its outputs from. Predicates are tried both ways."""
    if op.type in zero_rules.POPS:
        return zero_rules.pushed(op)
    return op.inputs[:1] if op.type in ("Switch", "RefSwitch") else list(op.inputs)
