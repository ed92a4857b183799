"""A draft of a map: layers paired by name where they agree, else in graph order and by shape.

Nothing is converted by it: whoever reads the draft corrects it and passes it as a map. Each pair
says how it was found and how sure it is; what has no pair is listed with its candidates.
"""

import collections
import difflib
from typing import Any, Dict, List

from tfgraphtools.checkpoints.matching import unit_matching
from tfgraphtools.checkpoints.matching.tensor_units import Source
from tfgraphtools.checkpoints.matching.unit_fits import Fit, Fits
from tfgraphtools.checkpoints.names import likeness
from tfgraphtools.checkpoints.names import name_parts as names

#: How sure a pair is: a conversion would take it; order and shapes leave nothing over; or some is.
CERTAIN, LIKELY, GUESS = "certain", "likely", "a guess"

#: A pair of a draft. ``source`` and ``target`` are names, ``reason`` says how it was found.
Pair = collections.namedtuple("Pair", "source target confidence reason")

_CANDIDATES = 5


class Draft:
    """A map to be: `pairs`, and what is `open`.

    Attributes:
      pairs: a list of `Pair`, in the order of the model.
      open: [(name, side, candidates, reason)] of what has no pair; side is "checkpoint" or "model".
    """

    def __init__(self, pairs: List[Pair], left: List[Any]):
        self.pairs, self.open = pairs, left

    def without(self, prefix):
        """Returns the draft with shorter names of the model's: without a prefix."""

        def short(name):
            return name[len(prefix) :] if prefix and name.startswith(prefix) else name

        pairs = [pair._replace(target=short(pair.target)) for pair in self.pairs]
        left = [
            (short(name) if side == "model" else name, side, list(map(short, near)), reason)
            for name, side, near, reason in self.open
        ]
        return Draft(pairs, left)

    def as_dict(self) -> Dict[str, Any]:
        """Returns what ``--write-draft`` writes and ``--map`` takes."""
        pairs = [
            {
                "from": pair.source,
                "to": pair.target,
                "confidence": pair.confidence,
                "reason": pair.reason,
            }
            for pair in self.pairs
        ]
        left = [
            {"name": name, "of": side, "candidates": candidates, "reason": reason}
            for name, side, candidates, reason in self.open
        ]
        return {"pairs": pairs, "open": left}

    def __str__(self):
        rows = [f"{p.source} -> {p.target} ({p.confidence}: {p.reason})" for p in self.pairs]
        for name, side, candidates, reason in self.open:
            names = ", ".join(candidates) or "none"
            rows.append(f"? {name} of the {side}: {reason}; candidates: {names}")
        return "\n".join(rows)


def draft(paired, sources, targets, fit, known, alike=None):
    """Pairs units as far as names, order and shapes tell.

    Args:
      paired: [(source, target)] of the user's rules.
      sources, targets: the other units.
      fit: function of a source and a target that gives a `Fit` or a `Misfit`.
      known: a `known.Known`: its graph says in which order layers compute.
      alike: as in `unit_matching.match`.

    Returns:
      A `Draft`.
    """
    pairs = {target.name: Pair(s.name, target.name, CERTAIN, "the map") for s, target in paired}
    sources, by_graph = _by_graph(sources, targets, known, fit)
    fits = Fits(sources, targets, fit, alike)
    left_s, left_t = set(range(len(sources))), set(range(len(targets)))
    for some_s, some_t in fits.groups():
        group = [sources[s] for s in some_s], [targets[t] for t in some_t]
        certain, how = unit_matching.pairs(*group, fits, some_s, some_t)
        for i, j in certain or ():
            source, target = group[0][i], group[1][j]
            pairs[target.name] = Pair(source.name, target.name, CERTAIN, how)
            left_s.discard(some_s[i])
            left_t.discard(some_t[j])
    order, words, is_computed = _order([sources[s] for s in sorted(left_s)], known)
    rest_s = [sorted(left_s)[i] for i in order]
    aligned = _aligned(rest_s, sorted(left_t), sources, targets, fits)
    whole = len(aligned) == len(rest_s) == len(left_t)
    for s, t, alike in aligned:
        is_likely = is_computed and (whole or alike >= likeness.LEAST)
        sure = LIKELY if is_likely else GUESS
        pairs[targets[t].name] = Pair(sources[s].name, targets[t].name, sure, words)
        left_s.discard(s)
        left_t.discard(t)
    place = {target.name: i for i, target in enumerate(targets)}
    in_order = sorted(pairs.values(), key=lambda pair: place.get(pair.target, -1))
    in_order = [part for pair in in_order for part in _parts(pair, by_graph, targets)]
    return Draft(in_order, _open(left_s, left_t, sources, targets, fits, fit))


def _by_graph(sources, targets, known, fit):
    """Returns (units of which the graph says the roles where names do not, {name: its `Source`}).

    Units that fit some target stay as their names say.
    """
    unfit = [
        source
        for source in sources
        if source.kind == "plain"
        and not any(isinstance(fit(source, target), Fit) for target in targets)
    ]
    tensors = {name for source in unfit for name in source.leaves.values()}
    units = [
        Source(leaves.get("kernel", min(leaves.values())), "plain", leaves)
        for leaves in known.layers(sorted(tensors))
    ]
    units = [u for u in units if any(isinstance(fit(u, target), Fit) for target in targets)]
    taken = {name for unit in units for name in unit.leaves.values()}
    left = [source for source in sources if not taken.intersection(source.leaves.values())]
    return left + units, {unit.name: unit for unit in units}


def _parts(pair, by_graph, targets):
    """Returns the pairs of the tensors of a unit that no name makes one: a map names each."""
    unit = by_graph.get(pair.source)
    if unit is None:
        return [pair]
    (target,) = [target for target in targets if target.name == pair.target]
    return [
        pair._replace(source=name, target=target.weights[role].path)
        for role, name in unit.leaves.items()
        if role in target.weights
    ]


def _order(sources, known):
    """Returns (indices in the order of computation, what says it, whether it is a graph)."""
    places = [known.place(source.leaves) for source in sources]
    if sources and None not in places:
        order = sorted(range(len(sources)), key=places.__getitem__)
        return order, f"order and shapes, by {known.path}", True
    order = sorted(range(len(sources)), key=lambda i: names.natural(sources[i].name))
    return order, "order of the names, and shapes", False


def _aligned(rest_s, rest_t, sources, targets, fits):
    """Returns [(source, target, likeness)]: the most pairs that fit and keep both orders.

    Of several such alignments, the one whose names are the most alike.
    """
    words_s = {s: likeness.words(sources[s].name) for s in rest_s}
    words_t = {t: likeness.words(targets[t].name) for t in rest_t}

    def alike(s, t):
        return likeness.score(words_s[s], words_t[t], sources[s].name, targets[t].name)

    scores = {(s, t): alike(s, t) for s in rest_s for t in rest_t if (s, t) in fits}
    columns = len(rest_t) + 1
    best = [[0.0] * columns]
    for s in rest_s:
        above, row = best[-1], [0.0] * columns
        for j, t in enumerate(rest_t):
            row[j + 1] = max(above[j + 1], row[j])
            score = scores.get((s, t))
            if score is not None:
                row[j + 1] = max(row[j + 1], above[j] + 1 + score / 2)
        best.append(row)
    aligned, i, j = [], len(rest_s), len(rest_t)
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pair = rest_s[i], rest_t[j]
            aligned.append((*pair, scores[pair]))
    return aligned[::-1]


def _open(left_s, left_t, sources, targets, fits, fit):
    left = []
    for s in sorted(left_s):
        near = [targets[t].name for t in sorted(left_t) if (s, t) in fits]
        left.append(_unpaired(sources[s], "checkpoint", near, targets, fit))
    for t in sorted(left_t):
        near = [sources[s].name for s in sorted(left_s) if (s, t) in fits]
        left.append(
            _unpaired(
                targets[t], "model", near, sources, lambda target, source: fit(source, target)
            )
        )
    return left


def _unpaired(unit, side, near, others, fit):
    """Returns (name, side, candidates, why it has no pair)."""
    near = sorted(near, key=lambda name: -_ratio(name, unit.name))[:_CANDIDATES]
    reason = "its place in the order is not certain" if near else "nothing of its shapes is left"
    if getattr(unit, "kind", "") == "refused":
        reason = unit.reason
    elif not near and others:
        nearest = max(others, key=lambda other: _ratio(other.name, unit.name))
        misfit = fit(unit, nearest)
        if not isinstance(misfit, Fit):
            reason += f"; {nearest.name}: {misfit.reason}"
    return unit.name, side, near, reason


def _ratio(name, other):
    return difflib.SequenceMatcher(None, name, other, autojunk=False).ratio()
