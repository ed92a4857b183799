"""Integers that are known as sizes: what a graph computes from shapes, as `Value.content`."""

from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes

#: The largest vector of integers that is followed.
_MOST = 64


def of_array(array):
    """Returns the content of a constant, or None."""
    if array.dtype.kind not in "iu" or array.ndim > 1 or array.size > _MOST:
        return None
    return int(array) if array.ndim == 0 else tuple(int(number) for number in array)


def content_of(op, inputs, attributes, dtype):
    """Returns the content of an op's only output, or None where it is not known.

    Args:
      op: its type.
      inputs: list of `Value`.
      attributes: {name: value}.
      dtype: of the output.
    """
    rule = _RULES.get(op)
    if rule is None or not dtype.startswith(("int", "uint")):
        return None
    return rule([value.content for value in inputs], inputs, attributes)


def axes_of_sums(left, right):
    """Returns the axes over which the gradients of two operands of these shapes are summed."""
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return [None, None]
    rank = max(len(left), len(right))
    left, right = ((1,) * (rank - len(dims)) + dims for dims in (left, right))
    if any(size != other and 1 not in (size, other) for size, other in zip(left, right)):
        return [None, None]
    pairs = list(enumerate(zip(left, right)))
    return [
        tuple(axis for axis, pair in pairs if pair[place] == 1 != pair[1 - place])
        for place in (0, 1)
    ]


def _shape(contents, inputs, attributes):
    return inputs[0].dims


def _size(contents, inputs, attributes):
    return None if inputs[0].dims is None else sizes.product(inputs[0].dims)


def _rank(contents, inputs, attributes):
    return None if inputs[0].dims is None else len(inputs[0].dims)


def _first(contents, inputs, attributes):
    return contents[0] if inputs[0].dtype.startswith(("int", "uint")) else None


def _slice(contents, inputs, attributes):
    vector, *bounds = contents
    if not isinstance(vector, tuple) or any(not _is_integers(bound) for bound in bounds):
        return None
    if any(attributes.get(key) for key in ("ellipsis_mask", "new_axis_mask")):
        return None
    (start,), (stop,), (step,) = bounds
    if attributes.get("shrink_axis_mask"):
        return vector[start] if -len(vector) <= start < len(vector) else None
    start = None if attributes.get("begin_mask") else start
    stop = None if attributes.get("end_mask") else stop
    return vector[start:stop:step]


def _is_integers(content):
    return isinstance(content, tuple) and len(content) == 1 and isinstance(content[0], int)


def _part(contents, inputs, attributes):
    """Follows the op Slice."""
    vector, start, count = contents
    if not isinstance(vector, tuple) or not (_is_integers(start) and _is_integers(count)):
        return None
    stop = len(vector) if count[0] == -1 else start[0] + count[0]
    return vector[start[0] : stop]


def _pack(contents, inputs, attributes):
    if any(content is None or isinstance(content, tuple) for content in contents):
        return None
    return tuple(contents)


def _concatenate(contents, inputs, attributes):
    parts = contents[:-1]
    if not all(isinstance(part, tuple) for part in parts):
        return None
    return sum(parts, ())


def _gather(contents, inputs, attributes):
    vector, places = contents[:2]
    if not isinstance(vector, tuple) or places is None:
        return None
    chosen = places if isinstance(places, tuple) else (places,)
    if not all(isinstance(i, int) and 0 <= i < len(vector) for i in chosen):
        return None
    return tuple(vector[i] for i in chosen) if isinstance(places, tuple) else vector[places]


def _product(contents, inputs, attributes):
    if not isinstance(contents[0], tuple) or attributes.get("keep_dims"):
        return None
    return sizes.product(contents[0])


def _sum(contents, inputs, attributes):
    if not isinstance(contents[0], tuple) or attributes.get("keep_dims"):
        return None
    total = 0
    for size in contents[0]:
        total = sizes.add(total, size)
    return total


def _expand(contents, inputs, attributes):
    content = contents[0]
    return None if content is None or isinstance(content, tuple) else (content,)


def _squeeze(contents, inputs, attributes):
    content = contents[0]
    return content[0] if isinstance(content, tuple) and len(content) == 1 else None


def _reshape(contents, inputs, attributes):
    content, shape = contents
    if shape == () and isinstance(content, tuple) and len(content) == 1:
        return content[0]
    if isinstance(shape, tuple) and len(shape) == 1 and content is not None:
        return content if isinstance(content, tuple) else (content,)
    return None


def _elementwise(combine):
    def rule(contents, inputs, attributes):
        left, right = contents
        if left is None or right is None:
            return None
        if not isinstance(left, tuple) and not isinstance(right, tuple):
            return combine(left, right)
        count = max(len(part) for part in (left, right) if isinstance(part, tuple))
        lefts, rights = _broadcast(left, count), _broadcast(right, count)
        if lefts is None or rights is None:
            return None
        combined = tuple(combine(*pair) for pair in zip(lefts, rights))
        return None if None in combined else combined

    return rule


def _broadcast(content, count):
    if not isinstance(content, tuple):
        return (content,) * count
    if len(content) == count:
        return content
    return content * count if len(content) == 1 else None


def _range(contents, inputs, attributes):
    if not all(isinstance(content, int) for content in contents) or contents[2] == 0:
        return None
    numbers = range(*contents)
    return tuple(numbers) if len(numbers) <= _MOST else None


_RULES = {
    "Range": _range,
    "Shape": _shape,
    "Size": _size,
    "Rank": _rank,
    "Cast": _first,
    "Identity": _first,
    "StopGradient": _first,
    "StridedSlice": _slice,
    "Slice": _part,
    "Pack": _pack,
    "ConcatV2": _concatenate,
    "GatherV2": _gather,
    "Gather": _gather,
    "Prod": _product,
    "Sum": _sum,
    "ExpandDims": _expand,
    "Squeeze": _squeeze,
    "Reshape": _reshape,
    "Add": _elementwise(sizes.add),
    "AddV2": _elementwise(sizes.add),
    "Sub": _elementwise(sizes.subtract),
    "Mul": _elementwise(sizes.multiply),
    "FloorDiv": _elementwise(sizes.floor_quotient),
    "Maximum": _elementwise(lambda left, right: sizes.extreme("max", left, right)),
    "Minimum": _elementwise(lambda left, right: sizes.extreme("min", left, right)),
}
