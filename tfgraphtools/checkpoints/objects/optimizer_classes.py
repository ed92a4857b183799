"""The class of an optimizer in an object graph, and whether TF 1 has one that goes on from it.

The graph holds no class. What says it are the names that the optimizer gave its variables
(``lion/iteration``, ``Adamax/learning_rate``), and numbers that only one class keeps. Slots alone
do not: Lion's are SGD's, those of AdamW, Lamb, Nadam and Adamax are Adam's.
"""

import re

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.objects.object_places import HYPER, SLOT, STEPS
from tfgraphtools.errors import PlanError

#: {name of an optimizer in lower case, without underscores: its class in Keras}
_CLASSES = {
    name.lower(): name
    for name in (
        "Adadelta Adafactor Adagrad Adam Adamax AdamW Ftrl Lamb Lion Muon Nadam RMSprop SGD"
    ).split()
}
_DROP = "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer)."


def kind_of(node, places, names):
    """Returns the kind of TF 1's optimizer that goes on from one of Keras.

    Args:
      node: the `OptimizerNode`.
      places: the `Place` of each value that it keeps.
      names: {name of the optimizer: kind}, or a kind, which the caller gives; None for none.

    Raises:
      PlanError: TF 1 has none, or nothing says which it was.
    """
    slot_names = [place.slot for place in places if place.role == SLOT]
    name, class_name = _name_and_class(places)
    told = names if isinstance(names, str) or names is None else names.get(name)
    kind = told or optimizers.kind_of(slot_names, node.flavour)
    if told is not None and told not in optimizers.KINDS:
        raise PlanError(
            f"the optimizer {node.path!r}",
            "a kind: {}".format(", ".join(k.name for k in optimizers.KINDS.values() if k.saved_as)),
            repr(told),
            "Correct names=... (--optimizer).",
        )
    numbers = {place.slot for place in places if place.role == HYPER}
    if "momentum_cache" in numbers:
        class_name = "Nadam"
    if told is None and class_name is None and not _is_alone(slot_names):
        raise _unsure(node, name, kind)
    wanted = optimizers.KINDS[kind].keras
    if told is None and class_name not in (None, wanted):
        raise PlanError(
            f"the optimizer {node.path!r}, called {name!r}",
            "one that TF 1 has: Adadelta, Adagrad, Adam, Ftrl, RMSprop, SGD",
            f"{class_name}, whose update is another than that of TF 1's {kind}",
            f"{_DROP} If it is {wanted} under that name, pass names={{{name!r}: {kind!r}}} "
            f"(--optimizer {name}={kind}).",
        )
    return kind


def _name_and_class(places):
    """Returns (the name that an optimizer gave its variables or "", its class or None)."""
    scalars = [place for place in places if place.role in (STEPS, HYPER)]
    slots = [place for place in places if place.role == SLOT]
    own = ""
    for place in [*scalars, *slots]:
        front, slash, _ = place.full_name.partition("/")
        name = re.sub(r"_\d+$", "", front) if slash else ""
        class_name = _CLASSES.get(name.replace("_", "").lower())
        if class_name:
            return name, class_name
        own = own or (name if place.role != SLOT else "")
    for place in slots:
        saved_as = re.sub(r"_\d+$", "", place.full_name.rpartition("/")[2].partition(":")[0])
        for kind in optimizers.KINDS.values():
            if kind.saved_as == saved_as:  # it came from TF 1 and keeps that name
                return own, kind.keras
    return own, None


def _is_alone(slot_names):
    """Tells whether only one optimizer of Keras has these slots."""
    return set(slot_names) not in ({"momentum"}, {"momentum", "velocity"}, {"m", "v"}, {"m"})


def _unsure(node, name, kind):
    others = {"Momentum": "SGD or Lion", "Adam": "Adam, AdamW, Lamb, Nadam or Adamax"}
    return PlanError(
        f"the optimizer {node.path!r}, called {name!r}",
        "to know its class, which its slots do not say",
        others.get(kind, kind),
        f"Say which: names={{{name!r}: {kind!r}}} (--optimizer {kind}). {_DROP}",
    )


def notes(node, kind, numbers):
    """Returns what an optimizer of Keras may have had and no checkpoint of objects says.

    Args:
      node: the `OptimizerNode`.
      kind: of TF 1's optimizer.
      numbers: {name: value} that the checkpoint holds of it.

    Raises:
      PlanError: a number under which TF 1's computes something else.
    """
    if numbers.get("beta"):
        raise PlanError(
            f"the optimizer {node.path!r}",
            "beta=0, as TF 1's Ftrl has it",
            "beta={:g}".format(numbers["beta"]),
            _DROP,
        )
    sentences = []
    if node.flavour == optimizers.KERAS:
        sentences.append(
            f"{node.path}: whether it had a weight_decay, clipped gradients or averaged weights is "
            f"in no checkpoint; TF 1's {kind} does none of these"
        )
    if numbers.get("decay"):
        sentences.append(
            "{}: its rate was divided by 1 + {:g} * steps; give TF 1's optimizer a rate that goes "
            "on so: tf.train.inverse_time_decay".format(node.path, numbers["decay"])
        )
    return sentences
