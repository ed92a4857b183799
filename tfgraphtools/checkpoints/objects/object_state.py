"""The state of TF 1's optimizer in the places that an object graph has for it."""

import collections

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.facts import of_optimizer
from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.objects import object_places
from tfgraphtools.checkpoints.objects.object_places import HYPER, SLOT, STEPS
from tfgraphtools.checkpoints.optimizers import setting_differences
from tfgraphtools.errors import PlanError

#: A value for a place: ``name`` of the stored tensor whose bytes it gets, ``factor`` to multiply
#: them by or None; or ``array``, if it is no tensor of the source. ``how`` says it in words.
Filling = collections.namedtuple("Filling", "name factor array how")


class State:
    """Finds the `Filling` of every place of an optimizer.

    Args:
      ckpt: the open source.
      detection: the `Detection` of it.
      skeleton: the `Skeleton` to fill.
      variables: {node number of a variable: its tensor's name}.
      hyper: hyper-parameters by TF 1's names, or {kind: hyper-parameters}.
      kind: the optimizer of a source without slots.
      steps: the number of steps, or None to find it out.
      known: the `known.Known` whose graph says hyper-parameters.
    """

    def __init__(self, ckpt, detection, skeleton, variables, hyper, kind, steps, known):
        self._ckpt, self._detection, self._known = ckpt, detection, known
        self._skeleton, self._variables = skeleton, variables
        self._hyperparameters, self._kind, self._steps = hyper or {}, kind, steps
        self._by_optimizer = collections.defaultdict(list)
        for place in skeleton.places:
            if place.optimizer is not None:
                self._by_optimizer[place.optimizer].append(place)
        self._kinds = {node: self._kind_of(node) for node in self._by_optimizer}

    def fillings(self):
        """Returns {place: `Filling`} of all places of all optimizers."""
        filling_of = {}
        for node, places in self._by_optimizer.items():
            self._require_slots(node, places)
            self._require_config(node)
            for place in places:
                filling = self._filling(place)
                if filling is not None:
                    filling_of[place] = filling
        self._require_no_more({filling.name for filling in filling_of.values()})
        return filling_of

    def require_exact(self, is_sparse):
        """Raises if an optimizer does not go on as TF 1's; see `graph_training.sparse`."""
        embeddings = {
            place.node
            for place in self._skeleton.places
            if place.path.endswith("embeddings") or place.full_name.endswith("embeddings")
        }
        for node, places in self._by_optimizer.items():
            kind = self._kinds[node]
            if node.flavour == object_places.TF1:
                continue
            optimizers.require_exact(kind, node.flavour, self._of_node(node))
            for place in places:
                variable = self._variables.get(place.of) if place.role == SLOT else None
                why = is_sparse(variable, place.of in embeddings, optimizers.KINDS[kind].keras)
                if variable is not None and why:
                    optimizers.require_dense(variable, kind, node.flavour, why)

    def optimizers(self):
        """Returns [(optimizer, its constructor's call)] to go on with, for the user to read."""
        return [
            (node, self._call(node)) for node in self._kinds if node.flavour != object_places.TF1
        ]

    def _call(self, node):
        """Returns ``Adam(learning_rate=0.1, ...)``, with dots for what nobody has said."""
        kind = self._kinds[node]
        hyper = self._of_node(node)
        name, config = optimizers.keras_config(kind, hyper, node.flavour)
        unknown = [key for key, value in optimizers.settings(kind, hyper).items() if value is None]
        words = [f"{key}=..." for key in optimizers.keras_arguments(dict.fromkeys(unknown))]
        words += [f"{key}={_number(value)}" for key, value in config.items()]
        return "{}({})".format(name, ", ".join(words))

    def _require_config(self, node):
        """Raises if a live optimizer was built with other numbers than TF 1's had."""
        if node.path not in self._skeleton.configs:
            return
        class_name, config = self._skeleton.configs[node.path]
        kind = self._kinds[node]
        name, wanted = optimizers.keras_config(kind, self._of_node(node), node.flavour)
        own = {key: config[key] or 0 for key in wanted if key in config}
        other = [
            f"{difference.name}={_number(difference.own)}"
            for difference in setting_differences.differences(own, wanted, of_optimizer.UNKNOWN)
        ]
        if class_name != name or other:
            raise PlanError(
                f"{self._skeleton.describe}: the optimizer {node.path!r}",
                self._call(node),
                "{}({})".format(class_name, ", ".join(other)),
                "Build it so; or pass hyper=... with what TF 1's had, by TF 1's names, if that is "
                + (
                    f"not what {self._known.path} says."
                    if self._known.path
                    else "not what TF 1 has by default."
                ),
            )

    # Which optimizer -------------------------------------------------------

    def _kind_of(self, node):
        kinds = {
            self._detection.by_variable[variable].kind
            for variable in self._trained_by(node)
            if variable in self._detection.by_variable
        }
        if len(kinds) > 1:
            raise PlanError(
                f"{self._skeleton.describe}: the optimizer {node.path!r}",
                "variables that one kind of optimizer trained",
                ", ".join(sorted(kinds)),
                "Give each kind an optimizer of its own, or leave the state behind "
                "(--drop-optimizer).",
            )
        return kinds.pop() if kinds else self._kind or self._only_kind()

    def _only_kind(self):
        """Returns the kind for an optimizer without slots: it keeps none, or was not built."""
        kinds = {state.kind for state in self._detection.by_variable.values()}
        is_alone = len(kinds) == len(self._by_optimizer) == 1
        return kinds.pop() if is_alone else "GradientDescent"

    def _trained_by(self, node):
        """Returns the names of the variables of which an optimizer has slots."""
        numbers = [p.of for p in self._by_optimizer[node] if p.role == SLOT]
        return sorted({self._variables[n] for n in numbers if n in self._variables})

    def _of_node(self, node):
        """Returns the hyper-parameters of an optimizer, as the user, a file and itself say them."""
        kind, variables = self._kinds[node], self._trained_by(node) or None
        hyper = self._of_kind(kind, variables)
        rate = self._rate_of(node)
        if rate is not None and "learning_rate" not in self._told(kind):
            hyper["learning_rate"] = rate
        return hyper

    def _of_kind(self, kind, variables=None):
        own = optimizers.own_numbers(self._ckpt, self._detection, kind)
        known = self._known.hyperparameters(kind, variables or list(self._detection.by_variable))
        known = setting_differences.of_kind(known, optimizers.settings(kind))
        told = dict(own, **self._told(kind))
        for name, numbers in known.several.items():
            if name not in told and name != "learning_rate":
                raise PlanError(
                    f"the {name} of TF 1's {kind}",
                    "one number for the variables of an optimizer",
                    "{} in {}".format(" and ".join(map(_number, numbers)), known.source),
                    "Give each of TF 1's optimizers one of its own, or pass hyper=... (--hyper "
                    f"{name}=...).",
                )
        return dict(known.values, **told)

    def _told(self, kind):
        """Returns the hyper-parameters that the caller gives."""
        hyper = self._hyperparameters
        return hyper.get(kind, {}) if any(name in optimizers.KINDS for name in hyper) else hyper

    def _slot_names(self, node):
        """Returns {slot name in the optimizer's flavour: row of the kind} of kept slots."""
        kind = optimizers.KINDS[self._kinds[node]]
        if node.flavour == object_places.TF1:
            return {row.name: row for row in kind.slots}
        return optimizers.kept(kind.name, self._of_node(node), node.flavour)

    def _require_slots(self, node, places):
        have = {place.slot for place in places if place.role == SLOT}
        want = set(self._slot_names(node)) if self._trained_by(node) else have
        if have != want:
            raise PlanError(
                f"{self._skeleton.describe}: the optimizer {node.path!r}",
                "the slots for {}: {}".format(self._kinds[node], ", ".join(sorted(want)) or "none"),
                ", ".join(sorted(have)) or "none",
                f"Build it as {self._call(node)}, or leave the state behind (--drop-optimizer).",
            )

    # What goes where -------------------------------------------------------

    def _filling(self, place):
        if place.role == SLOT:
            return self._slot(place)
        if place.role == STEPS:
            return self._step_count(place)
        if place.role == HYPER:
            return self._hyper(place)
        return None

    def _slot(self, place):
        variable = self._variables.get(place.of)
        if variable is None:
            return None  # of a variable whose value is kept, too
        slot_set = self._detection.by_variable.get(variable)
        if slot_set is None:
            return None
        row = self._slot_names(place.optimizer)[place.slot]
        name = slot_set.slots[row.name]
        if place.optimizer.flavour == object_places.TF1 or optimizers.is_same(
            slot_set.kind, row.name
        ):
            return Filling(name, None, None, f"slot {place.slot} of {variable}")
        hyper = self._of_node(place.optimizer)
        factor = optimizers.velocity_factor(slot_set.kind, hyper)
        return Filling(name, factor, None, f"slot {place.slot} of {variable}: times {factor:g}")

    def _rate_of(self, node):
        """Returns the new optimizer's learning rate, if the skeleton has it."""
        for place in self._by_optimizer[node]:
            if place.role == HYPER and place.slot == "learning_rate":
                value = self._skeleton.value(place)
                return None if value is None else float(value)
        return None

    def _step_count(self, place):
        import numpy as np

        is_adam = self._kinds[place.optimizer] == "Adam"
        hyper = self._of_node(place.optimizer) if is_adam else {}
        steps = optimizers.steps_taken(self._ckpt, self._detection, hyper, self._steps)
        if steps is None:
            raise PlanError(
                f"{self._skeleton.describe}: {place.path!r}",
                "the number of steps taken",
                "no global_step",
                "Pass steps=... (--steps); 0 if neither Adam nor a schedule needs it.",
            )
        known = self._skeleton.tensor(place)
        dtype = known[0] if known else dtypes.by_number(9)
        step = self._detection.global_step
        if step is not None:
            tensor = self._ckpt.tensor(step)
            if tensor.dtype == dtype and not tensor.shape and int(self._ckpt[step]) == steps:
                return Filling(step, None, None, f"{steps} steps")
        return Filling(None, None, np.array(steps, dtype.storage), f"{steps} steps")

    def _hyper(self, place):
        import numpy as np

        kind = self._kinds[place.optimizer]
        if place.optimizer.flavour == object_places.TF1:
            return self._beta_power(place)
        hyper = self._of_node(place.optimizer)
        explicit = optimizers.keras_arguments(hyper).get(place.slot)
        known = self._skeleton.tensor(place)
        if explicit is None and known is not None:
            return None  # the value that the new optimizer was built with is kept
        if explicit is None:
            explicit = self._default(kind, hyper, place)
        dtype = known[0] if known else dtypes.by_number(1)
        return Filling(None, None, np.array(explicit, dtype.storage), f"{explicit:g}")

    @staticmethod
    def _default(kind, hyper, place):
        """Returns TF 1's default of a number of Keras's optimizer; 0 where TF 1's has none."""
        arguments = optimizers.keras_arguments({n: n for n in optimizers.KINDS[kind].defaults})
        if place.slot not in arguments:
            return 0.0
        optimizers.settings(kind, hyper, [arguments[place.slot]])  # raises if there is no default
        return optimizers.keras_config(kind, hyper, place.optimizer.flavour)[1][place.slot]

    def _beta_power(self, place):
        names = [name for pair in self._detection.beta_powers for name in pair if name]
        matching_names = [name for name in names if name.rpartition("/")[2] == place.slot]
        if len(matching_names) != 1:
            raise PlanError(
                f"{self._skeleton.describe}: {place.path!r}",
                f"one {place.slot} in the checkpoint",
                ", ".join(matching_names) or "none",
                "Drop the others, or leave the state behind (--drop-optimizer).",
            )
        return Filling(matching_names[0], None, None, place.slot)

    def _require_no_more(self, used):
        """Raises if a slot of the source has found no place."""
        for variable, slot_set in self._detection.by_variable.items():
            left = [name for slot, name in slot_set.slots.items() if name not in used]
            left = [name for name in left if not self._is_without_use(slot_set, name)]
            if left:
                raise PlanError(
                    f"the optimizer's state of {variable!r}",
                    f"a place for it in {self._skeleton.describe}",
                    "none for {}".format(", ".join(left)),
                    "Build the new optimizer on all the variables that TF 1's trained "
                    "(optimizer.build(model.trainable_variables)), drop these tensors, or leave "
                    "all of the optimizer's state behind (--drop-optimizer).",
                )

    def _is_without_use(self, slot_set, name):
        """Tells whether it is RMSProp's momentum slot without momentum, which no step reads."""
        hyper = self._of_kind(slot_set.kind)
        return (
            optimizers.KINDS[slot_set.kind].keras == "RMSprop"
            and optimizers.KINDS[slot_set.kind].saved_as
            and not optimizers.settings(slot_set.kind, hyper)["momentum"]
            and slot_set.slots["momentum"] == name
            and self._by_optimizer
        )


def _number(value):
    """Returns a float32 in as few digits as tell it: 0.1, not 0.10000000149011612."""
    return f"{value:.7g}" if isinstance(value, float) else repr(value)
