"""A checkpoint's tensors in units: the weights of a layer, or of a recurrent cell.

Only its name says what a tensor belongs to. Recurrent cells are known by
the parts that they are saved in, or by the name that TF gives their scope.
"""

import collections
import re

from tfgraphtools.checkpoints.names import name_parts as names

#: A unit of a checkpoint. ``kind`` is "plain" for layers and variables, else a key of `_PARTS`,
#: "lstm", "projected lstm", "basic rnn", or "refused" with the ``reason``. ``leaves``: {role or
#: argument of the conversion: tensor name}. ``forget_bias`` is what the cell adds, if its name
#: says it; ``part`` the place of a cell in a network of cuDNN (`cudnn.Part`).
Source = collections.namedtuple("Source", "name kind leaves reason forget_bias part")
Source.__new__.__defaults__ = ("", None, None)

#: Cells whose parts no layer has: {kind: [{argument: the part's name}]}.
_PARTS = {
    "cudnn gru": [
        {
            part.replace("/", "_"): part
            for part in (
                "gates/kernel",
                "gates/bias",
                "candidate/input_projection/kernel",
                "candidate/input_projection/bias",
                "candidate/hidden_projection/kernel",
                "candidate/hidden_projection/bias",
            )
        }
    ],
    "gru": [
        {
            part.replace("/", "_"): part
            for part in ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
        },
        {
            "gates_kernel": "w_ru",
            "gates_bias": "b_ru",
            "candidate_kernel": "w_c",
            "candidate_bias": "b_c",
        },
    ],
}
#: {name of a cell's scope: the forget bias that it adds; None: its constructor's argument}.
_LSTMS = {
    "basic_lstm_cell": None,
    "lstm_cell": None,
    "lstm_fused_cell": None,
    "cudnn_compatible_lstm_cell": 0.0,
}
_KNOWN_CELLS = {*_LSTMS, "basic_rnn_cell", "gru_cell", "cudnn_compatible_gru_cell"}
_CELL = re.compile(r"([a-z0-9_]*(?:lstm|gru|rnn|nas|sru|cfn)[a-z0-9_]*_cell)(?:_\d+)?")
_CONTAINERS = {"multi_rnn_cell"}

_PEEPHOLES = ("w_i_diag", "w_f_diag", "w_o_diag")
#: {pattern of tensors: why no layer takes them}
_NO_WEIGHTS = {
    r"(.*/)?(renorm_\w+|moving_stddev)": "a statistic of batch renormalisation, which Keras does "
    "not have (the outputs of the trained model do not depend on it: drop it)",
    r".*/ExponentialMovingAverage(_\d+)?": "a moving average (drop it, or take it in place of "
    "its variable: --use-ema, or ckpt rename --rule '(.*)/ExponentialMovingAverage' '\\1')",
}


def find(tensors):
    """Returns the units of a checkpoint, in the order of their names.

    Args:
      tensors: the names of the tensors to account for: no optimizer's slots.

    Returns:
      A list of `Source`; every tensor is in one of them, a projection in two.
    """
    real = {names.modern(name): name for name in tensors}
    if len(real) < len(set(tensors)):
        real = {name: name for name in tensors}
    units = _units(set(real))
    return [
        source._replace(leaves={part: real[name] for part, name in source.leaves.items()})
        for source in sorted(units, key=lambda source: source.name)
    ]


def without_separable(sources, targets):
    """Returns the units, each separable convolution as two where no layer of the model is one.

    Args:
      sources: [`Source`].
      targets: the model's units, with ``weights``.
    """
    if any("pointwise_kernel" in target.weights for target in targets):
        return sources
    done = []
    for source in sources:
        if set(source.leaves) - {"bias"} != {"depthwise_kernel", "pointwise_kernel"}:
            done.append(source)
            continue
        leaves = dict(source.leaves)
        depthwise = {"depthwise_kernel": leaves.pop("depthwise_kernel")}
        leaves["kernel"] = leaves.pop("pointwise_kernel")
        done.append(Source(source.name + "/depthwise", "plain", depthwise))
        done.append(Source(source.name + "/pointwise", "plain", leaves))
    return done


def with_weight_norm(sources, targets):
    """Returns the units, each normalised kernel as one with its gain where the model has such.

    ``V`` or ``v``, or ``kernel``, beside ``g`` in a scope: W = g V / |V|, of Salimans and Kingma,
    "Weight Normalization", 2016.

    Args:
      sources: [`Source`].
      targets: the model's units, with ``weights``.
    """
    if not any("gain" in target.weights for target in targets):
        return sources
    by_name, taken, joined = {source.name: source for source in sources}, set(), []
    for gain in [source for source in sources if source.name.rpartition("/")[2] == "g"]:
        scope = gain.name.rpartition("/")[0]
        layer = by_name.get(scope, Source(scope, "plain", {}))
        vectors = [by_name[name] for v in "vV" for name in [f"{scope}/{v}"] if name in by_name]
        leaves = dict(layer.leaves)
        if len(vectors) == 1:
            leaves["kernel"] = next(iter(vectors[0].leaves.values()))
        if "kernel" in leaves and set(leaves) <= {"kernel", "bias"} and layer.kind == "plain":
            leaves["gain"] = next(iter(gain.leaves.values()))
            joined.append(layer._replace(leaves=leaves))
            taken.update({gain.name, scope, *(vector.name for vector in vectors)})
    left = [source for source in sources if source.name not in taken]
    return sorted(left + joined, key=lambda source: source.name)


def _units(remaining):
    sources = []
    for taken in (_no_weights, _cells_by_parts, _cells_by_name):
        for source in list(taken(remaining)):
            sources.append(source)
            remaining -= set(source.leaves.values())
    by_layer = collections.defaultdict(dict)
    for name in sorted(remaining):
        layer, role = names.split(name)
        if role in by_layer[layer]:  # "w" beside "weights": each by itself
            by_layer[name]["variable"] = name
        else:
            by_layer[layer][role or "variable"] = name
    for layer, leaves in by_layer.items():
        if "variable" in leaves and len(leaves) > 1:  # a variable named as a layer beside it
            sources.append(Source(layer, "plain", {"variable": leaves.pop("variable")}))
        sources.append(Source(layer, "plain", leaves))
    return sources + [_projection(source) for source in sources if source.kind == "projected lstm"]


def _projection(source):
    """Returns the Dense layer that takes the place of a projection inside the cell."""
    return Source(
        source.name + "/projection", "plain", {"kernel": source.leaves["projection_kernel"]}
    )


def _cells_by_parts(remaining):
    for kind, forms in _PARTS.items():
        for parts in forms:
            first = next(iter(parts.values()))
            for name in sorted(remaining):
                scope, separator, _ = name.rpartition("/" + first)
                leaves = {argument: f"{scope}/{part}" for argument, part in parts.items()}
                if separator and name.endswith("/" + first) and set(leaves.values()) <= remaining:
                    yield Source(scope, kind, leaves)


def _cells_by_name(remaining):
    by_scope = collections.defaultdict(list)
    for name in sorted(remaining):
        scope = _cell_scope(name)
        if scope:
            by_scope[scope].append(name)
    for scope, inside in by_scope.items():
        yield _named_cell(scope, {name[len(scope) + 1 :]: name for name in inside})


def _cell_scope(name):
    """Returns the innermost scope around a tensor that is a cell's."""
    parts = name.split("/")[:-1]
    for end in range(len(parts), 0, -1):
        if _cell_name(parts[end - 1]) not in (None, *_CONTAINERS):
            return "/".join(parts[:end])
    return None


def _cell_name(part):
    """Returns what TF calls the cell whose scope has this name, or None."""
    match = _CELL.fullmatch(names.snake(part))
    return match and match.group(1)


def _named_cell(scope, inside):
    """Returns the unit of a cell, from {the rest of its tensors' names: the whole names}."""
    name = _cell_name(scope.rpartition("/")[2])
    roles = {names.role(part) or part: full for part, full in inside.items()}
    if "recurrent_kernel" in roles:  # a cell of tf.keras
        return Source(scope, "plain", roles)
    projection = roles.pop("projection/kernel", None)
    peepholes = [part for part in _PEEPHOLES if part in roles]
    if name in _LSTMS and set(roles) == {"kernel", "bias"}:
        kind = "lstm"
        if projection:
            kind, roles = "projected lstm", dict(roles, projection_kernel=projection)
        return Source(scope, kind, roles, "", _LSTMS[name])
    if name == "basic_rnn_cell" and set(roles) == {"kernel", "bias"}:
        return Source(scope, "basic rnn", roles)
    if peepholes:
        reason = "peepholes ({}), which no layer of Keras has".format(", ".join(peepholes))
    elif name in _KNOWN_CELLS:
        reason = "a {} with the parts {}".format(name, ", ".join(sorted(inside)))
    else:
        reason = f"a {name}, which neither Keras nor PyTorch has"
    return Source(scope, "refused", inside, reason)


def _no_weights(remaining):
    for name in sorted(remaining):
        for pattern, reason in _NO_WEIGHTS.items():
            if re.fullmatch(pattern, name):
                yield Source(name, "refused", {"variable": name}, reason)
