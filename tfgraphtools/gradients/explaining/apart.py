"""Reasons why no data goes from x to y."""

from tfgraphtools import _tf
from tfgraphtools.gradients.explaining import causes
from tfgraphtools.gradients.explaining.lines import user_line

#: Ops that share a state by name, without a handle: what takes in, what hands out.
_BY_NAME = {"Stage": "Unstage", "MapStage": "MapUnstage", "OrderedMapStage": "OrderedMapUnstage"}


def cause(y, x):
    """Returns the `Blocker` that says why; x is a tensor that no data path leads from to y."""
    upstream = _tf.upstream_ops([y])
    downstream = _tf.downstream_ops([x])
    if y.op in _tf.upstream_ops([x]):
        return _blocker(causes.REVERSED, x.op)
    if y.op in downstream:
        calls = [op for op in downstream & upstream if _tf.called_names(op)]
        if calls:
            return _blocker(causes.UNUSED, min(calls, key=_tf.order_of))
        return _blocker(causes.SHAPE, x.op)
    controls = _tf.upstream_ops([y], controls=True)
    stored = _stored(sorted(downstream, key=lambda op: op.name), upstream, controls)
    if stored is not None:
        return stored
    if x.op in controls or downstream & controls:
        return _blocker(causes.CONTROL, x.op)
    shared = _nearest(x, upstream)
    if shared is not None:
        return _blocker(causes.SIBLING, x.op, repr(shared.name))
    return _blocker(causes.DISCONNECTED, x.op)


def _blocker(cause_, op, detail=""):
    return causes.Blocker(cause_, op, (), user_line(op), detail)


def _stored(ops, upstream, controls):
    """Returns the blocker if one of these ops puts x into a state that y takes it from, or None."""
    handed_out = {_shared_name(op) for op in controls if op.type in _BY_NAME.values()}
    for op in ops:
        if op.type in _BY_NAME and (_BY_NAME[op.type], *_shared_name(op)[1:]) in handed_out:
            return _blocker(causes.STORED, op, f"the staging area of {op.name!r}")
        for tensor in op.inputs:
            for store in _tf.stores_behind(tensor):
                if store in upstream and store is not op and store not in ops:
                    return _blocker(_cause_of_store(store), op, repr(store.name))
    return None


def _cause_of_store(store):
    if store.type in _tf.VARIABLES:
        return causes.ASSIGN
    if store.type.startswith("Stack"):
        return causes.SECOND_ORDER
    return causes.STORED


def _shared_name(op):
    return op.type, op.get_attr("container"), op.get_attr("shared_name")


def _nearest(tensor, upstream):
    """Returns the nearest thing that x is made from and y uses, constants apart."""
    seen, waiting = set(), [tensor.op]
    while waiting:
        op = waiting.pop(0)
        if op in seen:
            continue
        seen.add(op)
        if op in upstream and op.type != "Const":
            read = op.inputs[0].op if op.inputs else op
            return read if read.type in _tf.VARIABLES else op
        waiting.extend(source.op for source in op.inputs)
    return None
