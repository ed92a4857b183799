"""Outputs of the whole graph, where a part begins in its middle: a fault of the cut shows there."""

from tfgraphtools.checkpoints.graphs import cuts
from tfgraphtools.errors import GraphExportError
from tfgraphtools.graphs.comparing import random_inputs
from tfgraphtools.graphs.comparing.output_differences import Comparison
from tfgraphtools.graphs.converting import input_shapes, session_runs
from tfgraphtools.graphs.converting.source_graphs import SourceGraph

_CUT = "value of {}"


def comparison(path, source, options):
    """Returns a `Comparison` of a part on the values that the whole graph has at the cut.

    Args:
      path: the graph.
      source: the `SourceGraph` of the part.
      options: an `extraction.PartOptions`.

    Returns:
      None where the part is not cut, or where nothing can be drawn that the whole graph takes.
    """
    at_cut = {name: tensor for name, tensor in source.inputs.items() if source.is_cut(name)}
    if not at_cut or options.shapes:
        return None
    fetched = {_CUT.format(name): tensor for name, tensor in at_cut.items()}
    try:
        whole = SourceGraph(path, {**source.outputs, **fetched}, None, options)
        with whole.export() as export, export.session() as session:
            return _run(whole.part, session, source)
    except GraphExportError:  # such as queues before the cut, or inputs that no draw fits
        return None


def _run(part, session, source):
    run = session_runs.of_part(part, session)
    described = input_shapes.described(part.meta.graph_def, part.inputs)
    for drawn in random_inputs.attempts(described):
        try:
            values = [run(arrays) for arrays in drawn]
        except GraphExportError:
            continue
        return Comparison(
            "values of the whole graph at the cut",
            [_fed(part, source, *pair) for pair in zip(drawn, values)],
            [{name: row[name] for name in source.outputs} for row in values],
        )
    return None


def _fed(part, source, arrays, values):
    """Returns what the part is fed: values at its cut, and placeholders as they were drawn."""
    drawn = {cuts.split_tensor(tensor)[0]: arrays[name] for name, tensor in part.inputs.items()}
    fed = {}
    for name, tensor in source.inputs.items():
        node = cuts.split_tensor(tensor)[0]
        value = values[_CUT.format(name)] if source.is_cut(name) else drawn.get(node)
        if value is None:
            raise GraphExportError(part.place, "an input of the whole graph", node, "Feed it.")
        fed[name] = value
    return fed
