"""A TF 1 checkpoint as an object-based one of TF 2: the same bytes under an object graph.

Shards are linked; one tiny shard holds the graph, the step count and what little changes its
numbers. No TensorFlow is needed, except to look at a live object.
"""

import contextlib
from typing import Any, Mapping, Optional, Union

from tfgraphtools.checkpoints.facts import known as facts
from tfgraphtools.checkpoints.format.type_hints import Path, Patterns, Progress, Rules
from tfgraphtools.checkpoints.graphs import graph_training
from tfgraphtools.checkpoints.objects import skeletons
from tfgraphtools.checkpoints.objects.conversions import Conversion
from tfgraphtools.checkpoints.plans import moving_averages
from tfgraphtools.checkpoints.plans.plan import Plan
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.errors import PlanError


def plan_object_based(
    ckpt: Checkpoint,
    rules: Optional[Rules] = None,
    like: Optional[Source] = None,
    live: Any = None,
    drop: Patterns = (),
    keep: Patterns = (),
    hyper: Optional[Mapping[str, Any]] = None,
    kind: Optional[str] = None,
    names: Optional[Mapping[str, str]] = None,
    steps: Optional[int] = None,
    optimizer_path: str = "optimizer",
    drop_optimizer: bool = False,
    graph: Optional[Path] = None,
    sparse_gradients: Optional[Patterns] = None,
    use_ema: Union[bool, str] = False,
) -> Plan:
    """Plans a TF 2 object-based checkpoint with the values of a TF 1 checkpoint.

    The objects are those of ``like`` or ``live``, or those that ``rules`` alone name. Every
    variable gets a tensor: by the rules; else by its name, scopes in front of either left
    aside; else as the only one of its last name and shape; else beside the others of its layer;
    else by number, if the names on both sides are numbered (``fc``, ``fc_1`` and ``x1``, ``x2``).
    What could be each of several is an error. The plan's rows show which of these it was.

    Args:
      ckpt: an open name-based checkpoint, V1 or V2.
      rules: {tensor name: object}, or ordered (pattern, replacement) pairs. An object is a path
        of names from the root (``net/dense/kernel``), a key, or, with ``like`` or ``live``, a
        variable's name. A lookup table's name is that of its ``-keys`` and ``-values``.
      like: an object-based checkpoint (as in `open_checkpoint`) of the new model, of any values.
      live: a tf.train.Checkpoint, a Keras model or another trackable object, or a dict of them;
        TF 2, eager. Its optimizer must be built (``optimizer.build(variables)``).
      drop: patterns of tensors to leave out.
      keep: patterns of objects (paths or keys) that keep the value of ``like`` or ``live``.
      hyper: hyper-parameters of TF 1's optimizer by TF 1's names, or {kind: them} if there are
        several: a checkpoint does not hold them. Where there is a ``like`` or ``live``, its own
        learning rate is used. A schedule goes to the new optimizer.
      kind: the optimizer of a checkpoint without slots ("GradientDescent").
      names: {name of TF 1's optimizer: kind}, if it was given one of its own; {name: "weight"} for
        weights below a variable of their shape.
      steps: the number of steps trained, if neither global_step nor a beta power says it.
      optimizer_path: with rules alone, where the optimizer (tf_keras.optimizers.legacy) goes.
      drop_optimizer: leave slots, beta powers and global_step behind; the new optimizer starts
        as it is.
      graph: the ``.meta`` of the training, the one beside the checkpoint by default. It says which
        gradients are sparse: Keras 3 does not go on from these as TF 1 does.
      sparse_gradients: patterns of the variables whose gradients are sparse, if no graph says it;
        [] says that none is.
      use_ema: True takes the moving averages in place of the variables that have one; with several
        of a variable, their name or a pattern of it, as in `averages_of`.

    Returns:
      A `Plan`. Its notes say with which arguments to build the optimizer that goes on.

    Example:
      >>> with open_checkpoint("model.ckpt-1000") as ckpt:             # doctest: +SKIP
      ...     plan = plan_object_based(ckpt, live=tf.train.Checkpoint(model=model))
      ...     print(plan)
      ...     plan.apply("tf2/model")

    Raises:
      NothingMatchedError: a tensor or a variable is left over, or a rule fits none.
      UnmatchedError: tensors that could each be any of several variables.
      CollisionError: two tensors for one variable.
      PlanError: shapes or types that differ; optimizer state that cannot be carried exactly.
      ArgumentError: a hyper-parameter that is needed and not given.
    """
    if like is not None and live is not None:
        raise PlanError("to_object_based", "like= or live=", "both", "Give one of them.")
    known = facts.beside(ckpt, graph)
    ckpt, rules = moving_averages.chosen(ckpt, rules, use_ema, "plan_object_based(use_ema=...)")
    conversion = Conversion(ckpt, drop, drop_optimizer, names, rules, known)
    with contextlib.ExitStack() as stack:
        if live is not None:
            skeleton = stack.enter_context(skeletons.live(live))
        elif like is not None:
            skeleton = stack.enter_context(skeletons.like(like))
        else:
            skeleton = conversion.skeleton_of(rules, kind, optimizer_path)
        is_sparse, trained = None, graph_training.UNKNOWN
        if conversion.detection is not None or graph is not None:
            trained = graph_training.beside(ckpt, graph)
        detection = conversion.detection
        if detection is not None:
            graph_training.require_adam(trained, detection)
            is_sparse = graph_training.sparse(trained, sparse_gradients, detection)
        plan = conversion.plan(skeleton, rules, keep, hyper, kind, steps, is_sparse)
        plan.notes.extend(
            graph_training.notes(trained, _normalised(plan), skeleton.is_legacy, detection)
        )
        return plan


def _normalised(plan):
    """Returns the scopes in TF 1 of the layers whose moving variance a plan fills."""
    return [
        target.sources[0].rpartition("/")[0]
        for target in plan.targets
        if target.sources and "/moving_variance/.ATTRIBUTES/" in target.name
    ]


def to_object_based(
    ckpt: Checkpoint,
    destination: Path,
    compact: bool = False,
    overwrite: bool = False,
    link: bool = True,
    progress: Progress = None,
    **how: Any,
) -> Any:
    """Writes a TF 2 object-based checkpoint with the values of a TF 1 checkpoint.

    `plan_object_based` says what ``how`` may be, and `Plan.apply` the other arguments. To see
    every match before anything is written, print the plan.

    Args:
      ckpt: a path as in `open_checkpoint`, or an open checkpoint.
      destination: the prefix to write.

    Returns:
      A `writer.Result`.

    Example:
      >>> to_object_based("model.ckpt-1000", "tf2/model", live=model)  # doctest: +SKIP
      >>> tf.train.Checkpoint(model).restore("tf2/model").assert_consumed()

    Raises:
      what `plan_object_based` and `Plan.apply` raise.
    """
    with opened(ckpt) as source:
        plan = plan_object_based(source, **how)
        return plan.apply(destination, compact, overwrite, link, progress)
