"""What Keras asks of a program: paddings before convolutions, sequences behind examples."""

import numpy as np

from tfgraphtools.graphs.source_code.ir import ir_nodes, ir_reading
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.keras.keras_layer_table import ACTIVATIONS
from tfgraphtools.graphs.source_code.passes import rewriting, shape_ops
from tfgraphtools.graphs.source_code.patterns import layer_nodes
from tfgraphtools.graphs.source_code.scopes import module_paths

_WITH_ACTIVATION = ("linear", "conv", "depthwise_conv", "conv_transpose")


def rearrange(program):
    """Puts ops around the layers that have another form in Keras."""
    _put_activations_into_layers(program)
    for node in program.nodes():
        if node.op in ("ArgMax", "ArgMin"):
            _count_in_32_bits(program, node)
        if node.op != ir_nodes.LAYER:
            continue
        if node.attributes["kind"] in ("conv", "depthwise_conv"):
            _pad_before(node)
        elif node.attributes["kind"] in ("lstm", "rnn"):
            _put_examples_first(program, node)
            _flatten_states(program, node)
    rewriting.apply(program, shape_ops.RULES)


def _count_in_32_bits(program, node):
    """Gives a place the dtype that it has in Keras, where everything casts it to that."""
    output = node.output
    are_casts = all(user.op == "Cast" and user.output.dtype == "int32" for user in output.users)
    if are_casts and not program.is_output(output):
        output.dtype = "int32"


def _put_activations_into_layers(program):
    """Makes settings of the functions that follow layers, if they follow each of their calls."""
    followers, layers = {}, {}
    for node in program.nodes():
        if layer_nodes.is_layer(node.outputs[0], *_WITH_ACTIVATION):
            layers.setdefault(module_paths.layer_key(node), []).append(node)
        elif node.op in ACTIVATIONS and program.has_one_user(node.inputs[0]):
            followers[node.inputs[0]] = node
    for nodes in layers.values():
        functions = [followers.get(node.output) for node in nodes]
        names = {function.op if function is not None else None for function in functions}
        if len(names) == 1 and None not in names:
            for node, function in zip(nodes, functions):
                settings = {**layer_nodes.settings_of(node), "activation": function.op}
                node.attributes["settings"] = settings
                program.replace(function.output, node.output)


def _pad_before(node):
    """Makes the padding of a convolution an op, unless Keras has a word for it."""
    settings, x = layer_nodes.settings_of(node), node.inputs[0]
    pairs = settings["padding"]
    if isinstance(pairs, str):
        return
    if _is_same(settings, pairs):
        settings["padding"] = "SAME"
        return
    settings["padding"] = "VALID"
    pairs = [(0, 0), *pairs, (0, 0)]
    array = ir_reading.constant(np.array(pairs, np.int32), node.name)
    dims = [sizes.add(size, sum(pair)) for size, pair in zip(x.dims, pairs)]
    padded = ir_nodes.made("Pad", node.name, [x, array], dims, x.dtype, position=node.position)
    node.set_inputs([padded])


def _is_same(settings, pairs):
    """Tells whether a padding is TensorFlow's SAME, whatever the size."""
    totals = [(kernel - 1) * step for kernel, step in zip(settings["size"], settings["dilations"])]
    expected = [(total // 2, total - total // 2) for total in totals]
    return set(settings["strides"]) == {1} and list(pairs) == expected


def _put_examples_first(program, node):
    """Transposes a sequence whose first axis is that of its steps."""
    settings, x, outputs = layer_nodes.settings_of(node), node.inputs[0], node.outputs[0]
    if settings["is_batch_first"]:
        return
    node.attributes["settings"] = {**settings, "is_batch_first": True}
    swapped = _swapped(x, node, x.dims)
    node.set_inputs([swapped, *node.inputs[1:]])
    dims, outputs.dims = outputs.dims, (outputs.dims[1], outputs.dims[0], *outputs.dims[2:])
    users = dict(outputs.users)
    result = _swapped(outputs, node, outputs.dims)
    assert result.dims == dims
    _read_instead(program, outputs, result, users)


def _swapped(value, node, dims):
    dims = (dims[1], dims[0], *dims[2:])
    attributes = {"order": (1, 0, *range(2, len(dims)))}
    return ir_nodes.made(
        "Transpose", node.name, [value], dims, value.dtype, attributes, node.position
    )


def _read_instead(program, old, new, users):
    """Makes what read a value read another, but for the node that makes it of the value."""
    for user in users:
        user.set_inputs([new if value is old else value for value in user.inputs])
    for name, value in program.outputs.items():
        if value is old:
            program.outputs[name] = new


def _flatten_states(program, node):
    """Drops the axis of layers, which states have in PyTorch alone."""
    states = layer_nodes.settings_of(node)["states"]
    inputs, first = list(node.inputs), len(node.inputs) - states
    for place in range(first, len(inputs)):
        inputs[place] = _reshaped(inputs[place], node, inputs[place].dims[1:])
    node.set_inputs(inputs)
    for value in node.outputs[1:]:
        users, dims = dict(value.users), value.dims
        value.dims = dims[1:]
        if users or program.is_output(value):
            _read_instead(program, value, _reshaped(value, node, dims), users)


def _reshaped(value, node, dims):
    return ir_nodes.made("Reshape", node.name, [value], dims, value.dtype, position=node.position)
