"""Facts about other people's optimizers: their parts and their hooks."""

import collections
import contextlib
import inspect
import re

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, OptimizerKindError

#: The methods through which `Optimizer.apply_gradients` updates one variable.
#: Each takes the gradient and the variable (the last one also the indices).
HOOKS = (
    "_apply_dense",
    "_resource_apply_dense",
    "_apply_sparse_duplicate_indices",
    "_resource_apply_sparse_duplicate_indices",
)

_KIND_OF_UPDATE = {
    "_resource_apply_dense": "a resource variable",
    "_resource_apply_sparse_duplicate_indices": "a sparse gradient of a resource variable",
    "_apply_sparse_duplicate_indices": "a sparse gradient",
}

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
    elif isinstance(optimizer, str):
        next_step = "Pass an instance, such as tf.compat.v1.train.AdamOptimizer(1e-3)."
    elif not hasattr(optimizer, "apply_gradients"):
        next_step = "The optimizer is the first argument: Wrapper(optimizer, ...)."
    else:
        next_step = "Keras optimizers do not train in Sessions; use the one of tf.compat.v1.train."
    raise OptimizerKindError(
        place,
        "a tf.compat.v1.train.Optimizer",
        f"{optimizer!r} of type {type(optimizer).__name__}",
        next_step,
    )


def wrapped_by(optimizer):
    """Returns the optimizers that a wrapper holds: none for one that does the work itself."""
    if hasattr(optimizer, "wrapped_optimizers"):
        return list(optimizer.wrapped_optimizers())
    held = (getattr(optimizer, name, None) for name in _WRAPPED)
    return [inner for inner in held if isinstance(inner, v1.train.Optimizer)]


def chain(optimizer):
    """Returns the optimizer and all that it wraps, outermost first, each once."""
    seen = collections.OrderedDict()  # {id: optimizer}
    waiting = collections.deque([optimizer])
    while waiting:
        current = waiting.popleft()
        if id(current) not in seen:
            seen[id(current)] = current
            waiting.extend(wrapped_by(current))
    return list(seen.values())


def leaves(optimizer):
    """Returns the optimizers under all wrappers: those whose hooks update the variables."""
    return [part for part in chain(optimizer) if not wrapped_by(part)]


def skips(optimizer):
    """Returns True for a wrapper that has the whole step skipped where a gradient is not finite."""
    return getattr(optimizer, "skips_nonfinite", False)


def only_checks(method):
    """Marks a method of an optimizer that checks its arguments and calls TensorFlow's."""
    method.only_checks = True
    return method


def is_tensorflows(optimizer, name):
    """Tells whether a method of an optimizer is that of `Optimizer`, or only checks before it."""
    method = getattr(type(optimizer), name)
    own = getattr(v1.train.Optimizer, name)
    return method is own or getattr(method, "only_checks", False)


def applies_by_hooks(optimizer):
    """Tells whether an optimizer applies gradients as `Optimizer.apply_gradients` does."""
    return is_tensorflows(optimizer, "apply_gradients")


def graph_variables(var_list):
    """Returns a list of variables, or None, with the graph's for those of Keras 3."""
    if var_list is None or isinstance(var_list, str):
        return var_list
    return [_tf.without_keras(variable) for variable in tf.nest.flatten(var_list)]


def compute_gradients(optimizer, loss, var_list, options):
    """Calls the optimizer's `compute_gradients`; leaves out unknown options at their defaults.

    (The optimizers of ``tf.contrib.optimizer_v2`` do not take all that
    `Optimizer.minimize` passes on.)
    """
    known = inspect.signature(optimizer.compute_gradients).parameters
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values())
    passed = {name: x for name, x in options.items() if takes_all or name in known or x}
    with complex_named(type(optimizer).__name__):
        return optimizer.compute_gradients(loss, var_list=graph_variables(var_list), **passed)


@contextlib.contextmanager
def complex_named(place):
    """Says what TensorFlow's `compute_gradients` refuses, in a block that calls it."""
    try:
        yield
    except ValueError as error:
        match = re.match(r"Invalid type \S*?(complex\d+)\S* for ([^:]*)", str(error))
        if match is None:
            raise
        raise ArgumentError(
            f"{place}.compute_gradients",
            "variables of real floats",
            f"{match.group(2)!r} of {match.group(1)}",
            "Compute its gradient with tf.gradients, and pass it to apply_gradients.",
        ) from error


def has_hooks(leaf):
    """Tells whether hooks take no state, unlike those of ``tf.contrib.optimizer_v2``."""
    return not hasattr(leaf, "_per_graph_state")


@contextlib.contextmanager
def driven(leaf, update, slots_for, finish):
    """Hands every update that an optimizer makes to a function, while the context is open.

    This is the one place where an optimizer of the user's is touched: its hooks
    are replaced on the instance, because the wrappers of other libraries call it
    themselves, and put back as they were.

    Args:
      leaf: an optimizer that updates variables itself (see `leaves`).
      update: ``update(hook, grad, variable)``, called instead of the hook;
        ``hook(grad, variable)`` is the optimizer's own update of a variable and
        returns its operation. The gradient is a tensor, or `IndexedSlices`.
      slots_for: ``slots_for(variable)``: the variable to make slots for instead.
      finish: ``finish()``: ops that are a part of the step, and come after all updates.
    """
    make_slots = leaf._create_slots
    running = []
    replaced = {name: _replacement(getattr(leaf, name), update, running) for name in HOOKS}
    replaced["_create_slots"] = lambda variables: make_slots([slots_for(v) for v in variables])
    replaced["_finish"] = _finishing(leaf._finish, finish)
    before = {name: leaf.__dict__[name] for name in replaced if name in leaf.__dict__}
    try:
        vars(leaf).update(replaced)
        yield
    finally:
        for name in replaced:
            leaf.__dict__.pop(name, None)
        vars(leaf).update(before)


def _finishing(own, finish):
    def finished(update_ops, name_scope):
        update_ops = list(update_ops)
        with v1.control_dependencies(update_ops):
            updated = tf.no_op(name="updated")
        with _tf.after([updated]):
            update_ops += finish()
        return own(update_ops, name_scope)

    return finished


def _replacement(hook, update, running):
    """Returns a method in the place of a hook; ``running`` holds the hooks that are under way.

    A hook may call another one of its optimizer (the sparse one the dense one, say):
    that is a part of the same update.
    """

    def own(*arguments):
        running.append(hook)
        try:
            return hook(*arguments)
        except NotImplementedError as error:
            kind = type(hook.__self__).__name__
            raise OptimizerKindError(
                f"{kind} for {arguments[1].op.name!r}",
                f"an update for {_KIND_OF_UPDATE.get(hook.__name__, 'this variable')}",
                f"none in {kind}.{hook.__name__}",
                "Make the variable with use_resource=False, or use another optimizer for it: "
                "PartitionOptimizer([Group(...), ...]).",
            ) from error
        finally:
            running.pop()

    signature = inspect.signature(hook)

    def replaced(*arguments, **named):
        grad, variable, *indices = signature.bind(*arguments, **named).args
        if running:
            return hook(grad, variable, *indices)
        if not indices:  # dense, or IndexedSlices for a ref variable
            return update(own, grad, variable)

        def sliced(slices, variable):
            return own(slices.values, variable, slices.indices)

        return update(sliced, tf.IndexedSlices(grad, indices[0]), variable)

    return replaced


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
    """Returns the operation of what an ``apply_gradients`` returned: an op, tensor or variable."""
    return result if isinstance(result, tf.Operation) else result.op
