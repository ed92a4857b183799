"""The reach of the gradient back along the data that goes from x to y: see `edges`."""

import collections

from tfgraphtools import _tf
from tfgraphtools.gradients.explaining import causes
from tfgraphtools.gradients.explaining.edges import Edges
from tfgraphtools.gradients.explaining.folding import Folder
from tfgraphtools.gradients.explaining.local import LocalGradients
from tfgraphtools.gradients.explaining.zero_rules import Zeros

#: Ops that make floats of another dtype: the ones to blame for the way back.
_BACK = frozenset(["Bitcast", "Cast", "DecodeRaw", "Dequantize", "ParseTensor", "StringToNumber"])


class Flow:
    """The data that y is computed from, and whether its gradient passes there.

    Args:
      free: the names of the ops that depend on an x.
    """

    def __init__(self, y, free=frozenset()):
        self._data = Edges(y, Folder(y.graph, free))
        self.y, self.tensors, self.edges = self._data.y, self._data.tensors, self._data.of
        self._local, self._blocked = LocalGradients(), {}
        self._zeros, self._free = {}, free

    def reached_from(self, key):
        """Returns the keys that data from this one reaches; empty if y is not among them."""
        if key not in self.tensors:
            return set()
        forward = collections.defaultdict(list)
        for target, edges in self.edges.items():
            for edge in edges:
                forward[edge.source].append(target)
        reached = _closure(key, lambda source: forward[source])
        return reached if self.y in reached else set()

    def gradient(self, relevant):
        """Returns the keys to which a gradient of y comes back, among the relevant ones."""

        def sources(key):
            return [
                edge.source
                for edge in self.edges[key]
                if edge.source in relevant and self.blocked(edge) is None
            ]

        return _closure(self.y, sources) if self.y in relevant else set()

    def blocked(self, edge):
        """Returns None if the gradient passes this edge, else (cause, detail)."""
        key = (edge.path, edge.op.name, edge.output, edge.op_input, edge.source)
        if key not in self._blocked:
            self._blocked[key] = self._why_blocked(edge)
        return self._blocked[key]

    def _why_blocked(self, edge):
        if edge.stop is not None:
            return edge.stop, ""
        dtype = self.tensors[edge.source].dtype
        if not _tf.has_gradients(dtype):
            return self._hop(edge, dtype.base_dtype.name)
        if edge.op_input is None:
            return None
        return self._local.blocks(
            edge.op, edge.output, edge.op_input, lambda tensor: self._is_zero(edge.path, tensor)
        )

    def _is_zero(self, path, tensor):
        """Tells whether a tensor is zero in every run, whatever its body is called with."""
        waiting, seen = [(path, tensor)], set()
        while waiting:
            path, tensor = waiting.pop()
            while tensor.op.type == "Identity":
                tensor = tensor.op.inputs[0]
            key = (path, tensor.name)
            if key in self._data.arguments and key not in seen:
                sources = [edge.source for edge in self._data.arguments[key]]
                waiting.extend((source[0], self.tensors[source]) for source in sources)
            elif key not in seen and not self._zeros_of(path).is_zero(tensor):
                return False
            seen.add(key)
        return True

    def _zeros_of(self, path):
        """Returns the `Zeros` of the body that a path leads to."""
        if path not in self._zeros:
            graph = self._data.graphs[path]
            self._zeros[path] = Zeros(graph, free=self._free if path == () else frozenset())
            outputs = [self.tensors[self.y]] if path == () else graph.outputs
            for output in outputs:  # so that one walk is enough for what they are computed from
                self._zeros[path].is_zero(output)
        return self._zeros[path]

    def blamed(self, edge, cause):
        """Returns the op to name for a blocked edge: where the dtype changed, forth or back."""
        if cause not in causes.DTYPES or (edge.op.type in _BACK and cause is not causes.INDEX):
            return edge.op
        maker = self._maker(edge.source)
        return edge.op if maker is None else maker.op

    def _hop(self, edge, dtype):
        """Returns the cause where the gradient meets a dtype without gradients, by what made it."""
        maker = self._maker(edge.source)
        cause = causes.of_dtype(edge.op if maker is None else maker.op)
        if cause in (causes.COMPARISON, causes.INDEX):
            return cause, f"{dtype}, of {maker.op.type} {maker.op.name!r}"
        return (causes.of_dtype(edge.op), dtype)

    def _maker(self, key):
        """Returns the nearest tensor, back from this one, that is made of one with gradients."""
        seen, waiting = set(), [key]
        while waiting:
            key = waiting.pop(0)
            if key in seen:
                continue
            seen.add(key)
            tensor = self.tensors[key]
            if any(_tf.has_gradients(source.dtype) for source in tensor.op.inputs):
                return tensor
            waiting.extend(edge.source for edge in self.edges.get(key, ()))
        return None


def _closure(start, neighbours):
    reached, waiting = set(), [start]
    while waiting:
        item = waiting.pop()
        if item not in reached:
            reached.add(item)
            waiting.extend(neighbours(item))
    return reached
