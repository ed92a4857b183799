"""Frames of control flow v1: the variables of each loop, and what its ops need."""


class Frame:
    """One loop.

    Attributes:
      merges: the ops in which its variables begin an iteration, those that something needs.
      condition: the tensor that says whether it goes on.
    """

    def __init__(self):
        self.merges, self.condition = [], None

    def initials(self):
        """Returns the tensors with which the variables begin."""
        return [merge.inputs[0] for merge in self.merges]

    def nexts(self):
        """Returns the tensors with which the next iteration begins."""
        return [merge.inputs[1].op.inputs[0] for merge in self.merges]


def is_variable(op):
    """Tells whether an op is the Merge of a variable of a loop."""
    return op.type == "Merge" and any(t.op.type == "NextIteration" for t in op.inputs)


def is_switch(op):
    """Tells whether an op is the Switch of a variable of a loop."""
    return op.type == "Switch" and op.inputs[1].op.type == "LoopCond"


class Frames:
    """The loops among some ops, in the order of the graph.

    Args:
      ops: in the order in which they were made.
    """

    def __init__(self, ops):
        self._frames = {}
        for op in ops:
            if is_variable(op):
                self._of_name(_name(op)).merges.append(op)
        for op in ops:
            if is_switch(op):
                self.of(op).condition = op.inputs[1].op.inputs[0]

    def __bool__(self):
        return bool(self._frames)

    def _of_name(self, name):
        return self._frames.setdefault(name, Frame())

    def of(self, op):
        """Returns the `Frame` of a Merge, Switch or Exit of a variable."""
        while not is_variable(op):
            op = op.inputs[0].op
        return self._of_name(_name(op))

    def sources(self, op):
        """Returns the tensors that must be known before an op is read."""
        if is_variable(op):
            return self.of(op).initials()
        if op.type == "Exit":
            frame = self.of(op)
            return [op.inputs[0], *frame.nexts(), frame.condition]
        return list(op.inputs)


def _name(merge):
    """Returns the name of the frame of a variable."""
    return merge.inputs[0].op.get_attr("frame_name")
