"""Copies of a graph on which TensorFlow is asked for gradients, and thrown away.

There are two kinds. A `SliceCopy` has the part that y is computed from, with what TF notes
beside the ops (of variables, lists and calls). A `WholeCopy` is the GraphDef as it is. They
lose different things, so where the first fails the second is asked.
"""

import contextlib

from tfgraphtools import _tf
from tfgraphtools._tf import v1
from tfgraphtools.gradients.explaining.verdicts.at_once import as_text
from tfgraphtools.gradients.slicing.lower import Lowering
from tfgraphtools.gradients.slicing.scratch import scratch_copy
from tfgraphtools.gradients.slicing.slice import Slice

_MOST_OPS = 20000  # in a copy of a whole graph
#: Parts of messages about a tensor of another graph: perhaps a failure of the copy alone.
_OF_COPIES = (
    "'NoneType' object", "different frames", "different graph", "different while loops",
    "from the same graph", "inaccessible", "is in a while loop", "is not in graph",
    "not an element of this graph", "out of scope", "passed-in graph",
)  # fmt: skip


class CopyError(Exception):
    """The part between x and y could not be copied."""


class RaisedError(Exception):
    """`tf.gradients` raised on a copy."""

    def __init__(self, error):
        super().__init__(as_text(error))
        self.is_lookup = isinstance(error, LookupError)
        self.may_be_of_the_copy = any(part in str(error) for part in _OF_COPIES)


class _Copy:
    """A copy of what lies between some tensors and y, ready to be differentiated.

    Attributes:
      seed: the placeholder that the backward pass starts from.
      has_loops: whether there are loops of control flow v1.
      is_changed_by_use: whether it may be differentiated once only.
    """

    def __init__(self, y):
        self._scratch, self._renamed = _tf.capturing_graph(), {}
        self._context = None
        try:
            ops = self._fill(y)
            self._y = self.inside(y)
            for op in ops:  # a call of a function has its gradient in Python
                _tf.copy_call_gradient(op, self._scratch.get_operation_by_name(op.name))
            self._copy_loop_states(ops)
            self._context = self._copy_of_context(y.graph)
        except Exception as error:
            raise CopyError(as_text(error)) from error
        self.has_loops = any(op.type == "LoopCond" for op in ops)
        self.is_changed_by_use = self.has_loops or any(_tf.called_names(op) for op in ops)
        with self._scratch.as_default():
            self.seed = v1.placeholder(self._y.dtype.base_dtype, self._y.shape, name="seed")

    def _fill(self, y):
        """Copies ops into the scratch graph, and returns the originals."""
        raise NotImplementedError

    def inside(self, tensor):
        """Returns the copy of a tensor; CopyError if it has none."""
        try:
            return self._scratch.get_tensor_by_name(self._renamed.get(tensor.name, tensor.name))
        except KeyError as error:
            raise CopyError(f"no copy of {tensor.name}") from error

    @property
    def is_open(self):
        """True for a copy of the body of a v1 loop or branch that is being built."""
        return self._context is not None

    def gradients(self, starts, captures):
        """Returns `tf.gradients` of y with respect to these tensors; RaisedError if it raises.

        TF changes the loops and calls that it differentiates, and fails at some of them the
        second time: a copy with `is_changed_by_use` is good for one call.

        Args:
          captures: whether gradient functions may take tensors of y's own graph. Then TF builds
            as in a function: zeros of a v1 branch are outside of it, and a run of a loop around
            it takes either.
        """
        inside = [self.inside(start) for start in starts]
        building = self._scratch.as_default() if captures else _tf.no_function(self._scratch)
        try:
            with building, self._entered():
                return v1.gradients(self._y, inside, self.seed)
        except Exception as error:
            raise RaisedError(error) from error

    @contextlib.contextmanager
    def _entered(self):
        """Builds in the v1 loop or branch that is being built in y's graph, as its caller does."""
        with _tf.in_context(self._scratch, self._context):
            yield

    def _keep_shapes(self, ops):
        """Sets the static shapes of the originals: an import loses those of loops."""
        for op in ops:
            for tensor in op.outputs:
                if tensor.name not in self._renamed:
                    self.inside(tensor).set_shape(tensor.shape)

    def _copy_loop_states(self, ops):
        """Tells TF which loops are backward passes: it has no second derivative of those."""
        for op in ops:
            for context in _tf.contexts_of(op):
                state = getattr(context, "_grad_state", None)
                if state is not None:
                    copies = _tf.contexts_of(self._scratch.get_operation_by_name(op.name))
                    for copy in copies:
                        if copy.name == context.name:
                            copy._grad_state = state

    def _copy_of_context(self, graph):
        """Returns the copy of the v1 context that the graph is building in, or None."""
        building = _tf.current_context(graph)
        if building is None:
            return None
        for op in self._scratch.get_operations():
            for context in _tf.contexts_of(op):
                if context.name == building.name:
                    return context
        return None


class SliceCopy(_Copy):
    """A copy of what lies between some tensors and y.

    Args:
      y: the tensor.
      starts: the tensors; `slice.ALL` for all that y is computed from.
    """

    def __init__(self, y, starts):
        self._starts = starts
        super().__init__(y)

    def _fill(self, y):
        part = Slice(y.graph, self._starts, [y], share_random=False)
        _, self._renamed = scratch_copy(
            y.graph, part.ops, part.definitions(), scratch=self._scratch, inline=False
        )
        self._keep_shapes(part.ops)
        return part.ops


class WholeCopy(_Copy):
    """A copy of the whole graph of y, without what TF notes beside the GraphDef."""

    def _fill(self, y):
        ops = y.graph.get_operations()
        if len(ops) > _MOST_OPS:
            raise CopyError(f"the graph has {len(ops)} ops, more than {_MOST_OPS}")
        nodes = [_tf.node_copy(op) for op in ops]
        contexts = {context.name: context for op in ops for context in _tf.contexts_of(op)}
        outermost = _tf.outermost([contexts[name] for name in sorted(contexts)])
        _tf.copy_functions(y.graph, self._scratch, _tf.called_by(y.graph, nodes))
        # TF names what it makes of a body by that body, once in a process.
        Lowering(y.graph, self._scratch, "a copy of the graph").lower(nodes, {}, {})
        definitions = [context.to_proto() for context in outermost]
        _tf.import_nodes(self._scratch, nodes, definitions, {}, "", keep_shapes=False)
        self._keep_shapes(ops)
        return ops
