"""Functions that patterns have found, as expressions of Keras."""

from tfgraphtools.graphs.source_code.keras.keras_elementwise import cast_to, function_of
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import call, code, literal
from tfgraphtools.graphs.source_code.statements.operators import number_of
from tfgraphtools.graphs.source_code.statements.shape_arguments import numbers_of, rolls_of

_TRUE = {"from_logits": code("True")}


def _gelu(body, node):
    keywords = {} if node.attributes["approximate"] else {"approximate": code("False")}
    return call("ops.gelu", body.tensor(node, 0), **keywords)


def _unit_rows(body, node):
    axis = node.attributes["axis"]
    axis = -1 if axis == len(node.output.dims) - 1 else axis
    epsilon = literal(number_of(node.attributes["epsilon"]), "epsilon")
    return call("unit_rows", body.tensor(node, 0), axis=code(str(axis)), epsilon=epsilon)


def _attention(body, node):
    size, scale = node.inputs[0].dims[-1], node.attributes["scale"]
    keywords = {}
    if not isinstance(size, int) or abs(scale * size**0.5 - 1) > 1e-6:
        keywords["scale"] = literal(number_of(scale), "scale")
    tensors = [body.tensor(node, i) for i in range(len(node.inputs))]
    return call("attention", *tensors, **keywords)


def _cross_entropy(body, node):
    return call("cross_entropy", body.tensor(node, 0), body.tensor(node, 1))


def _cross_entropy_of_numbers(body, node):
    logits, labels = body.tensor(node, 0), body.tensor(node, 1)
    return call("ops.sparse_categorical_crossentropy", labels, logits, **_TRUE)


def _rolled(body, node):
    shifts, axes = rolls_of(body, node)
    parts = [str(tuple(n) if len(n) > 1 else n[0]) for n in (shifts, axes)]
    return call("ops.roll", body.tensor(node, 0), code(parts[0]), axis=code(parts[1]))


def _triangle(body, node):
    """Keeps the elements near the diagonal; below 0 says all of them."""
    ((lower,), (upper,)), x = (numbers_of(body, node, i) for i in (1, 2)), body.tensor(node, 0)
    if upper >= 0:
        x = call("ops.tril", x, *([code(str(upper))] if upper else []))
    if lower >= 0:
        x = call("ops.triu", x, *([code(str(-lower))] if lower else []))
    return x


def _log_sum(body, node):
    rank, axes = len(node.inputs[0].dims), sorted(node.attributes["axes"])
    axes = tuple(axis - rank if axis == rank - 1 and rank > 1 else axis for axis in axes)
    keywords = {"keepdims": code("True")} if node.attributes["keeps"] else {}
    axis = code(str(axes[0] if len(axes) == 1 else axes))
    return call("ops.logsumexp", body.tensor(node, 0), axis=axis, **keywords)


def _bucket(body, node):
    if node.inputs[0].dtype != "float32":
        raise body.refused(node, "buckets of other numbers than float32")
    numbers = [repr(number_of(number)) for number in node.attributes["boundaries"]]
    limits = expressions.sequence(numbers, "[", "]")
    return call("bucket_of", body.tensor(node, 0), limits)


def _nonzero(body, node):
    places = call("ops.stack", call("ops.nonzero", body.tensor(node, 0)), axis=code("-1"))
    return cast_to(places, node.output.dtype)


def _elements(body, node):
    """Takes what rows of places say: of as many axes as a row has numbers."""
    count = (node.inputs[1].dims or (None,))[-1]
    if not isinstance(count, int):
        raise body.refused(node, "places of a number of axes that is not known")
    x, places = body.tensor(node, 0), body.tensor(node, 1)
    if count == 1:
        return call("ops.take", x, call("ops.squeeze", places, axis=code("-1")), axis=code("0"))
    return call("gather_nd", x, places)


TEMPLATES = {
    "LogSumExp": _log_sum,
    "Bucketize": _bucket,
    "Where": _nonzero,
    "GatherNd": _elements,
    "Roll": _rolled,
    "MatrixBandPart": _triangle,
    "Gelu": _gelu,
    "Silu": function_of("ops.silu"),
    "Mish": function_of("keras.activations.mish"),
    "HardSigmoid": function_of("ops.hard_sigmoid"),
    "HardSwish": function_of("ops.hard_silu"),
    "Attention": _attention,
    "L2Normalize": _unit_rows,
    "CrossEntropy": _cross_entropy,
    "SparseCrossEntropy": _cross_entropy_of_numbers,
}
