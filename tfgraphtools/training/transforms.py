"""Gradient transforms: functions ``[(grad, var)] -> [(grad, var)]``, composed with `chain`.

A transform returns the same variables in the same order; a gradient of None
stays None, and IndexedSlices stay sparse unless the transform says otherwise.
Any function of that form is one. `GradientTransformOptimizer` applies it.

    freeze_then_clip = chain(zero_frozen({"w": mask}), clip_by_global_norm(1.0))

Rows that are in IndexedSlices more than once are summed before they are clipped
or measured: a sparse gradient is treated as the dense one it stands for. (TF's
own ``clip_by_global_norm`` measures such rows one by one.)
"""

from typing import Optional

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1, where
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _arguments, _step, _types
from tfgraphtools.training.freezing import masks as _masks
from tfgraphtools.training.steps import indexed_slices as _slices


def chain(*transforms: _types.Transform) -> _types.Transform:
    """Returns one transform that does several, the first one first.

    Example:
      >>> chain(zero_frozen({"w": mask}), clip_by_global_norm(1.0))
    """

    @_named(", ".join(name_of(transform) for transform in transforms))
    def chained(pairs):
        for transform in transforms:
            pairs = transform(pairs)
        return pairs

    return chained


def scale(factor: _types.Scalar, selector: Optional[_types.Selector] = None) -> _types.Transform:
    """Multiplies gradients by a factor.

    It does nothing to variables that the selector does not take. To train at
    another rate use `LRMultiplierOptimizer`: under Adam a scaled gradient takes
    the same step.

    Args:
      factor: number or scalar tensor.
      selector: which variables; None takes all.

    Example:
      >>> scale(1 / batches)
    """
    _arguments.check_scalar("scale", factor, lambda number: True, "a finite number")

    @_named("scale", factor)
    def scaled(pairs):
        chosen = _chosen(selector, pairs, "scale")
        return _mapped(pairs, lambda grad, _: _times(grad, factor), chosen)

    return scaled


def clip_by_value(low: _types.Scalar, high: _types.Scalar) -> _types.Transform:
    """Clips each element of each gradient to ``[low, high]``.

    Args:
      low, high: numbers or scalar tensors, ``low <= 0 <= high``.

    Raises:
      ArgumentError: 0 is not between the two: rows without a gradient would get one; when the
        step is built: a complex gradient.

    Example:
      >>> clip_by_value(-0.1, 0.1)
    """
    _arguments.check_scalar("clip_by_value low", low, lambda number: number <= 0, "at most 0")
    _arguments.check_scalar("clip_by_value high", high, lambda number: number >= 0, "at least 0")

    def clip_gradient(grad, _):
        grad = _tf.summed(grad)
        values = _slices.values_of(grad)
        _check_ordered(values)
        bounds = [tf.cast(bound, values.dtype) for bound in (low, high)]
        return _slices.with_values(grad, tf.clip_by_value(values, *bounds))

    @_named("clip_by_value", low, high)
    def clipped(pairs):
        return _mapped(pairs, clip_gradient)

    return clipped


def clip_by_norm(norm: _types.Scalar) -> _types.Transform:
    """Shortens the gradient of each variable, on its own, to an L2 norm of at most ``norm``.

    The slices of a partitioned variable count as one. A gradient within the norm
    stays as it is, to the bit. One that holds an infinity or NaN has no direction
    and becomes NaN.

    Args:
      norm: positive number or scalar tensor.

    Example:
      >>> clip_by_norm(1.0)
    """
    _check_norm("clip_by_norm", norm)

    @_named("clip_by_norm", norm)
    def clipped(pairs):
        pairs = _mapped(pairs, lambda grad, _: _tf.summed(grad))
        grads_of = {}
        for grad, variable in pairs:
            if grad is not None:
                grads_of.setdefault(_whole_name(variable), []).append(grad)
        norms = {name: _tf.Norm(grads, lazily=True) for name, grads in grads_of.items()}
        return _mapped(pairs, lambda grad, v: _shortened(grad, norms[_whole_name(v)], norm))

    return clipped


def clip_by_global_norm(norm: _types.Scalar) -> _types.Transform:
    """Scales all gradients by one factor so that their joint L2 norm is at most ``norm``.

    "All" are those it is given: see `GradientTransformOptimizer`. Gradients
    within the norm stay as they are, to the bit; an infinity or NaN in any of
    them makes all of them NaN. The norm is computed in float32, or in float64
    where a gradient is float64. Frozen elements count unless they are zeroed
    before: ``chain(zero_frozen(frozen), clip_by_global_norm(norm))``.

    Args:
      norm: positive number or scalar tensor.

    Source: Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent
    neural networks", arXiv:1211.5063.

    Example:
      >>> clip_by_global_norm(1.0)
    """
    _check_norm("clip_by_global_norm", norm)

    @_named("clip_by_global_norm", norm)
    def clipped(pairs):
        pairs = _mapped(pairs, lambda grad, _: _tf.summed(grad))
        global_norm = _tf.Norm([grad for grad, _ in pairs if grad is not None], lazily=True)
        return _mapped(pairs, lambda grad, _: _shortened(grad, global_norm, norm))

    return clipped


def zero_frozen(frozen: _types.BySelector) -> _types.Transform:
    """Sets the gradients of frozen elements to zero, whatever they are, NaN included.

    Alone it is no freeze: Adam, Momentum and others move an element whose
    gradient is zero. Use it before a norm is taken, and freeze with a
    `FreezeOptimizer`, best inside the `GradientTransformOptimizer`: the other way
    round it cannot use its faster ways.

    Args:
      frozen: ``{selector: mask}``, each mask bool and True where frozen, as for
        `FreezeOptimizer`. Other variables keep their gradients.

    Raises:
      MaskError: a mask that is not bool, or does not broadcast.
      NothingMatchedError, MatchedTwiceError: when the step is built.

    Example:
      >>> optimizer = GradientTransformOptimizer(
      ...     FreezeOptimizer(tf.compat.v1.train.AdamOptimizer(), {"w": mask}),
      ...     chain(zero_frozen({"w": mask}), clip_by_global_norm(1.0)))
    """
    place = "zero_frozen"
    masks = [
        (selector, _masks.Mask(mask, f"{place} {_select.shown(selector)}"))
        for selector, mask in _arguments.items(frozen, place, "mask")
    ]

    @_named(place)
    def zeroed(pairs):
        mask_of = _values_of(masks, pairs, place)

        def zero_gradient(grad, variable):
            mask = mask_of.get(variable).of(variable)
            sparse = isinstance(grad, tf.IndexedSlices)
            mask = mask.gathered(grad.indices) if sparse else mask.tensor()
            values = _slices.values_of(grad)
            return _slices.with_values(grad, where(mask, tf.zeros_like(values), values))

        return _mapped(pairs, zero_gradient, mask_of)

    return zeroed


def add_weight_decay(decays: _types.BySelector) -> _types.Transform:
    """Adds ``decay * variable`` to gradients: the gradient of ``decay / 2 * sum(variable**2)``.

    This is decay coupled to the optimizer (L2 regularisation): Adam divides it
    by its moments like the rest of the gradient. `DecoupledWeightDecayOptimizer`
    is the other kind. A sparse gradient becomes dense, as every row decays: leave
    large tables out.

    Args:
      decays: ``{selector: decay}``, each a number of at least 0 or a scalar
        tensor. Other variables keep their gradients.

    Raises:
      NothingMatchedError, MatchedTwiceError: when the step is built.

    Source: Loshchilov, Hutter, "Decoupled weight decay regularization",
    arXiv:1711.05101, algorithm 2, line 6.

    Example:
      >>> add_weight_decay({".*/kernel": 1e-4})
    """
    place = "add_weight_decay"
    items = _arguments.items(decays, place, "decay")
    for selector, decay in items:
        here = f"{place} {_select.shown(selector)}"
        _arguments.check_scalar(here, decay, lambda number: number >= 0, "a number of at least 0")

    @_named(place)
    def decayed(pairs):
        decay_of = _values_of(items, pairs, place)

        def decay_gradient(grad, variable):
            value = variable.read_value()
            decay = tf.cast(decay_of.get(variable), value.dtype)
            return _slices.dense(grad, variable) + decay * value

        return _mapped(pairs, decay_gradient, decay_of)

    return decayed


def name_of(transform: _types.Transform) -> str:
    """Returns a transform in words, for `describe` and for errors."""
    return getattr(transform, "__name__", repr(transform))


def _named(name, *arguments):
    """Gives a transform a name that has its arguments: numbers, or tensors by their names."""

    def decorate(transform):
        shown = [_arguments.shown(argument) for argument in arguments]
        transform.__name__ = f"{name}({', '.join(shown)})" if shown else name
        return transform

    return decorate


def _check_norm(place, norm):
    _arguments.check_scalar(place, norm, lambda number: number > 0, "a positive number")


def _check_ordered(values):
    if values.dtype.is_complex:
        raise ArgumentError(
            "clip_by_value",
            "real gradients, which are below a bound or above it",
            f"a {values.dtype.name} one",
            "Use clip_by_norm or clip_by_global_norm.",
        )


def _mapped(pairs, function, chosen=None):
    """Returns the pairs, or the chosen ones, with the gradients that the function makes."""
    result = []
    for grad, variable in pairs:
        if grad is not None and (chosen is None or variable in chosen):
            with v1.name_scope("transform_" + variable.op.name.replace("/", "_")):
                grad = function(grad, variable)
        result.append((grad, variable))
    return result


def _times(grad, factor):
    values = _slices.values_of(grad)
    return _slices.with_values(grad, values * tf.cast(factor, values.dtype))


def _shortened(grad, current_norm, norm):
    """Returns the gradient times the factor that lowers ``current_norm``, a `Norm`, to ``norm``."""
    return _slices.with_values(grad, current_norm.shorten(_slices.values_of(grad), norm))


def _whole_name(variable):
    """Returns the variable's name; for a slice that of the partitioned variable."""
    return _select.names_of(variable)[-1]


def _chosen(selector, pairs, place):
    return None if selector is None else _values_of([(selector, True)], pairs, place)


def _values_of(items, pairs, place):
    return _select.assign_values(items, _step.candidates([v for _, v in pairs]), place)
