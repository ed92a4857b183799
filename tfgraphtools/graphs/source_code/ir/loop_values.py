"""Loops as two nodes: what is between them is the condition and the body.

A ``LoopStart`` reads the initial values of the variables and gives those of one iteration; a
``LoopEnd`` reads the condition and the next values, and gives the last ones. The attribute
``start`` of the second one is the first one.
"""

from tfgraphtools.graphs.source_code.ir import branches_of_merges, ir_nodes, tensor_arrays
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes

START, END = "LoopStart", "LoopEnd"


class Loops:
    """The loops of one reading of a graph.

    Args:
      place: the file of the graph, for errors.
      frames: a `loop_frames.Frames`.
      value: a function that returns the `Value` of the name of a tensor.
      varying: set of (tensor, axis) of the variables whose sizes change, or (tensor, None) where
        the rank does.
    """

    def __init__(self, place, frames, value, varying):
        self._place = place
        self._frames, self._value, self._varying = frames, value, varying
        self._starts, self._ends = {}, {}

    def variable(self, merge, position):
        """Returns the value of a variable in one iteration."""
        frame = self._frames.of(merge)
        if frame not in self._starts:
            self._starts[frame] = self._start(frame, position)
        return self._starts[frame].outputs[frame.merges.index(merge)]

    def _start(self, frame, position):
        initials = [self._value(tensor.name) for tensor in frame.initials()]
        node = ir_nodes.Node(START, frame.merges[0].name, initials, position=position)
        in_branch = any(branches_of_merges.is_in_branch(tensor) for tensor in frame.initials())
        node.attributes["is_in_branch"] = in_branch
        for merge, initial in zip(frame.merges, initials):
            node.add_output(self._dims(merge.outputs[0].name, initial.dims), initial.dtype)
        return node

    def _dims(self, tensor, dims):
        """Returns dims with a symbol for each size that changes."""
        if dims is None or (tensor, None) in self._varying:
            return None
        return [
            sizes.symbol(tensor, axis) if (tensor, axis) in self._varying else size
            for axis, size in enumerate(dims)
        ]

    def final(self, exit_op, position):
        """Returns the last value of a variable."""
        frame = self._frames.of(exit_op)
        if frame not in self._ends:
            self._ends[frame] = self._end(frame, exit_op.name, position)
        merge = exit_op.inputs[0].op.inputs[0].op
        return self._ends[frame].outputs[frame.merges.index(merge)]

    def _end(self, frame, name, position):
        start = self._starts[frame]
        read = [self._value(tensor.name) for tensor in [frame.condition, *frame.nexts()]]
        node = ir_nodes.Node(END, name, read, {"start": start}, position)
        for number, (value, new) in enumerate(zip(start.outputs, read[1:])):
            dims = new.dims if value.dtype == tensor_arrays.LIST else value.dims
            if dims is not None and value.dtype != tensor_arrays.LIST:
                tensor = frame.merges[number].outputs[0].name
                changes = [(tensor, axis) in self._varying for axis in range(len(dims))]
                dims = [
                    sizes.symbol(f"{name}:{number}", axis) if is_changing else size
                    for axis, (size, is_changing) in enumerate(zip(dims, changes))
                ]
            node.add_output(dims, value.dtype)
        return node

    def varying(self):
        """Returns the set of (tensor, axis) that were taken for constant and change."""
        changed = set()
        for frame, end in self._ends.items():
            pairs = zip(self._starts[frame].outputs, end.inputs[1:])
            for merge, (value, new) in zip(frame.merges, pairs):
                tensor = merge.outputs[0].name
                if value.dtype == tensor_arrays.LIST or value.dims is None:
                    continue
                if new.dims is None or len(new.dims) != len(value.dims):
                    changed.add((tensor, None))
                    continue
                rows = enumerate(zip(value.dims, new.dims))
                changed |= {(tensor, axis) for axis, (old, size) in rows if old != size}
        return changed - self._varying
