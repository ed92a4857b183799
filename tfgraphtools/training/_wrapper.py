"""The base of our optimizers: a real v1 Optimizer that does its work around others'."""

import contextlib
import weakref
from typing import Any, Dict, Iterable, List, Optional

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _step, _types
from tfgraphtools.training.describe import describe, shown_shape
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import gradient_pairs as _pairs
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import unfinished as _unfinished
from tfgraphtools.training.steps import unstarted as _unstarted
from tfgraphtools.training.steps import variable_locks as _locks


class WrapperOptimizer(v1.train.Optimizer):
    """Builds a step around the `apply_gradients` of the optimizers it wraps.

    Working around `apply_gradients` (and not inside the apply hooks) covers
    optimizers that have no hooks, constraints that are applied after them, and
    wrappers inside wrappers in any order. A subclass writes `_apply`.
    """

    #: True for a wrapper that leaves every change of a variable's frozen elements to the
    #: wrapped optimizer's update of it: `FreezeOptimizer` may then work inside that update.
    keeps_frozen_elements = False

    #: True for a wrapper that changes variables (those elements that nobody freezes) beside
    #: the wrapped optimizer's update.
    moves_variables = False

    #: True for a wrapper that does nothing in a run but what the wrapped optimizer's step needs:
    #: a `flush` of an accumulation inside goes through it.
    is_flushed_through = False

    #: True for a wrapper that has the wrapped optimizer take a step in every run.
    counts_every_step = True

    #: True for a wrapper whose `_apply` builds the step of every copy of a variable,
    #: with one gradient for each replica.
    steps_in_replicas = False

    def __init__(self, optimizers: Iterable[v1.train.Optimizer], name: str) -> None:
        super().__init__(use_locking=False, name=name)
        self._wrapped = list(optimizers)
        self._notes = weakref.WeakKeyDictionary()  # graph: {variable name: {column: text}}
        self._made = weakref.WeakKeyDictionary()  # graph: [weak references of our variables]
        self._noted_last = None  # a weak reference to the graph

    def wrapped_optimizers(self) -> List[v1.train.Optimizer]:
        """Returns the optimizers that this one wraps."""
        return list(self._wrapped)

    def compute_gradients(
        self, loss: _types.Tensor, var_list: Optional[_types.Selector] = None, **options: Any
    ) -> _types.Pairs:
        """Computes gradients as the wrapped optimizer does (of several: see the subclass)."""
        check_loss(type(self).__name__ + ".compute_gradients", loss, var_list)
        return _optimizers.compute_gradients(self._wrapped[0], loss, var_list, options)

    def apply_gradients(
        self,
        grads_and_vars: _types.Pairs,
        global_step: Optional[_types.Variable] = None,
        name: Optional[str] = None,
    ) -> tf.Operation:
        """Applies the gradients; see the class for what it does with them.

        Args:
          grads_and_vars: list of (gradient, variable) as `compute_gradients`
            returns it.
          global_step: passed on to the wrapped optimizer, which counts its steps in it,
            reads it, or does neither, as it does alone.
          name: of the scope of the ops.

        Returns:
          The operation that does all of it.
        """
        place = type(self).__name__ + ".apply_gradients"
        check_graph_mode(place)
        pairs = _pairs.checked(grads_and_vars, place)
        if global_step is not None and not _tf.is_variable(global_step):
            raise ArgumentError(
                place,
                "a variable as the global step, or None",
                f"{global_step!r} of type {type(global_step).__name__}",
                "Pass tf.compat.v1.train.get_or_create_global_step().",
            )
        if _distributed.is_active():
            return _distributed.merged_step(self, pairs, global_step, name)
        return self._whole_step(pairs, global_step, name)

    def _distributed_apply(self, distribution, grads_and_vars, global_step=None, name=None):
        """Applies gradients for all replicas at once, where TensorFlow's strategies call it."""
        return self._whole_step(grads_and_vars, global_step, name)

    def _whole_step(self, pairs, global_step, name, kind=_step.Step):
        for grad, variable in pairs:
            if grad is not None:
                self.note(variable, shape=shown_shape(variable))
        outside = scope_of_caller()
        with v1.name_scope(name, self.get_name()), self._noting_what_is_made():
            with _optimizers.train_op_collection_kept():
                with _step.opened(self, pairs, global_step, kind) as (step, begin, finish):
                    train_op = begin(lambda: self._apply(step, pairs, outside))
                train_op = finish(train_op)
        v1.add_to_collection(v1.GraphKeys.TRAIN_OP, train_op)
        return train_op

    @contextlib.contextmanager
    def _noting_what_is_made(self):
        """Keeps the global variables that are made meanwhile, for `state_variables`."""
        graph = _tf.root_graph()
        count = len(v1.global_variables())  # each of many groups does this: no pass over all
        yield
        new = v1.global_variables()[count:]
        self._made.setdefault(graph, []).extend(map(weakref.ref, new))

    def plan_step(self, step: _step.Step, pairs: _types.Pairs) -> None:
        """Plans this wrapper's part of a step, and has the wrapped ones plan theirs."""
        step.put_plan(self, pairs, self._plan(step, pairs))
        for optimizer in self._wrapped:
            step.plan(optimizer, pairs)

    def look_ahead(self, step: _step.Step, pairs: _types.Pairs) -> None:
        """Makes the wrapped ones look at the gradients, before a step that may be skipped."""
        for optimizer in self._wrapped:
            step.look_ahead(optimizer, pairs)

    def begin(
        self, step: _step.Step, pairs: _types.Pairs, outside: Optional[str]
    ) -> List[tf.Operation]:
        """Returns the ops that this wrapper and those inside need before a variable changes.

        `Step.begin` calls it, once.
        """
        return [op for optimizer in self._wrapped for op in step.begin(optimizer, pairs, outside)]

    def _plan(self, step, pairs):
        """Returns the masks and multipliers for `_apply`, read by ``step.read``; or None."""

    def _apply(self, step, pairs, outside):
        """Builds the update and returns its operation.

        Args:
          step: the `Step` that is being built, with this wrapper's plan.
          pairs: list of (gradient or None, variable).
          outside: the name scope around this optimizer's own. What a wrapped
            optimizer builds goes there, so that its state is named as without us.
        """
        raise NotImplementedError

    def _apply_wrapped(self, step, pairs, outside):
        """Builds the wrapped optimizer's own step, and returns its operation."""
        with v1.name_scope(outside):
            return _distributed.apply_wrapped(self._wrapped[0], pairs, step.global_step)

    def _own_variable(self, step, key, initial_value, variables, outside):
        """Returns a scalar variable that this wrapper keeps once: ``<name>/<key>``.

        Args:
          step: that is being built.
          key: what it is.
          initial_value: number.
          variables: that it belongs to: of their kind, and beside the first of them by name.
          outside: as for `_apply`.

        Raises:
          ArgumentError: there is one of this name in the graph.
        """
        place = key, _tf.root_graph()

        def make():
            name = f"{outside or ''}{self.get_name()}/{key}"
            is_resource = _tf.is_resource_variable(variables[0])
            variable = self._made_variable(name, initial_value, is_resource, variables)
            step.taken.append((name, variable))
            return variable

        self._non_slot_dict[place] = step.own_variable(self._non_slot_dict.get(place), make)
        return self._non_slot_dict[place]

    def _own_slot(self, step, variable, name, make):
        """Returns a slot that this wrapper keeps of a variable: ``<variable>/<name>``, exactly.

        Args:
          step: that is being built.
          make: ``make(name)`` makes it, by one of the methods of TensorFlow's `Optimizer`.

        Raises:
          ArgumentError: there is one of this name in the graph.
        """
        slots = self._slot_dict(name)
        slot = slots.get(_tf.slot_key(variable))
        if slot is not None:
            return slot
        scope = v1.get_variable_scope().name
        whole_name = f"{scope}/{variable.op.name}/{name}" if scope else f"{variable.op.name}/{name}"
        slot = _unfinished.take_variable(whole_name, _tf.is_resource_variable(variable))
        if slot is None:
            with _tf.init_scope():
                with v1.name_scope(None):
                    unique = _tf.root_graph().unique_name(whole_name, mark_as_used=False)
                if unique != whole_name:
                    raise self._name_in_use(whole_name)
                slot = make(name)
            if _tf.components(slot)[0].op.name != whole_name:
                raise self._name_in_use(whole_name)
        slots[_tf.slot_key(variable)] = slot
        step.taken.append((whole_name, slot))
        return slot

    def _name_of_slot(self, step, variable, stock, slot_name, default_name):
        """Returns the name of a slot of ours: the stock one, or one with a name of its own in it.

        Of several in a chain those have one of their own that were given a ``name=``: whatever
        the order in which they stand, and are built.

        Args:
          slot_name: what the user asks for, or None.
          default_name: of the wrapper: what ``name=`` is where the user gives none.
        """
        if slot_name is None and self.get_name() != default_name:
            chain = step.update_of(variable).above(self) + _optimizers.chain(self._wrapped[0])
            if any(type(optimizer) is type(self) for optimizer in chain):
                slot_name = self.get_name()
        return stock if slot_name is None else f"{stock}_{slot_name}"

    def _unstarted_slot(self, step, variable, name, dtype):
        """Returns a slot that a step starts from the variable: see `unstarted`."""

        def make(name):
            value = _unstarted.fill(_tf.components(variable)[0], dtype, step.constant)
            return self._get_or_make_slot(variable, value, name, name)

        return self._own_slot(step, variable, name, make)

    def _name_in_use(self, name):
        kind = type(self).__name__
        return ArgumentError(
            kind,
            "a name of its own for what it keeps of a variable",
            f"{name!r} in use",
            "What keeps the same of a variable a second time has a name of its own, which is in "
            f"its slot's name: {kind}(..., slot_name='Fast').",
        )

    def _made_variable(self, name, initial_value, resource, variables):
        """Returns a variable of this whole name, of a failed build or new: beside the variables."""
        if v1.get_variable_scope().reuse is True:
            v1.get_variable(self.get_name(), [])  # TensorFlow's error, as of its optimizers' slots
        graph = _tf.root_graph()
        variable = _unfinished.take_variable(name, resource)
        with _tf.init_scope(), v1.name_scope(None):
            if variable is None and graph.unique_name(name, mark_as_used=False) != name:
                raise ArgumentError(
                    type(self).__name__,
                    "a name of its own in this graph",
                    f"{name!r} in use",
                    "Build one step with each, and give the second a name=.",
                )
            if variable is None:
                with v1.device(_locks.task_of_first(variables)):
                    variable = _tf.scalar_in_store(name, initial_value, resource)
        return variable

    def describe(self, session: Optional[v1.Session] = None) -> str:
        """Returns what the steps built so far do with each variable, as a table of text.

        Args:
          session: to show the learning rates that a step would have now; None shows none.
        """
        return describe(self, session)

    def notes(self) -> Dict[str, Dict[str, str]]:
        """Returns what this optimizer adds to `describe`: ``{variable name: {column: text}}``.

        Of the steps in the default graph; where none is built in it, in that of the last one.
        """
        own = self._notes.get(_tf.root_graph())
        if own is None and self._noted_last is not None:
            own = self._notes.get(self._noted_last())
        return {name: dict(row) for name, row in (own or {}).items()}

    def own_places(self) -> Dict[str, str]:
        """Returns the servers of the scalars that this optimizer keeps: ``{name: task}``."""
        graph = _tf.root_graph()
        own = [variable for (_, where), variable in self._non_slot_dict.items() if where is graph]
        places = {variable.op.name: _locks.server_of(variable) for variable in own}
        return {name: place for name, place in places.items() if place}

    def note(self, variable: _types.Variable, **columns: str) -> None:
        """Keeps what is to be said of a variable."""
        graph = _tf.root_graph()
        self._noted_last = weakref.ref(graph)
        rows = self._notes.setdefault(graph, {})
        rows.setdefault(_select.names_of(variable)[0], {}).update(columns)

    def get_slot(self, var: _types.Variable, name: str) -> Optional[_types.Variable]:
        """Returns the slot of a variable: ours, or that of the wrapped optimizer that has it."""
        var = _tf.without_keras(var)
        slots = (own.get_slot(var, name) for own in self._keepers())
        return next((slot for slot in slots if slot is not None), None)

    def get_slot_names(self) -> List[str]:
        """Returns the names of our slots and of the wrapped optimizers', sorted."""
        return sorted({name for own in self._keepers() for name in own.get_slot_names()})

    def _keepers(self):
        """Yields what has slots: leaves as they are, our wrappers as plain optimizers."""
        for optimizer in _optimizers.chain(self):
            if isinstance(optimizer, WrapperOptimizer):
                yield super(WrapperOptimizer, optimizer)
            elif not _optimizers.wrapped_by(optimizer):
                yield optimizer

    def variables(self) -> List[_types.Variable]:
        """Returns our state and that of the wrapped optimizers."""
        own = v1.train.Optimizer.variables(self)
        return own + [variable for optimizer in self._wrapped for variable in optimizer.variables()]

    def state_variables(self) -> List[_types.Variable]:
        """Returns all that the steps built in this graph keep beside the variables, each once.

        The state of the wrapped optimizers is among it, also of those that do not list theirs.
        For an exact restart restore it with the variables and the global step, all or none of it;
        a stock ``Saver()`` does. It is empty before a step is built.

        Returns:
          A list of variables, slices of partitioned ones each, sorted by name.

        Example:
          >>> variables = [*tf.compat.v1.trainable_variables(), *optimizer.state_variables()]
          >>> saver = tf.compat.v1.train.Saver([*variables, global_step])
          >>> tf.compat.v1.train.init_from_checkpoint(path, {v.op.name: v for v in variables})
        """
        own = [variable() for variable in self._made.get(_tf.root_graph(), [])]
        listed = self.variables() + [variable for variable in own if variable is not None]
        state = {_tf.key(variable): variable for variable in listed}
        return sorted(state.values(), key=lambda variable: variable.name)


def check_graph_mode(place):
    """Raises under eager execution, and in a tf.function: there are no steps of a Session there."""
    with _tf.init_scope():
        eager = tf.executing_eagerly()
    if eager:
        raise ArgumentError(
            place,
            "graph mode, in which a Session runs the step",
            "eager execution",
            "Build in `with tf.Graph().as_default():`, or call "
            "tf.compat.v1.disable_eager_execution() at the start of the program.",
        )


def check_loss(place, loss, var_list):
    """Checks as `check_graph_mode`; raises also where a loss or a list of variables is none."""
    check_graph_mode(place)
    if not (tf.is_tensor(loss) or _tf.is_variable(loss) or callable(loss)):
        raise ArgumentError(
            place,
            "a tensor as the loss",
            f"{loss!r} of type {type(loss).__name__}",
            "Pass the tensor that the model computes.",
        )
    if hasattr(loss, "get_concrete_function"):
        raise ArgumentError(
            place,
            "a tensor as the loss",
            f"the tf.function {getattr(loss, '__name__', loss)!r}",
            "Call it in the graph, and pass what it returns: minimize(loss_function()).",
        )
    if isinstance(var_list, str):
        raise ArgumentError(
            place,
            "a list of variables as var_list, or None",
            f"the name {var_list!r}",
            "Pass the variables: [v for v in tf.compat.v1.trainable_variables() if ...].",
        )
    variables = [v for v in _optimizers.graph_variables(var_list) or () if _tf.is_variable(v)]
    if variables and not any(_pairs.is_trainable_dtype(variable) for variable in variables):
        _pairs.check_trainable_dtype(variables[0], variables[0], place)


def scope_of_caller():
    """Returns the open name scope as an argument that reopens it; None is the root."""
    scope = v1.get_default_graph().get_name_scope()
    return scope + "/" if scope else None
