"""Axes, sizes and parts that ops of shapes are given, for every target."""

from tfgraphtools.graphs.source_code.ir import shape_rules
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import code

NO_AXIS = "an axis or a shape that is computed from data"
NO_RANK = "a rank that is not known"


def dims_of(body, node, i=0):
    """Returns the sizes of an input, of a known rank."""
    dims = node.inputs[i].dims
    if dims is None:
        raise body.refused(node, NO_RANK)
    return dims


def content_of(body, node, i):
    """Returns the integers that an input holds."""
    content = node.inputs[i].content
    if content is None:
        raise body.refused(node, NO_AXIS)
    return content


def axis_of(body, node, i, rank, source=None):
    """Returns an axis, counted from the end where it is the last one of several."""
    axis = content_of(body, node, i)
    axis = (axis[0] if isinstance(axis, tuple) else axis) % rank
    axis = body.target.axis(node.inputs[0] if source is None else source, axis)
    return -1 if axis == rank - 1 and rank > 1 else axis


def numbers_of(body, node, i):
    """Returns the list of the numbers that an input holds."""
    content = node.inputs[i].content
    numbers = content if isinstance(content, tuple) else (content,)
    if not all(isinstance(number, int) for number in numbers):
        raise body.refused(node, "an axis or a number that is computed from data")
    return list(numbers)


def rolls_of(body, node):
    """Returns (shifts, axes) of the op Roll."""
    shifts, axes = (numbers_of(body, node, i) for i in (1, 2))
    rank = len(dims_of(body, node))
    if len(shifts) != len(axes) or len({axis % rank for axis in axes}) != len(axes):
        raise body.refused(node, "several shifts along one axis")
    return shifts, [body.target.axis(node.inputs[0], axis % rank) for axis in axes]


def reduced_axes(body, node):
    """Returns the axes of a reduction, sorted."""
    content_of(body, node, 1)
    axes = shape_rules.axes_of(node.inputs[1], len(dims_of(body, node)))
    return sorted(body.target.axis(node.inputs[0], axis) for axis in axes)


def padding_of(body, node):
    """Returns the (before, after) of each axis, in the order that the code has."""
    padding = node.inputs[1].array
    if padding is None:
        raise body.refused(node, "a padding that is computed from data")
    pairs = [tuple(map(int, pair)) for pair in padding]
    places = {body.target.axis(node.output, axis): axis for axis in range(len(pairs))}
    return [pairs[places[axis]] for axis in range(len(pairs))]


def unit_axis(old, new):
    """Returns the place of the one axis of size 1 that comes or goes, or None."""
    longer, shorter = (new, old) if len(new) > len(old) else (old, new)
    if len(longer) != len(shorter) + 1:
        return None
    for axis in range(len(longer)):
        if longer[axis] == 1 and longer[:axis] + longer[axis + 1 :] == shorter:
            return -1 if axis == len(longer) - 1 else axis
    return None


def new_sizes(body, dims, node):
    """Returns the sizes of a reshape: -1 for what the other ones say."""
    symbolic = [axis for axis, size in enumerate(dims) if not isinstance(size, int)]
    own = [axis for axis in symbolic if not body.has_size(dims[axis])]
    if len(own) > 1:
        raise body.refused(node, "two sizes that nothing says")
    longest = max(symbolic, key=lambda axis: (_weight(dims[axis]), axis), default=None)
    inferred = own[0] if own else longest
    return [code("-1") if axis == inferred else body.size(size) for axis, size in enumerate(dims)]


def _weight(size):
    return len(size.terms) + len(size.terms[0][0])


def items_of_slice(body, node):
    """Returns the items of the index that the op Slice is."""
    items, starts, counts = [], content_of(body, node, 1), content_of(body, node, 2)
    for size, start, count in zip(dims_of(body, node), starts, counts):
        stop = None if count == -1 else sizes.add(start, count)
        items.append(_range(body, start or None, None if stop == size else stop, 1))
    return items


def items_of_strides(body, node):
    """Returns (the items of the index that a StridedSlice is, axes that are reversed first)."""
    dims_of(body, node)
    for i in range(1, 4):
        content_of(body, node, i)
    items, flipped = [], []
    for axis in shape_rules.strided_axes(node.inputs, node.attributes):
        if axis.kind == "range" and (not isinstance(axis.step, int) or axis.step < 0):
            if (axis.start, axis.stop, axis.step) != (None, None, -1):
                raise body.refused(node, "a step below 0")
            flipped.append(sum(1 for item in items if item.parts != ["None"]))
            items.append(code(":"))
        elif axis.kind == "range":
            items.append(_range(body, axis.start, axis.stop, axis.step))
        elif axis.kind == "index":
            items.append(body.size(axis.start))
        else:
            items.append(code("None" if axis.kind == "new" else ":"))
    return items, flipped


def _range(body, start, stop, step):
    if start in (None, 0) and stop is None and step == 1:
        return code(":")
    bounds = [None if start in (None, 0) else start, stop]
    bounds = [code("") if bound is None else body.size(bound) for bound in bounds]
    spaces = [" " if bound.parts != [""] else "" for bound in bounds]
    if all(map(_is_simple, bounds)):
        spaces = ["", ""]
    parts = [bounds[0], spaces[0] + ":" + spaces[1], bounds[1]]
    return expressions.Code(parts + ([":", body.size(step)] if step != 1 else []))


def _is_simple(bound):
    """Tells whether a bound is a number or a name, around which no spaces stand."""
    return expressions.text(bound, lambda leaf: "").strip() == ""
