"""The steps of a plan: each changes the drafts whose names its patterns match."""

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.extents import elements
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.plans import rules
from tfgraphtools.checkpoints.plans.drafts import Draft, Piece, Target
from tfgraphtools.errors import PlanError

_CASTABLE = dtypes.IN_NUMPY + ("bfloat16",)


def stored_drafts(ckpt):
    """Returns {name: Draft} of a checkpoint as it is."""
    return {name: Draft(ckpt, name) for name in ckpt}


def apply_alias(drafts, alias):
    """Gives the bytes of some tensors more names, in the place of what has them."""
    if not alias:
        return
    each = [[rule] for rule in alias] if isinstance(alias, (list, tuple)) else [alias]
    aliases = {}
    for old, name in _all_new_names(each, list(drafts)):
        if name == old:
            continue
        if name in aliases:
            raise PlanError(
                "plan(alias=...)",
                f"one source for {name!r}",
                f"{aliases[name].sources[0]!r} and {old!r}",
                "Narrow the rule.",
            )
        aliases[name] = drafts[old].copy()
        aliases[name].steps += ("alias",)
        if name in drafts:
            aliases[name].steps += (f"replaces {name}",)
    drafts.update(aliases)


def _all_new_names(each, names):
    """Yields (name, new name) of every alias rule for itself: one tensor may get several names."""
    for rule in each:
        yield from rules.renamed(rule, names, "plan(alias=...)").items()


def apply_values(drafts, arguments):
    """Slices, transposes and reshapes, in this order."""
    for kind in ("slice", "transpose", "reshape"):
        for name, argument in matched(drafts, arguments[kind], kind):
            _STEPS[kind](drafts[name], argument, f"plan({kind}={{{name!r}: ...}})")


def matched(drafts, table, kind):
    """Yields (name, argument) for the names that the patterns of a table match, each once."""
    if not table:
        return
    require_table(table, kind)
    pattern_of = rules.matching(list(table), list(drafts), f"plan({kind}=...)")
    for name, pattern in pattern_of.items():
        yield name, table[pattern]


def require_table(table, kind):
    """Raises unless this argument of a plan is a dict."""
    if not isinstance(table, dict):
        raise PlanError(
            f"plan({kind}=...)",
            "a map from names to what to do",
            repr(table),
            "Write {'scope/w': ...}.",
        )


def _slice(draft, index, place):
    from tfgraphtools.checkpoints.plans.tensor_expressions import Slice

    try:
        expression = Slice(draft.expression(), index)
    except (IndexError, TypeError, ValueError) as error:
        raise PlanError(
            place,
            f"an index for the shape {list(draft.shape)}",
            f"{index!r} ({error})",
            "Write what goes in the brackets of an array: np.s_[:10].",
        )
    draft.then(expression, f"sliced from {list(draft.shape)}")


def _transpose(draft, permutation, place):
    from tfgraphtools.checkpoints.plans.tensor_expressions import Transpose

    try:
        permutation = tuple(map(int, permutation))
    except (TypeError, ValueError):
        permutation = (permutation,)
    if set(permutation) != set(range(len(draft.shape))) or len(permutation) != len(draft.shape):
        raise PlanError(
            place,
            f"a permutation of the {len(draft.shape)} axes",
            list(permutation),
            "For a matrix write [1, 0].",
        )
    draft.then(Transpose(draft.expression(), permutation), f"transposed {list(permutation)}")


def _reshape(draft, shape, place):
    from tfgraphtools.checkpoints.plans.tensor_expressions import Reshape

    shape = list(shape) if isinstance(shape, (list, tuple)) else [shape]
    if not all(isinstance(size, int) for size in shape):
        raise PlanError(place, "a list of sizes", repr(shape), "Write [3, -1].")
    count = elements(draft.shape)
    known = elements(size for size in shape if size != -1)
    if shape.count(-1) == 1 and known and count % known == 0:
        shape[shape.index(-1)] = count // known
    if any(size < 0 for size in shape) or elements(shape) != count:
        raise PlanError(
            place,
            f"a shape of {count} elements",
            str(shape),
            f"The tensor's shape is {list(draft.shape)}.",
        )
    draft.then(Reshape(draft.expression(), tuple(shape)), f"reshaped from {list(draft.shape)}")


_STEPS = {"slice": _slice, "transpose": _transpose, "reshape": _reshape}


def apply_cast(drafts, cast, allow, spared):
    """Casts by pattern, or all floating-point tensors that are not ``spared``.

    A pattern that matches weights spares beta powers: rounded, they count other steps.
    """
    if not cast:
        return
    if not isinstance(cast, dict):
        dtype = _castable(cast)
        chosen = [
            (name, dtype)
            for name, draft in drafts.items()
            if draft.dtype.kind == "f" and not set(draft.sources) & set(spared)
        ]
        if not chosen:
            raise rules.nothing_matched(f"plan(cast={cast!r})", "floating-point", list(drafts))
    else:
        chosen = [(name, _castable(dtype)) for name, dtype in _without_powers(drafts, cast)]
    for name, dtype in chosen:
        _cast(drafts[name], name, dtype, allow)


def _without_powers(drafts, cast):
    """Yields (name, type) of what patterns match, without beta powers beside other tensors."""
    pattern_of = rules.matching(list(cast), list(drafts), "plan(cast=...)")
    powers = optimizer_slots.powers({name: draft.shape for name, draft in drafts.items()})
    of_others = {pattern for name, pattern in pattern_of.items() if name not in powers}
    for name, dtype in matched(drafts, cast, "cast"):
        if name not in powers or pattern_of[name] not in of_others:
            yield name, dtype


def _castable(name):
    dtype = dtypes.by_name(name, "plan(cast=...)")
    if dtype.name not in _CASTABLE:
        raise PlanError(
            "plan(cast=...)",
            "one of {}".format(", ".join(sorted(_CASTABLE))),
            dtype.name,
            "Cast to one of these.",
        )
    return dtype


def _cast(draft, name, dtype, allow):
    from tfgraphtools.checkpoints.plans.tensor_expressions import Cast

    if draft.dtype == dtype:
        return
    place = f"the cast of {name!r}"
    if draft.dtype.kind in "sx":
        raise PlanError(
            place, "a tensor of numbers", draft.dtype.name, "Give a pattern that does not match it."
        )
    words = f"{draft.dtype.name} to {dtype.name}"
    draft.cast(lambda inner: Cast(inner, dtype, place, allow), dtype, words)


def added(add):
    """Returns targets for new tensors."""
    return [
        literal_target(name, value, "added", f"plan(add={{{name!r}: ...}})")
        for name, value in (add or {}).items()
    ]


def literal_target(name, value, words, place=None):
    """Returns a target whose values are at hand; ``words`` say where they come from."""
    from tfgraphtools.checkpoints.plans import (
        tensor_expressions,  # NumPy, which a rename can do without
    )

    literal = tensor_expressions.literal(value, place or repr(name))
    piece = Piece(None, literal.shape, None, literal)
    return Target(name, literal.dtype, literal.shape, (), (words,), False, [piece])
