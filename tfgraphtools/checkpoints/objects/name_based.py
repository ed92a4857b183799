"""The way back: an object-based checkpoint of TF 2 as a name-based one that TF 1's Saver restores.

Weights keep their bytes and get the names of their variables in a graph; the optimizer's state
gets the names and the numbers that TF 1's optimizer of that kind has. What `to_object_based`
kept beside is taken again, if it is still the same: the way there and back changes no bit.
"""

import collections
from typing import Any, Mapping, Optional, Union

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.format.type_hints import Path, Patterns, Progress, Rules
from tfgraphtools.checkpoints.objects import object_places, optimizer_classes
from tfgraphtools.checkpoints.objects.object_places import (
    COUNTER,
    HYPER,
    OTHER,
    SLOT,
    STEPS,
    TABLE,
    VARIABLE,
)
from tfgraphtools.checkpoints.optimizers.state_names import BETA_POWER, KERAS_SCALARS
from tfgraphtools.checkpoints.optimizers.tf1_optimizers import SAME
from tfgraphtools.checkpoints.plans import rules, tensor_expressions
from tfgraphtools.checkpoints.plans.drafts import Draft
from tfgraphtools.checkpoints.plans.plan import Plan, refuse_collisions
from tfgraphtools.checkpoints.plans.plan_steps import literal_target
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY, Checkpoint
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.errors import PlanError

_BETA_POWERS = ("beta1_power", "beta2_power")
_STEP = "global_step"


def plan_name_based(
    ckpt: Checkpoint,
    rules: Optional[Rules] = None,
    drop: Patterns = (),
    hyper: Optional[Mapping[str, Any]] = None,
    drop_optimizer: bool = False,
    names: Union[None, str, Mapping[str, str]] = None,
) -> Plan:
    """Plans a name-based checkpoint with the values of an object-based one.

    Args:
      ckpt: an open object-based checkpoint of TF 2.
      rules: {object: name}, an object being a path, a key or a variable's name; or ordered
        (pattern, replacement) pairs over the paths. A variable that no rule names gets its name
        in a graph, or its path if it has none.
      drop: patterns of objects (paths) to leave out.
      hyper: TF 1's hyper-parameters, such as Momentum's learning_rate; the checkpoint's own
        numbers by default, then TF 1's defaults.
      drop_optimizer: leave the optimizer's state out.
      names: {name of an optimizer of Keras: kind of TF 1's}, or the kind, where the names in the
        checkpoint do not say which class it is: Lion's slots are SGD's.

    Returns:
      A `Plan`.

    Example:
      >>> with open_checkpoint("tf2/model-1") as ckpt:                 # doctest: +SKIP
      ...     plan_name_based(ckpt).apply("model.ckpt-1000")

    Raises:
      NothingMatchedError: a rule or a pattern fits no object.
      CollisionError: two objects with one name.
      PlanError: optimizer state that TF 1 has no counterpart for.
    """
    return _WayBack(ckpt, rules, drop, hyper or {}, drop_optimizer, names).plan()


def to_name_based(
    ckpt: Checkpoint,
    destination: Path,
    compact: bool = False,
    overwrite: bool = False,
    link: bool = True,
    progress: Progress = None,
    **how: Any,
) -> Any:
    """Writes a name-based checkpoint with the values of an object-based one.

    `plan_name_based` says what ``how`` may be, and `Plan.apply` the other arguments.

    Args:
      ckpt: a path as in `open_checkpoint`, or an open checkpoint.
      destination: the prefix to write.

    Returns:
      A `writer.Result`.

    Example:
      >>> to_name_based("tf2/model-1", "model.ckpt-1000")              # doctest: +SKIP

    Raises:
      what `plan_name_based` and `Plan.apply` raise.
    """
    with opened(ckpt) as source:
        plan = plan_name_based(source, **how)
        return plan.apply(
            destination, overwrite=overwrite, progress=progress, compact=compact, link=link
        )


class _WayBack:
    """One run of `plan_name_based`."""

    def __init__(self, ckpt, mapping, drop, hyper, drop_optimizer, optimizer_names):
        if GRAPH_KEY not in ckpt:
            raise PlanError(
                ckpt.prefix,
                "an object-based checkpoint of TF 2, whose objects get names",
                "a checkpoint that is name-based already",
                "Use it as it is, or change its names with plan(rename=...) (ckpt rename).",
            )
        self._ckpt, self._hyper, self._optimizer_names = ckpt, hyper, optimizer_names
        self._steps, self._adams, self._notes = {}, 0, []
        self._graph = ckpt.object_graph
        self._places = object_places.places(self._graph)
        dropped = self._dropped_places(drop, drop_optimizer)
        self._dropped = sorted(key for place in dropped for key in self._keys(place))
        self._kept = [place for place in self._places if place not in dropped]
        in_graph = {key for place in self._places for key in self._keys(place)}
        self._beside = [n for n in ckpt if n not in in_graph and n != GRAPH_KEY]
        self._used_beside = set()
        self._names = self._variable_names(mapping)

    def _dropped_places(self, drop, drop_optimizer):
        dropped = set()
        if drop:
            paths = {place.path: place for place in self._places}
            dropped = {paths[path] for path in rules.matching(drop, list(paths), "drop=")}
        for place in self._places:
            if place.role == COUNTER or drop_optimizer and place.optimizer is not None:
                dropped.add(place)
            elif place.role == HYPER and place.optimizer.flavour != object_places.TF1:
                dropped.add(place)
            elif place.role == OTHER and place not in dropped:
                raise PlanError(
                    f"{self._ckpt.prefix}: {place.path!r}",
                    "objects that TF 1 has a counterpart for",
                    "one that is not known",
                    f"Leave it out: drop=[{place.path!r}] (--drop), or --drop-optimizer.",
                )
        return dropped

    @staticmethod
    def _keys(place):
        is_table = place.role == TABLE
        return [place.key + "-keys", place.key + "-values"] if is_table else [place.key]

    def _variable_names(self, mapping):
        """Returns {place: name} of the variables and tables."""
        named = [place for place in self._kept if place.role in (VARIABLE, TABLE)]
        names = {place: object_places.variable_name(place) for place in named}
        shared = collections.Counter(names.values())  # "Variable", of all that have no name
        names = {p: p.path if shared[name] > 1 else name for p, name in names.items()}
        if isinstance(mapping, dict):
            finder = object_places.Finder(self._graph, named)
            for words, name in mapping.items():
                places = finder.find(words)
                if len(places) != 1:
                    raise rules.nothing_matched("the map", words, [p.path for p in named])
                names[places[0]] = name
        elif mapping:
            paths = [place.path for place in named]
            new = rules.renamed(mapping, paths, "the map")
            names.update((place, new[place.path]) for place in named if place.path in new)
        return names

    def plan(self):
        """Returns the `Plan`."""
        targets = []
        for place, name in self._names.items():
            parts = ("-keys", "-values") if place.role == TABLE else ("",)
            targets += [Draft(self._ckpt, place.key + part).target(name + part) for part in parts]
        for node in sorted({place.optimizer for place in self._kept if place.optimizer}):
            targets += self._optimizer_targets(node)
        taken = {target.name for target in targets}
        targets += [
            Draft(self._ckpt, name).target(name)
            for name in self._beside
            if name not in taken and name not in self._used_beside
        ]
        refuse_collisions(targets, "to_name_based(rules=...)", lambda t: ", ".join(t.sources))
        return Plan([self._ckpt], targets, self._dropped, self._notes)

    # The optimizer ------------------------------------------------------------

    def _optimizer_targets(self, node):
        places = [place for place in self._kept if place.optimizer == node]
        slots = [place for place in places if place.role == SLOT]
        if node.flavour == object_places.TF1:
            return [self._linked(place, place.full_name or place.path) for place in places]
        own = self._names_of_tf_keras(places)
        if own:
            return [self._linked(place, name) for place, name in own.items()]
        of_node = [place for place in self._places if place.optimizer == node]
        kind = optimizer_classes.kind_of(node, of_node, self._optimizer_names)
        numbers = {p.slot: float(self._ckpt[p.key]) for p in of_node if p.role == HYPER}
        self._notes += optimizer_classes.notes(node, kind, numbers)
        hyper = dict(self._own_numbers(node, kind), **self._hyper)
        targets, names = [], {place.node: name for place, name in self._names.items()}
        for variable in sorted({place.of for place in slots if place.of in names}):
            slots_of_variable = {place.slot: place for place in slots if place.of == variable}
            targets += self._slot_targets(kind, slots_of_variable, names[variable], hyper)
        for place in places:
            if place.role == STEPS:
                targets += self._step_targets(place, kind, hyper)
        return targets

    def _names_of_tf_keras(self, places):
        """Returns {place: name} if tf.keras under TF 1 has this state, numbers kept beside."""
        fronts = {
            name.rpartition("/")[0]
            for name in self._beside
            if name.rpartition("/")[2] in KERAS_SCALARS and "/" in name
        }
        own = {p: p.full_name.partition(":")[0] for p in places if p.role in (SLOT, STEPS)}
        if all(any(name.startswith(front + "/") for front in fronts) for name in own.values()):
            return own
        return {}

    def _own_numbers(self, node, kind):
        """Returns the hyper-parameters that the checkpoint holds, by TF 1's names."""
        known = {}
        by_argument = {
            optimizers.keras_arguments({name: None}).popitem()[0]: name
            for name in optimizers.KINDS[kind].defaults
        }
        for place in self._places:
            if place.role == HYPER and place.optimizer == node and place.slot in by_argument:
                known[by_argument[place.slot]] = float(self._ckpt[place.key])
        return known

    def _slot_targets(self, kind, places, variable, hyper):
        """Gives slot i of w the name w/Adam, w/Adam_1, ..., or what the full name says."""
        base = optimizers.KINDS[kind].saved_as
        is_legacy = next(iter(places.values())).optimizer.flavour == optimizers.LEGACY
        targets = []
        for i, row in enumerate(optimizers.KINDS[kind].slots):
            name = f"{variable}/{base}" + (f"_{i}" if i else "")
            place = places.get(row.legacy if is_legacy else row.keras)
            if place is None:
                targets.append(self._unused_slot(name, next(iter(places.values()))))
            elif row.rule == SAME:
                own = place.full_name.partition(":")[0]
                is_own = own.startswith(variable + "/") and own != f"{variable}/{place.slot}"
                targets.append(self._linked(place, own if is_own else name))
            else:
                targets.append(self._accumulator(place, name, kind, hyper))
        return targets

    def _linked(self, place, name):
        return Draft(self._ckpt, place.key).target(name)

    def _unused_slot(self, name, other):
        """Returns RMSProp's momentum without a momentum: what was kept beside, or zeros."""
        import numpy as np

        if name in self._beside:
            return self._again(name)
        tensor = self._ckpt.tensor(other.key)
        zeros = np.zeros(tensor.shape, self._ckpt[other.key].dtype)
        return literal_target(name, zeros, "no step reads it")

    def _accumulator(self, place, name, kind, hyper):
        import numpy as np

        if name in self._beside:
            velocity = optimizers.scaled(self._ckpt[name], optimizers.velocity_factor(kind, hyper))
            if np.array_equal(velocity, self._ckpt[place.key]):
                return self._again(name)
        factor = optimizers.accumulator_factor(kind, hyper)
        scaled = tensor_expressions.Scaled(tensor_expressions.Stored(self._ckpt, place.key), factor)
        return Draft.of(scaled, [place.key], [f"times {factor:g}"]).target(name)

    def _again(self, name):
        self._used_beside.add(name)
        target = Draft(self._ckpt, name).target(name)
        return target._replace(steps=target.steps + ("as it was kept beside",))

    def _step_targets(self, place, kind, hyper):
        steps = int(self._ckpt[place.key])
        targets = self._global_step(place, steps)
        if kind != "Adam":
            return targets
        more = f"_{self._adams}" if self._adams else ""  # as TF 1 counts its Adams
        self._adams += 1
        for name, power in zip(_BETA_POWERS, optimizers.beta_powers(hyper, steps)):
            kept = (
                []
                if more
                else [
                    name_beside
                    for name_beside in self._beside
                    if name_beside.rpartition("/")[2] == name
                ]
            )
            if kept and abs(float(self._ckpt[kept[0]]) - power) <= 1e-3 * power:
                targets.append(self._again(kept[0]))
            else:
                self._used_beside.update(kept)
                targets.append(literal_target(name + more, power, f"after {steps} steps"))
        return targets

    def _global_step(self, place, steps):
        """Returns the targets of the step count: TF 1 has one for all optimizers."""
        import numpy as np

        if self._steps:
            path, counted = next(iter(self._steps.items()))
            if steps != counted:
                self._notes.append(
                    f"global_step is {counted}, of {path}; {place.optimizer.path} has taken {steps}"
                )
            return []
        self._steps[place.optimizer.path] = steps
        targets = []
        has_powers = any(BETA_POWER.fullmatch(name) for name in self._beside)
        if _STEP in self._beside and int(self._ckpt[_STEP]) == steps:
            targets.append(self._again(_STEP))
        elif has_powers and not place.full_name.partition(":")[0].endswith(_STEP):
            pass  # the beta powers alone said how many steps: TF 1 had no other counter
        elif self._ckpt.tensor(place.key).dtype.name == "int64":
            own = place.full_name if place.full_name.endswith(_STEP) else _STEP
            targets.append(self._linked(place, own))
        else:
            targets.append(literal_target(_STEP, np.int64(steps), "as int64"))
        return targets
