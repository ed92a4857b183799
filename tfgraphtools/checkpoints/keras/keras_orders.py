"""Weights along a flattened map in the order of a Keras model: read, or asked for by name.

The graph of TF 1 says in which order it flattens a map (`facts.of_borders`), and so does the graph
of a call of the model (`keras_traces`). A weight is reordered where both say it. Where one of them
does not, the user is asked, unless the other has TF's default: channels last.
"""

from tfgraphtools.checkpoints.facts import flat_maps, keras_traces
from tfgraphtools.checkpoints.facts.of_borders import Borders, Found
from tfgraphtools.checkpoints.matching.reordered_fits import reordered
from tfgraphtools.errors import PlanError

_CELLS = ("LSTMCell", "GRUCell", "SimpleRNNCell")
_WORDS = {"rows": "the rows", "columns": "the outputs", "inputs": "the inputs"}
_OPTIONS = {"rows": "flatten", "columns": "unflatten", "inputs": "flatten"}
_NOTHING = Borders(None, None)
_UNTRACED = "no trace of the model that says it"


def ordered(matches, known, model, flatten, unflatten):
    """Returns the matches, with conversions that reorder what a border orders.

    Args:
      matches: a list of `Match`.
      known: a `known.Known`.
      model: the Keras model.
      flatten: {name of a source: the map that is flattened before it, if the model has it in the
        other order, or False}.
      unflatten: the same of maps that outputs become, or that vectors are.

    Raises:
      PlanError: a border whose order nothing says.
    """
    told = {"rows": flatten, "columns": unflatten, "inputs": flatten}
    of_graph, of_model = known.borders(), keras_traces.borders(model)
    if not of_graph.by_variable and not of_graph.sequences and not flatten and not unflatten:
        if of_model is None or not (of_model.by_variable or of_model.sequences):
            return matches
    return [_ordered(match, known, of_graph, of_model, told) for match in matches]


def _ordered(match, known, of_graph, of_model, told):
    axes = {}
    for argument, tensor in match.fit.leaves.items():
        for side, flat, other in _sides(match, argument, tensor, of_graph, of_model):
            is_traced = of_model is not None
            change = _change(match.source.name, side, flat, other, is_traced, known.path, told)
            if change:
                axes.setdefault(argument, {})[side] = change
    return match._replace(fit=reordered(match.fit, axes)) if axes else match


def _sides(match, argument, tensor, of_graph, of_model):
    """Yields (side, `FlatMap` of the graph or None, that of the model or None) of a tensor."""
    other = of_model or Found({}, {})
    if match.target.kind in _CELLS:
        kernel = match.target.weights.get("kernel")
        if kernel is not None and argument.endswith("kernel") and "recurrent" not in argument:
            size = kernel.shape[0]
            yield "inputs", of_graph.sequences.get(size), other.sequences.get(size)
        return
    weight = match.target.weights.get(argument)
    ours = of_graph.by_variable.get(tensor, _NOTHING)
    theirs = _NOTHING if weight is None else other.by_variable.get(id(weight.variable), _NOTHING)
    yield "columns", ours.columns, theirs.columns
    if weight is not None and len(weight.shape) > 1:
        yield "rows", ours.rows, theirs.rows


def _change(name, side, flat, other, is_traced, path, told):
    """Returns (the new order of a side, what is done), or None."""
    answer = told[side].get(name)
    if answer is False:
        return None
    if answer:
        return _as_told(name, side, flat, other, answer)
    if flat is None:
        # Without a graph TF's default is assumed, channels last.
        if other is None or flat_maps.order_of(other) != flat_maps.FIRST:
            return None
        said = "no graph that says it" if path is None else "a graph that does not say it"
        raise _unsaid(name, side, other, f"{said}: the model has channels first")
    if other is None:
        raise _unsaid(name, side, flat, _of_one_side(flat, is_traced))
    numbers = flat_maps.change(flat, other)
    if numbers is None:
        raise _unsaid(name, side, flat, f"{flat_maps.words(other)} in the model")
    return None if numbers is flat_maps.SAME else (numbers, _to(flat, other))


def _to(flat, other):
    words = [flat_maps.words(side).replace(" ", "") for side in (flat, other)]
    return "{} to {}".format(*words)


def _of_one_side(flat, is_traced):
    said = "a model that does not show it" if is_traced else _UNTRACED
    return f"{said}: the graph has {flat_maps.order_of(flat)}"


def _as_told(name, side, flat, other, sizes):
    """Returns the way from the graph's order to the other one, by the sizes that were told."""
    letters = "0123"[: len(sizes) - 1] + flat_maps.CHANNEL
    if flat is None or None in flat.sizes:
        flat = flat_maps.FlatMap(flat.axes if flat else letters, tuple(sizes))
    if flat_maps.is_raw(flat) and other is not None:
        flat = flat_maps.as_picture(flat, other) or flat
    other = flat_maps.opposite(flat)
    numbers = flat_maps.change(flat, other)
    if numbers is None or len(numbers) != flat_maps.count_of(flat_maps.FlatMap("", sizes)):
        raise _unsaid(name, side, flat, "an order that two words do not tell")
    return numbers, _to(flat, other)


def _unsaid(name, side, flat, got):
    option, shape = (
        _OPTIONS[side],
        ",".join("?" if size is None else str(size) for size in flat.sizes),
    )
    return PlanError(
        f"{_WORDS[side]} of {name!r}",
        f"to know in which order the model has the axes of a map of {flat_maps.words(flat)}",
        got,
        f"If the model has the order of the graph, pass {option}={{{name!r}: False}} (--{option} "
        f"{name} no); if it has the channels at the other end, the sizes of the graph: --{option} "
        f"{name} {shape}.",
    )
