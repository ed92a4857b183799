"""The part of a graph that must be built again when a tensor gets another value.

It is what lies between the starts and the ends: downstream of the one and
upstream of the other, widened to whole contexts of v1 control flow (half a
loop is no loop) and to the tensor arrays and stacks that it writes (an element
is written, and mostly read, once).

A random op that depends on a start only through a *shape* is left out: the
copy uses the draws of the original, so that dropout is the same in both.
"""

from tfgraphtools import _tf
from tfgraphtools.gradients.slicing.contexts import leave_out

_ONE_STEP_STORES = frozenset(["StackV2", "TensorArrayGradV3", "TensorArrayV3"])


#: Instead of starts: everything that the ends are computed from.
ALL = None


class Slice:
    """The ops between ``starts`` and ``ends``, in the graph's order, and their v1 contexts.

    With ``cut`` the starts are given: what an end depends on only by way of another start
    is left out.

    Attributes:
      ops, names: the ops and their names.
      contexts: the v1 contexts.
      left_out: the names of ops of these contexts that are not needed: of backward passes.
    """

    def __init__(self, graph, starts, ends, share_random=True, cut=False):
        self.graph, self.starts, self.ends = graph, list(starts or ()), list(ends)
        self._start_names = {tensor.name for tensor in self.starts} if cut else frozenset()
        self._whole = starts is ALL
        upstream = _tf.upstream_ops(self.ends, without=self._start_names)
        if starts is ALL:
            self._finish(set(upstream), upstream)
            return
        chosen = _tf.downstream_ops(self.starts, upstream)
        if share_random:
            by_value = _tf.downstream_ops(self.starts, upstream, through_shapes=False)
            shared = {op for op in chosen - by_value if _tf.is_random(op)}
            if shared:
                chosen = _tf.downstream_ops(self.starts, upstream - shared)
        self._finish(chosen, upstream)

    def definitions(self):
        """Returns the outermost contexts' definitions, without the loops that are left out."""
        kept = {context.name for context in self.contexts}
        definitions = [context.to_proto() for context in _tf.outermost(self.contexts)]
        for definition in definitions:
            leave_out(definition, kept, self.left_out)
        return definitions

    def _finish(self, chosen, upstream):
        self.contexts, self.left_out = [], set()
        self._widen(chosen, upstream)
        if self._start_names:
            chosen = {op for op in chosen if not op.outputs or not self._is_given(op)}
        self.ops = sorted(chosen, key=_tf.order_of)
        self.names = {op.name for op in self.ops}

    def _is_given(self, op):
        return all(tensor.name in self._start_names for tensor in op.outputs)

    def _widen(self, chosen, upstream):
        """Adds whole contexts, and the users of stores, until nothing is missing."""
        members, contexts, size = None, set(), -1
        while size != len(chosen):
            size = len(chosen)
            contexts.update(context for op in chosen for context in _tf.contexts_of(op))
            if contexts:
                members = members or _members_by_context(self.graph)
                contexts |= _siblings(contexts, members)
            inside = {op for context in contexts for op in members.get(context, ())} - chosen
            unneeded = _of_backward(inside, contexts, upstream)
            self.left_out |= {op.name for op in unneeded}
            chosen |= inside - unneeded
            chosen.update(op for context in contexts for op in _scaffold(context))
            stores = {store_behind(t) for op in chosen for t in op.inputs} - {None}
            for store in stores - chosen:
                chosen.add(store)
                chosen.update(_tf.downstream_ops(store.outputs, upstream))
            if self._whole:  # what a loop takes, if only to wait for it
                chosen.update(_tf.upstream_ops(chosen))
        self.left_out -= {op.name for op in chosen}
        self.contexts = sorted(contexts, key=lambda context: context.name)


def _of_backward(ops, contexts, upstream):
    """Returns the ops in, for, or in a branch behind the backward pass of a loop."""
    backward = {op for op in ops if _is_backward(op, contexts)}
    behind = _tf.downstream_ops([tensor for op in backward for tensor in op.outputs])
    return {
        op
        for op in ops
        if op in backward
        or _is_for_backward(op, upstream)
        or (op in behind and op not in upstream and _is_in_branch(op))
    }


def _is_in_branch(op):
    """Tells whether the innermost context of an op is a cond's."""
    return getattr(next(iter(_tf.contexts_of(op)), None), "pred", None) is not None


def _is_backward(op, contexts):
    """Tells whether an op is of a loop's backward pass, in the context around it."""
    return any(
        getattr(context, "grad_state", None) is not None and context not in contexts
        for context in _tf.contexts_of(op)
    )


def _is_for_backward(op, upstream):
    """Tells whether a loop's op keeps a value for a backward pass, which no end needs."""
    return op.type == "StackPushV2" and store_behind(op.inputs[0]) not in upstream


def _members_by_context(graph):
    members = {}
    for op in graph.get_operations():
        for context in _tf.contexts_of(op):
            members.setdefault(context, []).append(op)
    return members


def _siblings(contexts, members):
    """Returns the other branch of each cond."""
    switches = {_switch_of(context) for context in contexts} - {None}
    return {context for context in members if _switch_of(context) in switches}


def _switch_of(context):
    """Returns the Switch of its own predicate that gives a CondContext its pivots, or None."""
    if getattr(context, "pred", None) is None or getattr(context, "pivot", None) is None:
        return None
    pivot = context.pivot.op
    return pivot.inputs[0].op if pivot.inputs else None


def _scaffold(context):
    """Yields the ops that hold a context up and do not belong to it."""
    switch = _switch_of(context)
    if switch is not None:
        yield context.pred.op
        yield switch
        for tensor in switch.outputs:
            yield from tensor.consumers()
    for tensor in list(getattr(context, "loop_enters", ())) + list(
        getattr(context, "loop_exits", ())
    ):
        yield tensor.op


def store_behind(tensor):
    """Returns the op that made the tensor array or stack whose handle this is, or None."""
    seen = set()
    while _tf.is_resource(tensor) and tensor.op not in seen:
        seen.add(tensor.op)
        if tensor.op.type in _ONE_STEP_STORES:
            return tensor.op
        if tensor.op.type not in _tf.PASS_OPS or not tensor.op.inputs:
            return None
        tensor = tensor.op.inputs[0]
    return None
