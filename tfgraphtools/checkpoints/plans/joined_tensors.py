"""The steps of a plan that change how many tensors or slices there are."""

from tfgraphtools.checkpoints.plans import rules
from tfgraphtools.checkpoints.plans.drafts import Draft
from tfgraphtools.checkpoints.plans.plan_steps import matched, require_table
from tfgraphtools.errors import CollisionError, PlanError


def apply_concat(drafts, concat):
    """Joins tensors under new names; returns the new names."""
    require_table(concat or {}, "concat")
    from_names = []
    for name, value in (concat or {}).items():
        place = f"plan(concat={{{name!r}: ...}})"
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
    from tfgraphtools.checkpoints.plans.tensor_expressions import Concat

    signatures = {(p.dtype.name, p.shape[:axis] + p.shape[axis + 1 :], len(p.shape)) for p in parts}
    if len(signatures) != 1 or not 0 <= axis < len(parts[0].shape):
        raise PlanError(
            place,
            f"tensors of one type that fit together along axis {axis}",
            ", ".join(f"{p.dtype.name} {list(p.shape)}" for p in parts) or "none",
            "Transpose, reshape or cast them first.",
        )
    sources = [source for part in parts for source in part.sources]
    steps = [step for part in parts for step in part.steps] + [f"concatenated along {axis}"]
    return Draft.of(Concat([part.expression() for part in parts], axis), sources, steps)


def apply_split(drafts, split):
    """Cuts tensors into equal parts under new names; returns the new names."""
    require_table(split or {}, "split")
    added = []
    for name, value in (split or {}).items():
        place = f"plan(split={{{name!r}: ...}})"
        new_names, axis = _pair(value, place, list)
        if name not in drafts:
            raise rules.nothing_matched(place, name, list(drafts))
        draft = drafts.pop(name)
        for new, part in zip(new_names, _cut(draft, len(new_names), axis, place)):
            _put(drafts, new, part, place)
            added.append(new)
    return added


def _cut(draft, count, axis, place):
    from tfgraphtools.checkpoints.plans.tensor_expressions import Slice

    if not 0 <= axis < len(draft.shape) or not count or draft.shape[axis] % count:
        raise PlanError(
            place,
            f"an axis whose size {count} parts divide",
            f"axis {axis} of {list(draft.shape)}",
            "Use slice= for parts of several sizes.",
        )
    size = draft.shape[axis] // count
    for i in range(count):
        index = (slice(None),) * axis + (slice(i * size, (i + 1) * size),)
        words = f"part {i + 1} of {count} along {axis}"
        yield Draft.of(Slice(draft.expression(), index), draft.sources, draft.steps + (words,))


def _put(drafts, name, draft, place):
    if name in drafts:
        raise CollisionError(
            place,
            "a name that is free",
            f"{name!r}, which the checkpoint has",
            "Drop that tensor, or rename afterwards.",
        )
    drafts[name] = draft


def apply_partition(drafts, partition):
    """Cuts tensors into slices as a partitioned variable has them, or joins those."""
    for name, value in matched(drafts, partition, "partition"):
        draft = drafts[name]
        place = f"plan(partition={{{name!r}: ...}})"
        count, axis = _pair(value, place, int)
        if count == 1:
            draft.partition(None, "slices joined")
            continue
        if not 0 <= axis < len(draft.shape) or not 0 < count <= draft.shape[axis]:
            raise PlanError(
                place,
                "between 1 and as many parts as the axis has elements",
                f"{count} parts along {axis} of {list(draft.shape)}",
                "Use fewer parts.",
            )
        draft.partition(list(_even_slices(draft.shape, count, axis)), f"{count} slices")


def _even_slices(shape, count, axis):
    """Returns bounds as TF's partitioners give them: the first slices are larger by one."""
    size, larger = divmod(shape[axis], count)
    start = 0
    for i in range(count):
        stop = start + size + (i < larger)
        yield tuple((start, stop) if k == axis else (0, n) for k, n in enumerate(shape))
        start = stop


def _pair(value, place, first):
    """Returns the two items of a value, the second a number; `PlanError` if it is anything else."""
    try:
        first_item, axis = value
        return first_item if first is int else list(first_item), int(axis)
    except (TypeError, ValueError) as error:
        raise PlanError(
            place,
            "({}, axis)".format("number of parts" if first is int else "list of names"),
            f"{value!r} ({error})",
            "Write {}.".format("(2, 0)" if first is int else "(['a', 'b'], 0)"),
        )
