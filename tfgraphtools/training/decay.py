"""Decoupled weight decay around any optimizer, and the rates of layer-wise decay."""

import numbers
from typing import Iterable, List, Optional, Tuple

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, OptimizerKindError
from tfgraphtools.training import _arguments, _types, _wrapper
from tfgraphtools.training.freeze import FreezeOptimizer
from tfgraphtools.training.steps import gate as _gate
from tfgraphtools.training.steps import optimizers as _optimizers
from tfgraphtools.training.steps import slices as _slices


class DecoupledWeightDecayOptimizer(_wrapper.WrapperOptimizer):
    """Shrinks chosen variables by a fraction of themselves before the optimizer's own step.

    ``var -= decay * var``, then the update. The decay never passes through the
    optimizer's moments (`transforms.add_weight_decay` is the kind that does),
    and as in ``tf.contrib.opt.AdamWOptimizer`` it is *not* multiplied by the
    learning rate: under a schedule, pass the decay as a tensor that follows the
    same schedule. Learning-rate multipliers do not change it either, and one of 0
    does not stop it.

    It does nothing to variables that no key matches, to those without a
    gradient, and to the rows of a table that the gradient does not touch (as in
    ``tf.contrib.opt``). State keeps the plain optimizer's names.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer`` but one that freezes: the
        `FreezeOptimizer` belongs around this one, or frozen elements would decay.
      decays: ``{selector: decay}``, each a number in ``[0, 1)`` or a scalar float
        tensor: the fraction that a step takes off. The selectors exclude one
        another.
      name: of the scope of ops.

    Example:
      >>> optimizer = DecoupledWeightDecayOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3), {".*/kernel": 1e-5})
      >>> train_op = optimizer.minimize(loss)

    Raises:
      ArgumentError: a decay that is no such number or tensor.
      NothingMatchedError, MatchedTwiceError: when the step is built.
      OptimizerKindError: a FreezeOptimizer inside.

    Source: Loshchilov, Hutter, "Decoupled weight decay regularization",
    arXiv:1711.05101, with the schedule multiplier and the decay as one number.
    """

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        decays: _types.BySelector,
        name: str = "DecoupledWeightDecay",
    ) -> None:
        _optimizers.check_optimizer(optimizer, "DecoupledWeightDecayOptimizer")
        _refuse_freeze_inside(optimizer)
        super().__init__([optimizer], name)
        place = "DecoupledWeightDecayOptimizer decay"
        self._decays = _arguments.items(decays, place, "1e-5")
        for selector, decay in self._decays:
            here = f"{place} {_select.shown(selector)}"
            _arguments.check_scalar(here, decay, lambda x: 0 <= x < 1, "a number in [0, 1)")

    def _plan(self, step, pairs):
        place = "DecoupledWeightDecayOptimizer decay"
        read = [(s, step.read(decay, f"{place} {_select.shown(s)}")) for s, decay in self._decays]
        candidates = _wrapper.candidates([v for _, v in pairs])
        given = _select.assign_values(self._decays, candidates, place)
        for _, variable in pairs:
            if variable in given:
                self.note(variable, decay=_arguments.shown(given.get(variable)))
        return _select.assign_values(read, candidates, place)

    def _apply(self, step, pairs, outside):
        decay_of = step.plan_of(self, pairs)
        # No variable decays while a gradient is still being computed from it.
        gated = _gate.gate([(grad, v) for grad, v in pairs if grad is not None])
        decayed = [
            _decay(grad, v, decay_of.get(v), "decay_" + v.op.name)
            for grad, v in gated
            if v in decay_of
        ]
        with v1.control_dependencies(decayed), v1.name_scope(outside):
            return _optimizers.as_operation(self._wrapped[0].apply_gradients(gated))


def layer_decay(
    layers: Iterable[Optional[_types.Selector]], decay: float
) -> List[Tuple[_types.Selector, float]]:
    """The learning-rate multipliers of layer-wise decay, for `LRMultiplierOptimizer`.

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
    layers = list(layers)
    if not layers or layers[-1] is None:
        raise ArgumentError(
            "layer_decay layers",
            "selectors, the lowest layer first",
            repr(layers),
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


def _decay(grad, variable, decay, name):
    """The op that takes the decay off a variable, or off the rows that the gradient touches."""
    gradients_ready = [_slices.values_of(grad)]  # one gated gradient waits for all
    with v1.name_scope(name), _tf.colocate_with(variable), v1.control_dependencies(gradients_ready):
        decay = tf.cast(decay, variable.dtype.base_dtype)
        if not isinstance(grad, tf.IndexedSlices):
            update = v1.assign_sub(variable, decay * variable.read_value())
        else:
            rows, _ = tf.unique(grad.indices)
            update = v1.scatter_add(variable, rows, -decay * tf.gather(variable, rows))
        return _optimizers.as_operation(update)


def _refuse_freeze_inside(optimizer):
    if any(isinstance(one, FreezeOptimizer) for one in _optimizers.chain(optimizer)):
        raise OptimizerKindError(
            "DecoupledWeightDecayOptimizer",
            "an optimizer that freezes nothing, as frozen elements would decay",
            "a FreezeOptimizer inside",
            "Put it around: FreezeOptimizer(DecoupledWeightDecayOptimizer(...), frozen).",
        )
