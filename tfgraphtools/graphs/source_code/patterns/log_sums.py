"""Logarithms of sums of exponentials, from which TensorFlow takes the largest term first.

A LogSumExp reads x; its attributes are ``axes`` and ``keeps``, whether their sizes of 1 stay.
"""

from tfgraphtools.graphs.source_code.ir import ir_nodes, shape_rules
from tfgraphtools.graphs.source_code.patterns import matching

_LARGEST = ("StopGradient", ("Select|SelectV2", ("IsFinite", "largest"), "largest", "zeros"))
_SUM = ("Add|AddV2", ("Log", ("Sum", ("Exp", ("Sub", "x", _LARGEST)))), "shift")


def _log_sum(program, node):
    bound = matching.match(node.output, _SUM)
    if bound is None or bound["largest"].op != "Max" or node.output.dims is None:
        return None
    shift, largest = bound["shift"], bound["largest"].node
    if shift.op == "Reshape":
        shift = shift.node.inputs[0]
    if (
        matching.match(shift, _LARGEST) is None
        or shift.node.inputs[0].node.inputs[1] is not bound["largest"]
    ):
        return None
    logarithm = next(value for value in node.inputs if value.op == "Log")
    total = logarithm.node.inputs[0].node
    x, rank = bound["x"], len(bound["x"].dims or ())
    if largest.inputs[0] is not x or not largest.attributes.get("keep_dims") or not rank:
        return None
    if any(reduced.inputs[1].content is None for reduced in (largest, total)):
        return None
    axes = shape_rules.axes_of(total.inputs[1], rank)
    if shape_rules.axes_of(largest.inputs[1], rank) != axes:
        return None
    settings = {"axes": tuple(axes), "keeps": len(node.output.dims) == rank}
    return ir_nodes.made(
        "LogSumExp", node.name, [x], node.output.dims, node.output.dtype, settings, node.position
    )


RULES = {"Add": [_log_sum], "AddV2": [_log_sum]}
