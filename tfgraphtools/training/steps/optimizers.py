"""What we need to know of other people's optimizers: their parts and their hooks."""

import contextlib

from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError

#: The methods through which `Optimizer.apply_gradients` updates one variable.
#: Each takes the gradient and the variable (the last one also the indices).
HOOKS = (
    "_apply_dense",
    "_resource_apply_dense",
    "_apply_sparse_duplicate_indices",
    "_resource_apply_sparse_duplicate_indices",
)

#: The attributes in which TensorFlow's wrappers (SyncReplicas, LossScale,
#: MovingAverage, VariableClipping...) and Horovod's keep the wrapped optimizer.
_WRAPPED = ("_optimizer", "_opt")


def check_optimizer(optimizer, place):
    """Raises unless ``optimizer`` is a Session-style optimizer."""
    if isinstance(optimizer, v1.train.SyncReplicasOptimizer):
        raise OptimizerKindError(
            place,
            "an optimizer whose step is over when its apply_gradients is",
            "SyncReplicasOptimizer, which leaves it to another thread",
            "Put it around the whole: SyncReplicasOptimizer(FreezeOptimizer(...), ...).",
        )
    if isinstance(optimizer, v1.train.Optimizer):
        return
    if isinstance(optimizer, type) and issubclass(optimizer, v1.train.Optimizer):
        next_step = f"Pass an instance: {optimizer.__name__}(learning_rate)."
    else:
        next_step = "Keras optimizers do not train in Sessions; use the one of tf.compat.v1.train."
    raise OptimizerKindError(
        place,
        "a tf.compat.v1.train.Optimizer",
        f"{optimizer!r} of type {type(optimizer).__name__}",
        next_step,
    )


def wrapped_by(optimizer):
    """The optimizers that a wrapper holds: none for one that does the work itself."""
    if hasattr(optimizer, "wrapped_optimizers"):
        return list(optimizer.wrapped_optimizers())
    held = (getattr(optimizer, name, None) for name in _WRAPPED)
    return [inner for inner in held if isinstance(inner, v1.train.Optimizer)]


def chain(optimizer):
    """The optimizer and all that it wraps, outermost first, each once."""
    seen = []
    waiting = [optimizer]
    while waiting:
        current = waiting.pop(0)
        if not any(current is known for known in seen):
            seen.append(current)
            waiting.extend(wrapped_by(current))
    return seen


def leaves(optimizer):
    """The optimizers under all wrappers: those whose hooks update the variables."""
    return [one for one in chain(optimizer) if not wrapped_by(one)]


@contextlib.contextmanager
def intercepted(optimizer, around):
    """Passes every variable's update through ``around`` while the context is open.

    Args:
      optimizer: one that updates variables itself (see `leaves`).
      around: ``around(hook, grad, variable)``, called instead of the hook;
        ``hook(grad, variable)`` is the optimizer's own update of a variable and
        returns its operation. The gradient is a tensor, or `IndexedSlices`.

    The hooks are replaced on the instance and put back as they were, so that
    contexts nest: the innermost runs first.
    """
    before = {name: optimizer.__dict__.get(name) for name in HOOKS}
    try:
        for name in HOOKS:
            setattr(optimizer, name, _replacement(getattr(optimizer, name), around))
        yield
    finally:
        for name, own in before.items():
            if own is None:
                del optimizer.__dict__[name]
            else:
                setattr(optimizer, name, own)


def _replacement(hook, around):
    def replaced(grad, variable, *indices):
        if not indices:  # dense, or IndexedSlices for a ref variable
            return around(hook, grad, variable)

        def sliced_hook(slices, variable):
            return hook(slices.values, variable, slices.indices)

        return around(sliced_hook, tf.IndexedSlices(grad, indices[0]), variable)

    return replaced


@contextlib.contextmanager
def slots_made_for(optimizer, stand_in):
    """While open, the optimizer makes the slots of other variables instead of some.

    Args:
      optimizer: one that updates variables itself.
      stand_in: ``stand_in(variable)``: the variable to make the slots for.
    """
    before = optimizer.__dict__.get("_create_slots")
    make = optimizer._create_slots
    optimizer._create_slots = lambda variables: make([stand_in(v) for v in variables])
    try:
        yield
    finally:
        if before is None:
            del optimizer.__dict__["_create_slots"]
        else:
            optimizer._create_slots = before


@contextlib.contextmanager
def train_op_collection_kept():
    """Keeps the ops that inner optimizers add out of the collection of train ops.

    Scripts that resume from a MetaGraph run ``get_collection("train_op")[0]``;
    the inner optimizer's op alone would be a step without our part of it.
    """
    collection = v1.get_default_graph().get_collection_ref(v1.GraphKeys.TRAIN_OP)
    before = list(collection)
    try:
        yield
    finally:
        collection[:] = before


def as_operation(result):
    """The operation of what an ``apply_gradients`` returned: an op, tensor or variable."""
    return result if isinstance(result, tf.Operation) else result.op
