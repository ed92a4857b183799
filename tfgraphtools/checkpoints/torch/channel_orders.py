"""Weights along a flattened map in the order of PyTorch's channels: read, or asked for by name.

The graph says where a map is flattened and where a vector becomes one (`facts.of_borders`); a
trace of the module says in which order it has the channels there (`traced_orders`). A weight is
reordered where both say it, and the user is asked where one of them does not.
"""

import numpy as np

from tfgraphtools.checkpoints.torch import traced_orders
from tfgraphtools.errors import PlanError

_WORDS = {"rows": "the rows", "columns": "the outputs"}


def ordered(matches, known, trace, flatten, unflatten):
    """Returns the matches, with conversions that reorder what a border orders.

    Args:
      matches: a list of `Match`.
      known: a `known.Known`.
      trace: what `traced_orders.orders` gives, or None.
      flatten: {name of a source: the map that was flattened before it, or False}.
      unflatten: {name of a source: the map that its output becomes or is, or False}.

    Raises:
      PlanError: a border whose order nothing says.
    """
    borders, merged = known.borders(), known.merged()
    told = {"rows": flatten, "columns": unflatten}
    if merged:
        matches = [_of_a_cell(match, merged, flatten) for match in matches]
    if not borders and not unflatten:
        return matches
    trace = trace or {}
    return [_ordered(match, borders, trace, told) for match in matches]


def _of_a_cell(match, merged, flatten):
    """Returns the match of a cell that reads columns of a map, whose channels are one axis."""
    weight = match.target.weights.get("weight_ih") or match.target.weights.get("kernel")
    if match.target.kind not in ("lstm", "gru", "rnn") or weight is None:
        return match
    sizes, name = merged.get(weight.shape[-1]), match.source.name
    if sizes is None or flatten.get(name) is False:
        return match
    told = flatten.get(name)
    if told is None or "kernel" not in match.fit.leaves:
        listed = ",".join(map(str, sizes))
        raise PlanError(
            f"the inputs of the cell {name!r}",
            "to know in which order the model has the channels of a map of which it reads columns",
            "a graph in which they are last: {} x {}".format(*sizes),
            f"If the model has them first, pass flatten={{{name!r}: ({sizes[0]}, {sizes[1]})}} "
            f"(--flatten {name} {listed}); if last as TF1, False ('no').",
        )
    return match._replace(fit=_reordered(match.fit, {"kernel": {"inputs": tuple(told)}}))


def _ordered(match, borders, trace, told):
    axes = {}
    for argument, tensor in match.fit.leaves.items():
        border = borders.get(tensor)
        for side in ("rows", "columns"):
            sizes = getattr(border, side, None)
            sizes = _sizes(match, side, sizes, trace, told) if _is_of(argument, side) else None
            if sizes:
                axes.setdefault(argument, {})[side] = sizes
    return match._replace(fit=_reordered(match.fit, axes)) if axes else match


def _is_of(argument, side):
    return side == "columns" or argument == "kernel"


def _sizes(match, side, sizes, trace, told):
    """Returns the map by which to reorder a side of a unit, or None."""
    name = match.source.name
    if name in told[side]:  # rows that were told are in the fit already
        return told[side][name] or None if side == "columns" else None
    if sizes is None or match.target.kind == "conv":
        return None
    of_module = trace.get(match.target.name)
    order = of_module and _order(match, side, of_module)
    if order == traced_orders.LAST:
        return None
    if order == traced_orders.FIRST:
        return sizes
    option, shape = ("flatten", "unflatten")[side == "columns"], ",".join(map(str, sizes))
    raise PlanError(
        f"{_WORDS[side]} of {name!r}",
        "to know in which order the model has the channels of a map of "
        + " x ".join(map(str, sizes)),
        "another order than TF1's or PyTorch's"
        if order
        else "no trace of the model that says it: the graph flattens channels last",
        f"If it has channels first, pass {option}={{{name!r}: ({shape.replace(',', ', ')})}} "
        f"(--{option} {name} {shape}); if it permutes them to the end as TF1, False ('no').",
    )


def _order(match, side, of_module):
    """Returns the order of a side; a normalisation's vector has that of either side."""
    is_norm = match.target.kind in ("batch norm", "norm")
    return of_module.rows if side == "rows" else of_module.columns or is_norm and of_module.rows


def _reordered(fit, axes):
    """Returns a `Fit` that reorders axes of its tensors before it converts them."""

    def changed(arrays, is_back):
        return {
            argument: _changed(array, axes.get(argument, {}), is_back)
            for argument, array in arrays.items()
        }

    def convert(arrays):
        return fit.convert(changed(arrays, False))

    def convert_slots(arrays):
        return fit.convert_slots(changed(arrays, False))

    def back(arrays):
        return changed(fit.back(arrays), True)

    steps = dict(fit.steps)
    for argument, sides in axes.items():
        for side, sizes in sides.items():
            words = "{} {} to channels first".format(side, "x".join(map(str, sizes)))
            steps[argument] = "; ".join(filter(None, [steps.get(argument, ""), words]))
    return fit._replace(
        convert=convert,
        convert_slots=convert_slots if fit.convert_slots else None,
        back=back if fit.back else None,
        steps=steps,
    )


def _changed(array, sides, is_back):
    array = np.asarray(array)
    for side, sizes in sides.items():
        axis = -1 if side == "columns" else array.ndim - 2
        order = np.arange(int(np.prod(sizes))).reshape(sizes)
        order = np.moveaxis(order, -1, 0).reshape(-1)
        if side == "inputs":  # the rows of the state come after them
            order = np.append(order, np.arange(len(order), array.shape[axis]))
        array = np.take(array, np.argsort(order) if is_back else order, axis=axis)
    return array
