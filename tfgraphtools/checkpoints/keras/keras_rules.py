"""The arguments of `plan_keras` about names: rules, and what to drop, keep and add."""

import collections

from tfgraphtools.checkpoints.keras import keras_layers
from tfgraphtools.checkpoints.matching import tensor_units, unit_rules
from tfgraphtools.checkpoints.matching.unit_rules import unknown
from tfgraphtools.checkpoints.plans import rules as naming
from tfgraphtools.errors import MatchedTwiceError


def kept(targets, keep):
    """Returns the paths of the weights that stay as they are in the model."""
    paths = [weight.path for target in targets for weight in target.weights.values()]
    return set(naming.matching(keep, paths, "plan_keras(keep=...)")) if keep else set()


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
    return paired, left, unit_rules.without(targets, set(paths))


def _single(name, role, weight):
    """Returns the units of one tensor and one weight, which a map pairs."""
    source = tensor_units.Source(name, "plain", {"variable": name})
    return source, keras_layers.Target(weight.path, "variable", {role: weight}, {})


def _refuse_twice(paths, place):
    twice = [name for name, count in collections.Counter(paths).items() if count > 1]
    if twice:
        raise MatchedTwiceError(
            place,
            "one source for each layer and weight",
            f"several for {twice[0]!r}",
            "Correct the map, or drop the others.",
        )
