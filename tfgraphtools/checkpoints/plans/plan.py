"""A plan: what a new checkpoint will hold, said before a byte of it is written.

`plan` is pure: it looks at names, types and shapes, and refuses what cannot be
done. `Plan.apply` writes (see `writer`). Tensors that keep their bytes are never
read: a rename costs the same for a megabyte and for a hundred gigabytes.
"""

import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from tfgraphtools.checkpoints.format.type_hints import Array, Path, Patterns, Progress, Rows, Rules
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.optimizers.state_names import AVERAGE
from tfgraphtools.checkpoints.plans import joined_tensors, plan_steps, rules
from tfgraphtools.checkpoints.plans.drafts import Piece
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY, Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import as_checkpoint
from tfgraphtools.errors import CollisionError, PlanError


def plan(
    ckpt: Source,
    rename: Rules = (),
    drop: Patterns = (),
    cast: Union[None, str, Mapping[str, str]] = None,
    alias: Optional[Mapping[str, str]] = (),
    slice: Optional[Mapping[str, Any]] = None,
    transpose: Optional[Mapping[str, Any]] = None,
    reshape: Optional[Mapping[str, Any]] = None,
    concat: Optional[Mapping[str, Any]] = None,
    split: Optional[Mapping[str, Any]] = None,
    partition: Optional[Mapping[str, Any]] = None,
    add: Optional[Mapping[str, Array]] = None,
    allow: Iterable[str] = (),
) -> "Plan":
    """Plans a new checkpoint made from an old one, and refuses what cannot be done.

    Without rules the plan is a plain copy. The rules are applied in this order, whatever the order
    in which they are given; a pattern (a regular expression) must match a whole name, and one that
    matches nothing is an error. The names are those of the checkpoint until ``rename`` runs.

    Args:
      ckpt: an open `Checkpoint`, or where one is, as in `open_checkpoint`: it stays open as long as
        the plan lives.
      alias: rules like ``rename``'s, but each by itself: the new name gets the bytes of the old
        one, which stays, and may get several. A tensor of the new name, if there is one, gives
        way: this is how moving averages become the weights.
      drop: patterns of the tensors to leave out.
      slice: {pattern: index}, such as ``{"embedding": np.s_[:1000]}``.
      transpose: {pattern: permutation of the axes}.
      reshape: {pattern: shape}, at most one size -1.
      cast: {pattern: type}, or one type for all floating-point tensors that are no state of an
        optimizer (slots, global_step and beta powers are never cast unless a pattern names them).
      allow: what a cast may do besides rounding: "overflow", "underflow", "wrap", "fraction",
        "imaginary". Without it, `Plan.check` and `Plan.apply` refuse such values and count them.
      concat: {new name: (list of names, axis)}; the parts are left out.
      split: {name: (list of new names, axis)}, into equal parts; the whole is left out.
      partition: {pattern: (number of slices, axis)}; (1, 0) joins those of a partitioned tensor.
      rename: {old name: new name}, all at once; or ordered (pattern, replacement) pairs, each
        applied to what the ones before made of a name. A moving average that gets the name of its
        variable takes its place.
      add: {name: array}: new tensors, under their final names.

    Returns:
      A `Plan`: print it, `check` it, `apply` it. Transposed, sliced, concatenated and split
      tensors come out in one piece, whatever partitioning they had: a Saver restores one tensor
      into any partitioning.

    Example:
      >>> made = plan("model.ckpt-1000", rename=[("old/(.*)", r"new/\\1")])   # doctest: +SKIP
      >>> made.apply("renamed/model.ckpt-1000")                        # doctest: +SKIP

    Raises:
      NothingMatchedError: a pattern or a name is not in the checkpoint.
      CollisionError: two sources would meet in one target.
      PlanError: an empty name, or a step that does not fit the shape or the type.
    """
    ckpt = as_checkpoint(ckpt)
    drafts = plan_steps.stored_drafts(ckpt)
    is_object_based = GRAPH_KEY in drafts
    plan_steps.apply_alias(drafts, alias)
    dropped = list(rules.matching(drop, list(drafts), "plan(drop=...)")) if drop else []
    for name in dropped:
        del drafts[name]
    plan_steps.apply_values(drafts, {"slice": slice, "transpose": transpose, "reshape": reshape})
    plan_steps.apply_cast(
        drafts, cast, allow, _optimizer_state(ckpt) if isinstance(cast, str) else ()
    )
    consumed = joined_tensors.apply_concat(drafts, concat) + joined_tensors.apply_split(
        drafts, split
    )
    joined_tensors.apply_partition(drafts, partition)
    names = _final_names(drafts, rename)
    replaced = (
        []
        if is_object_based
        else replaced_by_averages({name: draft.shape for name, draft in drafts.items()}, names)
    )
    for name in replaced:
        del drafts[name]
    dropped += replaced
    targets = [draft.target(names[name]) for name, draft in drafts.items()]
    targets += plan_steps.added(add)
    refuse_collisions(targets, "plan(rename=...)", _origin)
    if is_object_based and GRAPH_KEY in drafts:
        _rewrite_graph(ckpt, targets, names)
    notes = _notes(ckpt, consumed, targets, is_object_based)
    if replaced:
        more = ", ..." if len(replaced) > 4 else ""
        notes.append("moving averages take the place of " + ", ".join(replaced[:4]) + more)
    return Plan([ckpt], targets, dropped, notes)


def replaced_by_averages(shapes, names):
    """Finds variables whose moving averages a rule gives their names: the averages are meant.

    Args:
      shapes: {name: shape}.
      names: {name: new name} of all.
    """
    if len(set(names.values())) == len(names):
        return []
    return [
        owner
        for name, (owner, slot) in optimizer_slots.find(shapes).items()
        if slot.startswith(AVERAGE) and owner in shapes and names[name] == names[owner]
    ]


def _optimizer_state(ckpt):
    """Returns the optimizer's tensors and likely slots: a cast of everything spares both."""
    shapes = {name: ckpt.store.summary(name)[1] for name in ckpt}
    return optimizer_slots.optimizer_state(shapes, ckpt.object_graph).union(
        optimizer_slots.uncertain(shapes, ckpt.object_graph)
    )


def _final_names(drafts, rename):
    """Returns {draft's name: target's name}; TF looks for the object graph by its name."""
    candidates = [name for name in drafts if name != GRAPH_KEY]
    new = rules.renamed(rename, candidates, "plan(rename=...)") if rename else {}
    return {name: new.get(name, name) for name in drafts}


def refuse_collisions(targets, place, origin):
    """Raises if two targets have one name, or one has a name that no checkpoint can hold."""
    by_name = {}
    for target in targets:
        if not target.name or target.name[0] == "\0":
            raise PlanError(
                place,
                "names that are not empty and do not begin with a zero byte",
                f"{target.name!r} for {origin(target)}",
                "Correct the rule; with an empty name SaveV2 would abort the process.",
            )
        by_name.setdefault(target.name, []).append(target)
    met = {name: same_name for name, same_name in by_name.items() if len(same_name) > 1}
    if met:
        name, same_name = next(iter(met.items()))
        raise CollisionError(
            "{}: the target {!r}{}".format(
                place, name, f" and {len(met) - 1} more" if len(met) > 1 else ""
            ),
            "one source for each target",
            " and ".join(map(origin, same_name)),
            "Narrow a rule, or drop one of the sources.",
        )


def _origin(target):
    return " + ".join(map(repr, target.sources)) or "an added array"


def _rewrite_graph(ckpt, targets, names):
    """Makes the object graph name the new keys; without that, TF would restore nothing."""
    from tfgraphtools.checkpoints.format import object_graph
    from tfgraphtools.checkpoints.plans import tensor_expressions

    if all(names.get(name) == name for name in ckpt):
        return
    known = set(ckpt)
    graph = bytes(ckpt[GRAPH_KEY].item())
    new = object_graph.with_keys(graph, lambda key: names.get(key) if key in known else key)
    literal = tensor_expressions.literal(new, GRAPH_KEY)
    at = next(i for i, target in enumerate(targets) if target.name == GRAPH_KEY)
    targets[at] = targets[at]._replace(
        steps=("keys renamed",), parts=[Piece(None, (), None, literal)]
    )


def _notes(ckpt, consumed, targets, is_object_based):
    """Returns what the user should know but that is no error."""
    notes = []
    is_renamed = any(t.sources and t.sources != (t.name,) for t in targets)  # an added one is new
    if is_renamed and os.path.exists(ckpt.prefix + ".meta"):
        notes.append(
            f"{ckpt.prefix}.meta still has the old names: do not import it with the new checkpoint"
        )
    if is_object_based:
        new = [t.name for t in targets if not t.sources or t.name in consumed]
        if new:
            notes.append(
                "not in the object graph, so that TF 2 will not restore it: " + ", ".join(new[:8])
            )
    return notes


class Plan:
    """A checkpoint to be written; made by `plan`, `merge` and `average`.

    Attributes:
      targets: a list of `Target`, in the order of the names.
      dropped: the names that are left out.
      notes: sentences that the user should read.
    """

    def __init__(
        self,
        checkpoints: Sequence[Checkpoint],
        targets: Iterable[Any],
        dropped: Iterable[str] = (),
        notes: Iterable[str] = (),
    ):
        self.checkpoints = list(checkpoints)
        self.targets = sorted(targets, key=lambda target: target.name)
        self.dropped = list(dropped)
        self.notes = list(notes)

    def check(self) -> Any:
        """Computes everything without writing: raises what `apply` would raise.

        Example:
          >>> plan(ckpt, cast="float16").check()                       # doctest: +SKIP
        """
        for target in self.targets:
            for piece in target.parts:
                if piece.expression is not None:
                    for _ in piece.expression.blocks():
                        pass

    def apply(
        self,
        destination: Path,
        *,
        overwrite: bool = False,
        progress: Progress = None,
        compact: bool = False,
        link: bool = True,
    ) -> Any:
        """Writes the new checkpoint: in one step, or not at all.

        Unchanged shards are hard-linked, changed tensors go to a shard of their own. Everything is
        written beside the destination and flushed to the disk before the new index takes its
        place: whatever happens, a reader finds the old checkpoint or the new one.

        Args:
          destination: the prefix to write; it may be the prefix that was read (with ``overwrite``).
          compact: rewrite all bytes, without those that no tensor uses any more.
          overwrite: replace a checkpoint that is there.
          link: False copies the shards, for a result that shares no file with its source.
          progress: called now and then with (bytes done, bytes in all).

        Returns:
          A `writer.Result`: the prefix, and how many bytes were written, linked, and are dead.

        Raises:
          DestinationError: it is taken, its folder is missing, or the disk is full.
          CastError: a cast would lose values; nothing is written then.
          SourceChangedError: someone wrote to the source meanwhile; nothing is written then.
        """
        from tfgraphtools.checkpoints.plans import writer

        return writer.write(self, destination, compact, overwrite, link, progress)

    def view(self) -> Checkpoint:
        """Returns the result as an open `Checkpoint`, without writing it: for exports with rules.

        Example:
          >>> to_npz(plan(ckpt, drop=[".*Adam.*"]).view(), "m.npz")    # doctest: +SKIP
        """
        from tfgraphtools.checkpoints.plans import plan_views

        return plan_views.view(self)

    def rows(self) -> Rows:
        """Returns [(target, dtype, shape, sources, steps)] of all tensors, then the dropped."""
        rows = [(t.name, t.dtype.name, t.shape, t.sources, t.steps) for t in self.targets]
        return rows + [(None, None, None, (name,), ("dropped",)) for name in self.dropped]

    def __str__(self):
        lines = []
        for name, dtype, shape, sources, done in self.rows():
            origin = " + ".join(sources) if sources != (name,) else ""
            words = "; ".join(done)
            if name is None:
                lines.append(f"- {origin}")
                continue
            lines.append(
                "{} {} {}{}{}".format(
                    name,
                    dtype,
                    list(shape),
                    " <- " + origin if origin else "",
                    f" ({words})" if words else "",
                )
            )
        return "\n".join(lines + ["note: " + note for note in self.notes])
