"""`to_torch`: the weights of a TF1 checkpoint as a PyTorch state dict."""

import collections
import os
from typing import Any, Mapping, Optional, Sequence, Union

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.facts import known as facts
from tfgraphtools.checkpoints.facts import questions
from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.type_hints import Path, Patterns, Progress, Rules
from tfgraphtools.checkpoints.graphs import graph_training
from tfgraphtools.checkpoints.matching import (
    cudnn,
    draft_maps,
    tensor_units,
    unit_fits,
    unit_matching,
    unit_rules,
)
from tfgraphtools.checkpoints.matching.match_options import MatchOptions
from tfgraphtools.checkpoints.objects.named_source import as_named
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.plans import moving_averages as averaging
from tfgraphtools.checkpoints.plans import plan as rewriting
from tfgraphtools.checkpoints.plans import rules as naming
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.checkpoints.torch import (
    channel_orders,
    fused,
    optimizer_kinds,
    torch_fits,
    torch_models,
    torch_optimizer_state,
    torch_plans,
    torch_rules,
    traced_orders,
)
from tfgraphtools.errors import CastError, PlanError

#: How a note on the counters of PyTorch's normalisations begins.
COUNTERS = "num_batches_tracked"


def to_torch(
    checkpoint: Source,
    model: Any,
    destination: Optional[Path] = None,
    overwrite: bool = False,
    progress: Progress = None,
    **options: Any,
) -> torch_plans.TorchPlan:
    """Writes the state dict of a PyTorch model from a TF1 checkpoint, or loads it into the model.

    `plan_torch` decides what goes where and refuses what is not certain; this also does it.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      model: a ``torch.nn.Module``; a state dict; a ``.safetensors`` file with the names and shapes
        that are expected (PyTorch is not needed then); ``.pt``; or ``pkg.module:function``.
      destination: ``x.safetensors`` or ``x.pt``; None sets the tensors of a live module, the one
        argument that is changed, after everything was checked.
      overwrite: replace a file that is there.
      progress: called with (bytes done, bytes in all).
      options: as in `plan_torch`.

    Returns:
      The `TorchPlan` that was carried out.

    Example:
      >>> to_torch("model.ckpt-1000", net, "model.safetensors")        # doctest: +SKIP

    Raises:
      As `plan_torch`, and DestinationError.
    """
    with opened(checkpoint) as ckpt:
        plan = plan_torch(ckpt, model, **options)
        if destination is None and plan.model.module is None:
            raise PlanError(
                "to_torch",
                "a destination, or a live torch.nn.Module",
                "neither",
                "Pass 'model.safetensors' as the destination.",
            )
        plan.apply(None if destination is None else os.fspath(destination), overwrite, progress)
        return plan


def plan_torch(
    ckpt: Checkpoint,
    model: Any,
    *,
    rules: Optional[Rules] = None,
    drop: Patterns = (),
    keep: Patterns = (),
    forget_bias: Union[None, float, Mapping[str, float]] = None,
    flatten: Optional[Mapping[str, Any]] = None,
    use_ema: Union[bool, str] = False,
    optimizer: Any = None,
    drop_optimizer: bool = False,
    steps: Optional[int] = None,
    names: Union[None, str, Mapping[str, str]] = None,
    graph: Optional[Path] = None,
    sparse_gradients: Optional[Patterns] = None,
    cast: Optional[Mapping[str, str]] = None,
    transpose: Optional[Mapping[str, Sequence[int]]] = None,
    facts: Optional[Mapping[str, Mapping[str, Any]]] = None,
    exact_types: bool = True,
    unflatten: Optional[Mapping[str, Any]] = None,
) -> torch_plans.TorchPlan:
    """Plans a PyTorch state dict, and the state of a ``torch.optim`` optimizer, from a checkpoint.

    Layers and recurrent cells are found by the names that TF1's layers give their variables, and
    matched with the model's modules by name; where names differ, by kind and shape, if only one
    fits, or by the order in which numbered layers were made. Every match is in ``rows()``. A
    parameter without a tensor and a tensor without a parameter are errors.

    Args:
      ckpt: an open checkpoint.
      model: as in `to_torch`; it is not changed.
      rules: what the names do not say: {scope or tensor of the checkpoint: module or parameter},
        or ordered (pattern, replacement) pairs. A fused ``in_proj_weight`` of an attention is
        three modules, ``q_proj``, ``k_proj`` and ``v_proj``, and so is any ``Linear`` of which a
        rule names these parts (``attn.qkv.q_proj``); layer ``l1`` of an LSTM is
        ``lstm.l1``.
      drop: patterns of tensors to leave out; a variable's slots go with it.
      keep: patterns of entries that keep the model's own values, such as a new head.
      forget_bias: what LSTM cells were built with, a number or {pattern of scopes: number}, where
        no graph says it. TF1's default is 1.0; cuDNN's cells have none.
      flatten: {pattern of scopes: (height, width, channels)} of the feature maps that TF1
        flattened in front of a dense layer, or {pattern: False} where it did not: PyTorch
        flattens channels first. Needed where the graph or a trace of the model does not say it.
      use_ema: True takes the moving averages in place of the variables that have one; with several
        of a variable, their name or a pattern of it, as in `averages_of`.
      optimizer: a live ``torch.optim`` optimizer that takes over the optimizer's state.
      drop_optimizer: True leaves slots, beta powers and global_step behind without a note.
      steps: the steps that the optimizer has taken, if the checkpoint does not say.
      names: the optimizer of TF1 where its slots do not say it ("AdamWeightDecay" or "LAMB", which
        both keep ``adam_m``), or {name that it was given: kind}.
      graph: the ``.meta`` of the training (or a frozen graph or SavedModel), by default the one
        beside the checkpoint: forget biases, activations, epsilons, which gradients are sparse.
      sparse_gradients: patterns of variables with sparse gradients, if no ``.meta`` says it; []
        for none.
      cast: {pattern of tensors: type}, such as {".*": "bfloat16"}: their entries get this type.
      transpose: {pattern of tensors: axes}, before anything else is done.
      facts: {pattern of scopes: {question: value}} of what no graph says: activation,
        recurrent_activation, epsilon, reset_after.
      exact_types: require that the model's types hold the values of the checkpoint; `plan_tf1`,
        which goes the other way, does not.
      unflatten: the same of the feature maps that the outputs of a dense layer become, or that the
        vectors of a normalisation are, as in the generator of a GAN.

    Returns:
      A `TorchPlan`: print it, `apply` it.

    Example:
      >>> with open_checkpoint("model.ckpt-1000") as ckpt:             # doctest: +SKIP
      ...     print(plan_torch(ckpt, net, flatten={"dense": (7, 7, 64)}))

    Raises:
      UnmatchedError: what goes where is not certain; the nearest names are in the message.
      NothingMatchedError: a pattern or name matches nothing.
      PlanError: a flatten that is not told, or a state that cannot be carried exactly.
      ModelError, MissingExtraError: there is no such model, or no PyTorch.
    """
    without_state = drop_optimizer or optimizer is None
    options = MatchOptions(rules, drop, keep, forget_bias, flatten, use_ema, graph, cast, transpose)
    units = _units(ckpt, model, options, without_state)
    everything = units.sources + [source for source, _ in units.paired]
    place = "plan_torch(facts=...)"
    units.answers.tell(unit_rules.told(facts, everything, place), ckpt, place)
    ckpt, model, held, answers = units.checkpoint, units.model, units.held, units.answers
    matches = [unit_rules.mapped(pair, units.fit, "plan_torch(rules=...)") for pair in units.paired]
    matches += unit_matching.match(units.sources, units.targets, units.fit, units.alike)
    for detection in matches:
        answers.require(detection.source, detection.target)
    types = torch_rules.types(matches, held, units.cast)
    if exact_types:
        _require_types(matches, held, types)
    unflattened = unit_rules.by_scope(
        unflatten, everything, unit_rules.sizes_of_map, "plan_torch(unflatten=...)"
    )
    trace = None if model.module is None else traced_orders.orders(model.module)
    if not units.known.says_shapes:
        torch_rules.require_rows(matches, trace, units.rows, held)
    matches = channel_orders.ordered(matches, units.known, trace, units.rows, unflattened)
    state, left = units.state, sorted(units.dropped | units.state)
    count = _count(ckpt, state)
    plan = torch_plans.TorchPlan(ckpt, model, matches, units.kept, left, units.averages, count)
    plan.types, plan.rewritten = types, units.rewritten
    if optimizer is not None and not drop_optimizer:
        detection, is_sparse = _trained(ckpt, held, names, graph, sparse_gradients)
        plan.state = torch_optimizer_state.plan(
            model, optimizer, matches, ckpt, detection, is_sparse, units.known, steps
        )
        plan.dropped = sorted(set(left) - torch_optimizer_state.tensors(plan.state))
    plan.notes = _notes(plan, state, drop_optimizer) + answers.notes(matches)
    plan.facts = answers.used_facts(matches)
    return plan


def draft_torch(
    ckpt: Checkpoint,
    model: Any,
    *,
    rules: Optional[Rules] = None,
    drop: Patterns = (),
    keep: Patterns = (),
    forget_bias: Union[None, float, Mapping[str, float]] = None,
    flatten: Optional[Mapping[str, Any]] = None,
    use_ema: Union[bool, str] = False,
    graph: Optional[Path] = None,
) -> draft_maps.Draft:
    """Drafts the rules of `plan_torch` where names do not agree: by graph order and shapes.

    Args:
      ckpt: an open checkpoint.
      model, rules, drop, keep, forget_bias, flatten, use_ema, graph: as in `plan_torch`.

    Returns:
      A `Draft`: its pairs say how sure they are, and what is open has candidates.

    Example:
      >>> print(draft_torch(ckpt, net))                                # doctest: +SKIP
    """
    options = MatchOptions(rules, drop, keep, forget_bias, flatten, use_ema=use_ema, graph=graph)
    units = _units(ckpt, model, options, True)
    return draft_maps.draft(
        units.paired, units.sources, units.targets, units.fit, units.known, units.alike
    )


#: The units of both sides, and what is known of them; see `plan_torch`.
_Units = collections.namedtuple(
    "_Units",
    "checkpoint model known held dropped state averages kept paired sources targets answers fit "
    "rows cast rewritten alike",
)


def _units(ckpt, model, options, without_state):
    known = facts.beside(ckpt, options.graph)
    ckpt = as_named(ckpt, without_state)
    ckpt, rules = averaging.chosen(ckpt, options.rules, False, "plan_torch(rules=...)")
    model = torch_models.load(model)
    cast = torch_rules.casts(ckpt, options.cast, options.use_ema)
    rewritten = _rewritten(ckpt, cast, options.transpose)
    transposed = ()
    if options.transpose:
        place = "plan_torch(transpose=...)"
        transposed = naming.matching(list(options.transpose), list(ckpt), place)
    ckpt = rewritten.view() if rewritten else ckpt
    held, dropped = _held(ckpt, options.drop)
    sizes = {name: shape for name, (_, shape) in held.items()}
    state = optimizer_slots.optimizer_state(sizes)
    averages = {}
    if options.use_ema:
        averages = averaging.require(sizes, "plan_torch(use_ema=...)", options.use_ema)
        dropped = dropped.union(averaging.others(sizes, averages))
    weights = sorted(set(held) - state - set(averages.values()) - dropped)
    kept = torch_rules.kept(model, options.keep)
    targets = fused.as_stored(unit_rules.without(model.targets, kept), weights, held)
    targets = fused.as_named(targets, rules, weights)

    def find(tensor_names):
        sources = cudnn.refined(tensor_units.find(tensor_names), sizes, known)
        sources = tensor_units.with_weight_norm(sources, targets)
        return tensor_units.without_separable(sources, targets)

    paired, sources, targets = torch_rules.apply_rules(rules, weights, targets, find)

    everything = sources + [source for source, _ in paired]
    biases = unit_rules.by_scope(
        options.forget_bias, everything, float, "plan_torch(forget_bias=...)"
    )
    place = "plan_torch(flatten=...)"
    rows = unit_rules.by_scope(options.flatten, everything, unit_rules.sizes_of_map, place)

    answers = questions.Answers(known, biases)

    def facts_of(source):
        known_facts = dict(answers.facts(source))
        if any(name in transposed for name in source.leaves.values()):
            known_facts.pop("transposed", None)  # which the graph says of the tensor before it
        return known_facts

    def fit(source, target):
        return torch_fits.fit(source, target, held, facts_of(source), rows.get(source.name))

    alike = unit_fits.alike(held, facts_of, lambda source: rows.get(source.name))
    units = averages, kept, paired, sources, targets, answers, fit, rows, cast, rewritten, alike
    return _Units(ckpt, model, known, held, dropped, state, *units)


def _held(ckpt, drop):
    """Returns ({name: (dtype, shape)} of the tensors that are not dropped, the dropped names)."""
    shapes = {name: ckpt.store.summary(name)[:2] for name in ckpt}
    sizes = {name: shape for name, (_, shape) in shapes.items()}
    dropped = unit_rules.dropped(sizes, drop, "plan_torch(drop=...)")
    return {name: info for name, info in shapes.items() if name not in dropped}, dropped


def _rewritten(ckpt, cast, transpose):
    """Returns the `Plan` of what is done to tensors before they are matched, or None."""
    if not cast and not transpose:
        return None
    options = {"cast": dict(cast or {}), "transpose": dict(transpose or {})}
    return rewriting.plan(ckpt, **{name: value for name, value in options.items() if value})


def _trained(ckpt, held, names, graph, sparse_gradients):
    """Returns (the optimizer's `Detection`, a function that says why a gradient is sparse)."""
    sizes = {name: info[1] for name, info in held.items()}
    detection = optimizers.detect(sizes, names, optimizer_kinds.OF_TORCH)
    known = graph_training.beside(ckpt, graph)
    graph_training.require_adam(known, detection)
    if names is None:
        torch_optimizer_state.require_decay_after_gradient(known, detection)
    why = graph_training.sparse(known, sparse_gradients, detection)

    def is_sparse(name, is_embedding):
        return why(name, is_embedding and known.source is None, None)

    return detection, is_sparse


def _count(ckpt, state):
    """Returns what ``num_batches_tracked`` becomes: the global step, or 0."""
    name = "global_step"
    return int(ckpt[name]) if name in state and name in ckpt else 0


def _require_types(matches, held, types):
    """Raises if a tensor's type is not the entry's, and not exact in it."""
    for pair_match in matches:
        for weight in pair_match.target.weights.values():
            if weight.path in types:
                continue
            for name in pair_match.fit.leaves.values():
                stored = held[name][0]
                if not dtypes.is_exact_in(stored, weight.dtype):
                    raise CastError(
                        f"{name!r} for {weight.path!r}",
                        f"{weight.dtype}, as the model has it",
                        stored,
                        f"Pass cast={{{naming.exactly(name)!r}: {weight.dtype!r}}} (--cast "
                        f"'{naming.exactly(name)}' {weight.dtype}).",
                    )


def _notes(plan, state, drop_optimizer):
    notes = [note for pair_match in plan.matches for note in pair_match.fit.notes]
    if plan.state is not None:
        notes += plan.state.notes
    elif state and not drop_optimizer:
        notes.append(
            f"{len(state)} tensors of the optimizer's state are left behind: a state dict of a "
            "model has no place for them (pass optimizer=..., or drop_optimizer=True)"
        )
    if any(row.how == "counter" for row in plan.rows()):
        notes.append(
            f"{COUNTERS} is {plan.count}: PyTorch reads it only where a BatchNorm has "
            "momentum=None, and TF1 has no such tensor"
        )
    return notes
