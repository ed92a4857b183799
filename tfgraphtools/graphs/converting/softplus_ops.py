"""Softplus for TFLite, whose converter writes ``log(exp(x) + 1)``, which is inf from 89."""

_PARTS = ("Abs", "Neg", "Exp", "Log1p", "Relu")


def expand(graph_def):
    """Makes each Softplus of a GraphDef ``relu(x) + log1p(exp(-|x|))``.

    Args:
      graph_def: changed in place.
    """
    for node in [node for node in graph_def.node if node.op == "Softplus"]:
        (x,) = [tensor for tensor in node.input if not tensor.startswith("^")]
        parts = {op: f"{node.name}/{op.lower()}" for op in _PARTS}
        sources = dict(zip(_PARTS, [x, *(parts[op] for op in _PARTS[:3]), x]))
        for op in _PARTS:
            part = graph_def.node.add(name=parts[op], op=op, input=[sources[op]])
            part.attr["T"].CopyFrom(node.attr["T"])
        waits = [tensor for tensor in node.input if tensor.startswith("^")]
        node.op = "AddV2"
        del node.input[:]
        node.input.extend([parts["Relu"], parts["Log1p"], *waits])
