"""The tensors of a family's model in another library: their names and layouts, of the data."""

import re

from tfgraphtools.checkpoints.families import inventory
from tfgraphtools.checkpoints.families.family import Entry, Sines
from tfgraphtools.checkpoints.torch import layouts

#: A table of words in which the library wants zeros for the padding, with which TF1 pads itself.
UNPADDED = "unpadded"


def entries(target, names, model):
    """Returns ([`Entry`], names left out, names that no rule knows).

    Args:
      target: a `Target`.
      names: {name of a weight of the checkpoint: its shape}.
      model: the name of the model in the library.
    """
    done, left_out, unknown = [], [], []
    numbers = _numbers(target, names)
    for source in sorted(names):
        name = renamed(target.renames, source)
        if name is None:
            left_out.append(source)
            continue
        scope, _, leaf = name.rpartition("/")
        if leaf not in target.leaves:
            unknown.append(source)
            continue
        leaf, layout = target.leaves[leaf]
        name = _joined(target, (scope + "/" + leaf) if scope else leaf)
        if "#" in name:
            name = name.replace("#", str(numbers[_scope_of(target, source)]))
        if any(re.fullmatch(pattern, source) for pattern in target.stacked):
            done += [
                Entry(name.replace("{}", str(index)), source, layout, index)
                for index in range(names[source][0])
            ]
        else:
            done.append(Entry(name, source, layout))
    done += _constants(target, names, numbers)
    return _of_model(target, model, done, left_out, unknown)


def _of_model(target, model, done, left_out, unknown):
    """Returns the same without what other models of the target have, or none of them."""
    own, others = inventory.of_model(target, model, [entry.name for entry in done])
    if own is None:
        return done, left_out, unknown
    for entry in done:
        if entry.name not in own:
            (left_out if entry.name in others else unknown).append(entry.source)
    return [entry for entry in done if entry.name in own], left_out, unknown


def _joined(target, name):
    return name if target.to == "keras" else name.replace("/", ".")


def renamed(renames, name):
    """Returns the name after all rules, or None where one leaves it out."""
    for pattern, replacement in renames:
        if not re.fullmatch(pattern, name):
            continue
        if replacement is None:
            return None
        name = re.sub("^(?:" + pattern + ")$", replacement, name)
    return name


def _constants(target, names, numbers):
    """Returns the entries that the checkpoint does not store, where it does not store them."""
    done = []
    for pattern, replacement, value in target.constants:
        for source in sorted(names):
            missing = re.sub("^(?:" + pattern + ")$", replacement, source)
            if not re.fullmatch(pattern, source) or missing in names:
                continue
            name = renamed(target.renames, missing)
            if name is None:
                continue
            scope, _, leaf = name.rpartition("/")
            name = _joined(target, scope + "/" + target.leaves[leaf][0])
            if "#" in name:
                name = name.replace("#", str(numbers[_scope_of(target, missing)]))
            done.append(Entry(name, source, "same", None, value))
    return done


# Layers that the library numbers -------------------------------------------------------


def _numbers(target, names):
    """Returns {scope of a layer: its number} in the order in which the library makes them."""
    scopes = {_scope_of(target, name) for name in names}
    ordered = []
    for pattern in target.numbered:
        matching = {scope for scope in scopes if scope and re.fullmatch(pattern, scope)}
        ordered += sorted(matching - set(ordered), key=_natural)
    return {scope: number for number, scope in enumerate(ordered)}


def _scope_of(target, name):
    """Returns the scope of a numbered layer that a tensor belongs to, or None."""
    scope = name.rpartition("/")[0]
    scope = re.sub("/BatchNorm$", "", scope)
    return scope if any(re.fullmatch(pattern, scope) for pattern in target.numbered) else None


def _natural(name):
    """Returns a key that sorts ``block35_2`` before ``block35_10``."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


# Layouts ---------------------------------------------------------------------------------


def layout_of(entry, shape):
    """Returns the `layouts.Layout` of an entry, or None if it has none for this shape.

    Args:
      entry: an `Entry`.
      shape: TF1's, without the first axis where the entry is one index of it.

    same        as stored
    transposed  [in, out] -> [out, in]
    squeezed    without the leading one
    conv        HWIO -> OIHW
    depthwise   [h, w, in, m] -> [in * m, 1, h, w]
    linear      [1, 1, in, out] -> [out, in]
    rows        [h, w, in, out] -> [h * w * in, out]
    unpadded    as stored, but for zeros in the row of the padding
    """
    shape = tuple(shape)
    if entry.layout == UNPADDED:
        return layouts.SAME._replace(words="row 0 as zeros", forward=_without_first_row)
    if entry.layout == "same":
        return layouts.SAME
    if entry.layout == "rows":
        size = 1
        for length in shape[:-1]:
            size *= length
        return layouts.reshaped(shape, (size, shape[-1]))
    wanted = _WANTED[entry.layout](shape) if len(shape) > 1 else None
    if wanted is None:
        return None
    return layouts.candidates(shape, wanted).get(_LAYOUTS[entry.layout])


def _without_first_row(array):
    array = array.copy()
    array[:1] = 0
    return array


_LAYOUTS = {
    "transposed": "transposed",
    "squeezed": "same",
    "conv": "conv",
    "depthwise": "depthwise",
    "linear": "transposed",
}
_WANTED = {
    "transposed": lambda shape: shape[::-1],
    "squeezed": lambda shape: shape[1:],
    "conv": lambda shape: shape[:-3:-1] + shape[:-2],
    "depthwise": lambda shape: (shape[-2] * shape[-1], 1) + shape[:-2],
    "linear": lambda shape: shape[:-3:-1] if set(shape[:-2]) <= {1} else None,
}


def array_of(entry, array):
    """Returns the values of an entry, maybe as a view, of TF1's."""
    import numpy as np

    if isinstance(entry.value, Sines):
        return _sines(entry.value.tokens, array.shape[-1]).astype(array.dtype)
    if entry.value is not None:
        return np.full(array.shape, entry.value, array.dtype)
    if entry.index is not None:
        array = array[entry.index]
    return layout_of(entry, array.shape).forward(array)


def _sines(tokens, width):
    """Returns the table of positions of tensor2tensor and PEGASUS, [tokens, width]."""
    import numpy as np

    half = width // 2
    step = np.log(1e4) / max(half - 1, 1)
    angles = np.arange(tokens)[:, None] * np.exp(-step * np.arange(half))
    return np.concatenate([np.sin(angles), np.cos(angles)], 1)


def shape_of(entry, shape):
    """Returns an entry's shape in TF1: its tensor's, without an axis that it indexes."""
    return tuple(shape) if entry.index is None else tuple(shape[1:])


def words_of(entry, shape):
    """Returns what is done to a tensor, for the plan."""
    if isinstance(entry.value, Sines):
        return f"sines and cosines of {entry.value.tokens} positions, as TF1 computes them"
    if entry.value is not None:
        return f"all {entry.value}: TF1's layer has none"
    index = "" if entry.index is None else f"[{entry.index}]"
    return "; ".join(filter(None, [index, layout_of(entry, shape_of(entry, shape)).words]))
