"""Tensors that are an optimizer's, in name-based and object-based checkpoints.

A name-based checkpoint is judged by `state_roles`; an object-based one says it itself.
"""

import re

from tfgraphtools.checkpoints.optimizers import state_roles as of
from tfgraphtools.checkpoints.optimizers.state_names import BETA_POWER, GLOBAL_STEP

_ATTRIBUTE = re.compile(r"/\.ATTRIBUTES/VARIABLE_VALUE$")


def find(shapes, object_graph=None):
    """Returns {name of a slot or a moving average: (name of its variable, name of the slot)}.

    Args:
      shapes: {tensor name: shape} of the whole checkpoint.
      object_graph: the `ObjectGraph` of an object-based checkpoint, which is then asked instead.
    """
    return listed(shapes, object_graph)[0]


def optimizer_state(shapes, object_graph=None, with_global_step=True):
    """Returns the names that belong to an optimizer: slots, beta powers, step counters.

    Moving averages are stored like slots; but they are weights, and not among these. Neither is
    what is only like a slot.
    """
    if object_graph is None:
        dropped = {of.SLOT, of.ACCUMULATOR} | ({of.STEP} if with_global_step else set())
        return {name for name, role in of.roles(shapes).items() if role.role in dropped}
    names = set(object_graph.slots())
    of_keras, steps = object_graph.keras_state()
    names |= of_keras if with_global_step else of_keras - steps
    for name in shapes:
        bare = _ATTRIBUTE.sub("", name)
        if "/.OPTIMIZER_SLOT/" in name or BETA_POWER.fullmatch(bare):
            names.add(name)
        elif with_global_step and GLOBAL_STEP.fullmatch(bare):
            names.add(name)
    return names


def powers(shapes):
    """Returns the names of beta powers: counts of steps, whatever number they hold."""
    return {
        name
        for name, shape in shapes.items()
        if tuple(shape) == () and BETA_POWER.fullmatch(_ATTRIBUTE.sub("", name))
    }


def uncertain(shapes, object_graph=None):
    """Returns names that are like slots but uncertain: they are kept, and shown."""
    return listed(shapes, object_graph)[1]


def listed(shapes, object_graph=None):
    """Returns (what `find` says, what `uncertain` says), for ten thousand names at once."""
    if object_graph is not None:
        return object_graph.slots(), []
    owners, unclear = {}, []
    for name, role in of.roles(shapes).items():
        if role.role == of.UNCERTAIN:
            unclear.append(name)
        elif role.owner is not None:
            owners[name] = (role.owner, role.slot)
    return owners, sorted(unclear)
