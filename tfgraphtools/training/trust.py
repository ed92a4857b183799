"""Trust ratios (LARS, LAMB): each variable steps by a share of its own norm."""

from typing import List, Optional

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError, OptimizerKindError
from tfgraphtools.training import _arguments, _step, _types, _wrapper
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import gate as _gate
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps.trust_ratio import Ratio


class TrustRatioOptimizer(_wrapper.WrapperOptimizer):
    """Scales the step of each variable by the norm of the variable over the norm of its step.

    ``of="update"`` is LAMB, for any optimizer: where its own update is
    ``variable -= rate * u``, the step is ``variable -= rate * ratio * d`` with
    ``d = u + decay * variable`` and ``ratio = coefficient * |variable| / |d|``.
    Around ``AdamOptimizer`` that is LAMB as published, in TensorFlow's form of Adam,
    which adds epsilon before the bias correction. The optimizer's slots are its own.

    ``of="gradient"`` is LARS: the optimizer gets the gradient
    ``coefficient * |variable| / (|g| + decay * |variable|) * (g + decay * variable)``. Around
    ``MomentumOptimizer`` that is LARS as published, where the learning rate is constant;
    under a schedule the paper's momentum holds the learning rates of the past steps, as
    it does around ``MomentumOptimizer(1.0, 0.9)`` with the schedule in ``coefficient``.

    The ratio is 1 where one of the norms is 0. The slices of a partitioned variable count as
    one. Elements that a `FreezeOptimizer` freezes,
    inside or around, count in no norm. Learning-rate multipliers multiply the step, not the
    ratio. Norms are of the variable as the optimizer finds it.

    It does nothing to the variables that ``exclude`` takes but to add their decay.

    Args:
      optimizer: for ``of="update"`` one of the elementwise optimizers whose step does not
        read the variable (Adadelta, Adagrad, Adam, GradientDescent, Momentum, RMSProp), with
        any of our wrappers in between; for ``of="gradient"`` any.
      of: ``"update"`` or ``"gradient"``.
      coefficient: positive number or scalar tensor; None is 1 for updates, 0.001 for
        gradients.
      decays: None, or ``{selector: decay}``, each a number of at least 0 or a scalar tensor. As
        in the papers it is a part of the step that the ratio and the rate multiply.
      exclude: selector of variables whose ratio is 1, such as BERT's
        ``".*/(bias|beta|gamma)"``; None is none.
      groups: None, or a list of selectors: variables of one group share one ratio, by the norms
        of all of them together. They must be trained by one optimizer.
      threads: as for `FreezeOptimizer`.
      name: of the scope of ops.

    Example:
      >>> lamb = TrustRatioOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3, epsilon=1e-6), decays={".*/kernel": 0.01})
      >>> lars = TrustRatioOptimizer(
      ...     tf.compat.v1.train.MomentumOptimizer(1.0, 0.9), of="gradient",
      ...     decays={".*/kernel": 1e-4}, exclude=".*/(bias|beta|gamma)")

    Raises:
      ArgumentError: a coefficient, decay or choice that is none.
      NothingMatchedError, MatchedTwiceError: when the step is built.
      OptimizerKindError: when the step is built: another optimizer, a second trust ratio of
        the updates of a variable, a group over several optimizers, a group of updates (slices
        of a partitioned variable are one) under a ``MirroredStrategy``, another strategy.

    Source: You et al., "Large batch optimization for deep learning: training BERT in 76
    minutes", arXiv:1904.00962, algorithm 2 (LAMB); You, Gitman, Ginsburg, "Large batch training
    of convolutional networks", arXiv:1708.03888, algorithm 1 (LARS).
    """

    is_flushed_through = True
    steps_in_replicas = True

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        of: str = "update",
        coefficient: Optional[_types.Scalar] = None,
        decays: Optional[_types.BySelector] = None,
        exclude: Optional[_types.Selector] = None,
        groups: Optional[List[_types.Selector]] = None,
        threads: str = "several",
        name: str = "TrustRatio",
    ) -> None:
        _optimizers.check_optimizer(optimizer, "TrustRatioOptimizer")
        super().__init__([optimizer], name)
        place = "TrustRatioOptimizer"
        self._threads = _arguments.check_choice(f"{place} threads", threads, _arguments.THREADS)
        self._of = _arguments.check_choice(f"{place} of", of, ("update", "gradient"))
        if coefficient is None:
            coefficient = 1.0 if of == "update" else 0.001
        _arguments.check_scalar(
            f"{place} coefficient", coefficient, lambda x: x > 0, "a positive number"
        )
        self._coefficient = coefficient
        self._decays = [] if decays is None else _arguments.items(decays, f"{place} decays", "0.01")
        for selector, decay in self._decays:
            here = f"{place} decay {_select.shown(selector)}"
            _arguments.check_scalar(here, decay, lambda x: x >= 0, "a number of at least 0")
        self._exclude = exclude
        if groups is not None and not isinstance(groups, (list, tuple)):
            raise ArgumentError(
                f"{place} groups", "a list of selectors", repr(groups), f"Pass [{groups!r}]."
            )
        self._groups = [] if groups is None else list(groups)

    @property
    def keeps_frozen_elements(self) -> bool:
        """True where all it does is inside the optimizer's update."""
        return self._of == "update"

    def _plan(self, step, pairs):
        """Returns {variable: its `Ratio`} as an Assignment; in the updates of those of "update"."""
        place = "TrustRatioOptimizer"
        trained = [(grad, variable) for grad, variable in pairs if grad is not None]
        candidates = step.candidates()
        coefficient = step.read(self._coefficient, f"{place} coefficient")
        read = [(s, step.read(d, f"{place} decay {_select.shown(s)}")) for s, d in self._decays]
        decay_of = _select.assign_values(read, candidates, f"{place} decay")
        grouped = [(str(i), selector) for i, selector in enumerate(self._groups)]
        group_of = _select.assign(grouped, candidates, f"{place} group")
        excluded = _select.Assignment()
        if self._exclude is not None:
            for variable in _select.select(self._exclude, candidates, f"{place} exclude"):
                excluded.put(variable, True)
        shared, ratios = {}, _select.Assignment()
        for _, variable in trained:
            update = step.update_of(variable)
            group = group_of.get(variable, _whole_of(variable))
            adapts = variable not in excluded
            own = Ratio(coefficient if adapts else None)
            ratio = own if group is None or not adapts else shared.setdefault(group, own)
            ratio.add(update, decay_of.get(variable, 0))
            ratios.put(variable, ratio)
            self.note(variable, trust=f"of the {self._of}" if adapts else "excluded")
            if self._of == "update":
                self._check_first(update)
                update.trust = ratio
                step.lock(variable, self._threads)  # its step goes through one scratch variable
        return ratios

    def _check_first(self, update):
        if update.trust is not None:
            raise OptimizerKindError(
                f"TrustRatioOptimizer for {_select.listing([update.variable])}",
                "one trust ratio of the update of a variable",
                "a second one",
                "Put all of it into one TrustRatioOptimizer.",
            )

    def look_ahead(self, step: _step.Step, pairs: _types.Pairs) -> None:
        """Looks ahead as every wrapper does; a ratio of gradients scales them in the step only."""
        if self._of == "gradient":
            with step.checks.scaled_later():
                super().look_ahead(step, pairs)
        else:
            super().look_ahead(step, pairs)

    def _apply(self, step, pairs, outside):
        ratios = step.plan_of(self, pairs)
        with _distributed.gated([(grad, v) for grad, v in pairs if grad is not None]) as trained:
            return self._apply_gated(step, ratios, trained, outside)

    def _apply_gated(self, step, ratios, trained, outside):
        if self._of == "update":
            for ratio in {id(ratios.get(v)): ratios.get(v) for _, v in trained}.values():
                ratio.check()
        elif not step.is_passing:  # a flush has the gradients that it has scaled
            scaled, grad_of = {}, {_tf.key(v): _distributed.together(g) for g, v in trained}
            for ratio in {id(ratios.get(v)): ratios.get(v) for _, v in trained}.values():
                scaled.update(ratio.of_gradients(grad_of))
            # All norms are taken before the first variable changes.
            with _gate.gated([(scaled[_tf.key(v)], v) for _, v in trained]) as whole:
                trained = [
                    (_distributed.apart(g, like), v) for (g, v), (like, _) in zip(whole, trained)
                ]
                return self._apply_wrapped(step, trained, outside)
        return self._apply_wrapped(step, trained, outside)


def _whole_of(variable):
    """Returns what the slices of a partitioned variable have in common, or None."""
    slice_info = getattr(variable, "_save_slice_info", None)
    return None if slice_info is None else "slices of " + slice_info.full_name
