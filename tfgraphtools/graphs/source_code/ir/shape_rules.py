"""Symbolic sizes of what ops give, from those of what they read.

A rule returns dims for the first output, or a list of them for all. A size that it does not know
is None; None for all says that not even the rank is known. What TensorFlow infers is joined.
"""

from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.ir import window_rules

#: Elementwise ops of two inputs.
BROADCASTING = (
    "Add AddV2 Sub Mul RealDiv Div FloorDiv FloorMod TruncateDiv TruncateMod Mod Maximum Minimum "
    "Pow SquaredDifference Greater GreaterEqual Less LessEqual Equal NotEqual LogicalAnd LogicalOr "
    "Atan2 DivNoNan"
).split()


def dims_of(op, inputs, attributes, count):
    """Returns a list of dims, one for each output.

    Args:
      op, inputs, attributes: as in `known_integers.content_of`.
      count: the number of outputs.
    """
    rule = _RULES.get(op)
    try:
        dims = None if rule is None else rule(inputs, attributes)
    except (TypeError, IndexError, ValueError):  # a rank or an axis that is not known
        dims = None
    if isinstance(dims, list):
        return dims
    return [dims] + [None] * (count - 1)


def broadcast(left, right):
    """Returns the dims of an elementwise op; an axis of two symbols is None."""
    if left is None or right is None:
        return None
    rank = max(len(left), len(right))
    left, right = ((1,) * (rank - len(dims)) + tuple(dims) for dims in (left, right))
    return tuple(_common(*pair) for pair in zip(left, right))


def _common(left, right):
    if left == right or right == 1:
        return left
    if left == 1:
        return right
    if isinstance(left, int) or isinstance(right, int):  # the other one is equal or 1
        return left if isinstance(left, int) else right
    return None


def axes_of(value, rank):
    """Returns the axes that a constant input names, from 0 and sorted."""
    content = value.content if isinstance(value.content, tuple) else (value.content,)
    return sorted(axis % rank for axis in content)


def _first(inputs, attributes):
    return inputs[0].dims


def _both(inputs, attributes):
    return broadcast(inputs[0].dims, inputs[1].dims)


def _choice(inputs, attributes):
    """Joins the three inputs of SelectV2."""
    return broadcast(inputs[0].dims, broadcast(inputs[1].dims, inputs[2].dims))


def _branch(inputs, attributes):
    """Keeps the sizes that both branches have."""
    left, right = inputs[1].dims, inputs[2].dims
    if len(left) != len(right):
        return None
    return tuple(size if size == other else None for size, other in zip(left, right))


def _second(inputs, attributes):
    return inputs[1].dims


def _reduced(inputs, attributes):
    dims = inputs[0].dims
    axes = axes_of(inputs[1], len(dims))
    if attributes.get("keep_dims"):
        return tuple(1 if axis in axes else size for axis, size in enumerate(dims))
    return tuple(size for axis, size in enumerate(dims) if axis not in axes)


def _chosen(inputs, attributes):
    """Removes the axis of ArgMax and ArgMin."""
    dims = inputs[0].dims
    removed = inputs[1].content % len(dims)
    return dims[:removed] + dims[removed + 1 :]


def _product(inputs, attributes):
    left, right = inputs[0].dims, inputs[1].dims
    rows = left[1 if attributes.get("transpose_a") else 0]
    return rows, right[0 if attributes.get("transpose_b") else 1]


def _batch_product(inputs, attributes):
    left, right = inputs[0].dims, inputs[1].dims
    rows = left[-1 if attributes.get("adj_x") else -2]
    columns = right[-2 if attributes.get("adj_y") else -1]
    return (*broadcast(left[:-2], right[:-2]), rows, columns)


def _reshaped(inputs, attributes):
    dims, target = inputs[0].dims, inputs[1].content
    if target is None or -1 not in target:
        return target
    place = target.index(-1)
    others = [size for axis, size in enumerate(target) if axis != place]
    inferred = None
    if dims is not None:
        inferred = sizes.exact_quotient(sizes.product(dims), sizes.product(others))
    return (*target[:place], inferred, *target[place + 1 :])


def _transposed(inputs, attributes):
    return tuple(inputs[0].dims[axis] for axis in inputs[1].content)


def _expanded(inputs, attributes):
    dims = list(inputs[0].dims)
    axis = inputs[1].content
    axis = axis[0] if isinstance(axis, tuple) else axis
    dims.insert(axis if axis >= 0 else len(dims) + 1 + axis, 1)
    return tuple(dims)


def _squeezed(inputs, attributes):
    dims = inputs[0].dims
    removed = [axis % len(dims) for axis in attributes.get("squeeze_dims") or ()]
    if not removed:
        removed = [axis for axis, size in enumerate(dims) if size == 1]
        if any(not isinstance(size, int) for size in dims):  # one of them may be 1
            return None
    return tuple(size for axis, size in enumerate(dims) if axis not in removed)


def _concatenated(inputs, attributes):
    *parts, axis = inputs
    axis = axis.content % len(parts[0].dims)
    total = 0
    for part in parts:
        total = sizes.add(total, part.dims[axis])
    dims = list(parts[0].dims)
    dims[axis] = total
    return tuple(dims)


def _packed(inputs, attributes):
    dims = list(inputs[0].dims)
    axis = attributes.get("axis", 0)
    dims.insert(axis if axis >= 0 else len(dims) + 1 + axis, len(inputs))
    return tuple(dims)


def _unpacked(inputs, attributes):
    dims = inputs[0].dims
    axis = attributes.get("axis", 0) % len(dims)
    return [dims[:axis] + dims[axis + 1 :]] * attributes["num"]


def _split(inputs, attributes):
    dims = list(inputs[1].dims)
    axis = inputs[0].content % len(dims)
    count = attributes["num_split"]
    dims[axis] = sizes.exact_quotient(dims[axis], count)
    return [tuple(dims)] * count


def _split_unequally(inputs, attributes):
    dims, parts = inputs[0].dims, list(inputs[1].content)
    axis = inputs[2].content % len(dims)
    if -1 in parts:
        known = 0
        for part in parts:
            known = sizes.add(known, 0 if part == -1 else part)
        parts[parts.index(-1)] = sizes.subtract(dims[axis], known)
    return [(*dims[:axis], part, *dims[axis + 1 :]) for part in parts]


def _sliced(inputs, attributes):
    dims, starts, counts = inputs[0].dims, inputs[1].content, inputs[2].content
    return tuple(
        count if count != -1 else None if start is None else sizes.subtract(size, start)
        for size, start, count in zip(dims, starts, counts)
    )


def _strided(inputs, attributes):
    return tuple(
        axis.size for axis in strided_axes(inputs, attributes) if axis.kind not in ("index",)
    )


class StridedAxis:
    """One entry of the index of a StridedSlice.

    Attributes:
      kind: "whole", "new", "index" or "range".
      start, stop, step: of a range, None where the axis begins or ends; ``start`` of an index.
      size: of the axis in the result.
    """

    __slots__ = ("kind", "start", "stop", "step", "size")

    def __init__(self, kind, size, start=None, stop=None, step=1):
        self.kind, self.size = kind, size
        self.start, self.stop, self.step = start, stop, step


def strided_axes(inputs, attributes):
    """Returns the list of `StridedAxis` of a StridedSlice, one for each axis and new axis."""
    dims = inputs[0].dims
    starts, stops, steps = (value.content for value in inputs[1:4])

    def has(mask, place):
        return bool((attributes.get(mask) or 0) >> place & 1)

    count = len(starts if starts is not None else stops)
    axes, axis = [], 0
    for place in range(count):
        if has("ellipsis_mask", place):
            later = sum(not has("new_axis_mask", i) for i in range(place + 1, count))
            stop = len(dims) - later
            axes += [StridedAxis("whole", size) for size in dims[axis:stop]]
            axis = max(axis, stop)
        elif has("new_axis_mask", place):
            axes.append(StridedAxis("new", 1))
        elif has("shrink_axis_mask", place):
            axes.append(StridedAxis("index", 1, starts[place]))
            axis += 1
        else:
            start = None if has("begin_mask", place) else starts[place]
            stop = None if has("end_mask", place) else stops[place]
            axes.append(_range(dims[axis], start, stop, steps[place]))
            axis += 1
    return axes + [StridedAxis("whole", size) for size in dims[axis:]]


def _range(size, start, stop, step):
    if start in (None, 0) and stop is None and step == 1:
        return StridedAxis("whole", size)
    return StridedAxis("range", _length(size, start, stop, step), start, stop, step)


def _length(size, start, stop, step):
    """Returns the size of a range, or None."""
    if isinstance(size, int) and all(isinstance(n, (int, type(None))) for n in (start, stop)):
        return len(range(size)[start:stop:step])
    if step != 1 or (isinstance(stop, int) and stop >= 0):  # the axis may be shorter
        return None
    if start is not None and not (isinstance(start, int) and start == 0):
        return None
    return stop if stop is not None and not isinstance(stop, int) else None


def _tiled(inputs, attributes):
    return tuple(sizes.multiply(*pair) for pair in zip(inputs[0].dims, inputs[1].content))


def _padded(inputs, attributes):
    padding = inputs[1].array
    return tuple(
        sizes.add(size, int(before + after))
        for size, (before, after) in zip(inputs[0].dims, padding)
    )


def _filled(inputs, attributes):
    return inputs[0].content


def _broadcast_to(inputs, attributes):
    return inputs[1].content


def _counted(inputs, attributes):
    start, stop, step = (value.content for value in inputs)
    if step != 1 or start is None or stop is None:
        return (None,)
    return (sizes.subtract(stop, start),)


def _gathered(inputs, attributes):
    dims, places = inputs[0].dims, inputs[1].dims
    axis = inputs[2].content % len(dims) if len(inputs) > 2 else 0
    batch = attributes.get("batch_dims", 0)
    return (*dims[:axis], *places[batch:], *dims[axis + 1 :])


def _one_hot(inputs, attributes):
    dims = list(inputs[0].dims)
    axis = attributes.get("axis", -1)
    dims.insert(axis if axis >= 0 else len(dims), inputs[1].content)
    return tuple(dims)


_RULES = {
    **dict.fromkeys(
        "Abs Neg Exp Expm1 Log Log1p Sqrt Rsqrt Square Sign Floor Ceil Round Rint Sin Cos Tan Asin "
        "Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid Erf Erfc Relu Relu6 Elu Selu Softplus "
        "Softsign LeakyRelu LogicalNot IsNan IsFinite IsInf Reciprocal Inv ZerosLike OnesLike "
        "Lgamma Digamma Cast Softmax LogSoftmax StopGradient BiasAdd FusedBatchNorm "
        "FusedBatchNormV2 FusedBatchNormV3 ReverseV2 ReverseSequence Cumsum AddN Identity LRN "
        "Roll MatrixBandPart L2Normalize TanhGrad SigmoidGrad SqrtGrad".split(),
        _first,
    ),
    **dict.fromkeys(BROADCASTING, _both),
    **dict.fromkeys("Sum Mean Max Min Prod All Any".split(), _reduced),
    "ArgMax": _chosen,
    "ArgMin": _chosen,
    "Choice": _branch,
    "Select": _second,
    "ReluGrad": _second,
    "SelectV2": _choice,
    "MatMul": _product,
    "BatchMatMul": _batch_product,
    "BatchMatMulV2": _batch_product,
    "Reshape": _reshaped,
    "Transpose": _transposed,
    "ExpandDims": _expanded,
    "Squeeze": _squeezed,
    "ConcatV2": _concatenated,
    "Pack": _packed,
    "Unpack": _unpacked,
    "Split": _split,
    "SplitV": _split_unequally,
    "Slice": _sliced,
    "StridedSlice": _strided,
    "Tile": _tiled,
    "Pad": _padded,
    "PadV2": _padded,
    "MirrorPad": _padded,
    "Fill": _filled,
    "BroadcastTo": _broadcast_to,
    "Range": _counted,
    "GatherV2": _gathered,
    "Gather": _gathered,
    "OneHot": _one_hot,
    **window_rules.RULES,
}
