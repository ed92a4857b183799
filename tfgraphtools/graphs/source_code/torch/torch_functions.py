"""Functions that patterns have found, and changes of layout, as expressions of PyTorch."""

from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import (
    call,
    code,
    index,
    literal,
    method,
)
from tfgraphtools.graphs.source_code.statements.operators import number_of
from tfgraphtools.graphs.source_code.statements.shape_arguments import numbers_of, rolls_of


def _gelu(body, node):
    keywords = {"approximate": code('"tanh"')} if node.attributes["approximate"] else {}
    return call("F.gelu", body.tensor(node, 0), **keywords)


def _function(name):
    return lambda body, node: call(name, body.tensor(node, 0))


def _unit_rows(body, node):
    epsilon = number_of(node.attributes["epsilon"] ** 0.5)
    axis = body.target.axis(node.inputs[0], node.attributes["axis"])
    axis = -1 if axis == len(node.output.dims) - 1 else axis
    return call(
        "F.normalize", body.tensor(node, 0), dim=code(str(axis)), eps=literal(epsilon, "eps")
    )


def _attention(body, node):
    size, scale = node.inputs[0].dims[-1], node.attributes["scale"]
    keywords = {}
    if not isinstance(size, int) or abs(scale * size**0.5 - 1) > 1e-6:
        keywords["scale"] = literal(number_of(scale), "scale")
    tensors = [body.tensor(node, i) for i in range(len(node.inputs))]
    return call("F.scaled_dot_product_attention", *tensors, **keywords)


def _cross_entropy(body, node):
    return call("cross_entropy", body.tensor(node, 0), body.tensor(node, 1))


def _cross_entropy_of_numbers(body, node):
    labels = body.tensor(node, 1)
    if node.inputs[1].dtype != "int64":
        labels = method(labels, "long")
    return call("F.cross_entropy", body.tensor(node, 0), labels, reduction=code('"none"'))


def _permuted(body, node):
    rank = len(node.output.dims)
    order = [0, rank - 1, *range(1, rank - 1)]
    if not node.attributes["channels_first"]:
        order = [0, *range(2, rank), 1]
    if rank == 3:
        return method(body.tensor(node, 0), "transpose", code("1"), code("2"))
    return method(body.tensor(node, 0), "permute", *[code(str(axis)) for axis in order])


def _column(body, node):
    return index(body.tensor(node, 0), [code(":"), *["None"] * node.attributes["axes"]])


def _rolled(body, node):
    parts = [str(tuple(n) if len(n) > 1 else n[0]) for n in rolls_of(body, node)]
    return call("torch.roll", body.tensor(node, 0), *map(code, parts))


def _triangle(body, node):
    """Keeps the elements near the diagonal; below 0 says all of them."""
    ((lower,), (upper,)), x = (numbers_of(body, node, i) for i in (1, 2)), body.tensor(node, 0)
    if upper >= 0:
        x = method(x, "tril", *([code(str(upper))] if upper else []))
    if lower >= 0:
        x = method(x, "triu", *([code(str(-lower))] if lower else []))
    return x


def _log_sum(body, node):
    rank, axes = len(node.inputs[0].dims), node.attributes["axes"]
    axes = sorted(body.target.axis(node.inputs[0], axis) for axis in axes)
    axes = tuple(axis - rank if axis == rank - 1 and rank > 1 else axis for axis in axes)
    keywords = {"keepdim": code("True")} if node.attributes["keeps"] else {}
    dim = code(str(axes[0] if len(axes) == 1 else axes))
    return method(body.tensor(node, 0), "logsumexp", dim=dim, **keywords)


def _bucket(body, node):
    if node.inputs[0].dtype != "float32":
        raise body.refused(node, "buckets of other numbers than float32")
    numbers = [repr(number_of(number)) for number in node.attributes["boundaries"]]
    limits = body.new("tensor", expressions.sequence(numbers, "[", "]"), dtype="float32")
    flags = {"out_int32": code("True"), "right": code("True")}
    return call("torch.bucketize", body.tensor(node, 0), limits, **flags)


def _nonzero(body, node):
    return method(body.tensor(node, 0), "nonzero")


def _elements(body, node):
    """Takes what rows of places say: of as many axes as a row has numbers."""
    count = (node.inputs[1].dims or (None,))[-1]
    if not isinstance(count, int):
        raise body.refused(node, "places of a number of axes that is not known")
    places = body.tensor(node, 1)
    if count == 1:
        return index(body.tensor(node, 0), [method(places, "squeeze", code("-1"))])
    return index(body.tensor(node, 0), [call("tuple", method(places, "unbind", code("-1")))])


TEMPLATES = {
    "LogSumExp": _log_sum,
    "Bucketize": _bucket,
    "Where": _nonzero,
    "GatherNd": _elements,
    "Roll": _rolled,
    "MatrixBandPart": _triangle,
    "Gelu": _gelu,
    "Silu": _function("F.silu"),
    "Mish": _function("F.mish"),
    "HardSigmoid": _function("F.hardsigmoid"),
    "HardSwish": _function("F.hardswish"),
    "Attention": _attention,
    "L2Normalize": _unit_rows,
    "Permute": _permuted,
    "Column": _column,
    "CrossEntropy": _cross_entropy,
    "SparseCrossEntropy": _cross_entropy_of_numbers,
}
