"""`to_keras`: the weights of a TF1 checkpoint, and its optimizer's state, in a Keras model."""

import collections
import os
from typing import Any, Mapping, Optional, Union

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.facts import known as facts
from tfgraphtools.checkpoints.facts import questions
from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.type_hints import Path, Patterns, Rules
from tfgraphtools.checkpoints.graphs import graph_training
from tfgraphtools.checkpoints.keras import (
    keras_fits,
    keras_layers,
    keras_models,
    keras_optimizer_state,
    keras_orders,
    keras_plans,
    keras_rules,
)
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
from tfgraphtools.checkpoints.plans import moving_averages
from tfgraphtools.checkpoints.plans import rules as naming
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import as_checkpoint
from tfgraphtools.errors import CastError

_WITH_STATISTICS = ("BatchNormalization", "SyncBatchNormalization")
_BOOKKEEPING = ("global_step",)


def to_keras(
    checkpoint: Source,
    model: Any,
    destination: Optional[Path] = None,
    overwrite: bool = False,
    **options: Any,
) -> keras_plans.KerasPlan:
    """Writes the weights of a Keras model from a TF1 checkpoint.

    `plan_keras` says what goes where and refuses what is not certain; this also does it.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      model: a built model of Keras 3 or tf_keras, or where one is: ``model.keras``, ``config.json``
        or ``model.py:function``. A model that is passed gets the values: it is the one argument
        of this library that is changed, and only when all is known to be well.
      destination: a file to write, ``x.weights.h5`` or ``x.keras``, in one step; None writes none.
      overwrite: replace a file that is there.
      options: as in `plan_keras`.

    Returns:
      The `KerasPlan` that was carried out; its ``model`` has the values.

    Example:
      >>> to_keras("model.ckpt-1000", model, "model.keras")            # doctest: +SKIP

    Raises:
      As `plan_keras`, and DestinationError.
    """
    if destination is not None:
        keras_models.require_destination(os.fspath(destination), overwrite)
    ckpt = as_checkpoint(checkpoint)
    try:
        plan = plan_keras(ckpt, model, **options)
        plan.apply(destination, overwrite)
        return plan
    finally:
        if not isinstance(checkpoint, Checkpoint):
            ckpt.close()


def plan_keras(
    ckpt: Checkpoint,
    model: Any,
    *,
    rules: Optional[Rules] = None,
    drop: Patterns = (),
    keep: Patterns = (),
    forget_bias: Any = None,
    drop_optimizer: bool = False,
    steps: Optional[int] = None,
    graph: Optional[Path] = None,
    sparse_gradients: Optional[Patterns] = None,
    names: Union[None, str, Mapping[str, str]] = None,
    use_ema: Union[bool, str] = False,
    facts: Optional[Mapping[str, Mapping[str, Any]]] = None,
    exact_types: bool = True,
    flatten: Optional[Mapping[str, Any]] = None,
    unflatten: Optional[Mapping[str, Any]] = None,
) -> keras_plans.KerasPlan:
    """Plans the weights of a Keras model, and the state of its optimizer, from a TF1 checkpoint.

    Layers and recurrent cells are found by the names that tf.layers, slim, tf.keras and
    tf.nn.rnn_cell give their variables, and matched by name; where names do not agree, by kind
    and shape, if only one fits, or by the order in which numbered layers were made. Every match
    is in `rows`. A weight without a tensor and a tensor without a weight are errors.

    Args:
      ckpt: an open checkpoint.
      model: as in `to_keras`; it is not changed.
      rules: what the names do not say: {scope or tensor of the checkpoint: layer or weight of the
        model}, or ordered (pattern, replacement) pairs. Tensors may name their layer, too.
      drop: patterns of tensors to leave out; a variable's slots go with it.
      keep: patterns of weights of the model to leave as they are, such as a new head.
      forget_bias: what LSTM cells were built with, a number or {pattern of scopes: number}, where
        no graph says it. TF1's default is 1.0; cuDNN's cells have none.
      drop_optimizer: leave slots, beta powers and global_step behind. Otherwise they go to the
        model's optimizer, or the plan is refused.
      steps: the steps that the optimizer has taken, if the checkpoint does not say.
      graph: the ``.meta`` of the training (or a frozen graph or SavedModel), the one beside the
        checkpoint by default. It says forget biases, activations and epsilons, which gradients are
        sparse, and what else Keras would do in another way.
      sparse_gradients: patterns of the variables whose gradients are sparse, if no graph says it;
        [] says that none is.
      names: {name of TF 1's optimizer: kind} of one that was given a name of its own, or the kind.
      use_ema: True takes the moving averages in place of the variables that have one; with several
        of a variable, their name or a pattern of it, as in `averages_of`.
      facts: {pattern of scopes: {question: value}} of what no graph says: activation,
        recurrent_activation, epsilon, reset_after.
      exact_types: as in `plan_torch`.
      flatten: {pattern of scopes: the sizes of the map that the graph flattens in front of them,
        such as (7, 7, 64)} where the model has the channels at the other end, or {pattern: False}
        where its order is the graph's. Needed where neither the graph nor a trace of the model
        says it.
      unflatten: the same of the maps that the outputs of a dense layer become, or that the vectors
        of a normalisation are.

    Returns:
      A `KerasPlan`: print it, `apply` it.

    Example:
      >>> with open_checkpoint("model.ckpt-1000") as ckpt:             # doctest: +SKIP
      ...     print(plan_keras(ckpt, "model.py:build", drop_optimizer=True))

    Raises:
      UnmatchedError: what goes where is not certain; the nearest names are in the message.
      NothingMatchedError: a pattern or name matches nothing.
      PlanError: the optimizer's state or a cell cannot be carried exactly.
      ModelError, MissingExtraError: there is no such model.
    """
    options = MatchOptions(rules, drop, keep, forget_bias, use_ema=use_ema, graph=graph)
    units = _units(ckpt, model, options, drop_optimizer)
    everything = units.sources + [source for source, _ in units.paired]
    place = "plan_keras(facts=...)"
    units.answers.tell(unit_rules.told(facts, everything, place), ckpt, place)
    ckpt, model, held, answers = units.checkpoint, units.model, units.held, units.answers
    place = "plan_keras(rules=...)"
    matches = [unit_rules.mapped(pair, units.map_fit, place) for pair in units.paired]
    matches += unit_matching.match(units.sources, units.targets, units.fit, units.alike)
    for detection in matches:
        answers.require(detection.source, detection.target)
    if exact_types:
        _require_types(matches, held)
    told = [
        unit_rules.by_scope(values, everything, unit_rules.sizes_of_map, f"plan_keras({name}=...)")
        for name, values in (("flatten", flatten), ("unflatten", unflatten))
    ]
    matches = keras_orders.ordered(matches, units.known, model, *told)
    plan = keras_plans.KerasPlan(ckpt, model, matches, units.kept, sorted(units.dropped))
    if drop_optimizer:
        plan.dropped += sorted(units.state)
    elif _is_trained(units.state, model):
        detection = optimizers.detect({name: info[1] for name, info in held.items()}, names)
        trained = graph_training.beside(ckpt, graph)
        _add_state(plan, trained, detection, steps, sparse_gradients, units.known)
    plan.notes, plan.facts = _notes(plan) + answers.notes(matches), answers.used_facts(matches)
    return plan


def draft_keras(
    ckpt: Checkpoint,
    model: Any,
    *,
    rules: Optional[Rules] = None,
    drop: Patterns = (),
    keep: Patterns = (),
    forget_bias: Any = None,
    graph: Optional[Path] = None,
    use_ema: Union[bool, str] = False,
) -> draft_maps.Draft:
    """Drafts the rules of `plan_keras` where names do not agree: by graph order and shapes.

    Args:
      ckpt: an open checkpoint.
      model, rules, drop, keep, forget_bias, graph, use_ema: as in `plan_keras`.

    Returns:
      A `Draft`: its pairs say how sure they are, and what is open has candidates.

    Example:
      >>> print(draft_keras(ckpt, "model.py:build"))                   # doctest: +SKIP
    """
    options = MatchOptions(rules, drop, keep, forget_bias, use_ema=use_ema, graph=graph)
    units = _units(ckpt, model, options, True)
    draft = draft_maps.draft(
        units.paired, units.sources, units.targets, units.fit, units.known, units.alike
    )
    return draft.without(
        keras_layers.own_name(units.targets)
    )  # which the next build has another of


#: The units of both sides, and what is known of them; see `plan_keras`.
_Units = collections.namedtuple(
    "_Units",
    "checkpoint model known held dropped state kept paired sources targets answers fit map_fit "
    "alike",
)


def _units(ckpt, model, options, without_state):
    known = facts.beside(ckpt, options.graph)
    ckpt = as_named(ckpt, without_state)
    place = "plan_keras(use_ema=...)"
    ckpt, rules = moving_averages.chosen(ckpt, options.rules, options.use_ema, place)
    model = keras_models.load(model, "plan_keras(model=...)")
    shapes = {name: ckpt.store.summary(name)[:2] for name in ckpt}
    by_shape = {name: shape for name, (_, shape) in shapes.items()}
    dropped = unit_rules.dropped(by_shape, options.drop, "plan_keras(drop=...)")
    held = {name: info for name, info in shapes.items() if name not in dropped}
    state, weights = _split_off_state({name: info[1] for name, info in held.items()})
    targets = keras_layers.find(model)
    kept = keras_rules.kept(targets, options.keep)

    def find(tensor_names):
        sources = cudnn.refined(tensor_units.find(tensor_names), by_shape, known)
        return tensor_units.without_separable(sources, targets)

    targets = unit_rules.without(targets, kept)
    paired, sources, targets = keras_rules.apply_rules(rules, weights, targets, find)
    everything = sources + [source for source, _ in paired]
    place = "plan_keras(forget_bias=...)"
    biases = unit_rules.by_scope(options.forget_bias, everything, float, place)
    answers = questions.Answers(known, biases)

    def fit(source, target):
        return keras_fits.candidate(source, target, held, answers.facts(source))

    def map_fit(source, target):
        return keras_fits.fit(source, target, held, answers.facts(source))

    alike = unit_fits.alike(held, answers.facts)
    units = paired, sources, targets, answers, fit, map_fit, alike
    return _Units(ckpt, model, known, held, dropped, state, kept, *units)


def _add_state(plan, known, detection, steps, sparse_gradients, file_facts):
    """Adds the state of the optimizer to a plan, or raises `PlanError`."""
    graph_training.require_adam(known, detection)
    is_sparse = graph_training.sparse(known, sparse_gradients, detection)
    model, matches = plan.model, plan.matches
    plan.state = keras_optimizer_state.plan(
        model, matches, plan.checkpoint, detection, steps, is_sparse, file_facts
    )
    plan.state.notes.extend(_training_notes(known, matches, detection, model))


def _split_off_state(shapes):
    """Returns (what belongs to an optimizer or counts steps, the weights)."""
    state = optimizer_slots.optimizer_state(shapes) | {
        name for name in _BOOKKEEPING if name in shapes
    }
    return state, sorted(set(shapes) - state)


def _is_trained(state, model):
    """Tells whether there is a state to carry: slots, beta powers, or counted steps."""
    slot_like = [name for name in state if not name.endswith("global_step")]
    return bool(slot_like) or bool(state) and getattr(model, "optimizer", None) is not None


def _training_notes(known, matches, detection, model):
    """Returns what goes on differently after the conversion, or must be set in the model."""
    normalised = [m.target.name for m in matches if m.target.kind in _WITH_STATISTICS]
    notes = graph_training.notes(
        known, normalised, keras_models.package_of(model) != "keras", detection
    )
    if detection.others:
        notes.append("left behind: " + ", ".join(detection.others))
    return notes


def _require_types(matches, held):
    """Raises if a tensor's type is not the weight's, and not exact in it."""
    for pair_match in matches:
        for role, weight in pair_match.target.weights.items():
            for name in keras_fits.tensors_of(pair_match.fit, role):
                if not dtypes.is_exact_in(held[name][0], weight.dtype):
                    raise CastError(
                        f"{name!r} for {weight.path!r}",
                        f"{weight.dtype}, as the model has it",
                        held[name][0],
                        f"Cast it first: tfgraphtools ckpt cast --to {weight.dtype} --only "
                        f"'{naming.exactly(name)}'.",
                    )


def _notes(plan):
    notes = [note for pair_match in plan.matches for note in pair_match.fit.notes]
    if plan.state is not None:
        notes += plan.state.notes
    if any(name.endswith("/ExponentialMovingAverage") for name in plan.dropped):
        notes.append("moving averages are dropped; --use-ema takes them in place of the weights")
    return notes
