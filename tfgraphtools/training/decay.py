"""Decoupled weight decay around any optimizer, and the rates of layer-wise decay."""

import numbers
from typing import Iterable, List, Optional, Tuple

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _arguments, _types, _wrapper
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import one_pass as _one_pass
from tfgraphtools.training.steps import optimizer_chain as _optimizers


class DecoupledWeightDecayOptimizer(_wrapper.WrapperOptimizer):
    """Shrinks chosen variables by a fraction of themselves before the optimizer's own step.

    ``var -= decay * var``, then the update. The decay never passes through the
    optimizer's moments (`transforms.add_weight_decay` is the kind that does),
    and as in ``tf.contrib.opt.AdamWOptimizer`` it is *not* multiplied by the
    learning rate: under a schedule, pass the decay as a tensor that follows the
    same schedule. Learning-rate multipliers do not change it either, and one of 0
    does not stop it, unless ``multiplied`` says so.

    It does nothing to variables that no key matches, to those without a
    gradient, and to the rows of a table that the gradient does not touch (as in
    ``tf.contrib.opt``). State keeps the plain optimizer's names.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``. What a `FreezeOptimizer`, inside
        or around this one, freezes does not decay.
      decays: ``{selector: decay}``, each a number in ``[0, 1)`` or a scalar float
        tensor: the fraction that a step takes off. The selectors exclude one
        another.
      name: of the scope of ops.
      multiplied: True: a variable's decay is multiplied by its learning-rate multipliers, those
        of every `LRMultiplierOptimizer` inside or around, as ELECTRA's layers do.
      fused: as for `ExponentialAverageOptimizer`, of the decay of all elements of a variable.

    Example:
      >>> optimizer = DecoupledWeightDecayOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3), {".*/kernel": 1e-5})
      >>> train_op = optimizer.minimize(loss)

    Raises:
      ArgumentError: a decay that is no such number or tensor; when the step is built: one that
        is 1 or more after it is multiplied.
      NothingMatchedError, MatchedTwiceError: when the step is built.
      OptimizerKindError: when the step is built: ``fused=True`` where that cannot be.

    Source: Loshchilov, Hutter, "Decoupled weight decay regularization",
    arXiv:1711.05101, with the schedule multiplier and the decay as one number.
    """

    keeps_frozen_elements = True
    moves_variables = True
    steps_in_replicas = True

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        decays: _types.BySelector,
        name: str = "DecoupledWeightDecay",
        multiplied: bool = False,
        fused: Optional[bool] = None,
    ) -> None:
        _optimizers.check_optimizer(optimizer, "DecoupledWeightDecayOptimizer")
        super().__init__([optimizer], name)
        self._multiplied = _arguments.check_choice(
            "DecoupledWeightDecayOptimizer multiplied", multiplied, (False, True)
        )
        self._fused = _arguments.check_choice(
            "DecoupledWeightDecayOptimizer fused", fused, _one_pass.CHOICES
        )
        place = "DecoupledWeightDecayOptimizer decay"
        self._decays = _arguments.items(decays, place, "1e-5")
        for selector, decay in self._decays:
            here = f"{place} {_select.shown(selector)}"
            _arguments.check_scalar(here, decay, lambda x: 0 <= x < 1, "a number in [0, 1)")

    def _plan(self, step, pairs):
        place = "DecoupledWeightDecayOptimizer decay"
        read = [(s, step.read(decay, f"{place} {_select.shown(s)}")) for s, decay in self._decays]
        candidates = step.candidates()
        decay_of = _select.assign_values(self._decays, candidates, place)
        step.whole = True  # no variable decays in a run that fails
        for _, variable in pairs:
            if variable in decay_of:
                self.note(variable, decay=_arguments.shown(decay_of.get(variable)))
        return _select.assign_values(read, candidates, place)

    def _apply(self, step, pairs, outside):
        decays = step.plan_of(self, pairs)

        def decay_of(variable):
            update = step.update_of(variable)
            if self._multiplied and update.element_rates:
                raise _multiplied_by_element(variable)
            multipliers = update.multipliers if self._multiplied else ()
            return _product(decays.get(variable), multipliers, variable)

        begun = step.begin(self, pairs, outside)
        # No variable decays while a gradient is still being computed from it.
        with _distributed.gated([(grad, v) for grad, v in pairs if grad is not None]) as gated:
            with _tf.after(begun):
                decayed = [
                    self._decay_of(g, v, decay_of(v), step.update_of(v))
                    for g, v in gated
                    if v in decays
                ]
            with _tf.after(decayed):
                return self._apply_wrapped(step, gated, outside)

    def _decay_of(self, grad, variable, decay, update):
        """Returns the op that takes the decay off a variable, or off the weights behind it."""
        if update.master is None:
            return self._decay(grad, variable, decay, update)
        return update.master.updated(
            update, lambda weights: self._decay(grad, weights, decay, update)
        )

    def _decay(self, grad, variable, decay, update):
        """Returns the op that takes the decay off a variable, or off rows with a gradient."""
        together = _distributed.together(grad)
        sparse = isinstance(together, tf.IndexedSlices)
        rows = tf.unique(together.indices)[0] if sparse else None
        all_decay = not (sparse or update.frozen or self._multiplied)

        def build(variable, decay):
            decay = tf.cast(decay, variable.dtype.base_dtype)
            if all_decay and _one_pass.is_in_place(variable):
                return _tf.add_scaled(variable, variable.read_value(), -decay)
            off = decay * (tf.gather(variable, rows) if sparse else variable.read_value())
            none = tf.zeros_like(off)
            off = update.unless_frozen(off, none, rows)
            if self._multiplied:
                off = update.unless_zero(off, none)  # 0 times infinity is NaN
            # A ref variable loses updates of other threads where only the optimizer locks it.
            if sparse:
                return v1.scatter_sub(variable, rows, off, use_locking=True)
            return v1.assign_sub(variable, off, use_locking=True)

        with v1.name_scope("decay_" + variable.op.name):
            if _one_pass.is_used(self._fused, variable, type(self).__name__, sparse):
                return self._decay_in_one_pass(variable, decay, update)
            return _distributed.updated(variable, build, decay)

    def _decay_in_one_pass(self, variable, decay, update):
        zeros = update.zeros() if self._multiplied else []
        if zeros is None:
            return tf.no_op()
        stays = [mask.tensor() for mask in update.frozen] + zeros
        tensors = [tf.cast(decay, variable.dtype.base_dtype), *stays]
        return _tf.one_pass(variable, _decayed_value, tensors=tensors)


def _decayed_value(rounded, value, decay, *stays):
    """Returns the value less its decay, where none of some bool tensors says that it stays."""
    new = value - rounded(decay * value)
    for stays_here in stays:
        new = _tf.where(stays_here, value, new)
    return new


def layer_decay(
    layers: Iterable[Optional[_types.Selector]], decay: float
) -> List[Tuple[_types.Selector, float]]:
    """Returns the learning-rate multipliers of layer-wise decay, for `LRMultiplierOptimizer`.

    The last layer trains at rate 1, and each layer below it at ``decay`` times
    the rate of the one above. It does nothing to variables of no layer: they
    train at the optimizer's rate.

    Args:
      layers: selectors, the lowest layer (the embeddings) first, the head last.
        None holds the place of a layer without variables: ELECTRA leaves one
        between its last encoder layer and the head.
      decay: number in ``(0, 1]``.

    Returns:
      A list of (selector, multiplier).

    Example:
      >>> layer_decay(["embeddings/.*", "layer_0/.*", "head/.*"], 0.5)
      [('embeddings/.*', 0.25), ('layer_0/.*', 0.5), ('head/.*', 1.0)]
      >>> optimizer = LRMultiplierOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-4), layer_decay(layers, 0.8))

    Raises:
      ArgumentError: no layers, or a decay outside ``(0, 1]``.

    Source: Howard, Ruder, "Universal language model fine-tuning",
    arXiv:1801.06146, section 3.2; Clark et al., "ELECTRA", arXiv:2003.10555.
    """
    passed, layers = layers, [] if isinstance(layers, str) else list(layers)
    if not layers or layers[-1] is None:
        raise ArgumentError(
            "layer_decay layers",
            "a list of selectors, the lowest layer first",
            repr(passed),
            "End with the head: layer_decay(['embeddings/.*', 'head/.*'], 0.8).",
        )
    if not isinstance(decay, numbers.Real) or not 0 < decay <= 1:
        raise ArgumentError(
            "layer_decay decay", "a number in (0, 1]", repr(decay), "0.8 is a usual choice."
        )
    top = len(layers) - 1
    return [
        (selector, float(decay) ** (top - depth))
        for depth, selector in enumerate(layers)
        if selector is not None
    ]


def _multiplied_by_element(variable):
    return ArgumentError(
        f"DecoupledWeightDecayOptimizer multiplied=True for {_select.listing([variable])}",
        "one multiplier for the whole variable",
        "multipliers of its elements",
        "Leave multiplied out, or give the variable a number as its multiplier.",
    )


def _product(decay, multipliers, variable):
    """Returns the decay times the multipliers, in the widest of their dtypes; numbers first."""
    factors = sorted([decay, *multipliers], key=tf.is_tensor)
    dtypes = [factor.dtype for factor in factors if tf.is_tensor(factor)]
    wide = max(dtypes + [tf.float32], key=lambda dtype: dtype.size)
    decay, *factors = factors
    for factor in factors:
        if tf.is_tensor(decay) or tf.is_tensor(factor):
            factor = tf.cast(factor, wide)
        decay = decay * factor
    if isinstance(decay, numbers.Real) and decay >= 1:
        raise ArgumentError(
            f"DecoupledWeightDecayOptimizer decay of {_select.listing([variable])}",
            "less than 1 with its multipliers",
            f"{decay:g}",
            "Lower the decay: it is the fraction that a step takes off.",
        )
    return decay
