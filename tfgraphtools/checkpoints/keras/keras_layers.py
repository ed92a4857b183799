"""A Keras model's weights in units: one per layer or recurrent cell, in the model's order."""

import collections

from tfgraphtools.checkpoints.keras import keras_models
from tfgraphtools.checkpoints.names import name_parts as names

#: A weight of a model. ``variable`` is Keras's.
Weight = collections.namedtuple("Weight", "path shape dtype variable")

#: A unit of a model. ``kind`` is the class of the layer; ``weights``: {role: `Weight`}; ``config``
#: what the conversion has to know of the layer; ``name`` is what a map may call it.
Target = collections.namedtuple("Target", "name kind weights config")

_ASKED = (
    "reset_after",
    "recurrent_activation",
    "activation",
    "epsilon",
    "strides",
    "padding",
    "output_padding",
    "momentum",
    "groups",
    "use_bias",
    "scale",
    "center",
)


def find(model):
    """Returns the units of a built model.

    Args:
      model: a Keras 3 or tf_keras model.

    Returns:
      A list of `Target`, in the order of ``model.weights``; every weight is in one of them.
    """
    owners = _owners(model)
    units = collections.OrderedDict()
    paths = collections.Counter()
    for variable in model.weights:
        owner, own_direction = owners.get(id(variable), (None, None))
        path = weight_path(variable)
        paths[path] += 1
        if paths[path] > 1:  # tf_keras lets two nested models have layers of one name
            path = f"{path}#{paths[path]}"
        weight = Weight(path, shape_of(variable), str(dtype_name(variable)), variable)
        name, role = names.split(path)
        role = role or "variable"
        if "#" in path:
            name, role = path.rpartition("/")[0] + "#" + path.rpartition("#")[2], _role_of(variable)
        unit = units.setdefault((id(owner), name), Target(name, _class_of(owner), {}, {}))
        unit.weights[_depthwise(unit.kind, role)] = weight
        unit.config.update(_config(owner), direction=own_direction or names.direction(name))
    return list(units.values())


def aliases(targets):
    """Returns ({name: `Target`}, {path: (role, `Weight`)}) by whole and unique short names.

    The model's own name may be left out, and so may the name of a layer's only cell.
    """
    top = own_name(targets)
    by_name, by_path = collections.defaultdict(list), collections.defaultdict(list)
    for target in targets:
        for name in _short(target.name, top):
            by_name[name].append(target)
            if target.kind.endswith("Cell"):
                by_name[name.rpartition("/")[0]].append(target)
        for role, weight in target.weights.items():
            for path in _short(weight.path, top):
                by_path[path].append((role, weight))
    return _unambiguous(by_name), _unambiguous(by_path)


def own_name(targets):
    """Returns the model's own name with a slash, in front of every path, or None."""
    first = {target.name.partition("/")[0] for target in targets if "/" in target.name}
    return first.pop() + "/" if len(first) == 1 else None


def _short(path, top):
    return {path, path[len(top) :]} if top and path.startswith(top) else {path}


def _unambiguous(by_name):
    return {name: several[0] for name, several in by_name.items() if name and len(several) == 1}


def weight_path(variable):
    """Returns the path of a weight: ``dense/kernel``."""
    return str(getattr(variable, "path", None) or variable.name).split(":")[0]


def shape_of(variable):
    """Returns a variable's shape in plain numbers, also where TF 1's behaviour has `Dimension`s."""
    return tuple(int(size) for size in variable.shape)


def dtype_name(variable):
    """Returns the name of a variable's type: a string in Keras 3, an object in tf_keras."""
    return getattr(variable.dtype, "name", variable.dtype)


def _role_of(variable):
    return names.role(weight_path(variable).rpartition("/")[2]) or "variable"


def _depthwise(kind, role):
    """Returns the role of a weight; Keras 3 calls a depthwise kernel "kernel", too."""
    return "depthwise_kernel" if kind.startswith("Depthwise") and role == "kernel" else role


def _owners(model):
    """Returns {id of a variable: (the layer that made it, direction of its half)}."""
    owners, halves = {}, {}
    for layer in model._flatten_layers(include_self=True, recursive=True):
        for attribute in ("forward_layer", "backward_layer"):
            half = getattr(layer, attribute, None)
            if half is not None and type(layer).__name__ == "Bidirectional":
                for variable in half.weights:
                    halves[id(variable)] = attribute.partition("_")[0]
        for attribute in (
            "_trainable_variables",
            "_non_trainable_variables",
            "_trainable_weights",
            "_non_trainable_weights",
        ):
            for variable in getattr(layer, attribute, None) or ():
                owners.setdefault(id(variable), layer)
    return {key: (layer, halves.get(key)) for key, layer in owners.items()}


def _class_of(owner):
    return type(owner).__name__ if owner is not None else "variable"


def _config(owner):
    """Returns what conversions ask of a layer."""
    settings = {}
    for name in _ASKED:
        value = getattr(owner, name, None)
        if callable(value):
            value = getattr(value, "__name__", str(value))
        if value is not None:
            settings[name] = tuple(value) if isinstance(value, list) else value
    rate = getattr(owner, "dilation_rate", None)
    if isinstance(rate, (list, tuple)):
        settings["dilation"] = tuple(rate)
    if owner is not None:
        settings["package"] = keras_models.package_of(owner)
    return settings
