"""Weights along a flattened map: a live Keras model has to flatten it in the order of the graph.

A checkpoint of objects has the tensors as they are, so that nothing can be reordered in it.
"""

from tfgraphtools.checkpoints.facts import flat_maps, keras_traces
from tfgraphtools.checkpoints.facts.of_borders import Borders
from tfgraphtools.errors import PlanError

_NOTHING = Borders(None, None)


def notes(matches, known, live):
    """Compares the order of what a map orders in the graph and in the models that get it.

    Args:
      matches: the matches of weights: ``name`` of a tensor, ``place`` of its `Place`.
      known: a `known.Known`.
      live: {number of a node: object} of a live object, empty without one.

    Returns:
      Sentences, for objects that nothing can be asked of.

    Raises:
      PlanError: a model flattens a map in another order than the graph, or may do so.
    """
    of_graph = known.borders()
    by_weight, untraced, sequences = _traced(live)
    sentences = []
    for match in matches:
        ours = of_graph.by_variable.get(match.name, _NOTHING)
        key = id(_variable(live.get(match.place.node)))
        theirs = by_weight.get(key, _NOTHING)
        for side in Borders._fields:
            flat, other = getattr(ours, side), getattr(theirs, side)
            if key in by_weight or key in untraced:
                _require_same(match, flat, other, key in by_weight)
            elif flat is not None and flat_maps.order_of(flat) != flat_maps.LAST:
                sentences.append(
                    f"{match.place.path}: its {side} are a map of {flat_maps.words(flat)}, "
                    f"{flat_maps.order_of(flat)}: the objects have to flatten it so"
                )
    for size, flat in of_graph.sequences.items():
        if size in sequences:
            _require_same(None, flat, sequences[size], True)
    return sentences


def _require_same(match, flat, other, is_traced):
    if flat is None and (other is None or flat_maps.order_of(other) != flat_maps.FIRST):
        return
    if flat is not None and other is not None:
        if flat_maps.change(flat, other) is flat_maps.SAME:
            return
    words = "sequences of the columns of a map"
    if match is not None:
        words = f"{match.name!r} -> {match.place.path!r}"
    raise PlanError(
        words,
        f"the order of the graph along a map: {_words(flat)}",
        f"{_words(other)} in the model" if is_traced else "a model that cannot be traced",
        "Convert it into the model (to_keras, ckpt convert --to keras), which reorders or asks, "
        "and save the model's checkpoint.",
    )


def _words(flat):
    if flat is None:
        return "none that it says"
    return f"{flat_maps.words(flat)} ({flat_maps.order_of(flat)})"


def _traced(live):
    """Returns ({id of a variable: `Borders`}, ids of those of no trace, {size: `FlatMap`})."""
    by_weight, untraced, sequences = {}, set(), {}
    for model in _models(live.values()):
        traced = keras_traces.borders(model)
        variables = {id(weight): id(_variable(weight)) for weight in model.weights}
        if traced is None:
            untraced.update(variables.values())
            continue
        for key, variable in variables.items():
            by_weight[variable] = traced.by_variable.get(key, _NOTHING)
        sequences.update(traced.sequences)
    return by_weight, untraced - set(by_weight), sequences


def _models(objects):
    """Returns the models of Keras that are in no other."""
    objects = list(objects)  # a Checkpoint of one object is that one's root
    objects += [
        root for root in (getattr(i, "root", None) for i in objects[:1]) if root is not None
    ]
    models = [
        item
        for item in objects
        if {base.__module__.partition(".")[0] for base in type(item).__mro__}
        & {"keras", "tf_keras"}
        and hasattr(item, "get_build_config")
        and callable(getattr(item, "call", None))
        and "Model" in {base.__name__ for base in type(item).__mro__}
    ]
    inner = {id(part) for model in models for part in model.layers}
    return [model for model in models if id(model) not in inner]


def _variable(item):
    """Returns TensorFlow's variable of a weight, which Keras 3 has in a variable of its own."""
    value = getattr(item, "value", None)
    return item if item is None or callable(value) or value is None else value
