"""Several optimizers over disjoint groups of variables, in one step with one backward pass."""

import collections
import re
import weakref
from typing import Any, List, Optional, Sequence, Tuple

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, NoGroupError, OptimizerKindError
from tfgraphtools.training import _step, _types, _wrapper
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import half_states as _half_states
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import step_counting as _counting
from tfgraphtools.training.steps import unfinished as _unfinished


class Group:
    """A named group of variables and the optimizer that trains it.

    Args:
      name: of the group: a part of an op name. The state that the optimizer
        keeps per group, such as Adam's ``beta1_power``, is saved under
        ``<name of the PartitionOptimizer>/<name>/``.
      selector: which variables: see `tfgraphtools.select`.
      optimizer: a ``tf.compat.v1.train.Optimizer``; None leaves the variables
        alone: no gradient is computed for them and no state is made. Groups may
        share one optimizer: it then keeps one set of statistics for all of them
        and takes one step for all of them.

    Example:
      >>> Group("head", "head/.*", tf.compat.v1.train.AdamOptimizer(1e-3))

    Raises:
      ArgumentError: the name cannot be part of an op name.
      OptimizerKindError: not an optimizer for Sessions.
    """

    def __init__(
        self, name: str, selector: _types.Selector, optimizer: Optional[v1.train.Optimizer]
    ) -> None:
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9.][A-Za-z0-9_.\-]*", name):
            raise ArgumentError(
                "Group",
                "a name of letters, digits, '_', '.' and '-'",
                repr(name),
                "State is saved under this name, so choose one that stays.",
            )
        if optimizer is not None:
            _optimizers.check_optimizer(optimizer, f"Group {name!r}")
        self.name = name
        self.selector = selector
        self.optimizer = optimizer

    def __repr__(self):
        kind = None if self.optimizer is None else type(self.optimizer).__name__
        return f"Group({self.name!r}, {self.selector!r}, {kind})"


class PartitionOptimizer(_wrapper.WrapperOptimizer):
    """Trains each group of variables with an optimizer of its own.

    It is a ``tf.compat.v1.train.Optimizer``: one backward pass serves all
    groups, every gradient is computed before the first variable changes (two
    `minimize` calls race on ref variables), and ``global_step`` counts once, if any
    of the optimizers counts it.

    It does nothing to the variables of a group whose optimizer is None.

    State is named by variable and by group, never by the order in which things
    were built: a slot is ``<variable>/<slot>`` as always, and what an optimizer
    keeps once, such as ``beta1_power``, is ``<name>/<group>/beta1_power``.
    Groups that share one optimizer keep it under their sorted, joined names.

    Args:
      groups: list of `Group`. Every trained variable must be in exactly one.
      name: of the scope of ops and state. Two of them in one graph need two
        names.

    Example:
      >>> optimizer = PartitionOptimizer([
      ...     Group("lower", "conv.*", tf.compat.v1.train.GradientDescentOptimizer(1e-5)),
      ...     Group("head", "head/.*", tf.compat.v1.train.AdamOptimizer(1e-3)),
      ...     Group("rest", "embedding", None)])
      >>> train_op = optimizer.minimize(loss, global_step=global_step)

    Raises:
      ArgumentError: two groups of one name; nothing to train.
      NothingMatchedError, MatchedTwiceError, NoGroupError: when the step is
        built: a group without variables, a variable in two groups or in none.
      OptimizerKindError: an optimizer that computes gradients in a way of its
        own (a LossScaleOptimizer, say): it belongs around this one; an optimizer inside
        of two groups' optimizers that are not one object.
    """

    keeps_frozen_elements = True
    is_flushed_through = True
    steps_in_replicas = True

    def __init__(self, groups: Sequence[Group], name: str = "Partition") -> None:
        self._groups = _listed(groups)
        _check_groups(self._groups)
        self._shares = _shares(self._groups)
        _check_names(self._shares)
        _check_disjoint(self._shares)
        self._claimed = weakref.WeakKeyDictionary()  # graph: the state scopes we use there
        super().__init__([optimizer for _, optimizer in self._shares], name)

    def checkpoint_rules(self) -> List[Tuple[str, str]]:
        """Returns what one optimizer saves once, and these groups save each: pairs of names.

        Slots have the same names either way. The pairs are rules for
        `tfgraphtools.checkpoints.plan`: as ``alias`` they give each group a copy of
        the state that one optimizer had, ``drop`` leaves out the original. The
        other way, a group's state is renamed and the other groups' dropped.

        It is empty before a step is built, and for optimizers without such state.

        Returns:
          A list of (name without groups, name in this optimizer's checkpoints), such
          as ``("beta1_power", "Partition/head/beta1_power")``.

        Example:
          >>> rules = optimizer.checkpoint_rules()
          >>> plan(ckpt, alias=rules, drop=["beta1_power", "beta2_power"]).apply(destination)
        """
        rules = []
        for name, optimizer in self._shares:
            prefix = f"{self.get_name()}/{name}/"
            for leaf in _optimizers.leaves(optimizer):
                names = [v.op.name for v in getattr(leaf, "_non_slot_dict", {}).values()]
                rules += [(n[len(prefix) :], n) for n in names if n.startswith(prefix)]
        return sorted(set(rules))

    def compute_gradients(
        self, loss: _types.Tensor, var_list: Optional[_types.Selector] = None, **options: Any
    ) -> _types.Pairs:
        """Returns the gradients of all trained variables, from one backward pass."""
        _wrapper.check_loss("PartitionOptimizer.compute_gradients", loss, var_list)
        if var_list is None:
            variables = v1.trainable_variables()
        else:
            variables = _select.expand(tf.nest.flatten(var_list))
        optimizer_of = self._optimizers_of(variables)
        trained = self._check_trains(variables, optimizer_of, "compute_gradients")
        # The base class computes them: the groups' own methods would each do it again.
        with _optimizers.complex_named("PartitionOptimizer"):
            return v1.train.Optimizer.compute_gradients(self, loss, var_list=trained, **options)

    def _check_trains(self, variables, optimizer_of, method):
        """Returns those of the variables that have an optimizer; raises where none has."""
        trained = [v for v in variables if optimizer_of.get(v) is not None]
        if not trained:
            raise ArgumentError(
                f"PartitionOptimizer.{method}",
                "at least one variable to train",
                f"only variables left alone: {_select.listing(variables)}",
                f"Give an optimizer to one of the groups {self._groups}.",
            )
        return trained

    def plan_step(self, step: _step.Step, pairs: _types.Pairs) -> None:
        """Plans as every wrapper does, each group for its own variables."""
        optimizer_of = self._optimizers_of([v for _, v in pairs])
        trained = [v for grad, v in pairs if grad is not None]
        if trained:  # none: it is in a group of another one, whose step is of other groups
            self._check_trains(trained, optimizer_of, "apply_gradients")
        step.put_plan(self, pairs, optimizer_of)
        if step.global_step is not None and len(self._shares) > 1:
            if not all(_counting.counts_every_step(optimizer) for _, optimizer in self._shares):
                step.lock(step.global_step, "several")  # which goes through scratch variables
        for _, optimizer, own in self._divided(pairs, optimizer_of):
            step.plan(optimizer, own)

    def look_ahead(self, step: _step.Step, pairs: _types.Pairs) -> None:
        """Looks ahead as every wrapper does, each group at its own gradients."""
        optimizer_of = step.plan_of(self, pairs)
        for _, optimizer, own in self._divided(pairs, optimizer_of):
            step.look_ahead(optimizer, own)

    def begin(
        self, step: _step.Step, pairs: _types.Pairs, outside: Optional[str]
    ) -> List[tf.Operation]:
        """Begins as every wrapper does, each group for its own variables."""
        optimizer_of, begun = step.plan_of(self, pairs), []
        trained = [(grad, v) for grad, v in pairs if grad is not None]
        for name, optimizer, own in self._divided(trained, optimizer_of):
            state_scope = f"{self.get_name()}/{name}"
            self._claim(step, state_scope)
            with v1.name_scope(state_scope + "/"):
                begun += step.begin(optimizer, own, state_scope + "/")
        return begun

    def _apply(self, step, pairs, outside):
        optimizer_of = step.plan_of(self, pairs)
        trained = [
            (grad, v) for grad, v in pairs if grad is not None and optimizer_of.get(v) is not None
        ]
        with _distributed.gated(trained) as gated:
            return _half_states.with_looks(
                step, lambda: self._apply_gated(step, optimizer_of, gated)
            )

    def _apply_gated(self, step, optimizer_of, gated):
        parts = self._divided(gated, optimizer_of)
        for name, optimizer, own in parts:
            for _, variable in own:
                self.note(variable, group=name, optimizer=type(optimizer).__name__)
        count = _counting.SharedCount(step.global_step, [optimizer for _, optimizer, _ in parts])
        updates = [self._apply_share(step, *part, count) for part in parts]
        return count.advance(tf.group(*updates, name="update"))

    def _divided(self, pairs, optimizer_of):
        """Returns (name, optimizer, its pairs) of the optimizers that train some of the pairs."""
        pairs_of = {}
        for pair in pairs:
            pairs_of.setdefault(id(optimizer_of.get(pair[1])), []).append(pair)
        return [
            (name, optimizer, pairs_of[id(optimizer)])
            for name, optimizer in self._shares
            if id(optimizer) in pairs_of
        ]

    def _optimizers_of(self, variables):
        """Returns the optimizer, or None, of every given variable: each is in one group."""
        labels = _select.assign(
            [(group.name, group.selector) for group in self._groups],
            _step.candidates(variables),
            "PartitionOptimizer group",
        )
        missing = [v for v in variables if v not in labels]
        if missing:
            first = re.escape(_select.names_of(missing[0])[0])
            raise NoGroupError(
                "PartitionOptimizer",
                "each trained variable in one group",
                f"none for {_select.listing(missing)}",
                f"Leave them alone, say: Group('rest', {first!r}, None).",
            )
        by_name = {group.name: group.optimizer for group in self._groups}
        optimizer_of = _select.Assignment()
        for variable in variables:
            optimizer_of.put(variable, by_name[labels.get(variable)])
        return optimizer_of

    def _apply_share(self, step, name, optimizer, pairs, count):
        """Returns the update of the variables that one optimizer trains."""
        global_step = count.of(optimizer)
        state_scope = f"{self.get_name()}/{name}"
        self._claim(step, state_scope)
        # A scope with a final slash is absolute: state gets the same name wherever
        # the step is built, and no other optimizer's state can come before it.
        with _tf.after(count.begun()), v1.name_scope(state_scope + "/"):
            return _distributed.apply_wrapped(optimizer, pairs, global_step)

    def _claim(self, step, state_scope):
        graph = _tf.root_graph()
        claimed = self._claimed.setdefault(graph, set())
        step.taken.append((state_scope, None))
        if state_scope in claimed or _unfinished.take_scope(state_scope):
            claimed.add(state_scope)
            return
        with _tf.init_scope(), v1.name_scope(None):
            unique = graph.unique_name(state_scope, mark_as_used=True)
        if unique != state_scope:
            raise ArgumentError(
                "PartitionOptimizer",
                "a name of its own in this graph",
                f"the scope {state_scope!r} in use",
                "Give it one: PartitionOptimizer(groups, name='Generator').",
            )
        claimed.add(state_scope)


def _shares(groups):
    """Returns (name, optimizer) for each distinct optimizer, in the order of the groups.

    The name is that of its group, or of all its groups, sorted and joined.
    """
    names_of = collections.OrderedDict()  # {id of an optimizer: (names of its groups, itself)}
    for group in groups:
        if group.optimizer is not None:
            names, _ = names_of.setdefault(id(group.optimizer), ([], group.optimizer))
            names.append(group.name)
    return [("-".join(sorted(names)), optimizer) for names, optimizer in names_of.values()]


def _check_names(shares):
    """Raises where two optimizers would keep state under one name, which TF takes in any case."""
    count_of = collections.Counter(name.lower() for name, _ in shares)
    repeated = [name for name, _ in shares if count_of[name.lower()] > 1]
    if repeated:
        raise ArgumentError(
            "PartitionOptimizer groups",
            "names that tell the state of one optimizer from another's",
            f"two optimizers under {' and '.join(map(repr, repeated))}",
            "Rename a group: those that share an optimizer go by their joined names, and upper "
            "and lower case are one to TensorFlow.",
        )


def _check_disjoint(shares):
    """Raises where two shares step one optimizer: it would take two steps, and race."""
    owners = {}  # {id of an optimizer: the share that it is in}
    for name, optimizer in shares:
        for part in _optimizers.chain(optimizer):
            other = owners.get(id(part))
            if other is not None:
                kind = type(part).__name__
                raise OptimizerKindError(
                    f"PartitionOptimizer groups {other!r} and {name!r}",
                    "optimizers that share nothing, or one object for both groups",
                    f"one {kind} inside of two optimizers",
                    f"Give each group a {kind} of its own, or give both groups the {kind} itself "
                    "and put the wrapper around the PartitionOptimizer.",
                )
        owners.update((id(part), name) for part in _optimizers.chain(optimizer))


def _listed(groups):
    """Returns the groups as a list; raises where one is not a `Group`."""
    listed = list(groups) if isinstance(groups, (list, tuple)) else [groups]
    wrong = [item for item in listed if not isinstance(item, Group)]
    if wrong or not isinstance(groups, (list, tuple)):
        raise ArgumentError(
            "PartitionOptimizer groups",
            "a list of Group",
            repr(wrong[0] if wrong else groups),
            "Pass [Group('head', 'head/.*', optimizer), ...].",
        )
    return listed


def _check_groups(groups):
    count_of = collections.Counter(group.name for group in groups)
    repeated = sorted(name for name, count in count_of.items() if count > 1)
    if repeated or not groups:
        raise ArgumentError(
            "PartitionOptimizer",
            "groups with names of their own",
            f"{repeated[0]!r} more than once" if repeated else "no group",
            "Pass [Group(name, selector, optimizer), ...], each with another name.",
        )
    for group in groups:
        for optimizer in _optimizers.chain(group.optimizer) if group.optimizer else ():
            if _computes_its_own_gradients(optimizer):
                kind = type(optimizer).__name__
                raise OptimizerKindError(
                    f"Group {group.name!r}",
                    "an optimizer that takes gradients as they come",
                    f"{kind}, which computes its own",
                    f"Put it around the whole: {kind}(PartitionOptimizer(...)).",
                )


#: Optimizers of tf.contrib.opt whose `compute_gradients` is that of the wrapped optimizer.
_DELEGATING = ("MovingAverageOptimizer", "VariableClippingOptimizer")


def _computes_its_own_gradients(optimizer):
    kind = type(optimizer)
    if kind.__name__ in _DELEGATING and "contrib.opt" in kind.__module__:
        return False
    if _optimizers.is_tensorflows(optimizer, "compute_gradients"):
        return False
    return kind.compute_gradients not in (
        _wrapper.WrapperOptimizer.compute_gradients,
        PartitionOptimizer.compute_gradients,
    )
