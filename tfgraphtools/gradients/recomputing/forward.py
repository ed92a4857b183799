"""The ops between xs and ys, and which of them may be computed again."""

from tfgraphtools import _tf
from tfgraphtools._tf import tf

_UNKNOWN = 16  # what counts as the size of a dimension that is not known, such as the batch
_APPLY = ("Apply", "SparseApply")
_SOURCES = frozenset(["Placeholder", "PlaceholderV2", "PlaceholderWithDefault"])


class Forward:
    """The activations between xs and ys, in the order in which they were built.

    Attributes:
      ops: the ops that may be copied: they have no state and stand in no loop or branch.
      position: ``{name of an output of theirs: index of its op}``.
      xs, ys: names of tensors that are kept: they may be fed or fetched.
    """

    def __init__(self, ys, xs):
        starts = [_tf.handle_of(x) if _tf.is_variable(x) else x for x in xs]
        self.fixed = {tensor.name for tensor in starts} | {tensor.name for tensor in ys}
        upstream = _tf.upstream_ops(ys)
        chosen = _tf.downstream_ops(starts, upstream, through_shapes=False)
        chosen |= {tensor.op for tensor in starts if tensor.op in upstream}
        chosen = {op for op in chosen if _is_pure(op)}
        chosen |= set(_masks(chosen))
        chosen -= set(_moving(chosen, upstream))
        self.ops = sorted(chosen, key=_tf.order_of)
        self.position = {
            tensor.name: index for index, op in enumerate(self.ops) for tensor in op.outputs
        }
        self.bytes = {tensor.name: size_of(tensor) for op in self.ops for tensor in op.outputs}
        self.last_use = self._last_uses()

    def _last_uses(self):
        """Returns ``{tensor name: index of the last op that takes it}``."""
        last = {}
        for index, op in enumerate(self.ops):
            for tensor in op.inputs:
                if tensor.name in self.position:
                    last[tensor.name] = index
        return last

    def uses_in(self, backward):
        """Returns ``{tensor name: [(backward op, number of its input)]}``.

        Shapes do not count: they are taken in the forward pass, at once.
        """
        uses = {}
        for op in backward:
            if op.type in _tf.SHAPE_OPS:
                continue
            for number, tensor in enumerate(op.inputs):
                if tensor.name in self.position:
                    uses.setdefault(tensor.name, []).append((op, number))
        return uses

    def made_by(self, types):
        """Returns the names of the outputs of ops whose types begin so."""
        return [t.name for op in self.ops if op.type.startswith(types) for t in op.outputs]


def size_of(tensor):
    """Returns the bytes of a tensor, if each unknown dimension is of a usual size."""
    if tensor.shape.rank is None:
        return _UNKNOWN * tensor.dtype.size
    count = 1
    for dimension in tensor.shape.as_list():
        count *= _UNKNOWN if dimension is None else dimension
    return count * (tensor.dtype.size or 1)


def _is_pure(op):
    """Tells whether an op gives the same whenever it runs, outside of v1 loops and conds."""
    if _tf.is_stateful(op) or op.type in _SOURCES or op.type in _tf.CONTROL_FLOW:
        return False
    if _tf.control_flow_context(op) is not None or not op.inputs:
        return False
    return not any(
        _tf.is_ref(tensor) or _tf.is_resource(tensor) for tensor in [*op.inputs, *op.outputs]
    )


def _masks(ops):
    """Yields casts of booleans, such as a dropout's mask: a boolean takes a quarter of it."""
    for op in ops:
        for tensor in op.inputs:
            maker = tensor.op
            if maker.type == "Cast" and maker.inputs[0].dtype == tf.bool and _is_pure(maker):
                yield maker


def _moving(ops, upstream):
    """Yields those of the ops that read a ref variable which the forward pass updates.

    A vector of spectral normalisation is one: a copy might read it after the update. The
    updates of optimizers do not count: they wait for the copies (`recompute.gated`).
    """
    reached = _tf.downstream_ops([tensor for op in ops for tensor in op.outputs])
    writers = [op for op in reached | set(upstream) if not op.type.startswith(_APPLY)]
    updated = {
        variable
        for op in writers
        for tensor in _tf.written_handles(op)
        if _tf.is_ref(tensor)
        for variable in _tf.variables_behind(tensor)
    }
    for op in ops if updated else ():
        buffers = [tensor for tensor in op.inputs if _tf.is_ref_buffer(tensor)]
        if any(not updated.isdisjoint(_tf.refs_behind(tensor)) for tensor in buffers):
            yield op
