"""The optimizer that applies gradient transforms."""

from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, TransformError
from tfgraphtools.training import _step, _types, _wrapper, transforms
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import indexed_slices as _slices
from tfgraphtools.training.steps import optimizer_chain as _optimizers


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

    is_flushed_through = True
    steps_in_replicas = True

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        transform: _types.Transform,
        name: str = "GradientTransform",
    ) -> None:
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

    def _transformed(self, pairs):
        try:
            return self._transform(list(pairs))
        except ValueError as error:  # TensorFlow's, of an op with inputs of two graphs
            if "from the same graph" not in str(error):
                raise
            raise TransformError(
                f"GradientTransformOptimizer with {transforms.name_of(self._transform)}",
                "masks, bounds and factors of the graph that the step is built in",
                f"one of another graph ({error})",
                "Make it where the model is made, in the same tf.Graph().as_default().",
            ) from error

    def _plan(self, step, pairs):
        """Returns a list, into which `look_ahead` puts the transformed gradients."""
        return []

    def look_ahead(self, step: _step.Step, pairs: _types.Pairs) -> None:
        """Looks ahead at the transformed gradients, which the step then takes.

        Not where a trust ratio around this one scales the gradients first: they are finite as
        the scaled ones are, and other numbers.
        """
        if not step.is_passing:
            pairs = self._transformed_pairs(pairs)
            if not step.checks.are_scaled_later:
                step.plan_of(self, pairs).append(pairs)
            if step.checks.is_inside:
                step.checks.add(step, pairs)
        super().look_ahead(step, pairs)

    def _apply(self, step, pairs, outside):
        if not step.is_passing:  # else it has transformed the gradients that wait
            looked_at = step.plan_of(self, pairs)
            pairs = looked_at[0] if looked_at else self._transformed_pairs(pairs)
        return self._apply_wrapped(step, pairs, outside)

    def _transformed_pairs(self, replica_pairs):
        pairs = [(_distributed.together(grad), v) for grad, v in replica_pairs]
        for _, variable in pairs:
            self.note(variable, gradient=transforms.name_of(self._transform))
        transformed = _checked_pairs(self._transformed(pairs), self._transform)
        _check_transformed(pairs, transformed, self._transform)
        return [
            (_distributed.apart(grad, like), v)
            for (grad, v), (like, _) in zip(transformed, replica_pairs)
        ]


def _checked_pairs(returned, transform):
    """Returns what a transform returned, as a list of pairs; raises where it is none."""
    is_list = isinstance(returned, (list, tuple)) or hasattr(returned, "__next__")
    returned = list(returned) if is_list else [returned]
    wrong = [pair for pair in returned if not isinstance(pair, (list, tuple)) or len(pair) != 2]
    wrong += [g for pair in returned if not wrong for g in pair[:1] if not _is_gradient(g)]
    if wrong or not is_list:
        raise TransformError(
            f"GradientTransformOptimizer with {transforms.name_of(transform)}",
            "a list of (gradient, variable) pairs",
            repr(wrong[0] if wrong else returned[0]),
            "Return [(new_gradient, variable) for gradient, variable in pairs].",
        )
    return [tuple(pair) for pair in returned]


def _is_gradient(value):
    return value is None or isinstance(value, tf.IndexedSlices) or tf.is_tensor(value)


def _check_transformed(before, after, transform):
    is_same = len(before) == len(after) and all(b is a for (_, b), (_, a) in zip(before, after))
    name = transforms.name_of(transform)
    if not is_same:
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
