"""The arguments of `plan_keras` about names: rules, and what to drop, keep and add."""

import collections
import difflib

from tfgraphtools.checkpoints.keras import keras_fits, keras_layers, tensor_units, unit_matching
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.plans import rules as naming
from tfgraphtools.errors import ArgumentError, MatchedTwiceError, NothingMatchedError, PlanError


def dropped(shapes, drop, place):
    """Returns the tensors to leave out, of {name: shape}; with a variable go its slots."""
    if not drop:
        return set()
    matching_names = set(naming.matching(drop, list(shapes), place))
    owned = optimizer_slots.find(shapes)
    return matching_names | {
        slot for slot, (variable, _) in owned.items() if variable in matching_names
    }


def kept(targets, keep):
    """Returns the paths of the weights that stay as they are in the model."""
    paths = [weight.path for target in targets for weight in target.weights.values()]
    return set(naming.matching(keep, paths, "plan_keras(keep=...)")) if keep else set()


def without(targets, paths):
    """Returns the targets without some weights; those that have none left are gone."""
    remaining = []
    for target in targets:
        weights = {role: w for role, w in target.weights.items() if w.path not in paths}
        if weights:
            remaining.append(target._replace(weights=weights))
    return remaining


def apply_rules(map_or_rules, weights, targets, find):
    """Returns what a map says: ([(source, target)], the other sources, the other targets).

    Args:
      find: function of names of tensors that gives their units.
    """
    sources = find(weights)
    if not map_or_rules:
        return [], sources, targets
    place = "plan_keras(rules=...)"
    by_unit = {source.name: source for source in sources}
    new = naming.renamed(map_or_rules, sorted({*by_unit, *weights}), place)
    by_name, by_path = keras_layers.aliases(targets)
    paired = [(by_unit[n], by_name[new[n]]) for n in new if n in by_unit and new[n] in by_name]
    taken = {name for source, _ in paired for name in source.leaves.values()}
    taken.update(source.name for source, _ in paired)
    singles = set()
    for name in sorted(set(new) - taken):
        if name in weights and new[name] in by_path:
            paired.append(_single(name, *by_path[new[name]]))
            singles.add(name)
        elif name in weights:
            raise unknown(name, new[name], [*by_name, *by_path], place, "layer or weight")
    paths = [w.path for _, target in paired for w in target.weights.values()]
    _refuse_twice(paths, place)
    used = {name for source, _ in paired for name in source.leaves.values()}
    for name in sorted(set(new) & set(by_unit)):
        if not used.issuperset(by_unit[name].leaves.values()):
            raise unknown(name, new[name], [*by_name, *by_path], place, "layer or weight")
    done = {source.name for source, _ in paired}
    left = []
    for source in sources:
        remaining = set(source.leaves.values()) - singles
        if source.name not in done and len(remaining) == len(source.leaves):
            left.append(source)
        elif source.name not in done:
            left += find(remaining)
    return paired, left, without(targets, set(paths))


def mapped(pair, fit, place):
    """Returns the `Match` of two units that a rule pairs.

    Raises:
      PlanError: the one does not fit the other.
    """
    conversion = fit(*pair)
    if isinstance(conversion, keras_fits.Misfit):
        source, target = pair
        raise PlanError(
            place,
            f"tensors that fit {target.kind} {target.name!r}",
            f"{source.name!r}: {conversion.reason}",
            "Map it to another weight, or reshape it first: ckpt rename --map.",
        )
    return unit_matching.Match(*pair, conversion, "map")


def _single(name, role, weight):
    """Returns the units of one tensor and one weight, which a map pairs."""
    source = tensor_units.Source(name, "plain", {"variable": name})
    return source, keras_layers.Target(weight.path, "variable", {role: weight}, {})


def unknown(name, new, known, place, kinds):
    """Returns the error of a rule that maps `name` to `new`, no layer or weight."""
    near = difflib.get_close_matches(new, known, n=3, cutoff=0.4)
    return NothingMatchedError(
        place,
        f"a {kinds} of the model for {name!r}",
        f"{new!r}, which it does not have",
        "Did you mean {}?".format(" or ".join(map(repr, near)))
        if near
        else "It has {}.".format(", ".join(known[:8])),
    )


def _refuse_twice(paths, place):
    twice = [name for name, count in collections.Counter(paths).items() if count > 1]
    if twice:
        raise MatchedTwiceError(
            place,
            "one source for each layer and weight",
            f"several for {twice[0]!r}",
            "Correct the map, or drop the others.",
        )


def forget_biases(bias, sources):
    """Returns {name of a source: forget bias that was given for it}."""
    names = [source.name for source in sources]
    if bias is None:
        return {}
    if not isinstance(bias, dict):
        return {name: float(bias) for name in names}
    pattern_of = naming.matching(list(bias), names, "plan_keras(forget_bias=...)")
    return {name: float(bias[pattern]) for name, pattern in pattern_of.items()}


def told(facts, sources, place):
    """Returns {name of a source: {question: value}} of what the caller says of scopes."""
    pattern_of = naming.matching(list(facts or ()), [source.name for source in sources], place)
    return {name: facts[pattern] for name, pattern in pattern_of.items()}


def by_scope(values, sources, read, place):
    """Returns {source's name: its value}, of one value for all or {pattern: value}."""
    names = [source.name for source in sources]
    if values is None:
        return {}
    if not isinstance(values, dict):
        return {name: read(values) for name in names}
    pattern_of = naming.matching(list(values), names, place)
    return {name: read(values[pattern]) for name, pattern in pattern_of.items()}


def sizes_of_map(value):
    """Returns a shape that was flattened, as a tuple; False where none was.

    Raises:
      ArgumentError: it is neither.
    """
    if value is False:
        return False
    try:
        sizes = tuple(int(size) for size in value)
    except (TypeError, ValueError):
        sizes = ()
    if len(sizes) < 2 or min(sizes) < 1:
        raise ArgumentError(
            "flatten=...",
            "(height, width, channels), or False",
            repr(value),
            "Write flatten={'dense': (7, 7, 64)} (--flatten dense 7,7,64).",
        )
    return sizes
