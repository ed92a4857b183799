"""The proof of a conversion: two checkpoints compared tensor by tensor, through a map.

A map says which tensor of one is which of the other: {name: name}, or, where the numbers were
meant to change, {name: {"to": name, "factor": -0.1}}. What neither has a counterpart for is
listed: a proof that skips a tensor proves nothing.
"""

import collections
import collections.abc
import contextlib
from typing import Any, Dict, Optional

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.check.difference import compare_streams, stream
from tfgraphtools.checkpoints.format.type_hints import Patterns
from tfgraphtools.checkpoints.objects import object_places
from tfgraphtools.checkpoints.plans import rules
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY, Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import as_checkpoint
from tfgraphtools.errors import PlanError

#: A pair that is not the same. ``what``: "dtype", "shape" or "values"; ``a`` and ``b`` say it for
#: each side; ``elements``, ``max_abs`` and ``max_rel`` count values beyond the tolerance.
Mismatch = collections.namedtuple("Mismatch", "name to what a b elements max_abs max_rel")

#: Where a tensor goes: ``to`` is a name in the other, or None if it is left out on purpose;
#: its values are transposed by ``transpose`` and multiplied by ``factor`` before they are compared.
Pairing = collections.namedtuple("Pairing", "to transpose factor")
Pairing.__new__.__defaults__ = (None, None)

_ENTRY = ("to", "transpose", "factor", "optimizer", "slot", "hyper")


class Comparison:
    """The result of `verify_against`.

    Attributes:
      ok: True if every tensor has its counterpart, and they are the same.
      same: [(name in a, name in b)].
      changed: a list of `Mismatch`.
      missing: names of ``a`` that have no counterpart in ``b``.
      extra: names of ``b`` that nothing in ``a`` is the source of.
      left_out: names of ``a`` that the map leaves out.
    """

    def __init__(self, a: str, b: str):
        self.a, self.b = a, b
        self.same, self.changed, self.missing, self.extra, self.left_out = [], [], [], [], []

    @property
    def ok(self) -> bool:
        """True if nothing is changed, missing or extra."""
        return not (self.changed or self.missing or self.extra)

    def as_dict(self) -> Dict[str, Any]:
        """Returns everything, for JSON."""
        out = dict(vars(self), ok=self.ok)
        out["changed"] = [mismatch._asdict() for mismatch in self.changed]
        return out


def verify_against(
    a: Source, b: Source, map: Any = None, tolerance: float = 0.0, ignore: Optional[Patterns] = ()
) -> Comparison:
    """Compares two checkpoints tensor by tensor, through a map.

    Equal means bit for bit, or, with a tolerance, within it. Where the map says that numbers
    change, they are computed as the conversion does it, and compared bit for bit, too. In an
    object-based ``b``, what an optimizer was built with (its learning rate, ...), a step count
    that no tensor of ``a`` is, and the save_counter are not compared.

    Args:
      a: the source: as in `open_checkpoint`, an open checkpoint, or {name: array}.
      b: the converted copy, likewise.
      map: {name in a: where it went} or ordered (pattern, replacement) pairs; by default the same
        names. Where it went is a name in b (of an object-based one also a path of objects or a
        variable's name), None if it is left out on purpose, a list if to several places, or a dict:
        ``{"to": name, "transpose": axes, "factor": number}``, or for a slot whose numbers the
        optimizer's conversion changes
        ``{"to": name, "optimizer": "Momentum", "slot": "momentum", "hyper":
        {"learning_rate": 0.1}}``.
      tolerance: the largest absolute difference that is taken for equal.
      ignore: patterns of names in either that are not compared.

    Returns:
      A `Comparison`.

    Example:
      >>> verify_against({"w": np.ones(2)}, {"net/w": np.ones(2)}, {"w": "net/w"}).ok
      True

    Raises:
      NothingMatchedError: a name or pattern of the map, or of ``ignore``, is not in ``a``.
      PlanError: an entry of the map that is none.
    """
    with contextlib.ExitStack() as stack:
        a, b = (_opened(source, stack) for source in (a, b))
        return _compared(a, b, map, tolerance, ignore)


def _opened(source, stack):
    if isinstance(source, (Checkpoint, collections.abc.Mapping)):
        return source
    return stack.enter_context(as_checkpoint(source))


def map_of(plan: Any) -> Dict[str, Any]:
    """Returns the map that a `Plan` follows, for `verify_against`: where every tensor went.

    Example:
      >>> json.dump(map_of(plan), file)                                # doctest: +SKIP
    """
    from tfgraphtools.checkpoints.plans.tensor_expressions import Scaled

    entries = {name: None for name in plan.dropped}
    for target in plan.targets:
        if len(target.sources) != 1:
            continue
        entry = target.name
        expression = target.parts[0].expression if target.parts else None
        if isinstance(expression, Scaled):
            entry = {"to": target.name, "factor": expression.factor}
        entries.setdefault(target.sources[0], []).append(entry)
    return {
        name: entry[0] if entry and len(entry) == 1 else entry for name, entry in entries.items()
    }


def _compared(a, b, map_or_rules, tolerance, ignore):
    comparison = Comparison(getattr(a, "prefix", None), getattr(b, "prefix", None))
    places = _places(b)
    names = [name for name in a if name != GRAPH_KEY]
    unasked = _unasked(places)
    others = [name for name in b if name not in unasked]
    skipped = set(rules.matching(ignore, names + others, "ignore=")) if ignore else set()
    finder = object_places.Finder(b.object_graph, places) if places else None
    pairings = _pairings(map_or_rules, names, b, finder)
    reached = set()
    for name in names:
        if name in skipped:
            continue
        for pairing in pairings.get(name, [Pairing(name)]):
            if pairing.to is None:
                comparison.left_out.append(name)
            elif pairing.to not in b:
                comparison.missing.append(name)
            else:
                reached.add(pairing.to)
                _compare(a, b, name, pairing, tolerance, comparison)
    comparison.extra = [name for name in others if name not in reached and name not in skipped]
    return comparison


def _places(ckpt):
    graph = getattr(ckpt, "object_graph", None)
    return object_places.places(graph) if graph is not None else []


def _unasked(places):
    """Returns the keys of an object-based checkpoint that come from no tensor."""
    roles = (object_places.HYPER, object_places.COUNTER, object_places.STEPS)
    return {GRAPH_KEY} | {place.key for place in places if place.role in roles}


# The map ------------------------------------------------------------------------


def _pairings(map_or_rules, names, b, finder):
    """Returns {name: [`Pairing`]} of what the map names."""
    if map_or_rules is None:
        return {}
    if not isinstance(map_or_rules, collections.abc.Mapping):
        map_or_rules = rules.renamed(map_or_rules, names, "the map")
    known = set(names)
    for name in map_or_rules:
        if name not in known:
            raise rules.nothing_matched("the map", name, names)
    return {
        name: [_pairing(name, target, b, finder) for target in _as_list(entry)]
        for name, entry in map_or_rules.items()
    }


def _as_list(entry):
    return entry if isinstance(entry, list) else [entry]


def _pairing(name, entry, b, finder):
    place = f"the map: {name!r}"
    if entry is None:
        return Pairing(None)
    if isinstance(entry, str):
        return Pairing(_resolved(entry, b, finder))
    if not isinstance(entry, collections.abc.Mapping) or not isinstance(entry.get("to"), str):
        raise PlanError(place, "a name, null, or {'to': name, ...}", repr(entry), "Fix the map.")
    unknown = sorted(set(entry) - set(_ENTRY))
    if unknown:
        raise PlanError(
            place, "any of {}".format(", ".join(_ENTRY)), ", ".join(unknown), "Fix the map."
        )
    factor = entry.get("factor")
    kind, slot = entry.get("optimizer"), entry.get("slot")
    if kind is not None:
        known = optimizers.KINDS.get(kind)
        if known is None or slot not in [row.name for row in known.slots]:
            raise PlanError(
                place,
                "an optimizer and a slot of it: "
                + "; ".join(
                    "{} {}".format(k.name, ", ".join(row.name for row in k.slots))
                    for k in optimizers.KINDS.values()
                    if k.slots
                ),
                f"{kind!r}, {slot!r}",
                "Fix the map.",
            )
        if not optimizers.is_same(kind, slot):
            factor = optimizers.velocity_factor(kind, entry.get("hyper"))
    return Pairing(_resolved(entry["to"], b, finder), entry.get("transpose"), factor)


def _resolved(words, b, finder):
    """Returns a name in b: itself, or what a path of objects or a variable's name leads to."""
    places = [] if words in b or finder is None else finder.find(words)
    return places[0].key if len(places) == 1 else words


# One pair -----------------------------------------------------------------------


def _compare(a, b, name, pairing, tolerance, comparison):
    types = _type(a, name), _type(b, pairing.to)
    shapes = _shape(a, name), _shape(b, pairing.to)
    if pairing.transpose is not None:
        shapes = tuple(shapes[0][axis] for axis in pairing.transpose), shapes[1]
    if types[0] != types[1]:
        mismatch = ("dtype",) + types + (None, None, None)
    elif shapes[0] != shapes[1]:
        mismatch = ("shape", list(shapes[0]), list(shapes[1]), None, None, None)
    else:
        mismatch = _unequal(_values(a, name, pairing), _values(b, pairing.to), tolerance)
    if mismatch is None:
        comparison.same.append((name, pairing.to))
    else:
        comparison.changed.append(Mismatch(name, pairing.to, *mismatch))


def _values(ckpt, name, pairing=None):
    """Yields the values in flat blocks, as the map changes them."""
    import numpy as np

    if pairing is not None and pairing.transpose is not None:
        blocks = [np.asarray(ckpt[name]).transpose(pairing.transpose).reshape(-1)]
    elif isinstance(ckpt, Checkpoint):
        blocks = stream(ckpt, name)
    else:
        blocks = [np.asarray(ckpt[name]).reshape(-1)]
    for block in blocks:
        yield (
            block
            if pairing is None or pairing.factor is None
            else optimizers.scaled(block, pairing.factor)
        )


def _shape(ckpt, name):
    return tuple(ckpt.tensor(name).shape if isinstance(ckpt, Checkpoint) else ckpt[name].shape)


def _type(ckpt, name):
    return ckpt.tensor(name).dtype.name if isinstance(ckpt, Checkpoint) else str(ckpt[name].dtype)


def _unequal(left, right, tolerance):
    """Returns what differs between the blocks of two tensors of one type and shape, or None."""
    import numpy as np

    from tfgraphtools.checkpoints.plans.streams import aligned

    is_same, is_within, count, max_abs, max_rel = True, True, 0, 0.0, 0.0
    for left_block, right_block in aligned([left, right]):
        left_block, right_block = (
            np.ascontiguousarray(left_block),
            np.ascontiguousarray(right_block),
        )
        if left_block.dtype == object:
            is_same_block = left_block.tolist() == right_block.tolist()
        else:
            right_block = right_block.astype(left_block.dtype, copy=False)  # one byte order
            is_same_block = memoryview(left_block).cast("B") == memoryview(right_block).cast("B")
        if is_same_block:
            continue
        is_same = False
        differing, amount, relative = compare_streams(iter([left_block]), iter([right_block]))
        count += differing
        is_within &= differing == 0 or amount is not None and amount <= tolerance
        max_abs = None if amount is None else max(max_abs or 0.0, amount)
        max_rel = None if relative is None else max(max_rel or 0.0, relative)
    if is_same or tolerance and is_within:
        return None
    return "values", "", "", count, max_abs, max_rel
