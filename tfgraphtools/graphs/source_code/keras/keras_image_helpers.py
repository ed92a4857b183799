"""Functions of images that a model brings along: see `keras_helpers`."""

_RESIZE_BILINEAR = '''
def resize_bilinear(x, size, align_corners=False):
    """Resizes as TF1 does: the pixel at i comes from i * old size / new size."""
    for axis, new in enumerate(size, start=1):
        old = ops.shape(x)[axis]
        sizes = ops.cast(old, "float32"), ops.cast(new, "float32")
        scale = sizes[0] / sizes[1]
        if align_corners:
            scale = (sizes[0] - 1) / ops.maximum(sizes[1] - 1, 1)
        places = ops.arange(new, dtype="float32") * scale
        lower = ops.cast(ops.floor(places), "int32")
        upper = ops.minimum(lower + 1, old - 1)
        share = places - ops.cast(lower, "float32")
        share = ops.reshape(share, (-1, 1, 1) if axis == 1 else (-1, 1))
        first = ops.take(x, lower, axis=axis)
        x = first + (ops.take(x, upper, axis=axis) - first) * share
    return x
'''

_RESIZE_NEAREST = '''
def resize_nearest(x, size, align_corners=False, half_pixels=False):
    """Resizes to the nearest pixels, in each of TF1's ways."""
    for axis, new in enumerate(size, start=1):
        old = ops.shape(x)[axis]
        sizes = ops.cast(old, "float32"), ops.cast(new, "float32")
        places = ops.arange(new, dtype="float32") + (0.5 if half_pixels else 0.0)
        if align_corners:
            places = places * ((sizes[0] - 1) / ops.maximum(sizes[1] - 1, 1)) + 0.5
        else:
            places = places * (sizes[0] / sizes[1])
        places = ops.minimum(ops.cast(ops.floor(places), "int32"), old - 1)
        x = ops.take(x, places, axis=axis)
    return x
'''

_MIRROR_PAD = '''
def mirror_pad(x, pairs, offset):
    """Pads by reflection, of all but the edge for an offset of 1."""
    for axis, (before, after) in enumerate(pairs):
        size = ops.shape(x)[axis]
        if before or after:
            places = ops.arange(-before, size + after)
            places = ops.where(places < 0, offset - 1 - places, places)
            last = 2 * size - 1 - offset
            places = ops.where(places < size, places, last - places)
            x = ops.take(x, places, axis=axis)
    return x
'''

_LOCAL_RESPONSES = '''
def local_responses(x, radius, alpha, beta, bias):
    """Divides by the sum of squares of the channels nearby, to a power."""
    channels = x.shape[-1]
    squares = ops.pad(ops.square(x), ((0, 0), (0, 0), (0, 0), (radius, radius)))
    total = sum(squares[..., i : i + channels] for i in range(2 * radius + 1))
    return x / (bias + alpha * total) ** beta
'''

_DEPTH_TO_SPACE = '''
def depth_to_space(x, block):
    """Moves channels into blocks of pixels."""
    count, height, width, channels = ops.shape(x)
    x = ops.reshape(x, (count, height, width, block, block, channels // block**2))
    x = ops.swapaxes(x, 2, 3)
    return ops.reshape(x, (count, height * block, width * block, channels // block**2))
'''

_SPACE_TO_DEPTH = '''
def space_to_depth(x, block):
    """Moves blocks of pixels into channels."""
    count, height, width, channels = ops.shape(x)
    height, width = height // block, width // block
    x = ops.reshape(x, (count, height, block, width, block, channels))
    x = ops.swapaxes(x, 2, 3)
    return ops.reshape(x, (count, height, width, channels * block**2))
'''

#: {name: text}.
HELPERS = {
    "resize_bilinear": _RESIZE_BILINEAR,
    "resize_nearest": _RESIZE_NEAREST,
    "mirror_pad": _MIRROR_PAD,
    "local_responses": _LOCAL_RESPONSES,
    "depth_to_space": _DEPTH_TO_SPACE,
    "space_to_depth": _SPACE_TO_DEPTH,
}
