"""`to_keras`: the weights of a TF1 checkpoint, and its optimizer's state, in a Keras model."""

import collections
import difflib
import os

from tfgraphtools.checkpoints import optimizers, slots
from tfgraphtools.checkpoints import rules as naming
from tfgraphtools.checkpoints.keras_models import (
    fits,
    layers,
    matching,
    models,
    optimizer_state,
    tensors,
)
from tfgraphtools.checkpoints.reader import GRAPH_KEY, Checkpoint, as_checkpoint
from tfgraphtools.errors import CastError, MatchedTwiceError, NothingMatchedError, PlanError

#: A weight and where it comes from: a row of `KerasPlan.rows`. ``sources`` are tensor names,
#: ``step`` what is done to them, ``how`` the match was found: "map", "name", "the only fit",
#: "order" or "kept".
WeightRow = collections.namedtuple("WeightRow", "path dtype shape sources step how")

_BOOKKEEPING = ("global_step",)


def to_keras(checkpoint, model, destination=None, overwrite=False, **options):
    """Writes the weights of a Keras model from a TF1 checkpoint.

    `plan_keras` says what goes where and refuses what is not certain; this also does it.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one; name-based, as TF1's Saver writes it.
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
        models.require_destination(os.fspath(destination), overwrite)
    ckpt = as_checkpoint(checkpoint)
    try:
        plan = plan_keras(ckpt, model, **options)
        plan.apply(destination, overwrite)
        return plan
    finally:
        if not isinstance(checkpoint, Checkpoint):
            ckpt.close()


def plan_keras(
    ckpt, model, rules=None, drop=(), keep=(), forget_bias=None, drop_optimizer=False, steps=None
):
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
      forget_bias: what LSTM cells were built with, a number or {pattern of scopes: number}. By
        default TF1's own: 1.0, and 0.0 for cuDNN's; it is in no checkpoint.
      drop_optimizer: leave slots, beta powers and global_step behind. Otherwise they go to the
        model's optimizer, or the plan is refused.
      steps: the steps that the optimizer has taken, if the checkpoint does not say.

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
    if GRAPH_KEY in ckpt:
        raise PlanError(
            ckpt.prefix,
            "a name-based checkpoint, as TF1's Saver writes it",
            "an object-based one of TF 2",
            "Convert it first: tfgraphtools ckpt convert --to tf1.",
        )
    model = models.load(model, "plan_keras(model=...)")
    shapes = {name: ckpt.store.summary(name)[:2] for name in ckpt}
    dropped = _dropped(shapes, drop)
    held = {name: info for name, info in shapes.items() if name not in dropped}
    state, weights = _split_off_state({name: info[1] for name, info in held.items()})
    targets = layers.find(model)
    kept = _kept(targets, keep)
    paired, sources, targets = _apply_rules(rules, weights, _without(targets, kept))

    biases = _forget_biases(forget_bias, sources + [source for source, _ in paired])

    def fit(source, target, of=fits.candidate):
        return of(source, target, held, biases.get(source.name))

    matches = [_mapped(pair, lambda s, t: fit(s, t, fits.fit)) for pair in paired]
    matches += matching.match(sources, targets, fit)
    for found in matches:
        fits.require_forget_bias(found.source, found.target, biases.get(found.source.name))
    _require_types(matches, held)
    plan = KerasPlan(ckpt, model, matches, kept, sorted(dropped))
    if drop_optimizer:
        plan.dropped += sorted(state)
    elif _is_trained(state, model):
        found = optimizers.detect({name: info[1] for name, info in held.items()})
        plan.state = optimizer_state.plan(model, matches, ckpt, found, steps)
    plan.notes = _notes(plan)
    return plan


def _dropped(shapes, drop):
    """The tensors to leave out; with a variable go its slots."""
    if not drop:
        return set()
    found = set(naming.matching(drop, list(shapes), "plan_keras(drop=...)"))
    owned = slots.find({name: info[1] for name, info in shapes.items()})
    return found | {slot for slot, (variable, _) in owned.items() if variable in found}


def _split_off_state(shapes):
    """(what belongs to an optimizer or counts steps, the weights)."""
    state = slots.optimizer_state(shapes) | {name for name in _BOOKKEEPING if name in shapes}
    return state, sorted(set(shapes) - state)


def _is_trained(state, model):
    """Whether there is a state to carry: slots or beta powers, or steps that a model counts."""
    slot_like = [name for name in state if not name.endswith("global_step")]
    return bool(slot_like) or bool(state) and getattr(model, "optimizer", None) is not None


# The map ----------------------------------------------------------------------


def _kept(targets, keep):
    paths = [weight.path for target in targets for weight in target.weights.values()]
    return set(naming.matching(keep, paths, "plan_keras(keep=...)")) if keep else set()


def _without(targets, paths):
    """The targets without some weights; those that have none left are gone."""
    rest = []
    for target in targets:
        weights = {role: w for role, w in target.weights.items() if w.path not in paths}
        if weights:
            rest.append(target._replace(weights=weights))
    return rest


def _apply_rules(given, weights, targets):
    """What a map says: ([(source, target)], the other sources, the other targets)."""
    sources = tensors.find(weights)
    if not given:
        return [], sources, targets
    place = "plan_keras(rules=...)"
    by_unit = {source.name: source for source in sources}
    new = naming.renamed(given, sorted({*by_unit, *weights}), place)
    by_name, by_path = layers.aliases(targets)
    paired = [(by_unit[n], by_name[new[n]]) for n in new if n in by_unit and new[n] in by_name]
    taken = {name for source, _ in paired for name in source.leaves.values()}
    taken.update(source.name for source, _ in paired)
    for name in sorted(set(new) - taken):
        if name in weights and new[name] in by_path:
            paired.append(_single(name, *by_path[new[name]]))
        elif name in weights:
            raise _no_such_layer(name, new[name], [*by_name, *by_path], place)
    paths = [w.path for _, target in paired for w in target.weights.values()]
    _refuse_twice(paths, place)
    used = {name for source, _ in paired for name in source.leaves.values()}
    for name in sorted(set(new) & set(by_unit)):
        if not used.issuperset(by_unit[name].leaves.values()):
            raise _no_such_layer(name, new[name], [*by_name, *by_path], place)
    shared = {s.leaves["kernel"] for s in sources if s.name.endswith("/projection")}
    left = tensors.find(set(weights) - (used - shared))
    done = {source.name for source, _ in paired}
    return paired, [s for s in left if s.name not in done], _without(targets, set(paths))


def _single(name, role, weight):
    """The units of one tensor and one weight, which a map pairs."""
    source = tensors.Source(name, "plain", {"variable": name})
    return source, layers.Target(weight.path, "variable", {role: weight}, {})


def _no_such_layer(name, new, known, place):
    near = difflib.get_close_matches(new, known, n=3, cutoff=0.4)
    return NothingMatchedError(
        place,
        f"a layer or weight of the model for {name!r}",
        f"{new!r}, which it does not have",
        "Did you mean {}?".format(" or ".join(map(repr, near)))
        if near
        else "It has {}.".format(", ".join(known[:8])),
    )


def _refuse_twice(found, place):
    twice = [name for name, count in collections.Counter(found).items() if count > 1]
    if twice:
        raise MatchedTwiceError(
            place,
            "one source for each layer and weight",
            f"several for {twice[0]!r}",
            "Mend the map, or drop the others.",
        )


def _mapped(pair, fit):
    found = fit(*pair)
    if isinstance(found, fits.Misfit):
        source, target = pair
        raise PlanError(
            "plan_keras(rules=...)",
            f"tensors that fit {target.kind} {target.name!r}",
            f"{source.name!r}: {found.reason}",
            "Map it elsewhere, or bring it into shape first: ckpt rename --map.",
        )
    return matching.Match(*pair, found, "map")


def _forget_biases(given, sources):
    """{name of a source: forget bias that was given for it}."""
    names = [source.name for source in sources]
    if given is None:
        return {}
    if not isinstance(given, dict):
        return {name: float(given) for name in names}
    found = naming.matching(list(given), names, "plan_keras(forget_bias=...)")
    return {name: float(given[pattern]) for name, pattern in found.items()}


# Checks -------------------------------------------------------------------------


def _require_types(matches, held):
    """Raises if a tensor's type is not the weight's, and not exact in it."""
    for found in matches:
        for role, weight in found.target.weights.items():
            for name in fits.tensors_of(found.fit, role):
                if not _is_exact(held[name][0], weight.dtype):
                    raise CastError(
                        f"{name!r} for {weight.path!r}",
                        f"{weight.dtype}, as the model has it",
                        held[name][0],
                        f"Cast it first: tfgraphtools ckpt cast --to {weight.dtype} --only "
                        f"'{naming.exactly(name)}'.",
                    )


def _is_exact(found, wanted):
    import numpy as np

    if found == wanted:
        return True
    found = "float32" if found.startswith(("bfloat16", "float8")) else found
    try:
        return np.can_cast(np.dtype(found), np.dtype(wanted), "safe")
    except TypeError:
        return False


def _notes(plan):
    notes = [note for found in plan.matches for note in found.fit.notes]
    if plan.state is not None:
        notes += plan.state.notes
    averages = [name for name in plan.dropped if name.endswith("/ExponentialMovingAverage")]
    if averages:
        notes.append("moving averages are dropped; 'ckpt rename' with alias makes them the weights")
    return notes


class KerasPlan:
    """Which tensor becomes which weight; made by `plan_keras`.

    Attributes:
      model: the Keras model.
      matches: the pairs of units.
      state: what the model's optimizer takes over, or None.
      kept: paths of weights that stay as they are.
      dropped: tensors that are left out.
      notes: sentences that the user should read.
    """

    def __init__(self, ckpt, model, matches, kept, dropped):
        self.checkpoint, self.model, self.matches = ckpt, model, matches
        self.kept, self.dropped = kept, dropped
        self.state, self.notes = None, []

    def apply(self, destination=None, overwrite=False):
        """Sets the model's weights, and writes it.

        Every tensor is checked against its checksum before the first weight changes; then one
        after the other is read, converted and set.

        Args:
          destination: ``x.weights.h5`` or ``x.keras``, or None.
          overwrite: replace a file that is there.

        Returns:
          The destination.

        Raises:
          DamagedCheckpointError, DestinationError: nothing was changed or written then.
        """
        if destination is not None:
            destination = os.fspath(destination)
            models.require_destination(destination, overwrite)
        for name in sorted(self._used()):
            self.checkpoint.check(name)
        for found in self.matches:
            arrays = {
                argument: self.checkpoint.read(name, check=False)
                for argument, name in found.fit.leaves.items()
            }
            for role, array in found.fit.convert(arrays).items():
                found.target.weights[role].variable.assign(array)
        if self.state is not None:
            optimizer_state.apply(self.model, self.state, self.checkpoint)
        self.checkpoint.check_unchanged()
        if destination is not None:
            models.write(self.model, destination, overwrite)
        return destination

    def _used(self):
        used = {name for found in self.matches for name in found.fit.leaves.values()}
        if self.state is not None:
            for row in self.state.rows:
                used.update(name for names in row.slots.values() for name in names.values())
        return used

    def rows(self):
        """A `WeightRow` for every weight of the model, in the model's order."""
        by_path = {}
        for found in self.matches:
            for role, weight in found.target.weights.items():
                by_path[weight.path] = WeightRow(
                    weight.path,
                    weight.dtype,
                    weight.shape,
                    fits.tensors_of(found.fit, role),
                    found.fit.steps.get(role, ""),
                    found.how,
                )
        rows = []
        for target in layers.find(self.model):
            for weight in target.weights.values():
                kept = WeightRow(weight.path, weight.dtype, weight.shape, (), "", "kept")
                rows.append(by_path.get(weight.path, kept))
        return rows

    def __str__(self):
        lines = [
            "{} {} {}{}{}".format(
                row.path,
                row.dtype,
                list(row.shape),
                " <- {} (by {}{})".format(
                    " + ".join(row.sources), row.how, "; " + row.step if row.step else ""
                )
                if row.sources
                else "",
                " (kept)" if not row.sources else "",
            )
            for row in self.rows()
        ]
        if self.state is not None:
            lines.append(
                f"optimizer: {self.state.kind}, {len(self.state.rows)} weights with slots, "
                f"{self.state.steps} steps"
            )
        lines += [f"- {name}" for name in self.dropped]
        return "\n".join(lines + ["note: " + note for note in self.notes])
