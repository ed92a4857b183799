"""The variables that hold an optimizer's state of a variable."""

import weakref

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training.freezing import known_optimizers
from tfgraphtools.training.steps import optimizer_chain as _optimizers


class StateFinder:
    """Finds the state that one optimizer keeps of single variables.

    Slots are asked for by name. An optimizer that makes its variables by itself
    (BERT's AdamWeightDecay, say) is watched while it builds its update: what it
    makes or writes under the name of a variable is that variable's state.
    """

    def __init__(self, optimizer):
        self._optimizer = optimizer
        self._created = weakref.WeakKeyDictionary()  # graph: [(state it made by itself, scope)]

    def watch(self, build):
        """Calls ``build()`` and remembers the variables that it makes, and others it writes."""
        leaves = _optimizers.leaves(self._optimizer)
        if all(type(leaf) in known_optimizers.ELEMENTWISE for leaf in leaves):
            counts = [len(kept()) for kept in _KEPT]
            result = build()
            state = [v for kept, count in zip(_KEPT, counts) for v in kept()[count:]]
        else:
            result, state = _watched(build)
        scope = _scope_of(state)
        self._created.setdefault(_tf.root_graph(), []).extend(
            (variable, scope) for variable in state
        )
        return result

    def states_of(self, variables, trained):
        """Returns the state of each of the variables, of the variable's own shape: a list of lists.

        Args:
          variables: some of ``trained``.
          trained: all variables that are trained: a name like ``a/b/m`` belongs to the
            longest of them.

        Raises:
          OptimizerKindError: the optimizer keeps state of another shape for one of them, or
            state of the same shape without the name of any variable.
        """
        others, owned = self._of_no_variable() | self._of_wrappers(), {}
        others.update(map(_tf.key, trained))
        others.update(_tf.key(slot) for variable in trained for slot in self._slots(variable))
        created = self._created.get(_tf.root_graph(), ())
        created = [(state, scope) for state, scope in created if _tf.key(state) not in others]
        named = v1.trainable_variables() + list(trained) if created else []
        by_name = {v.op.name: v for v in named}
        for state, scope in created:
            owner = _owner(state.op.name[len(scope) :], by_name) or _owner(state.op.name, by_name)
            if owner is None:
                self._check_unlike(state, variables)
            else:
                owned.setdefault(_tf.key(by_name[owner]), []).append(state)
        return [self._state_of(v, owned.get(_tf.key(v), ())) for v in variables]

    def _check_unlike(self, state, variables):
        """Raises for state that may be of one of the variables, and does not say so."""
        alike = [v for v in variables if v.shape.rank and v.shape == state.shape]
        if alike:
            raise OptimizerKindError(
                f"FreezeOptimizer around {type(self._optimizer).__name__}",
                "state that is a slot, or has the name of its variable in its own",
                f"{_select.listing([state])} of the shape of {_select.listing(alike[:1])}",
                f"Name it after its variable, such as {alike[0].op.name + '/m'!r}: the frozen "
                "elements of state are kept, too.",
            )

    def _state_of(self, variable, owned):
        states = {_tf.key(slot): slot for slot in self._slots(variable)}
        for state in owned:
            states.setdefault(_tf.key(state), state)
        for state in states.values():
            _check_shape(state, variable, self._optimizer)
        return list(states.values())

    def _slots(self, variable):
        for leaf in _optimizers.leaves(self._optimizer):
            for name in leaf.get_slot_names():
                slot = leaf.get_slot(variable, name)
                if slot is not None:
                    yield slot

    def _of_no_variable(self):
        """Returns state that an optimizer keeps once, such as ``beta1_power``."""
        return {
            _tf.key(once)
            for leaf in _optimizers.leaves(self._optimizer)
            for once in getattr(leaf, "_non_slot_dict", {}).values()
        }

    def _of_wrappers(self):
        """Returns the slots of our own wrappers, which keep frozen elements by themselves."""
        return {
            _tf.key(slot)
            for wrapper in _optimizers.chain(self._optimizer)
            if hasattr(wrapper, "wrapped_optimizers")
            for slots in wrapper._slots.values()
            for slot in slots.values()
        }


#: What returns the variables of a graph's collections.
_KEPT = (v1.global_variables, v1.local_variables)


def _kept_variables():
    return [variable for kept in _KEPT for variable in kept()]


def _watched(build):
    """Returns what ``build()`` returns, and the variables that it makes or writes."""
    graph, before = v1.get_default_graph(), {_tf.key(v) for v in _kept_variables()}
    count = len(graph.get_operations())
    result = build()
    state = [v for v in _kept_variables() if _tf.key(v) not in before]
    written = _written_by(graph.get_operations()[count:])
    before -= {_tf.key(v) for v in v1.trainable_variables()}
    state += [v for v in _kept_variables() if _tf.key(v) in before and _is_of(v, written)]
    return result, state


def _written_by(ops):
    """Returns the ops of the variables that some ops write."""
    handles = [handle for op in ops for handle in _tf.written_handles(op)]
    return {variable for handle in handles for variable in _tf.variables_behind(handle)}


def _is_of(variable, ops):
    return any(_tf.handle_of(copy).op in ops for copy in _tf.components(variable))


def _scope_of(states):
    """Returns the variable scope, with its slash, in which all these states were made."""
    scope = v1.get_variable_scope().name
    scope = scope and scope + "/"
    return scope if all(state.op.name.startswith(scope) for state in states) else ""


def _owner(name, names):
    """Returns the longest of the names under which a state of this name was made, or None."""
    parts = name.split("/")
    ends = range(1, len(parts))
    scopes = ("/".join(parts[begin:end]) for end in ends for begin in range(end))
    return max((scope for scope in scopes if scope in names), key=len, default=None)


def initial_value(state):
    """Returns a state's initial value; a copy where it is read from variables that change."""
    value = state.initial_value
    reads = any(op.type in _tf.VARIABLES for op in _tf.upstream_ops([value]))
    return _tf.DeepCopy(x=value) if reads else value


def _check_shape(state, variable, optimizer):
    if variable.shape.is_fully_defined() and state.shape != variable.shape:
        raise OptimizerKindError(
            f"FreezeOptimizer around {type(optimizer).__name__}",
            f"state of the shape {variable.shape} of {_select.listing([variable])}",
            f"{_select.listing([state])} of shape {state.shape}",
            "Its elements are not kept apart, so none can be frozen alone; "
            "leave the variable out with PartitionOptimizer([Group(..., None)]).",
        )
