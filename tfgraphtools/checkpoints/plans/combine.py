"""Plans for the common wishes: strip the optimizer, merge, average, split in two."""

import contextlib
import math
from typing import Optional, Sequence, Tuple

from tfgraphtools.checkpoints.format.type_hints import Path, Patterns
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.plans import rules
from tfgraphtools.checkpoints.plans.drafts import Piece
from tfgraphtools.checkpoints.plans.plan import Plan, plan, refuse_collisions
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY, Checkpoint
from tfgraphtools.checkpoints.read.last import last_in
from tfgraphtools.checkpoints.read.opening import open_checkpoint
from tfgraphtools.errors import ArgumentError, NothingMatchedError, PlanError


def strip(ckpt: Checkpoint, global_step: bool = False) -> Plan:
    """Plans a checkpoint without the optimizer's state: slots, beta powers, hyper-parameters.

    Moving averages stay: they are weights. A model that only runs needs nothing else. What is like
    a slot without being so for certain stays, too, and the plan's notes name it.

    Args:
      ckpt: an open checkpoint.
      global_step: leave out global_step too.

    Returns:
      A `Plan`; apply it with ``compact=True`` to give the disk space back.

    Example:
      >>> strip(open_checkpoint("model.ckpt-1000")).apply("small", compact=True)  # doctest: +SKIP

    Raises:
      NothingMatchedError: there is no optimizer state.
    """
    shapes = {name: ckpt.store.summary(name)[1] for name in ckpt}
    state = optimizer_slots.optimizer_state(shapes, ckpt.object_graph, with_global_step=global_step)
    drop = [rules.exactly(name) for name in ckpt if name in state]
    doubt = _doubt(optimizer_slots.uncertain(shapes, ckpt.object_graph))
    if not drop:
        raise NothingMatchedError(
            "strip",
            "an optimizer's slots or beta powers",
            f"none among {len(ckpt)} tensors" + (f"; {doubt}" if doubt else ""),
            "Name what to leave out: plan(ckpt, drop=[...]) or ckpt strip --match PATTERN.",
        )
    stripped = plan(ckpt, drop=drop)
    if doubt:
        stripped.notes.append(
            doubt + "; if they are slots, leave them out with --match (drop=[...])"
        )
    return stripped


def _doubt(names):
    """Returns what a plan says of tensors that may be slots; "" if there are none."""
    if not names:
        return ""
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return "kept, as they may be weights: " + ", ".join(names[:8]) + more


def merge(checkpoints: Sequence[Checkpoint]) -> Plan:
    """Plans one checkpoint that holds the tensors of several.

    Args:
      checkpoints: open checkpoints; no name may be in two of them. Rename or drop in one of them
        first where that is so.

    Returns:
      A `Plan`.

    Example:
      >>> both = [open_checkpoint("encoder"), open_checkpoint("decoder")]  # doctest: +SKIP
      >>> merge(both).apply("both/model.ckpt")                         # doctest: +SKIP

    Raises:
      CollisionError: two checkpoints have a tensor of one name.
      PlanError: one is object-based: two object graphs cannot be one.
    """
    checkpoints = _several(checkpoints, "merge")
    for ckpt in checkpoints:
        if GRAPH_KEY in ckpt:
            raise PlanError(
                "merge",
                "name-based checkpoints",
                f"{ckpt.prefix}, which is object-based",
                "Restore both in TF 2 and save one tf.train.Checkpoint of the two objects.",
            )
    targets = []
    for ckpt in checkpoints:
        for target in plan(ckpt).targets:
            targets.append(target._replace(steps=target.steps + ("from " + ckpt.prefix,)))
    refuse_collisions(targets, "merge", lambda target: target.steps[-1])
    return Plan(checkpoints, targets)


def average(checkpoints: Sequence[Checkpoint], weights: Optional[Sequence[float]] = None) -> Plan:
    """Plans the mean of several checkpoints of one model, such as the last ones of a training.

    Floating-point tensors are averaged (as float64, then rounded once). Others (global_step,
    vocabularies) cannot be, and neither can beta powers, which count steps: they are taken from
    the last checkpoint, and the plan says so.

    Args:
      checkpoints: open checkpoints with the same names, types and shapes.
      weights: a number for each, all equal by default; they are divided by their sum.

    Returns:
      A `Plan`.

    Example:
      >>> average([open_checkpoint(p) for p in paths]).apply("averaged")  # doctest: +SKIP

    Raises:
      PlanError: the checkpoints differ in names, types or shapes; or the weights do not fit.
    """
    checkpoints = _several(checkpoints, "average")
    shares = _shares(weights, len(checkpoints))
    last = checkpoints[-1]
    for ckpt in checkpoints[:-1]:
        _require_alike(ckpt, last)
    targets = []
    powers = optimizer_slots.powers({name: last.store.summary(name)[1] for name in last})
    for target in plan(last).targets:
        if target.dtype.kind in "fc" and target.name not in powers:
            target = _averaged(target, checkpoints, shares)
        else:
            target = target._replace(steps=("from " + last.prefix,))
        targets.append(target)
    # The last one comes first: its tensors may be kept as they are.
    return Plan([last] + checkpoints[:-1], targets)


def average_last(folder: Path, count: int, weights: Optional[Sequence[float]] = None) -> Plan:
    """Plans the mean of the last checkpoints of a training, as tensor2tensor's avg_checkpoints.

    Floating-point tensors are averaged as in `average`, others are those of the last one.

    Args:
      folder: the folder in which a Saver wrote them, or its URL.
      count: how many, at least 2: those with the highest numbers of steps.
      weights: a number for each, the oldest first; all equal by default.

    Returns:
      A `Plan`; ``plan.checkpoints`` are the open checkpoints, the newest first.

    Example:
      >>> average_last("train", 8).apply("averaged/model.ckpt")        # doctest: +SKIP

    Raises:
      ArgumentError: fewer than 2. CheckpointNotFoundError: the folder has fewer.
      PlanError: as `average`.
    """
    if count < 2:
        raise ArgumentError(
            "average_last", "two checkpoints or more", str(count), "Write --last 5 (count=5)."
        )
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(open_checkpoint(p)) for p in last_in(folder, count)]
        plan = average(opened, weights)
        stack.pop_all()
        return plan


def _averaged(target, checkpoints, shares):
    from tfgraphtools.checkpoints.plans.stored import Stored
    from tfgraphtools.checkpoints.plans.tensor_expressions import Average

    mean = Average([Stored(ckpt, target.name) for ckpt in checkpoints], shares)
    words = f"mean of {len(checkpoints)} checkpoints"
    return target._replace(
        steps=(words,), partitioned=False, parts=[Piece(None, target.shape, None, mean)]
    )


def _shares(weights, count):
    weights = [1.0] * count if weights is None else [float(weight) for weight in weights]
    is_finite = all(math.isfinite(weight) for weight in weights)
    largest = max(weights, default=0.0)
    if len(weights) != count or not is_finite or not largest > 0 or min(weights) < 0:
        raise PlanError(
            "average(weights=...)",
            f"{count} finite weights, none negative, not all zero",
            str(weights),
            "Give one weight for each checkpoint: weights=[1, 2] (--weights 1 2).",
        )
    weights = [weight / largest for weight in weights]  # whose sum is finite
    total = sum(weights)
    return [weight / total for weight in weights]


def _require_alike(ckpt, other):
    differing = sorted(set(ckpt) ^ set(other))
    if differing:
        raise PlanError(
            "average",
            "checkpoints with the same names",
            f"{differing[0]!r} in one of {ckpt.prefix} and {other.prefix}",
            "Drop what only one of them has.",
        )
    for name in ckpt:
        a, b = ckpt.store.summary(name), other.store.summary(name)
        if a[:2] != b[:2]:
            raise PlanError(
                "average",
                "tensors of one type and shape",
                f"{name!r}: {a[0]} {list(a[1])} and {b[0]} {list(b[1])}",
                "Average checkpoints of one model.",
            )


def split(ckpt: Checkpoint, patterns: Patterns) -> Tuple[Plan, Plan]:
    """Plans two checkpoints: the tensors that the patterns match, and the rest.

    Args:
      ckpt: an open checkpoint.
      patterns: a pattern or several; each must match something, and not everything.

    Returns:
      (plan of the matching tensors, plan of the rest).

    Example:
      >>> encoder, rest = split(ckpt, "encoder/.*")                    # doctest: +SKIP

    Raises:
      NothingMatchedError: a pattern matches nothing.
      PlanError: nothing is left for the rest, or the checkpoint is object-based.
    """
    if GRAPH_KEY in ckpt:
        raise PlanError(
            "split",
            "a name-based checkpoint",
            "an object-based one",
            "Drop what you do not want: plan(ckpt, drop=[...]) keeps the object graph right.",
        )
    taken = rules.matching(patterns, list(ckpt), "split(patterns=...)")
    others = [name for name in ckpt if name not in taken]
    if not others:
        raise PlanError(
            "split(patterns=...)",
            "patterns that leave something",
            f"all {len(taken)} tensors matched",
            "Narrow the patterns.",
        )
    return (
        plan(ckpt, drop=[rules.exactly(name) for name in others]),
        plan(ckpt, drop=[rules.exactly(name) for name in taken]),
    )


def _several(checkpoints, place):
    checkpoints = list(checkpoints)
    if len(checkpoints) < 2:
        raise ArgumentError(
            place, "two checkpoints or more", str(len(checkpoints)), "Pass all of them."
        )
    return checkpoints
