"""Which tensors are slots of which variable, by name and shape.

A TF1 checkpoint does not say. A slot of ``w`` is saved as ``w/Adam``, or, with an
optimizer built inside a scope, as ``scope/w/Adam``. So a tensor is taken for a
slot if it lies under the name of another tensor and either has its shape or ends
in a slot name of TF's own optimizers. Object-based checkpoints do say.
"""

import re

#: The last part of the names that TF's and tf.contrib's optimizers give to their slots.
_KNOWN = {
    "Adam",
    "AdaMax",
    "Nadam",
    "AMSGrad",
    "Momentum",
    "RMSProp",
    "Adagrad",
    "AdagradDA",
    "gradient_accumulator",
    "gradient_squared_accumulator",
    "Adadelta",
    "Ftrl",
    "ExponentialMovingAverage",
    "AddSign",
    "PowerSign",
    "LARSOptimizer",
    "LazyAdam",
    "AdamW",
    "adam_m",
    "adam_v",
    "vr",
    "vc",
    "v",
}
#: Scalars that an optimizer keeps once for all variables.
_SHARED = re.compile(r"(.*/)?(beta[12]_power|global_step)(_\d+)?(/\.ATTRIBUTES/VARIABLE_VALUE)?")
_COUNTER = re.compile(r"_\d+$")


def find(shapes, object_graph=None):
    """{name of a slot: (name of its variable, name of the slot)}.

    Args:
      shapes: {tensor name: shape} of the whole checkpoint.
      object_graph: the `ObjectGraph` of an object-based checkpoint, which is then asked instead.
    """
    if object_graph is not None:
        return object_graph.slots()
    found = {}
    for name, shape in shapes.items():
        owner, _, slot = name.rpartition("/")
        while owner:
            if owner in shapes:
                if shapes[owner] == shape or _COUNTER.sub("", slot) in _KNOWN:
                    found[name] = (owner, slot)
                break
            if _COUNTER.sub("", slot) not in _KNOWN:
                break  # only a slot name says that a scope of the optimizer may be in front
            owner = owner.partition("/")[2]
    return found


def optimizer_state(shapes, object_graph=None, with_global_step=True):
    """The names that belong to an optimizer: slots, beta powers, global_step.

    Moving averages are stored like slots; but they are weights, and not among these.
    """
    names = {
        name
        for name, (_, slot) in find(shapes, object_graph).items()
        if _COUNTER.sub("", slot) != "ExponentialMovingAverage"
    }
    names.update(name for name in shapes if _SHARED.fullmatch(name) or "/.OPTIMIZER_SLOT/" in name)
    if not with_global_step:
        names = {name for name in names if _bare(name) != "global_step"}
    return names


def _bare(name):
    """The last part of a name, without the counter and what object-based checkpoints append."""
    return _COUNTER.sub("", name.split("/.ATTRIBUTES/")[0].rpartition("/")[2])
