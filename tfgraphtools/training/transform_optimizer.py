"""The optimizer that applies gradient transforms."""

from tfgraphtools import select as _select
from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError, TransformError
from tfgraphtools.training import transforms
from tfgraphtools.training.steps import optimizers as _optimizers
from tfgraphtools.training.steps import slices as _slices
from tfgraphtools.training.steps import wrapper as _wrapper


class GradientTransformOptimizer(_wrapper.WrapperOptimizer):
    """Passes the gradients through a transform before an optimizer applies them.

    Where it stands says what a global norm is taken over: as the optimizer of a
    `Group`, over that group's gradients; around a `PartitionOptimizer`, over all
    of them.

    It does nothing to the optimizer's state or names.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``.
      transform: a function ``[(grad, var)] -> [(grad, var)]``, such as those of
        `training.transforms`. Gradients are Tensors, IndexedSlices or None.
      name: of the scope of ops.

    Example:
      >>> optimizer = GradientTransformOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3), clip_by_global_norm(1.0))

    Raises:
      OptimizerKindError: not an optimizer for Sessions.
      TransformError: when the step is built: the transform returned other
        variables, or gradients of another shape or dtype.
    """

    def __init__(self, optimizer, transform, name="GradientTransform"):
        _optimizers.check_optimizer(optimizer, "GradientTransformOptimizer")
        if not callable(transform):
            raise ArgumentError(
                "GradientTransformOptimizer",
                "a function [(grad, var)] -> [(grad, var)]",
                repr(transform),
                "Pass clip_by_global_norm(1.0), say, or chain(one, another).",
            )
        super().__init__([optimizer], name)
        self._transform = transform

    def _apply(self, pairs, outside):
        for _, variable in pairs:
            self.note(variable, gradient=transforms.name_of(self._transform))
        transformed = [tuple(pair) for pair in self._transform(list(pairs))]
        _check_transformed(pairs, transformed, self._transform)
        with v1.name_scope(outside):
            return _optimizers.as_operation(self._wrapped[0].apply_gradients(transformed))


def _check_transformed(before, after, transform):
    same = len(before) == len(after) and all(b is a for (_, b), (_, a) in zip(before, after))
    name = transforms.name_of(transform)
    if not same:
        raise TransformError(
            f"GradientTransformOptimizer with {name}",
            f"the variables it was given: {_select.listing([v for _, v in before])}",
            _select.listing([v for _, v in after]),
            "Return a pair for each variable, in the same order; None for no gradient.",
        )
    for grad, variable in after:
        if grad is None:
            continue
        values, wanted = _slices.values_of(grad), variable.dtype.base_dtype
        fits = values.shape.is_compatible_with(variable.shape) or grad is not values
        if values.dtype != wanted or not fits:
            raise TransformError(
                f"GradientTransformOptimizer with {name}",
                f"a {wanted.name} gradient of shape {variable.shape} of "
                f"{_select.listing([variable])}",
                f"a {values.dtype.name} one of shape {values.shape}",
                "Cast and reshape what the transform returns.",
            )
