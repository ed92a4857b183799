"""The tensors of a written model: their keys, their values, and where they come from."""

import collections

import numpy as np

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.scopes import module_classes
from tfgraphtools.graphs.source_code.scopes.repeated_calls import Run
from tfgraphtools.graphs.source_code.scopes.scope_trees import Scope


def of_layers(root):
    """Returns the keys of the tensors that layers have, as `tensors`."""
    raw = {id(value) for value in _raw(root)}
    return [key for key, value in tensors(root).items() if id(value) not in raw]


def _raw(module):
    """Yields the values of a module and those below that no layer has."""
    for member in module.body.members.values():
        if isinstance(member, ir_nodes.Value):
            yield member
    for child in module.children.values():
        yield from _raw(child)


def tensors(root):
    """Returns {key in the model: `Value` of a parameter or constant}, in the order of the code.

    Args:
      root: the `ModuleSource` of the whole graph.
    """
    keys = collections.OrderedDict()
    _collect(root, module_classes.classes(root), "", keys)
    return keys


def _collect(module, classes, prefix, keys):
    first = classes[module.key].first
    for attribute, named in zip(module.body.members, first.body.members):
        member = module.body.members[attribute]
        if isinstance(member, Scope):
            _collect(module.children[attribute], classes, f"{prefix}{named}.", keys)
        elif isinstance(member, Run):
            for number in range(len(member.calls)):
                child = module.children[f"{attribute}.{number}"]
                _collect(child, classes, f"{prefix}{named}.{number}.", keys)
        elif isinstance(member, ir_nodes.Value):
            keys[prefix + named] = member
        else:
            for role, value in member.parameters.items():
                keys[f"{prefix}{named}.{role}"] = value


def array_of(value):
    """Returns the array of a parameter or a constant."""
    attributes = value.node.attributes
    array = with_steps(attributes["array"], attributes.get("steps", ()))
    return np.ascontiguousarray(array).reshape(array.shape)


def with_steps(array, steps):
    """Returns an array after the steps between a checkpoint and a model."""
    for name, *arguments in steps:
        array = _STEPS[name](array, *arguments)
    return array


def _part(array, axis, start, stop):
    return array[(slice(None),) * axis + (slice(start, stop),)]


def _gates(array, order):
    """Reorders equal parts of the last axis."""
    parts = np.split(array, len(order), axis=-1)
    return np.concatenate([parts[number] for number in order], axis=-1)


def _added(array, number, start, stop):
    """Adds a number to a part of the last axis."""
    array = array.copy()
    array[..., start:stop] += array.dtype.type(number)
    return array


#: {step: a function of an array and the arguments of the step}.
_STEPS = {
    "reshape": lambda array, dims: array.reshape(dims),
    "transpose": lambda array, order: array.transpose(order),
    "part": _part,
    "gates": _gates,
    "add": _added,
    "ones": lambda array, dims: np.ones(dims, array.dtype),
    "zeros": lambda array, dims: np.zeros(dims, array.dtype),
}


def described(value):
    """Returns where a tensor comes from, for ``names.json``."""
    attributes = value.node.attributes
    if value.op == ir_nodes.CONSTANT:
        return {"constant": value.node.name}
    row = {"constant" if attributes.get("is_constant") else "variable": attributes["variable"]}
    if attributes["index"] is not None:
        row["part"] = [[bound.start or 0, bound.stop] for bound in attributes["index"]]
    row["steps"] = [list(step) for step in attributes["steps"]]
    return row
