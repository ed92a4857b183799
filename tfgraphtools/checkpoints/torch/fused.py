"""Projections of an attention that one weight holds: taken apart, or in one piece as TF1 has them.

`torch_units.group` takes an ``in_proj_weight`` apart into three units. Where TF1 has one dense
layer for all three, of the same size, it stays one; and a Linear of three projections, such as
``attn.qkv``, is taken apart where a rule names its parts.
"""

from tfgraphtools.checkpoints.matching import tensor_units
from tfgraphtools.checkpoints.plans import rules as naming

PARTS = ("q_proj", "k_proj", "v_proj")


def as_stored(targets, weights, held):
    """Returns the targets, attention in one piece where TF1 has one kernel of that size.

    The piece is called ``in_proj``. Query, key and value stand in this order in both.

    Args:
      targets: [`Target`].
      weights: names of the tensors.
      held: {tensor: (type, shape)}.
    """
    wide = {
        held[source.leaves["kernel"]][1]
        for source in tensor_units.find(weights)
        if source.kind == "plain" and "kernel" in source.leaves
    }
    done = []
    for target in targets:
        kernel = target.weights.get("kernel")
        if (
            kernel is None
            or kernel.parts != 3
            or (kernel.shape[1], 3 * kernel.shape[0]) not in wide
        ):
            done.append(target)
        elif kernel.part == 0:
            whole = {role: _whole(weight) for role, weight in target.weights.items()}
            name = target.name[: -len(PARTS[0])] + "in_proj"
            done.append(target._replace(name=name, weights=whole))
    return done


def _whole(weight):
    return weight._replace(shape=(3 * weight.shape[0], *weight.shape[1:]), part=0, parts=1)


def as_named(targets, rules, weights):
    """Returns the targets, with each Linear in three parts that the rules name so."""
    if not rules:
        return targets
    units = {source.name for source in tensor_units.find(weights)}
    new = naming.renamed(rules, sorted({*units, *weights}), "plan_torch(rules=...)")
    named = {name.rpartition(".")[0] for name in new.values() if name.endswith(PARTS)}
    done = []
    for target in targets:
        kernel = target.weights.get("kernel")
        if target.name not in named or kernel is None or kernel.shape[0] % 3 or kernel.parts != 1:
            done.append(target)
            continue
        for part, name in enumerate(PARTS):
            own = {role: _part(weight, part) for role, weight in target.weights.items()}
            done.append(target._replace(name=f"{target.name}.{name}", kind="linear", weights=own))
    return done


def _part(weight, part):
    return weight._replace(shape=(weight.shape[0] // 3, *weight.shape[1:]), part=part, parts=3)
