"""Layers as classes of `torch.nn`, with the steps to their layout of parameters."""

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
from tfgraphtools.graphs.source_code.statements.expressions import call, code, literal
from tfgraphtools.graphs.source_code.statements.operators import number_of
from tfgraphtools.graphs.source_code.torch import torch_windows


def _transposed(value, order):
    dims = tuple(value.dims[axis] for axis in order)
    return shape_ops.view(value, ("transpose", order), dims)


def _dtype(node):
    name = node.output.dtype
    return {} if name == "float32" else {"dtype": code("torch." + name)}


def _linear(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    weight = _transposed(parameters[KERNEL], (1, 0))
    constructor = call(
        "nn.Linear",
        literal(settings["inputs"], "in_features"),
        literal(settings["outputs"], "out_features"),
        **_bias_keyword(parameters),
        **_dtype(node),
    )
    return Layer(constructor, _with_bias(weight, parameters))


def _bias_keyword(parameters):
    return {} if BIAS in parameters else {"bias": code("False")}


def _with_bias(weight, parameters):
    bias = {"bias": parameters[BIAS]} if BIAS in parameters else {}
    return {"weight": weight, **bias}


def _embedding(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    modes = {None: "nn.Embedding", "mean": "MeanEmbedding", "sum": "SumEmbedding"}
    constructor = call(
        modes[settings.get("mode")],
        literal(settings["rows"], "num_embeddings"),
        literal(settings["outputs"], "embedding_dim"),
        **_dtype(node),
    )
    return Layer(constructor, {"weight": parameters[KERNEL]})


def _layer_norm(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    constructor = call(
        "nn.LayerNorm",
        literal(settings["outputs"], "features"),
        eps=literal(number_of(settings["epsilon"]), "eps"),
        **_dtype(node),
    )
    return Layer(constructor, {"weight": parameters[GAMMA], "bias": parameters[BETA]})


def _batch_norm(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    rank = len(node.output.dims)
    size = (settings["outputs"],)
    constructor = call(
        f"{_batch_norm_class(body, settings)}{max(rank - 2, 1)}d",
        literal(settings["outputs"], "channels"),
        eps=literal(number_of(settings["epsilon"]), "eps"),
        **_momentum(settings),
        **_dtype(node),
    )
    mean = parameters[MEAN]
    missing = {
        GAMMA: shape_ops.view(mean, ("ones", size), size),
        BETA: shape_ops.view(mean, ("zeros", size), size),
    }
    tensors = {**missing, **parameters}
    names = {GAMMA: "weight", BETA: "bias", MEAN: "running_mean", VARIANCE: "running_var"}
    return Layer(constructor, {names[role]: value for role, value in tensors.items()})


def _batch_norm_class(body, settings):
    if "momentum" not in settings:
        return "FrozenBatchNorm" if body.program.has_modes else "nn.BatchNorm"
    return "BiasedBatchNorm" if settings["is_biased"] else "nn.BatchNorm"


def _momentum(settings):
    if "momentum" not in settings:
        return {}
    return {"momentum": literal(number_of(round(settings["momentum"], 7)), "momentum")}


def _dropout(body, node):
    settings, rank = layer_nodes.settings_of(node), len(node.output.dims or ())
    axes = settings["axes"]
    rate = literal(number_of(round(settings["rate"], 7)), "rate")
    if not axes:
        return Layer(call("nn.Dropout", rate), {})
    if rank == 4 and axes == (1, 2):
        return Layer(call("nn.Dropout2d", rate), {})
    raise body.refused(node, f"a dropout that draws one number along the axes {axes}")


def _convolution(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    rank = len(settings["size"])
    kernel, groups = parameters[KERNEL], {}
    inputs = kernel.dims[-2]
    if node.attributes["kind"] == "depthwise_conv":
        dims = (*settings["size"], 1, inputs * kernel.dims[-1])
        kernel = shape_ops.view(kernel, ("reshape", dims), dims)
        groups = {"groups": literal(inputs, "groups")}
    weight = _transposed(kernel, (rank + 1, rank, *range(rank)))
    name, padding = torch_windows.of_convolution(body, node)
    keywords = {}
    if set(settings["strides"]) != {1}:
        keywords["stride"] = literal(_short(settings["strides"]), "stride")
    if name == "PaddedConv":
        keywords["padding"] = literal(padding, "padding")
    elif padding is not None and any(padding):
        keywords["padding"] = literal(_short(padding), "padding")
    if set(settings["dilations"]) != {1}:
        keywords["dilation"] = literal(_short(settings["dilations"]), "dilation")
    constructor = call(
        f"{name}{rank}d",
        literal(inputs, "in_channels"),
        literal(kernel.dims[-1], "out_channels"),
        literal(_short(settings["size"]), "kernel_size"),
        **keywords,
        **groups,
        **_bias_keyword(parameters),
        **_dtype(node),
    )
    return Layer(constructor, _with_bias(weight, parameters))


def _short(numbers):
    """Returns one number for equal ones."""
    return numbers[0] if len(set(numbers)) == 1 else tuple(numbers)


def _transposed_convolution(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    weight = _transposed(parameters[KERNEL], (3, 2, 0, 1))
    name, padding = torch_windows.of_transposed(body, node)
    keywords = {}
    if set(settings["strides"]) != {1}:
        keywords["stride"] = literal(_short(settings["strides"]), "stride")
    if any(padding):
        keywords["padding"] = literal(_short(padding), "padding")
    constructor = call(
        name,
        literal(settings["inputs"], "in_channels"),
        literal(settings["outputs"], "out_channels"),
        literal(_short(settings["size"]), "kernel_size"),
        **keywords,
        **_bias_keyword(parameters),
        **_dtype(node),
    )
    return Layer(constructor, _with_bias(weight, parameters))


def _recurrent(body, node):
    settings, parameters = layer_nodes.settings_of(node), layer_nodes.parameters_of(node)
    name = node.attributes["kind"].upper()
    keywords = {"batch_first": code("True")} if settings["is_batch_first"] else {}
    constructor = call(
        f"Masked{name}" if settings["has_lengths"] else f"nn.{name}",
        literal(settings["inputs"], "input_size"),
        literal(settings["outputs"], "hidden_size"),
        **_bias_keyword(parameters),
        **keywords,
        **_dtype(node),
    )
    return Layer(constructor, _of_gates(settings, parameters, name == "LSTM"))


def _of_gates(settings, parameters, is_lstm):
    """Returns the parameters of a layer whose gates have the order of PyTorch."""
    kernel, size = parameters[KERNEL], settings["outputs"]
    inputs, columns = settings["inputs"], kernel.dims[1]
    order = ("gates", (0, 2, 1, 3))
    tensors = {}
    for name, start, stop in (("ih", 0, inputs), ("hh", inputs, inputs + size)):
        weight = shape_ops.view(kernel, ("part", 0, start, stop), (stop - start, columns))
        if is_lstm:
            weight = shape_ops.view(weight, order, weight.dims)
        tensors[f"weight_{name}_l0"] = _transposed(weight, (1, 0))
    if BIAS in parameters:
        bias = parameters[BIAS]
        second = shape_ops.view(bias, ("zeros", bias.dims), bias.dims)
        second.node.attributes["is_trainable"] = False  # the sum of both is one variable
        if is_lstm:
            bias = shape_ops.view(bias, order, bias.dims)
        if settings["forget_bias"]:
            step = ("add", settings["forget_bias"], size, 2 * size)
            bias = shape_ops.view(bias, step, bias.dims)
        tensors.update(bias_ih_l0=bias, bias_hh_l0=second)
    return tensors


LAYERS = {
    "lstm": _recurrent,
    "rnn": _recurrent,
    "linear": _linear,
    "embedding": _embedding,
    "embedding_columns": _embedding,
    "layer_norm": _layer_norm,
    "batch_norm": _batch_norm,
    "dropout": _dropout,
    "conv": _convolution,
    "depthwise_conv": _convolution,
    "conv_transpose": _transposed_convolution,
}
