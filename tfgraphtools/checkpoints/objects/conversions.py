"""The conversion of one name-based checkpoint to an object graph: who gets what, as a plan."""

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.format import object_graph
from tfgraphtools.checkpoints.objects import (
    asked,
    border_orders,
    object_matching,
    object_places,
    refusals,
    skeletons,
)
from tfgraphtools.checkpoints.objects.object_places import COUNTER, OTHER, TABLE, VARIABLE
from tfgraphtools.checkpoints.objects.object_state import State
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.plans import rules, tensor_expressions
from tfgraphtools.checkpoints.plans.drafts import Draft
from tfgraphtools.checkpoints.plans.plan import Plan
from tfgraphtools.checkpoints.plans.plan_steps import literal_target, stored_drafts
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY
from tfgraphtools.errors import CollisionError, PlanError

_TABLE_PARTS = ("-keys", "-values")


class Conversion:
    """The tensors of the source: which are weights, which the optimizer's, which are dropped."""

    def __init__(self, ckpt, drop, drop_optimizer, names, mapping, known):
        if GRAPH_KEY in ckpt:
            raise PlanError(
                "to_object_based",
                "a name-based checkpoint",
                f"{ckpt.prefix}, which is object-based",
                "Use to_name_based (ckpt convert --to tf1) for the way back.",
            )
        self._ckpt, self._known = ckpt, known
        self._drafts = stored_drafts(ckpt)
        self._dropped = list(rules.matching(drop, list(ckpt), "drop=")) if drop else []
        shapes = {n: d.shape for n, d in self._drafts.items() if n not in self._dropped}
        self._drop_optimizer = drop_optimizer
        mapped = set(mapping) if isinstance(mapping, dict) else set()
        if drop_optimizer:
            self._dropped += sorted(optimizer_slots.optimizer_state(shapes) - mapped)
            self._detection, state = None, set(self._dropped)
        else:
            self._detection = optimizers.detect(shapes, names)
            state = optimizer_slots.optimizer_state(shapes) - mapped
            state.update(
                *(
                    state_of_variable.slots.values()
                    for state_of_variable in self._detection.by_variable.values()
                )
            )
        self._state = {name for name in state if name in shapes}
        self._sources, self._tables = _with_tables(
            {name: shape for name, shape in shapes.items() if name not in self._state}
        )

    def skeleton_of(self, mapping, kind, optimizer_path):
        """Returns the skeleton that the rules alone describe."""
        if not mapping:
            raise PlanError(
                "to_object_based",
                "rules=, like= or live=",
                "none",
                "Write rules={'net/w': 'net/w', ...}, or [('(.*)', r'net/\\1')].",
            )
        paths = rules.renamed(mapping, list(self._sources), "the map")
        self._require_certain(mapping)
        for name in self._sources:
            if name not in paths:
                raise refusals.left_over_tensors([name], self._sources, "the map", paths)
        _require_different(paths)
        kind = kind or self._kind_by_powers()
        return skeletons.by_rules(paths, self._tables, self._detection, kind, optimizer_path)

    def _require_certain(self, mapping):
        """Raises if a pattern would make an object of what may be a slot."""
        named = mapping if isinstance(mapping, dict) else ()
        doubtful = self._detection.uncertain if self._detection else ()
        doubtful = [name for name in doubtful if name in self._sources and name not in named]
        if doubtful:
            last = doubtful[0].rpartition("/")[2]
            raise PlanError(
                "the optimizer of the checkpoint",
                "tensors that are certainly weights or certainly slots",
                ", ".join(doubtful[:8]),
                f"Say what they are: names={{{last!r}: 'weight'}} or names={{{last!r}: 'Adam'}}, "
                "the kind of the optimizer; or leave them out: drop=[...].",
            )

    def _kind_by_powers(self):
        """Returns the optimizer of a source without slots, by the scalars that it keeps."""
        if self._detection and not self._detection.by_variable and self._detection.numbers:
            return "GradientDescent"
        return "Adam" if self._detection and self._detection.beta_powers else None

    @property
    def detection(self):
        """The `Detection` of the source, None if its state is left behind."""
        return self._detection

    def plan(self, skeleton, mapping, keep, hyper, kind, steps, is_sparse):
        """Returns the `Plan`."""
        kept = self._kept(skeleton, keep)
        matches = self._matches(skeleton, mapping, kept)
        targets = []
        for placed in matches:
            targets += self._matched_targets(placed, skeleton)
        notes, without = [], set()
        if self._drop_optimizer:
            without = {place.key for place in skeleton.places if place.optimizer is not None}
            notes.append("the optimizer's state is left behind: it starts as it was built")
        else:
            variables = {match.place.node: match.name for match in matches}
            state = State(
                self._ckpt, self._detection, skeleton, variables, hyper, kind, steps, self._known
            )
            state.require_exact(is_sparse)
            targets += self._state_targets(skeleton, state, kept)
            notes += [_optimizer_note(*description) for description in state.optimizers()]
        weights = [match for match in matches if match.place.role == VARIABLE]
        notes += asked.notes(weights, self._known, skeleton.layers)
        notes += border_orders.notes(weights, self._known, skeleton.live)
        done = {target.name for target in targets} | without | _table_keys(skeleton)
        targets += [
            self._value_target(skeleton, place, place in kept)
            for place in skeleton.places
            if place.key not in done
        ]
        targets += self._left_beside(targets)
        targets.append(_graph_target(skeleton, targets, without, self._full_names))
        return Plan([self._ckpt], targets, self._dropped, notes)

    # Weights and tables ----------------------------------------------------

    def _kept(self, skeleton, keep):
        """Returns the places that keep the value that is there."""
        if not keep:
            return set()
        words = {}
        for place in skeleton.places:
            for word in (place.path, place.key):
                words.setdefault(word, []).append(place)
        kept_words = rules.matching(keep, list(words), "keep=")
        return {place for word in kept_words for place in words[word]}

    def _matches(self, skeleton, mapping, kept):
        wanted = {}
        for place in skeleton.places:
            if place in kept:
                continue
            if place.role == TABLE:
                wanted[place] = None
            elif place.role == VARIABLE:
                known = skeleton.tensor(place)
                wanted[place] = known[1] if known else self._shape_of(place)
        sources = dict(self._sources)
        has_optimizer = any(place.optimizer for place in skeleton.places)
        if not self._drop_optimizer and not has_optimizer:
            sources.update((n, self._drafts[n].shape) for n in sorted(self._state))
        if skeleton.has_rules:
            mapping = {place.full_name: place.key for place in wanted}
        return object_matching.match(sources, wanted, skeleton.graph, mapping, skeleton.describe)

    def _shape_of(self, place):
        """Returns a place's shape; with rules alone that of the tensor it is named after."""
        return self._drafts[place.full_name].shape

    def _matched_targets(self, match, skeleton):
        words = f"by {match.how}"
        if match.place.role == TABLE:
            return [
                self._target(match.name + part, match.place.key + part, words)
                for part in _TABLE_PARTS
            ]
        known = skeleton.tensor(match.place)
        draft = self._drafts[match.name]
        if known and known[0] != draft.dtype:
            raise PlanError(
                f"{match.name!r} -> {match.place.path!r}",
                f"the type {known[0].name} of the variable",
                draft.dtype.name,
                "Cast it first (checkpoints.plan(cast=...), ckpt cast).",
            )
        return [self._target(match.name, match.place.key, words)]

    def _target(self, name, key, words):
        target = self._drafts[name].target(key)
        return target._replace(steps=target.steps + (words,))

    # The optimizer -----------------------------------------------------------

    def _state_targets(self, skeleton, state, kept):
        targets = []
        for place, filling in state.fillings().items():
            if place in kept:
                continue
            known = skeleton.tensor(place)
            if filling.array is not None:
                targets.append(literal_target(place.key, filling.array, filling.how))
                continue
            draft = self._drafts[filling.name]
            if filling.factor is not None:
                scaled = tensor_expressions.Scaled(draft.expression(), filling.factor)
                draft = Draft.of(scaled, draft.sources, ())
            if known and (known[0], tuple(known[1])) != (draft.dtype, tuple(draft.shape)):
                raise PlanError(
                    f"{filling.name!r} -> {place.path!r}",
                    f"{known[0].name} {list(known[1])}",
                    f"{draft.dtype.name} {list(draft.shape)}",
                    "Build the new optimizer for variables of these types and shapes.",
                )
            target = draft.target(place.key)
            targets.append(target._replace(steps=target.steps + (filling.how,)))
        return targets

    # What is left -------------------------------------------------------------

    def _value_target(self, skeleton, place, is_kept):
        """Keeps the value that is there: by the user's word, or as a number of no use."""
        if place.role == COUNTER and not skeleton.tensor(place):
            import numpy as np

            return literal_target(place.key, np.int64(1), "the number of this checkpoint")
        value = skeleton.value(place)
        small = place.role in (COUNTER, object_places.HYPER)
        if value is None or not (is_kept or small):
            raise PlanError(
                f"{skeleton.describe}: {place.path!r}",
                "a value from the checkpoint for each of its variables",
                "none" if place.role != OTHER else "none: what it is for is not known",
                "Keep the value that is there (keep=, --keep), or leave the optimizer's state "
                "behind (--drop-optimizer).",
            )
        return literal_target(place.key, value, f"kept from {skeleton.describe}")

    def _left_beside(self, targets):
        """Keeps changed or placeless state under its own name, for the way back."""
        moved_unchanged = {
            target.sources[0]
            for target in targets
            if target.sources and all(piece.kept for piece in target.parts)
        }
        taken = {target.name for target in targets}
        left = [
            n for n in sorted(self._state) if n not in moved_unchanged and n not in self._dropped
        ]
        return [
            self._target(name, name, "kept for the way back") for name in left if name not in taken
        ]

    def _full_names(self, targets):
        """Returns {key: TF 1's name}, by which TF 1's Saver restores object-based checkpoints."""
        return {
            target.name: target.sources[0]
            for target in targets
            if len(target.sources) == 1
            and all(piece.kept for piece in target.parts)
            and target.name != target.sources[0]
        }


def _require_different(paths):
    taken = {}
    for name, path in paths.items():
        if path in taken:
            raise CollisionError(
                f"the map: {path!r}",
                "one tensor for each variable",
                f"{taken[path]!r} and {name!r}",
                "Narrow a rule.",
            )
        taken[path] = name


def _with_tables(shapes):
    """Returns ({name: shape}, names of tables): -keys and -values of one name are one table."""
    keys, values = _TABLE_PARTS
    tables = {
        name[: -len(keys)]
        for name in shapes
        if name.endswith(keys) and name[: -len(keys)] + values in shapes
    }
    sources = {
        name: shape
        for name, shape in shapes.items()
        if not any(name.endswith(p) and name[: -len(p)] in tables for p in _TABLE_PARTS)
    }
    sources.update((name, None) for name in sorted(tables))
    return sources, tables


def _table_keys(skeleton):
    return {place.key for place in skeleton.places if place.role == TABLE}


def _graph_target(skeleton, targets, without, full_names):
    names = full_names(targets)
    data = object_graph.with_keys(
        skeleton.data, lambda key: None if key in without else key, names.get
    )
    return literal_target(GRAPH_KEY, data, "the object graph")


def _optimizer_note(node, words):
    is_legacy = node.flavour == optimizers.LEGACY
    module = "tf_keras.optimizers.legacy" if is_legacy else "keras.optimizers"
    return f"{node.path} goes on exactly as {module}.{words}"
