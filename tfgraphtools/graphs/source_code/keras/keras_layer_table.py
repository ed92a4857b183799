"""Layers as classes of `keras.layers`, whose parameters have TensorFlow's layout.

Each is built where its sizes are known, so that all weights are there before the first call.
"""

from tfgraphtools.graphs.source_code.passes import shape_ops
from tfgraphtools.graphs.source_code.patterns import layer_nodes
from tfgraphtools.graphs.source_code.patterns.layer_nodes import (
    BETA,
    BIAS,
    GAMMA,
    KERNEL,
    MEAN,
    VARIANCE,
)
from tfgraphtools.graphs.source_code.scopes.body_statements import Layer
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import call, code, literal
from tfgraphtools.graphs.source_code.statements.operators import number_of

#: {op: what Keras calls it} of the functions that a layer may end with.
ACTIVATIONS = {
    "Relu": "relu",
    "Relu6": "relu6",
    "Elu": "elu",
    "Selu": "selu",
    "Silu": "silu",
    "Sigmoid": "sigmoid",
    "Softmax": "softmax",
    "Softplus": "softplus",
    "Softsign": "softsign",
    "Tanh": "tanh",
}


def has_modes(node):
    """Tells whether a layer computes something else in training mode."""
    kind, settings = node.attributes["kind"], layer_nodes.settings_of(node)
    return kind == "dropout" or kind == "batch_norm" and "momentum" in settings


def call_of(node, member, arguments):
    """Returns the call of a layer."""
    kind, keywords = node.attributes["kind"], {}
    if has_modes(node):
        keywords["training"] = code("training")
    elif kind == "batch_norm":  # its averages stay as they are
        keywords["training"] = code("False")
    elif _has_states(node):
        count = layer_nodes.settings_of(node)["states"]
        keywords["initial_state"] = expressions.sequence(arguments[-count:], "[", "]")
        arguments = arguments[:-count]
    return call(member, *arguments, **keywords)


def _has_states(node):
    """Tells whether a recurrent layer reads its initial states."""
    return bool(layer_nodes.settings_of(node).get("states"))


def _built(rank, size, hint="input_size"):
    """Returns the shape of an input of which the last axis is known."""
    return expressions.sequence([*["None"] * (rank - 1), literal(size, hint)])


def _dtype(node):
    name = node.output.dtype
    return {} if name == "float32" else {"dtype": code(f'"{name}"')}


def _activation(settings):
    op = settings.get("activation")
    return {"activation": code(f'"{ACTIVATIONS[op]}"')} if op else {}


def _bias_keyword(parameters):
    return {} if BIAS in parameters else {"use_bias": code("False")}


def _with_bias(kernel, parameters):
    bias = {"bias": parameters[BIAS]} if BIAS in parameters else {}
    return {"kernel": kernel, **bias}


def _dense(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    constructor = call(
        "keras.layers.Dense",
        literal(settings["outputs"], "units"),
        **_activation(settings),
        **_bias_keyword(parameters),
        **_dtype(node),
    )
    build = _built(2, settings["inputs"])
    return Layer(constructor, _with_bias(parameters[KERNEL], parameters), build)


def _table(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    modes = {None: "keras.layers.Embedding", "mean": "MeanEmbedding", "sum": "SumEmbedding"}
    constructor = call(
        modes[settings.get("mode")],
        literal(settings["rows"], "rows"),
        literal(settings["outputs"], "size"),
        **_dtype(node),
    )
    build = expressions.sequence(["None"] * max(len(node.inputs[0].dims or ()), 1))
    return Layer(constructor, {"embeddings": parameters[KERNEL]}, build)


def _layer_normalization(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    constructor = call(
        "keras.layers.LayerNormalization",
        epsilon=literal(number_of(settings["epsilon"]), "epsilon"),
        **_dtype(node),
    )
    build = _built(len(node.output.dims), settings["outputs"])
    return Layer(constructor, {"gamma": parameters[GAMMA], "beta": parameters[BETA]}, build)


def _batch_normalization(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    names = {GAMMA: "gamma", BETA: "beta", MEAN: "moving_mean", VARIANCE: "moving_variance"}
    flags = {"scale": GAMMA, "center": BETA}
    keywords = {name: code("False") for name, role in flags.items() if role not in parameters}
    is_corrected = "momentum" in settings and not settings["is_biased"]
    if "momentum" in settings:
        kept = number_of(round(1 - settings["momentum"], 7))
        keywords["momentum"] = literal(kept, "momentum")
    constructor = call(
        "FusedBatchNormalization" if is_corrected else "keras.layers.BatchNormalization",
        epsilon=literal(number_of(settings["epsilon"]), "epsilon"),
        **keywords,
        **_dtype(node),
    )
    build = _built(len(node.output.dims), settings["outputs"], "channels")
    return Layer(constructor, {names[role]: value for role, value in parameters.items()}, build)


def _dropped(body, node):
    settings, dims = layer_nodes.settings_of(node), node.output.dims
    axes, keywords = settings["axes"], {}
    rate = literal(number_of(round(settings["rate"], 7)), "rate")
    if len(dims or ()) == 4 and tuple(axes) == (1, 2):
        return Layer(call("keras.layers.SpatialDropout2D", rate), {})
    if axes:
        if dims is None:
            raise body.refused(node, "a dropout of a rank that is not known")
        drawn = ["1" if axis in axes else "None" for axis in range(len(dims))]
        keywords["noise_shape"] = expressions.sequence(drawn)
    return Layer(call("keras.layers.Dropout", rate, **keywords, **_dtype(node)), {})


def _short(numbers):
    """Returns one number for equal ones."""
    return numbers[0] if len(set(numbers)) == 1 else tuple(numbers)


def _window(settings):
    """Returns the keywords of a window: what differs from Keras's own."""
    keywords = {}
    if set(settings["strides"]) != {1}:
        keywords["strides"] = literal(_short(settings["strides"]), "strides")
    if settings["padding"] == "SAME":
        keywords["padding"] = code('"same"')
    if set(settings.get("dilations", (1,))) != {1}:
        keywords["dilation_rate"] = literal(_short(settings["dilations"]), "dilation_rate")
    return keywords


def _convolved(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    rank, kernel = len(settings["size"]), parameters[KERNEL]
    keywords = _window(settings)
    size = literal(_short(settings["size"]), "kernel_size")
    if "strides" in keywords and "dilation_rate" in keywords:
        raise body.refused(node, "a convolution with strides and dilations, which Keras has not")
    if node.attributes["kind"] == "depthwise_conv":
        if len(set(settings["strides"])) > 1:
            raise body.refused(node, "a depthwise convolution with two strides")
        if kernel.dims[-1] != 1:
            keywords["depth_multiplier"] = literal(kernel.dims[-1], "depth_multiplier")
        name, arguments = "DepthwiseConv", [size]
    else:
        name, arguments = "Conv", [literal(settings["outputs"], "filters"), size]
    constructor = call(
        f"keras.layers.{name}{rank}D",
        *arguments,
        **keywords,
        **_activation(settings),
        **_bias_keyword(parameters),
        **_dtype(node),
    )
    build = _built(rank + 2, kernel.dims[-2], "channels")
    return Layer(constructor, _with_bias(kernel, parameters), build)


def _convolved_back(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    constructor = call(
        "keras.layers.Conv2DTranspose",
        literal(settings["outputs"], "filters"),
        literal(_short(settings["size"]), "kernel_size"),
        **_window(settings),
        **_activation(settings),
        **_bias_keyword(parameters),
        **_dtype(node),
    )
    build = _built(4, settings["inputs"], "channels")
    return Layer(constructor, _with_bias(parameters[KERNEL], parameters), build)


def _sequence_layer(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    is_lstm = node.attributes["kind"] == "lstm"
    keywords = {"return_sequences": code("True")}
    if any(value.users or body.program.is_output(value) for value in node.outputs[1:]):
        keywords["return_state"] = code("True")
    name = "LSTM" if is_lstm else "SimpleRNN"
    constructor = call(
        f"Masked{name}" if settings["has_lengths"] else f"keras.layers.{name}",
        literal(settings["outputs"], "units"),
        **keywords,
        **_bias_keyword(parameters),
        **_dtype(node),
    )
    build = _built(3, settings["inputs"])
    return Layer(constructor, _of_gates(settings, parameters, is_lstm), build)


def _of_gates(settings, parameters, is_lstm):
    """Returns the parameters of a cell whose gates have the order of Keras."""
    kernel, size = parameters[KERNEL], settings["outputs"]
    inputs, columns = settings["inputs"], kernel.dims[1]
    order, tensors = ("gates", (0, 2, 1, 3)), {}
    for name, start, stop in (("kernel", 0, inputs), ("recurrent_kernel", inputs, inputs + size)):
        part = shape_ops.view(kernel, ("part", 0, start, stop), (stop - start, columns))
        tensors["cell." + name] = shape_ops.view(part, order, part.dims) if is_lstm else part
    if BIAS in parameters:
        bias = parameters[BIAS]
        bias = shape_ops.view(bias, order, bias.dims) if is_lstm else bias
        if settings["forget_bias"]:
            step = ("add", settings["forget_bias"], size, 2 * size)
            bias = shape_ops.view(bias, step, bias.dims)
        tensors["cell.bias"] = bias
    return tensors


LAYERS = {
    "lstm": _sequence_layer,
    "rnn": _sequence_layer,
    "linear": _dense,
    "embedding": _table,
    "embedding_columns": _table,
    "layer_norm": _layer_normalization,
    "batch_norm": _batch_normalization,
    "dropout": _dropped,
    "conv": _convolved,
    "depthwise_conv": _convolved,
    "conv_transpose": _convolved_back,
}
