"""Channels first: where PyTorch needs the axis of channels behind that of examples.

Dims of values stay those of TensorFlow. A node of which ``channels_first`` is set gives a tensor
whose axes the code has in the other order; two permutations stand at the borders.
"""

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.torch import torch_elementwise

_KINDS = ("conv", "depthwise_conv", "conv_transpose", "batch_norm")
_OPS = (
    "MaxPool",
    "AvgPool",
    "ResizeBilinear",
    "ResizeNearestNeighbor",
    "LRN",
    "MirrorPad",
    "Conv2D",
)
#: Ops whose first input alone is an image.
_OF_FIRST = ("Pad", "PadV2", "MirrorPad", "Conv2D")
_REDUCTIONS = ("Sum", "Mean", "Max", "Min")
_FOLLOWING = {*torch_elementwise.TEMPLATES, "ConcatV2", "Pad", "PadV2", "Gelu", "Silu", "Mish"}
_FOLLOWING.update(("HardSwish", "HardSigmoid"))


def is_first(value):
    """Tells whether the code has the channels of a value before the other axes."""
    return bool(value.node.attributes.get("channels_first"))


def axis(value, number):
    """Returns where an axis of a value is in the tensor that the code has."""
    if not is_first(value):
        return number
    last = len(value.dims) - 1
    return 0 if number == 0 else 1 if number == last else number + 1


def arrange(program):
    """Marks nodes, and puts Permute nodes between those that differ."""
    _Arranging(program)


class _Arranging:
    def __init__(self, program):
        self._program, self._permuted = program, {}
        for node in program.nodes():
            if node.op in (ir_nodes.CONSTANT, ir_nodes.PARAMETER, ir_nodes.INPUT, "Known"):
                continue
            if self._is_reduction(node):
                continue
            wants = self._wants(node)
            self._set_inputs(node, wants)
            if wants:
                node.attributes["channels_first"] = True
        for value in list(program.outputs.values()):
            if is_first(value):
                self._permute_output(value)

    def _wants(self, node):
        dims = node.outputs[0].dims if node.outputs else None
        if dims is None or len(dims) < 3:
            return False
        if node.op == ir_nodes.LAYER:
            kind = node.attributes["kind"]
            return kind in _KINDS or kind == "dropout" and self._drops_first(node)
        if node.op in _OPS:
            return True
        rank = len(dims)
        of_images = any(is_first(v) and len(v.dims) == rank for v in node.inputs)
        return node.op in _FOLLOWING and of_images and self._fits(node, rank)

    def _drops_first(self, node):
        """Tells whether a dropout follows its images, or drops whole channels."""
        return is_first(node.inputs[0]) or bool(node.attributes["settings"]["axes"])

    def _fits(self, node, rank):
        """Tells whether an op gives the same in the other order of axes."""
        for value in node.inputs:
            if value.dims is None:
                return False
            is_small = len(value.dims) in (0, 1, rank)
            if not is_small and node.op not in _OF_FIRST:
                return False
        return True

    def _is_reduction(self, node):
        """Tells whether a reduction takes its input as it is."""
        if node.op not in _REDUCTIONS or not is_first(node.inputs[0]):
            return False
        axes = node.inputs[1].content
        axes = axes if isinstance(axes, tuple) else (axes,)
        if None in axes:
            return False
        rank = len(node.inputs[0].dims)
        axes = {number % rank for number in axes}
        if node.attributes.get("keep_dims"):
            node.attributes["channels_first"] = True
            return True
        return axes >= set(range(1, rank - 1)) or rank - 1 in axes

    def _set_inputs(self, node, wants):
        inputs = []
        for value in node.inputs:
            rank = len(value.dims or ())
            if wants and node.op not in _OF_FIRST or value is node.inputs[0]:
                value = self._arranged(value, wants, node, rank)
            elif is_first(value):
                value = self._arranged(value, False, node, rank)
            inputs.append(value)
        if any(new is not old for new, old in zip(inputs, node.inputs)):
            node.set_inputs(inputs)

    def _arranged(self, value, wants, node, rank):
        if not wants:
            return self._permuted_value(value, False, node) if is_first(value) else value
        wanted_rank = len(node.outputs[0].dims)
        if rank == wanted_rank and not is_first(value):
            return self._permuted_value(value, True, node)
        is_vector = rank == 1 and value.dims != (1,)
        if is_vector and node.op not in (ir_nodes.LAYER, "ConcatV2", *_OPS):
            return self._column(value, wanted_rank, node)
        return value

    def _permuted_value(self, value, to_first, node):
        key = value, to_first
        if key not in self._permuted:
            source = value.node
            if source.op == "Permute":  # there and back
                self._permuted[key] = source.inputs[0]
                return self._permuted[key]
            name = node.name if source.op == ir_nodes.INPUT else source.name
            new = ir_nodes.Node("Permute", name, [value], position=source.position)
            new.attributes["channels_first"] = to_first
            self._permuted[key] = new.add_output(value.dims, value.dtype)
        return self._permuted[key]

    def _column(self, value, rank, node):
        """Returns a vector of channels that is added to images."""
        new = ir_nodes.Node("Column", node.name, [value], {"axes": rank - 2}, node.position)
        return new.add_output((*value.dims, *[1] * (rank - 2)), value.dtype)

    def _permute_output(self, value):
        new = self._permuted_value(value, False, value.node)
        for name, output in self._program.outputs.items():
            if output is value:
                self._program.outputs[name] = new
