"""Weights along a flattened map in the order of PyTorch's channels: read, or asked for by name.

The graph says where a map is flattened and where a vector becomes one (`facts.of_borders`); a
trace of the module says in which order it has the channels there (`traced_orders`). A weight is
reordered where both say it, and the user is asked where one of them does not.
"""

from tfgraphtools.checkpoints.facts import flat_maps
from tfgraphtools.checkpoints.matching.reordered_fits import reordered
from tfgraphtools.errors import PlanError

_WORDS = {"rows": "the rows", "columns": "the outputs"}
_CELLS = ("lstm", "gru", "rnn")
_OF_RAW = 3  # axes of a picture, of which a module has the channels first


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
    borders, sequences = known.borders()
    told = {"rows": flatten, "columns": unflatten}
    if sequences:
        matches = [_of_a_cell(match, sequences, flatten) for match in matches]
    if not borders and not unflatten:
        return matches
    trace = trace or {}
    return [_ordered(match, borders, trace, told) for match in matches]


def _of_a_cell(match, sequences, flatten):
    """Returns the match of a cell that reads columns of a map, whose channels are one axis."""
    weight = match.target.weights.get("weight_ih") or match.target.weights.get("kernel")
    if match.target.kind not in _CELLS or weight is None:
        return match
    flat, name = sequences.get(weight.shape[-1]), match.source.name
    if flat is None or flatten.get(name) is False:
        return match
    told = flatten.get(name)
    if told is None or "kernel" not in match.fit.leaves:
        listed = ",".join(map(str, flat.sizes))
        raise PlanError(
            f"the inputs of the cell {name!r}",
            "to know in which order the model has the channels of a map of which it reads columns",
            f"a graph that has {flat_maps.order_of(flat)}: {flat_maps.words(flat)}",
            f"If the model has another order, pass flatten={{{name!r}: "
            f"({listed.replace(',', ', ')})}} (--flatten {name} {listed}); if that of the graph, "
            "False ('no').",
        )
    return match._replace(fit=reordered(match.fit, {"kernel": {"inputs": _exchanged(flat, told)}}))


def _exchanged(flat, told):
    """Returns the change of a map that a module has in the other order, by its sizes."""
    flat = flat or flat_maps.FlatMap("0123"[: len(told) - 1] + flat_maps.CHANNEL, tuple(told))
    if flat_maps.is_raw(flat):  # of a picture, whose channels are last
        flat = flat_maps.FlatMap("0123"[: len(told) - 1] + flat_maps.CHANNEL, tuple(told))
    other = flat_maps.opposite(flat)
    return flat_maps.change(flat, other), _to(flat, flat_maps.order_of(other))


def _to(flat, order):
    return "{} to {}".format(flat_maps.words(flat).replace(" ", ""), order)


def _ordered(match, borders, trace, told):
    axes = {}
    for argument, tensor in match.fit.leaves.items():
        border = borders.get(tensor)
        for side in ("rows", "columns"):
            flat = getattr(border, side, None)
            change = _change(match, side, flat, trace, told) if _is_of(argument, side) else None
            if change:
                axes.setdefault(argument, {})[side] = change
    return match._replace(fit=reordered(match.fit, axes)) if axes else match


def _is_of(argument, side):
    return side == "columns" or argument == "kernel"


def _change(match, side, flat, trace, told):
    """Returns (the new order of a side, what is done) of a unit, or None."""
    name = match.source.name
    if name in told[side]:  # rows that were told are in the fit already
        sizes = told[side][name]
        if sizes and side == "rows" and not _is_last(flat):
            raise _unsaid(name, side, flat, None)
        return _exchanged(flat, sizes) if sizes and side == "columns" else None
    if flat is None or match.target.kind in ("conv", *_CELLS):
        return None
    if flat_maps.is_raw(flat) and len(flat.axes) < _OF_RAW:
        return None
    of_module = trace.get(match.target.name)
    order = of_module and _order(match, side, of_module)
    numbers = flat_maps.change(flat, order and flat_maps.to_order(flat, order))
    if numbers is None:
        raise _unsaid(name, side, flat, order)
    return None if numbers is flat_maps.SAME else (numbers, _to(flat, order))


def _is_last(flat):
    """Tells whether rows are as `torch_fits` takes them, which reorders what was told."""
    return flat is None or flat_maps.is_raw(flat) or flat_maps.order_of(flat) == flat_maps.LAST


def _unsaid(name, side, flat, order):
    option, shape = ("flatten", "unflatten")[side == "columns"], ",".join(map(str, flat.sizes))
    steps = (
        f"If it has them first, pass {option}={{{name!r}: ({shape.replace(',', ', ')})}} "
        f"(--{option} {name} {shape}); if in the order of the graph, False ('no')."
    )
    if flat_maps.is_raw(flat):
        steps = (
            "If the pictures of the graph have the channels last and those of the model first, "
            f"pass flatten={{{name!r}: ({shape.replace(',', ', ')})}} (--flatten {name} {shape}); "
            "if both have one order, False ('no')."
        )
    elif side == "rows" and not _is_last(flat):
        steps = (
            f"If it has the order of the graph, pass flatten={{{name!r}: False}} (--flatten "
            f"{name} no); else pass a model that torch.fx can trace."
        )
    return PlanError(
        f"{_WORDS[side]} of {name!r}",
        f"to know in which order the model has the channels of a map of {flat_maps.words(flat)}",
        "another order than TF1's or PyTorch's"
        if order
        else f"no trace of the model that says it: the graph has {flat_maps.order_of(flat)}",
        steps,
    )


def _order(match, side, of_module):
    """Returns the order of a side; a normalisation's vector has that of either side."""
    is_norm = match.target.kind in ("batch norm", "norm")
    return of_module.rows if side == "rows" else of_module.columns or is_norm and of_module.rows
