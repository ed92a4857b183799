"""`to_tf1`: weights of PyTorch, Transformers, timm or Keras as the TF1 checkpoint that they fit."""

import os
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.inverse import inverse_arrays
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.plans import casts, tensor_expressions
from tfgraphtools.checkpoints.plans import moving_averages as averaging
from tfgraphtools.checkpoints.plans import rules as naming
from tfgraphtools.checkpoints.plans.drafts import Piece, Target
from tfgraphtools.checkpoints.plans.plan import Plan, plan
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint
from tfgraphtools.checkpoints.read.opening import opened, require_name_based
from tfgraphtools.errors import ArgumentError, PlanError


def to_tf1(
    source: Any,
    destination: str,
    like: Any,
    overwrite: bool = False,
    progress: Optional[Callable[[int, int], None]] = None,
    **options: Any,
) -> Plan:
    """Writes weights of PyTorch, Transformers, timm or Keras as a TF1 checkpoint.

    It is the way back of `to_torch`, `to_keras`, `to_hugging_face`, `to_timm` and
    `to_application`: a model that was converted and trained on serves in the old graph.

    Args:
      source: a state dict; a ``torch.nn.Module``; a ``.safetensors``, ``.pt`` or ``.keras``
        file; a folder with ``model.safetensors``; or a Keras model.
      destination: the prefix to write.
      like: a TF1 checkpoint of the graph, open or where one is. It says the names and shapes;
        what the source does not have, such as global_step, keeps its values, but for the
        optimizer's state, which is left out: it does not belong to these weights.
      overwrite: replace a checkpoint that is there.
      progress: called with (bytes done, bytes in all).
      options: as in `plan_tf1`.

    Returns:
      The `Plan` that was carried out.

    Example:
      >>> to_tf1("new.safetensors", "serve/model", like="model.ckpt-9")   # doctest: +SKIP

    Raises:
      As `plan_tf1`, and DestinationError.
    """
    with opened(like) as ckpt:
        checkpoint_plan = plan_tf1(source, ckpt, **options)
        checkpoint_plan.apply(os.fspath(destination), overwrite=overwrite, progress=progress)
        return checkpoint_plan


def plan_tf1(
    source: Any,
    like: Checkpoint,
    drop: Any = (),
    use_ema: Union[bool, str] = False,
    *,
    resize: Optional[Mapping[str, int]] = None,
    cast: Optional[Mapping[str, str]] = None,
    **options: Any,
) -> Plan:
    """Plans the TF1 checkpoint that `to_tf1` writes.

    What goes where is found as on the way there: by family, or as `plan_torch` and `plan_keras`
    match a model with ``like``. Every conversion is undone exactly; where that cannot be, it is
    refused by name.

    Args:
      source: as in `to_tf1`.
      like: an open TF1 checkpoint.
      drop: patterns of tensors of ``like`` that the result does not have.
      use_ema: write the weights as their moving averages, too, where ``like`` has some: a graph
        that serves the averages then serves these weights. Which, as in `averages_of`.
      resize: {pattern of tensors: rows} of those whose first axis has another size in the source,
        such as the embedding of a vocabulary that grew; their moving averages follow. The graph
        has to be built with as many.
      cast: {pattern of tensors: type} of those that are written in another type than ``like`` has,
        or whose values it would round.
      options: rules, keep, forget_bias, facts, flatten and graph, as in `plan_torch` and
        `plan_keras`.

    Returns:
      A `Plan`: print it, `apply` it.

    Example:
      >>> with open_checkpoint("model.ckpt-1000") as ckpt:             # doctest: +SKIP
      ...     print(plan_tf1("finetuned.safetensors", ckpt))

    Raises:
      UnmatchedError, NothingMatchedError: as `plan_torch`.
      PlanError: a weight that TF1's model cannot hold.
      ModelError, MissingExtraError: there is no such source.
    """
    require_name_based(like)
    like, resized = _resized(like, resize)
    shapes = _shapes(like)
    state = optimizer_slots.optimizer_state(shapes) - {"global_step"}
    unwanted = set(naming.matching(drop, list(shapes), "plan_tf1(drop=...)")) if drop else set()
    averages = averaging.averages_of(like, use_ema) if use_ema else {}
    arrays, notes = inverse_arrays.find(
        source, like, state | unwanted | set(averages.values()), options
    )
    arrays.update((averages[name], arrays[name]) for name in sorted(set(averages) & set(arrays)))
    left_out = sorted(set(arrays) | state | unwanted)
    checkpoint_plan = plan(like, drop=[naming.exactly(name) for name in left_out])
    patterns = naming.matching(list(cast), list(arrays), "plan_tf1(cast=...)") if cast else {}
    for name, array in arrays.items():
        array = np.array(array)  # a copy: the plan must not change with the model
        if name in patterns:
            target = _cast_target(name, array, like, cast[patterns[name]])
        else:
            target = _target(name, array, like)
        checkpoint_plan.targets.append(target)
    checkpoint_plan.dropped = sorted(state | unwanted)
    checkpoint_plan.notes += notes
    checkpoint_plan.notes += [
        f"{name!r} has {rows} rows, and {old} in {like.prefix}: build the graph with {rows}"
        for name, (rows, old) in resized.items()
    ]
    return checkpoint_plan


def _resized(like, resize):
    """Returns (the checkpoint with other first axes, {tensor: (rows, rows before)})."""
    if not resize:
        return like, {}
    rows_of = naming.matching(list(resize), list(like), "plan_tf1(resize=...)")
    rows_of = {name: _rows(resize[pattern], name) for name, pattern in rows_of.items()}
    for average, (variable, _) in optimizer_slots.find(_shapes(like)).items():
        if variable in rows_of:
            rows_of.setdefault(average, rows_of[variable])
    targets, resized = [], {}
    for name, rows in sorted(rows_of.items()):
        values = like.read(name)
        if not values.ndim or values.dtype == object:
            raise PlanError(
                f"plan_tf1(resize=...): {name!r}",
                "a tensor of numbers with rows",
                f"{like.store.summary(name)[0]} of the shape {list(values.shape)}",
                "Narrow the pattern.",
            )
        resized[name] = rows, len(values)
        array = np.zeros((rows, *values.shape[1:]), values.dtype)
        array[: len(values)] = values[:rows]
        dtype = dtypes.by_name(like.store.summary(name)[0], name)
        targets.append(_literal(name, dtypes.narrowed(array, dtype), dtype))
    checkpoint_plan = plan(like, drop=[naming.exactly(name) for name in resized])
    checkpoint_plan.targets += targets
    return checkpoint_plan.view(), resized


def _rows(value, name):
    """Returns a number of rows that the user gave."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ArgumentError(
            f"plan_tf1(resize=...): {name!r}",
            "a number of rows, 1 or more",
            repr(value),
            "Write resize={'embeddings': 30530} (--resize embeddings 30530).",
        )
    return int(value)


def _shapes(like):
    return {name: tuple(like.store.summary(name)[1]) for name in like}


def _target(name, array, like):
    """Returns the target of a tensor, in the type and shape that it has in ``like``.

    Raises:
      PlanError: another shape, or a type that does not hold these values exactly.
    """
    type_name, shape = like.store.summary(name)[:2]
    dtype = dtypes.by_name(type_name, name)
    stored = _stored(array, dtype)
    if tuple(array.shape) != tuple(shape) or stored is None:
        raise PlanError(
            f"{name!r} of {like.prefix}",
            f"{type_name} of the shape {list(shape)}",
            f"{array.dtype.name} of the shape {list(array.shape)}",
            _remedy(name, array, shape),
        )
    return _literal(name, stored, dtype)


def _remedy(name, array, shape):
    """Tells what to do with an array of another shape or type than ``like`` has."""
    if tuple(array.shape) == tuple(shape):
        return "Say in which type to write it: cast={{{0!r}: {1!r}}} (--cast {0} {1}).".format(
            naming.exactly(name), array.dtype.name
        )
    if array.shape and array.shape[1:] == tuple(shape)[1:]:
        return "If its rows became more or fewer: resize={{{0!r}: {1}}} (--resize {0} {1}).".format(
            naming.exactly(name), len(array)
        )
    return "Pass the checkpoint of this model as like=... (--like)."


def _cast_target(name, array, like, type_name):
    """Returns the target of a tensor in the type that the user says.

    Raises:
      CastError: the type cannot hold a value, but for rounding.
      PlanError: another shape than ``like`` has.
    """
    shape = like.store.summary(name)[1]
    if tuple(array.shape) != tuple(shape):
        raise PlanError(
            f"{name!r} of {like.prefix}",
            f"the shape {list(shape)}",
            f"the shape {list(array.shape)}",
            _remedy(name, array, shape),
        )
    place = f"plan_tf1(cast=...): {name!r}"
    dtype = dtypes.by_name(type_name, place)
    caster = casts.Caster(dtypes.by_name(array.dtype.name, name), dtype, place)
    stored = caster.cast(array)
    caster.finish()
    return _literal(name, stored, dtype)


def _literal(name, stored, dtype):
    """Returns the target of values in the storage of their type."""
    piece = Piece(None, stored.shape, None, tensor_expressions.Literal(stored, dtype))
    return Target(name, dtype, stored.shape, (), ("added",), False, [piece])


def _stored(array, dtype):
    """Returns values in the storage of a type, or None if it does not hold them exactly."""
    if array.dtype.name == dtype.name:
        return array
    if array.dtype.kind != "f" or dtype.kind != "f" or dtype.storage is None:
        return None
    with np.errstate(all="ignore"):
        stored = dtypes.narrowed(array, dtype)
        again = dtypes.widened(stored, dtype)
    is_same = (again == array) | (np.isnan(again) & np.isnan(array))
    return stored if is_same.all() else None
