"""The matching of a checkpoint's units and a model's: by map, by name, by shape, by order.

Units that fit the same others are interchangeable, and a group of them is
matched in one way or not at all: a few by name and the rest by what is left over
would be wrong without a word where Keras counted its layers on from another model.
"""

import collections
import difflib
import itertools

from tfgraphtools.checkpoints.matching.unit_fits import Fit, Fits
from tfgraphtools.checkpoints.names import name_parts as names
from tfgraphtools.checkpoints.names import pairing
from tfgraphtools.errors import UnmatchedError

#: A pair: a `Source`, a `Target`, their `Fit`, and how they found each other.
Match = collections.namedtuple("Match", "source target fit how")

_SHOWN = 6


def match(sources, targets, fit, alike=None):
    """Pairs every source with every target.

    Args:
      sources, targets: lists of `Source` and `Target`.
      fit: function of a source and a target that gives a `Fit` or a `Misfit`.
      alike: a `unit_fits.Alike`: then equal layers take linear work.

    Returns:
      A list of `Match`, in the order of the targets.

    Raises:
      UnmatchedError: a unit has no partner, or which one it has is not certain.
    """
    by_name = _by_equal_names(sources, targets, fit)
    if by_name is not None:
        return by_name
    fits = Fits(sources, targets, fit, alike)
    matches, unsure = [], []
    for some_s, some_t in fits.groups():
        group = [sources[s] for s in some_s], [targets[t] for t in some_t]
        certain, how = pairs(*group, fits, some_s, some_t)
        conversions = [fits[some_s[i], some_t[j]] for i, j in certain or ()]
        if certain is None or not all(isinstance(made, Fit) for made in conversions):
            unsure.append(group)
            continue
        for (i, j), made in zip(certain, conversions):
            matches.append((some_t[j], Match(group[0][i], group[1][j], made, how)))
    if unsure:
        raise _unmatched(unsure, sources, targets, fit)
    return [pair_match for _, pair_match in sorted(matches, key=lambda pair: pair[0])]


def _by_equal_names(sources, targets, fit):
    """Returns the matches if names alone pair all units, and each pair fits; else None.

    It is what the groups would say, in linear work: a group of such names is paired by them.
    """
    words = [[names.words(unit.name) for unit in units] for units in (sources, targets)]
    are_cells = any(unit.kind.endswith("Cell") for unit in [*sources, *targets])
    certain = None if are_cells or not all(words[0]) else pairing.by_equal_words(*words)
    if certain is None:
        return None
    matches = {}
    for s, t in certain:
        candidate = fit(sources[s], targets[t])
        if not isinstance(candidate, Fit):
            return None
        matches[t] = Match(sources[s], targets[t], candidate, "name")
    return [matches[t] for t in sorted(matches)]


def pairs(sources, targets, fits, some_s, some_t):
    """Pairs a group.

    Args:
      sources, targets: its units.
      fits: the `Fits` of all.
      some_s, some_t: the numbers of its units there.

    Returns:
      ([(source, target)], how), by numbers in the group; (None, "") if that is uncertain.
    """
    if len(sources) != len(targets):
        return None, ""
    if len(sources) == 1:
        words = _words(sources, targets)
        is_named = all(words[0]) and pairing.by_words(*words)
        return [(0, 0)], "name" if is_named else "the only fit"
    certain = pairing.by_words(*_words(sources, targets))
    if certain and all((some_s[i], some_t[j]) in fits for i, j in certain):
        return certain, "name"
    certain = _by_order(sources, targets)
    if certain and fits.is_complete(some_s, some_t):
        return certain, "order"
    return None, ""


def _words(sources, targets):
    """Returns ([words of each source], [of each target]); a cell's without how it is built."""
    are_cells = any(unit.kind.endswith("Cell") for unit in [*sources, *targets])
    of = names.cell_words if are_cells else names.words
    return [of(unit.name) for unit in sources], [of(unit.name) for unit in targets]


def _by_order(sources, targets):
    """Pairs in the order in which both were made, if the names of both sides tell it.

    The order of a model's weights does not: Keras sorts layers by their depth, and PyTorch modules
    by their registration.
    """
    orders = [pairing.order([unit.name for unit in units]) for units in (sources, targets)]
    return None if None in orders else list(zip(*orders))


# Errors -----------------------------------------------------------------------


def _unmatched(unsure, sources, targets, fit):
    """Returns the error that names what has no certain partner, and what is nearest to it."""
    problems = list(itertools.islice(_problems(unsure, sources, targets, fit), _SHOWN))
    total = sum(1 if all(group) else len(group[0]) + len(group[1]) for group in unsure)
    if total > _SHOWN:
        problems.append(f"and {total - _SHOWN} more")
    return UnmatchedError(
        "matching the model's weights with the checkpoint",
        "one unit of tensors for every layer, and a layer for every one",
        "; ".join(problems),
        "Say which with rules={'scope of the checkpoint': 'layer'} (--rule, --map); leave tensors "
        "out with drop=[...] (--drop), layers as they are with keep=[...] (--keep).",
    )


def _problems(unsure, sources, targets, fit):
    """Yields what is wrong with every group, in words; the nearest names take a while to find."""
    for some_sources, some_targets in unsure:
        if some_sources and some_targets:
            yield f"{_listed(some_targets)} could each be any of {_listed(some_sources)}"
            continue
        for source in some_sources:
            if source.kind == "refused":
                yield f"{source.name!r} is {source.reason}"
            else:
                yield f"no layer for {source.name!r}{_nearest(source, targets, fit)}"
        for target in some_targets:
            nearest = _nearest(target, sources, lambda layer, source: fit(source, layer))
            yield f"no tensors for {target.kind} {_target_text(target)}{nearest}"


def _listed(units):
    shown = [repr(unit.name) for unit in units[:_SHOWN]]
    return ", ".join(shown) + (f" and {len(units) - _SHOWN} more" if len(units) > _SHOWN else "")


def _target_text(target):
    shapes = ", ".join(f"{role} {list(w.shape)}" for role, w in sorted(target.weights.items()))
    return f"{target.name!r} ({shapes})" if target.name else f"the module ({shapes})"


def _nearest(unit, others, fit):
    """Returns " [the nearest name is ...", and the reason why that is not it]."""
    if not others:
        return ""
    roles = set(_roles(unit))

    def likeness(other):
        ratio = difflib.SequenceMatcher(None, unit.name, other.name, autojunk=False).ratio()
        return roles == set(_roles(other)), ratio

    other = max(others, key=likeness)
    misfit = fit(unit, other)
    reason = "" if isinstance(misfit, Fit) else f": {misfit.reason}"
    name = repr(other.name) if other.name else "the module"
    return f" [the nearest is {name}{reason}]"


def _roles(unit):
    return unit.weights if hasattr(unit, "weights") else unit.leaves
