"""The steps of a plan: each changes the drafts whose names its patterns match."""

from tfgraphtools.checkpoints import dtypes, rules
from tfgraphtools.checkpoints.drafts import Draft, Piece, Target
from tfgraphtools.checkpoints.extents import elements
from tfgraphtools.errors import CollisionError, PlanError

_CASTABLE = {
    "float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64",
    "uint8", "uint16", "uint32", "uint64", "bool", "complex64", "complex128",
}


def stored_drafts(ckpt):
    """{name: Draft} of a checkpoint as it is."""
    return {name: Draft(ckpt, name) for name in ckpt}


def apply_alias(drafts, alias):
    """Gives the bytes of some tensors a second name, in the place of what has it."""
    if not alias:
        return
    new = rules.renamed(alias, list(drafts), "plan(alias=...)")
    made = {}
    for old, name in new.items():
        if name == old:
            continue
        if name in made:
            raise PlanError(
                "plan(alias=...)", "one source for {!r}".format(name),
                "{!r} and {!r}".format(made[name].sources[0], old), "Narrow the rule.",
            )
        made[name] = drafts[old].copy()
        made[name].steps += ("alias",)
        if name in drafts:
            made[name].steps += ("replaces {}".format(name),)
    drafts.update(made)


def apply_values(drafts, given):
    """Slices, transposes and reshapes, in this order."""
    for kind in ("slice", "transpose", "reshape"):
        for name, argument in _matched(drafts, given[kind], kind):
            _STEPS[kind](drafts[name], argument, "plan({}={{{!r}: ...}})".format(kind, name))


def _matched(drafts, table, kind):
    """Yields (name, argument) for the names that the patterns of a table match, each once."""
    if not table:
        return
    _require_table(table, kind)
    found = rules.matching(list(table), list(drafts), "plan({}=...)".format(kind))
    for name, pattern in found.items():
        yield name, table[pattern]


def _require_table(table, kind):
    if not isinstance(table, dict):
        raise PlanError(
            "plan({}=...)".format(kind), "a map from names to what to do", repr(table),
            "Write {'scope/w': ...}.")


def _pair(value, place, first):
    """The two items of a value, the second a number; `PlanError` if it is anything else."""
    try:
        one, axis = value
        return one if first is int else list(one), int(axis)
    except (TypeError, ValueError) as error:
        raise PlanError(
            place, "({}, axis)".format("number of parts" if first is int else "list of names"),
            "{!r} ({})".format(value, error), "Write {}.".format("(2, 0)" if first is int else "(['a', 'b'], 0)"))


def _slice(draft, index, place):
    from tfgraphtools.checkpoints.expressions import Slice

    try:
        expression = Slice(draft.expression(), index)
    except (IndexError, TypeError, ValueError) as error:
        raise PlanError(
            place, "an index for the shape {}".format(list(draft.shape)),
            "{!r} ({})".format(index, error), "Write what goes in the brackets of an array: np.s_[:10].",
        )
    draft.then(expression, "sliced from {}".format(list(draft.shape)))


def _transpose(draft, permutation, place):
    from tfgraphtools.checkpoints.expressions import Transpose

    try:
        permutation = tuple(map(int, permutation))
    except (TypeError, ValueError):
        permutation = (permutation,)
    if set(permutation) != set(range(len(draft.shape))) or len(permutation) != len(draft.shape):
        raise PlanError(
            place, "a permutation of the {} axes".format(len(draft.shape)), list(permutation),
            "For a matrix write [1, 0].",
        )
    draft.then(Transpose(draft.expression(), permutation), "transposed {}".format(list(permutation)))


def _reshape(draft, shape, place):
    from tfgraphtools.checkpoints.expressions import Reshape

    shape = list(shape) if isinstance(shape, (list, tuple)) else [shape]
    if not all(isinstance(size, int) for size in shape):
        raise PlanError(place, "a list of sizes", repr(shape), "Write [3, -1].")
    count = elements(draft.shape)
    known = elements(size for size in shape if size != -1)
    if shape.count(-1) == 1 and known and count % known == 0:
        shape[shape.index(-1)] = count // known
    if any(size < 0 for size in shape) or elements(shape) != count:
        raise PlanError(
            place, "a shape of {} elements".format(count), str(shape),
            "The tensor's shape is {}.".format(list(draft.shape)),
        )
    draft.then(Reshape(draft.expression(), tuple(shape)), "reshaped from {}".format(list(draft.shape)))


_STEPS = {"slice": _slice, "transpose": _transpose, "reshape": _reshape}


def apply_cast(drafts, cast, allow, spared):
    """Casts by pattern, or all floating-point tensors that are not ``spared``."""
    if not cast:
        return
    if not isinstance(cast, dict):
        dtype = _castable(cast)
        chosen = [
            (name, dtype) for name, draft in drafts.items()
            if draft.dtype.kind == "f" and not set(draft.sources) & set(spared)
        ]
        if not chosen:
            raise rules.nothing_matched("plan(cast={!r})".format(cast), "floating-point", list(drafts))
    else:
        chosen = [(name, _castable(dtype)) for name, dtype in _matched(drafts, cast, "cast")]
    for name, dtype in chosen:
        _cast(drafts[name], name, dtype, allow)


def _castable(name):
    dtype = dtypes.by_name(name, "plan(cast=...)")
    if dtype.name not in _CASTABLE:
        raise PlanError(
            "plan(cast=...)", "one of {}".format(", ".join(sorted(_CASTABLE))), dtype.name,
            "Cast to one of these.",
        )
    return dtype


def _cast(draft, name, dtype, allow):
    from tfgraphtools.checkpoints.expressions import Cast

    if draft.dtype == dtype:
        return
    place = "the cast of {!r}".format(name)
    if draft.dtype.kind in "sx":
        raise PlanError(
            place, "a tensor of numbers", draft.dtype.name, "Give a pattern that does not match it.")
    words = "{} to {}".format(draft.dtype.name, dtype.name)
    draft.cast(lambda inner: Cast(inner, dtype, place, allow), dtype, words)


def apply_concat(drafts, concat):
    """Joins tensors under new names; returns the new names."""
    _require_table(concat or {}, "concat")
    from_names = []
    for name, value in (concat or {}).items():
        place = "plan(concat={{{!r}: ...}})".format(name)
        parts, axis = _pair(value, place, list)
        for part in parts:
            if part not in drafts:
                raise rules.nothing_matched(place, part, list(drafts))
        joined = _joined([drafts[part] for part in parts], axis, place)
        for part in dict.fromkeys(parts):
            del drafts[part]
        _put(drafts, name, joined, place)
        from_names.append(name)
    return from_names


def _joined(parts, axis, place):
    from tfgraphtools.checkpoints.expressions import Concat

    rest = {(p.dtype.name, p.shape[:axis] + p.shape[axis + 1 :], len(p.shape)) for p in parts}
    if len(rest) != 1 or not 0 <= axis < len(parts[0].shape):
        raise PlanError(
            place, "tensors of one type that fit together along axis {}".format(axis),
            ", ".join("{} {}".format(p.dtype.name, list(p.shape)) for p in parts) or "none",
            "Transpose, reshape or cast them first.",
        )
    sources = [source for part in parts for source in part.sources]
    steps = [step for part in parts for step in part.steps] + ["concatenated along {}".format(axis)]
    return Draft.of(Concat([part.expression() for part in parts], axis), sources, steps)


def apply_split(drafts, split):
    """Cuts tensors into equal parts under new names; returns the new names."""
    _require_table(split or {}, "split")
    made = []
    for name, value in (split or {}).items():
        place = "plan(split={{{!r}: ...}})".format(name)
        new_names, axis = _pair(value, place, list)
        if name not in drafts:
            raise rules.nothing_matched(place, name, list(drafts))
        draft = drafts.pop(name)
        for new, part in zip(new_names, _cut(draft, len(new_names), axis, place)):
            _put(drafts, new, part, place)
            made.append(new)
    return made


def _cut(draft, count, axis, place):
    from tfgraphtools.checkpoints.expressions import Slice

    if not 0 <= axis < len(draft.shape) or not count or draft.shape[axis] % count:
        raise PlanError(
            place, "an axis whose size {} parts divide".format(count),
            "axis {} of {}".format(axis, list(draft.shape)), "Use slice= for parts of several sizes.",
        )
    size = draft.shape[axis] // count
    for i in range(count):
        index = (slice(None),) * axis + (slice(i * size, (i + 1) * size),)
        words = "part {} of {} along {}".format(i + 1, count, axis)
        yield Draft.of(Slice(draft.expression(), index), draft.sources, draft.steps + (words,))


def _put(drafts, name, draft, place):
    if name in drafts:
        raise CollisionError(
            place, "a name that is free", "{!r}, which the checkpoint has".format(name),
            "Drop that tensor, or rename afterwards.",
        )
    drafts[name] = draft


def apply_partition(drafts, partition):
    """Cuts tensors into slices as a partitioned variable has them, or joins those."""
    for name, value in _matched(drafts, partition, "partition"):
        draft = drafts[name]
        place = "plan(partition={{{!r}: ...}})".format(name)
        count, axis = _pair(value, place, int)
        if count == 1:
            draft.partition(None, "slices joined")
            continue
        if not 0 <= axis < len(draft.shape) or not 0 < count <= draft.shape[axis]:
            raise PlanError(
                place, "between 1 and as many parts as the axis has elements",
                "{} parts along {} of {}".format(count, axis, list(draft.shape)), "Use fewer parts.",
            )
        draft.partition(list(_even_slices(draft.shape, count, axis)), "{} slices".format(count))


def _even_slices(shape, count, axis):
    """Bounds as TF's partitioners give them: the first slices are larger by one."""
    size, larger = divmod(shape[axis], count)
    start = 0
    for i in range(count):
        stop = start + size + (i < larger)
        yield tuple((start, stop) if k == axis else (0, n) for k, n in enumerate(shape))
        start = stop


def added(add):
    """Targets for new tensors."""
    targets = []
    for name, value in (add or {}).items():
        from tfgraphtools.checkpoints import expressions  # NumPy, which a rename can do without

        literal = expressions.literal(value, "plan(add={{{!r}: ...}})".format(name))
        piece = Piece(None, literal.shape, None, literal)
        targets.append(Target(name, literal.dtype, literal.shape, (), ("added",), False, [piece]))
    return targets
