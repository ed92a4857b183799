"""Ops of one scope that compute the same from the same: one of them is enough."""

from tfgraphtools.graphs.source_code.ir import ir_nodes, loop_values, python_numbers

#: Ops that are no function of what they read, and new tensors, which each reader has its own of.
_OWN = {
    ir_nodes.INPUT, ir_nodes.PARAMETER, ir_nodes.CONSTANT, ir_nodes.LAYER, "Known", "Fill",
    "TensorArray", "List", "Append", loop_values.START, loop_values.END,
}  # fmt: skip


def join(program):
    """Makes the readers of equal nodes read the first one of them."""
    first = {}
    for node in program.nodes():
        if node.op in _OWN or len(node.outputs) != 1:
            continue
        key = _key(node)
        value = first.setdefault(key, node.output)
        if value is not node.output:
            program.replace(node.output, value)
    program.sweep()


def _key(node):
    scope = "" if python_numbers.is_number(node.output) else node.name.rpartition("/")[0]
    attributes = repr(sorted(node.attributes.items()))
    return node.op, scope, attributes, node.output.dims, tuple(map(_of_input, node.inputs))


def _of_input(value):
    array = value.array
    if array is not None:
        return value.dtype, array.shape, array.tobytes()
    if value.op == "Known":
        return value.dtype, value.content
    return value
