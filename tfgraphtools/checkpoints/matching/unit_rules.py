"""What the caller of a conversion says of units by their names, for every target."""

from tfgraphtools.checkpoints.matching.unit_fits import Misfit
from tfgraphtools.checkpoints.matching.unit_matching import Match
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.plans import rules as naming
from tfgraphtools.errors import ArgumentError, NothingMatchedError, PlanError, did_you_mean, nearest


def dropped(shapes, drop, place):
    """Returns the tensors to leave out, of {name: shape}; with a variable go its slots."""
    if not drop:
        return set()
    matching_names = set(naming.matching(drop, list(shapes), place))
    owned = optimizer_slots.find(shapes)
    return matching_names | {
        slot for slot, (variable, _) in owned.items() if variable in matching_names
    }


def mapped(pair, fit, place):
    """Returns the `Match` of two units that a rule pairs.

    Raises:
      PlanError: the one does not fit the other.
    """
    conversion = fit(*pair)
    if isinstance(conversion, Misfit):
        source, target = pair
        raise PlanError(
            place,
            f"tensors that fit {target.kind} {target.name!r}",
            f"{source.name!r}: {conversion.reason}",
            "Map it to another weight, or reshape it first: ckpt rename --map.",
        )
    return Match(*pair, conversion, "map")


def unknown(name, new, known, place, kinds):
    """Returns the error of a rule that maps `name` to `new`, no layer or weight."""
    near = nearest(new, known)
    return NothingMatchedError(
        place,
        f"a {kinds} of the model for {name!r}",
        f"{new!r}, which it does not have",
        did_you_mean(near) or "It has {}.".format(", ".join(known[:8])),
    )


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


def without(targets, paths):
    """Returns the targets without some weights; those that have none left are gone."""
    remaining = []
    for target in targets:
        weights = {role: w for role, w in target.weights.items() if w.path not in paths}
        if weights:
            remaining.append(target._replace(weights=weights))
    return remaining
