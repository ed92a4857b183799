"""Layouts: the axes of TF1's weights as PyTorch's, by views, one function per layout.

    dense       [in, out]              -> [out, in]
    conv        [k..., in, out]        -> [out, in, k...]
    transposed  [k..., out, in]        -> [in, out, k...]     (the same permutation)
    depthwise   [k..., in, multiplier] -> [in * multiplier, 1, k...]
    flattened   [h * w * c, out]       -> [out, c * h * w]

PyTorch flattens channels first, TF1 channels last: the rows of a dense kernel
after a flatten change their order, which no shape tells. Sources: TF 1.15
`python/ops/nn_ops.py`, `python/layers/core.py`; PyTorch `torch/nn/modules/{linear,conv}.py`.
"""

import collections

import numpy as np

#: ``words``: for the plan; ``forward(array)`` gives PyTorch's array, ``backward(array)`` TF1's.
#: Both may give views.
Layout = collections.namedtuple("Layout", "words forward backward")

SAME = Layout("", lambda array: array, lambda array: array)


def candidates(source_shape, target_shape):
    """Returns {name: `Layout`} of all that make the one shape of the other.

    Args:
      source_shape: of TF1's tensor.
      target_shape: of PyTorch's.

    Example:
      >>> sorted(candidates((3, 3), (3, 3))), sorted(candidates((5, 5, 1, 8), (8, 1, 5, 5)))
      (['same', 'transposed'], ['conv', 'depthwise'])
    """
    source_shape, target_shape = tuple(source_shape), tuple(target_shape)
    layouts = {}
    if source_shape == target_shape:
        layouts["same"] = SAME
    squeezed = _squeezed(source_shape, len(target_shape))
    if squeezed is None:
        return layouts
    reshaped = squeezed != source_shape
    if reshaped and squeezed == target_shape:
        layouts["same"] = _after_squeeze(SAME, source_shape, squeezed)
    if len(squeezed) == 2 and squeezed[::-1] == target_shape:
        layout = Layout("transposed", np.transpose, np.transpose)
        layouts["transposed"] = _after_squeeze(layout, source_shape, squeezed)
    if len(squeezed) > 2:
        forward = _first(len(squeezed))
        if tuple(squeezed[axis] for axis in forward) == target_shape:
            layouts["conv"] = _after_squeeze(_permuted(forward), source_shape, squeezed)
        if _is_depthwise(squeezed, target_shape):
            layouts["depthwise"] = _after_squeeze(_depthwise(squeezed), source_shape, squeezed)
    return layouts


def flattened(rows, source_shape, target_shape):
    """Returns the layout of a dense kernel after a flatten of [h, w, c], or None.

    Args:
      rows: (h, w, c), or (w, c) or (d, h, w, c): the shape that TF1 flattened.
      source_shape, target_shape: of TF1's kernel and of PyTorch's.
    """
    rows, outputs = tuple(rows), source_shape[-1]
    if len(source_shape) != 2 or int(np.prod(rows)) != source_shape[0]:
        return None
    if tuple(target_shape) != (outputs, source_shape[0]):
        return None
    count = len(rows)
    axes = (count, count - 1, *range(count - 1))  # out, c, h, w

    def forward(array):
        return array.reshape(rows + (outputs,)).transpose(axes).reshape(target_shape)

    def backward(array):
        channels_first = (outputs, rows[-1]) + rows[:-1]
        return array.reshape(channels_first).transpose(np.argsort(axes)).reshape(source_shape)

    sizes = "x".join(map(str, rows))
    return Layout(f"transposed; rows {sizes} to channels first", forward, backward)


def reshaped(source_shape, target_shape):
    """Returns the layout of the same values, row by row, in another shape."""
    if tuple(source_shape) == tuple(target_shape):
        return SAME
    return Layout(
        f"reshaped to {list(target_shape)}",
        lambda array: array.reshape(target_shape),
        lambda array: array.reshape(source_shape),
    )


def _squeezed(shape, rank):
    """Returns the shape without the leading ones that are too many; None if it cannot be."""
    extra = len(shape) - rank
    if extra < 0 or any(size != 1 for size in shape[:extra]):
        return None
    return shape[extra:]


def _after_squeeze(layout, source_shape, squeezed):
    if source_shape == squeezed:
        return layout
    words = "; ".join(filter(None, ["1s dropped", layout.words]))
    return Layout(
        words,
        lambda array: layout.forward(array.reshape(squeezed)),
        lambda array: layout.backward(array).reshape(source_shape),
    )


def _first(rank):
    """Returns the axes of [k..., in, out] in the order out, in, k..."""
    return (rank - 1, rank - 2, *range(rank - 2))


def _permuted(axes):
    spatial = "DHW"[-(len(axes) - 2) :] if len(axes) < 6 else "K"
    back = tuple(np.argsort(axes))
    return Layout(
        f"{spatial}IO -> OI{spatial}",
        lambda array: array.transpose(axes),
        lambda array: array.transpose(back),
    )


def _is_depthwise(source, target):
    *kernel, channels, multiplier = source
    return target == (channels * multiplier, 1, *kernel)


def _depthwise(source):
    rank = len(source)
    *kernel, channels, multiplier = source
    axes = (rank - 2, rank - 1, *range(rank - 2))

    def forward(array):
        return array.transpose(axes).reshape((channels * multiplier, 1, *kernel))

    def backward(array):
        return array.reshape((channels, multiplier, *kernel)).transpose(np.argsort(axes))

    return Layout("depthwise", forward, backward)
