"""A PyTorch model's parameters and buffers in units: one per module, or per layer of an RNN.

A unit is found in a live module by the classes of its modules, or in a bare
``state_dict`` by the names and shapes of its entries.
"""

import collections
import re

#: A parameter or buffer, or a part of a fused one: ``part`` is its place among ``parts`` along
#: the first axis. ``shape`` is the part's.
Weight = collections.namedtuple("Weight", "path shape dtype part parts")
Weight.__new__.__defaults__ = (0, 1)

#: A unit of a model. ``kind`` is a value of `_KINDS`, or "matrix" where a state dict does not say
#: if a matrix is a Linear's or an Embedding's; ``weights``: {role: `Weight`}; ``config``: what the
#: conversion asks of the module.
Target = collections.namedtuple("Target", "name kind weights config")

#: Classes of modules (subclasses count) -> kind.
_KINDS = {
    "Linear": "linear",
    "Conv1d": "conv",
    "Conv2d": "conv",
    "Conv3d": "conv",
    "ConvTranspose1d": "conv",
    "ConvTranspose2d": "conv",
    "ConvTranspose3d": "conv",
    "Embedding": "embedding",
    "EmbeddingBag": "embedding",
    "_BatchNorm": "batch norm",
    "LayerNorm": "norm",
    "GroupNorm": "norm",
    "_InstanceNorm": "norm",
    "RMSNorm": "norm",
    "LSTM": "lstm",
    "LSTMCell": "lstm",
    "GRU": "gru",
    "GRUCell": "gru",
    "RNN": "rnn",
    "RNNCell": "rnn",
    "MultiheadAttention": "attention",
    "PReLU": "parameter",
    "Conv1D": "matrix as stored",  # of transformers' GPT-2: [in, out], as TF1 has it
}
_ROLES = {
    "batch norm": {
        "weight": "gamma",
        "bias": "beta",
        "running_mean": "moving_mean",
        "running_var": "moving_variance",
    },
    "norm": {"weight": "gamma", "bias": "beta"},
    "embedding": {"weight": "variable"},
}
_DENSE = {"weight": "kernel", "bias": "bias"}
#: What `torch.nn.utils.weight_norm` makes of a weight, and the parametrization of that name.
_WEIGHT_NORM = {"weight_v": "kernel", "weight_g": "gain", "bias": "bias"}
_PARAMETRIZED = {
    ".parametrizations.weight.original0": ".weight_g",
    ".parametrizations.weight.original1": ".weight_v",
}
_RECURRENT = re.compile(r"(weight|bias)_(ih|hh)(?:_(l\d+(?:_reverse)?))?")
_GATES = {4: "lstm", 3: "gru", 1: "rnn"}

#: The last part of the name of a buffer that counts batches: no tensor of TF1 is for it.
COUNTER = "num_batches_tracked"


def group(entries, kind_of=None):
    """Returns the units of a state dict.

    Args:
      entries: {name: `Weight`} in the order of the state dict.
      kind_of: function of a module's path that gives (kind or None, config); None infers kinds.

    Returns:
      A list of `Target`. Counters (`COUNTER`) are in none of them; everything else is in one.
    """
    by_module = collections.OrderedDict()
    for name, weight in entries.items():
        module, _, leaf = _plain_name(name, entries).rpartition(".")
        if leaf != COUNTER:
            by_module.setdefault(module, collections.OrderedDict())[leaf] = weight
    units = []
    for module, leaves in by_module.items():
        kind, config = kind_of(module) if kind_of else (None, {})
        units += _units(module, leaves, kind or _inferred(leaves), config)
    return units


def _plain_name(name, entries):
    """Returns the name of an entry of a normalised weight as `weight_norm` had it."""
    for ending, leaf in _PARAMETRIZED.items():
        front = name[: -len(ending)]
        shapes = [entries[front + e].shape for e in _PARAMETRIZED if front + e in entries]
        if ("." + name).endswith(ending) and len(shapes) == len(_PARAMETRIZED):
            if len(shapes[0]) in (0, len(shapes[1])):
                return (front + leaf).lstrip(".")
    return name


def class_kind(module):
    """Returns the kind of a live module by its classes, or None."""
    for base in type(module).__mro__:
        if base.__name__ in _KINDS:
            return _KINDS[base.__name__]
    return None


def _inferred(leaves):
    """Returns what a module is by its entries alone."""
    if "running_mean" in leaves:
        return "batch norm"
    if "in_proj_weight" in leaves:
        return "attention"
    for leaf, weight in leaves.items():
        if leaf.startswith("weight_hh") and _RECURRENT.fullmatch(leaf):
            rows, units = weight.shape
            return _GATES.get(rows // units, "parameter")
    weight = leaves.get("weight")
    if set(leaves) - {"bias"} == {"weight_g", "weight_v"}:
        weight, leaves = leaves["weight_v"], {"weight"}.union(set(leaves) & {"bias"})
    if weight is None or set(leaves) - {"weight", "bias"}:
        return "parameter"
    if len(weight.shape) == 1:
        return "norm"
    if len(weight.shape) > 2:
        return "conv"
    return "linear" if "bias" in leaves else "matrix"


def _units(module, leaves, kind, config):
    if kind in ("lstm", "gru", "rnn"):
        return _recurrent(module, leaves, kind, config)
    if kind == "attention":
        return _attention(module, leaves, config)
    roles = _ROLES.get(kind, _DENSE)
    if {"weight_g", "weight_v"} <= set(leaves):
        roles = _WEIGHT_NORM
    known = {roles[leaf]: weight for leaf, weight in leaves.items() if leaf in roles}
    units = []
    if kind != "parameter" and known:
        units.append(Target(module, kind, known, config))
    else:
        known = {}
    for leaf, weight in leaves.items():
        if kind == "parameter" or leaf not in roles:
            units.append(Target(_joined(module, leaf), "parameter", {"variable": weight}, {}))
    return units


def _recurrent(module, leaves, kind, config):
    """Returns one unit for each layer and direction."""
    layers = collections.OrderedDict()
    others = collections.OrderedDict()
    for leaf, weight in leaves.items():
        match = _RECURRENT.fullmatch(leaf)
        if match:
            prefix, side, layer = match.groups()
            layers.setdefault(layer or "", {})[f"{prefix}_{side}"] = weight
        else:
            others[leaf] = weight
    units = []
    for layer, weights in layers.items():
        direction = "backward" if layer.endswith("_reverse") else "forward"
        name = _joined(module, layer) if layer else module
        units.append(Target(name, kind, weights, dict(config, direction=direction)))
    if len(units) == 1:
        units = [units[0]._replace(name=module)]
    return units + [
        Target(_joined(module, leaf), "parameter", {"variable": weight}, {})
        for leaf, weight in others.items()
    ]


def _attention(module, leaves, config):
    """Splits fused projections into three linear units: ``q_proj``, ``k_proj``, ``v_proj``."""
    units = []
    fused = {"in_proj_weight": "kernel", "in_proj_bias": "bias"}
    for part, name in enumerate(("q_proj", "k_proj", "v_proj")):
        weights = {}
        for leaf, role in fused.items():
            if leaf in leaves:
                whole = leaves[leaf]
                shape = (whole.shape[0] // 3,) + tuple(whole.shape[1:])
                weights[role] = whole._replace(shape=shape, part=part, parts=3)
        separate = leaves.get(name + "_weight")
        if separate is not None:
            weights["kernel"] = separate
        if "kernel" in weights:
            units.append(Target(_joined(module, name), "linear", weights, config))
    for leaf, weight in leaves.items():
        if leaf not in fused and not leaf.endswith("_proj_weight"):
            units.append(Target(_joined(module, leaf), "parameter", {"variable": weight}, {}))
    return units


def _joined(module, leaf):
    return f"{module}.{leaf}" if module else leaf
