"""The gradients of a convolution's filter, for many images at once, each by itself.

One place of the filter after the other: what it saw of each image, times the gradient
that arrived there, is one matrix product for all images. So no patches are stored, and
strides, dilations, paddings, groups and the number of dimensions do not matter.
"""

import itertools

from tfgraphtools._tf.api import tf

#: A filter with more places is taken in rows: the last dimension becomes channels.
_MANY_PLACES = 64


class Window:
    """The moves of a convolution's filter over the image: one entry per spatial dimension."""

    def __init__(self, sizes, strides, dilations, paddings):
        """Takes ``paddings`` as "SAME", "VALID" or pairs of (before, after)."""
        self.sizes, self.strides, self.dilations = sizes, strides, dilations
        self.paddings = paddings

    def padded(self, images, moves):
        """Returns the images with zeros around, so that every place of every move is inside."""
        if self.paddings == "VALID":
            return images
        pairs = self.paddings
        if pairs == "SAME":
            pairs = []
            for axis, count in enumerate(moves):
                reach = (count - 1) * self.strides[axis] + 1
                reach += (self.sizes[axis] - 1) * self.dilations[axis]
                missing = _at_least_zero(reach - _sizes(images)[1 + axis])
                pairs.append((missing // 2, missing - missing // 2))
        return tf.pad(images, [(0, 0)] + [tuple(pair) for pair in pairs] + [(0, 0)])

    def seen(self, images, place, moves):
        """Returns what one place of the filter saw: [images, *moves, channels]."""
        slices = [slice(None)]
        for axis, count in enumerate(moves):
            start = place[axis] * self.dilations[axis]
            stop = start + (count - 1) * self.strides[axis] + 1
            slices.append(slice(start, stop, self.strides[axis]))
        return images[tuple(slices)]

    def last_as_channels(self, images, count):
        """Returns (images with the filter's last dimension as channels, the window that stays)."""
        starts = tf.range(count) * self.strides[-1]
        places = tf.range(self.sizes[-1]) * self.dilations[-1]
        rows = tf.gather(images, starts[:, None] + places[None], axis=len(self.sizes))
        shape = _sizes(rows)
        merged = tf.reshape(rows, shape[:-2] + [shape[-2] * shape[-1]])
        sizes, strides = self.sizes[:-1] + [1], self.strides[:-1] + [1]
        return merged, Window(sizes, strides, self.dilations[:-1] + [1], "VALID")


def filter_gradients(images, grads, shape, window, depthwise=False):
    """Returns the filter's gradient from each image.

    Args:
      images: [examples, images of each, *sizes, channels].
      grads: the same of the convolution's output.
      shape: of the filter, [*sizes, channels, filters], ints.
      window: a `Window`.
      depthwise: each channel has filters of its own.

    Returns:
      [examples] + shape.
    """
    count, own, *moves = _sizes(grads)[:-1]
    rows = _product([own] + moves)  # a batch may be empty: -1 could not tell
    images = window.padded(_merged(images), moves)
    channels, filters = shape[-2:]
    width = 1
    if not depthwise and _product(window.sizes) > _MANY_PLACES:
        width = window.sizes[-1]
        images, window = window.last_as_channels(images, moves[-1])
    each = [count, rows, channels, filters] if depthwise else [count, rows, filters]
    grads, of_places = tf.reshape(grads, each), []
    of_filters = tf.unstack(grads, axis=-1) if depthwise else []
    for place in itertools.product(*map(range, window.sizes)):
        seen = window.seen(images, place, moves)
        seen = tf.reshape(seen, [count, rows, _sizes(images)[-1]])
        if depthwise:
            # equal shapes: TF 1.15 takes nine times as long to broadcast over the filters
            sums = [tf.reduce_sum(seen * grad, axis=1) for grad in of_filters]
            of_places.append(tf.stack(sums, axis=-1))
        else:
            of_places.append(_products(seen, grads, channels, width))
    return tf.reshape(tf.stack(of_places, axis=1), [count] + list(shape))


def _products(seen, grads, channels, width):
    """Returns what a place saw times what arrived there: [examples, channels of a group, filters].

    With a width, the channels are those of as many places.
    """
    groups = seen.shape.as_list()[-1] // (channels * width)
    if groups == 1:
        return tf.matmul(seen, grads, transpose_a=True)
    seen, each = _by_group(seen, groups, width), _by_group(grads, groups, 1)
    products = tf.transpose(tf.matmul(seen, each, transpose_a=True), [0, 2, 1, 3])
    return tf.reshape(products, [_sizes(grads)[0], channels * width, grads.shape.as_list()[-1]])


def _by_group(rows, groups, width):
    """Turns [examples, rows, channels] into [examples, groups, rows, channels of a group]."""
    count, size, channels = _sizes(rows)
    split = tf.reshape(rows, [count, size, width, groups, channels // groups // width])
    split = tf.transpose(split, [0, 3, 1, 2, 4])
    return tf.reshape(split, [count, groups, size, channels // groups])


def _merged(images):
    sizes = _sizes(images)
    return tf.reshape(images, [sizes[0] * sizes[1]] + sizes[2:])


def _sizes(tensor):
    """Returns the sizes of a tensor: ints where they are known, else scalar tensors."""
    known, dynamic = tensor.shape.as_list(), tf.shape(tensor)
    return [dynamic[axis] if size is None else size for axis, size in enumerate(known)]


def _at_least_zero(size):
    return max(size, 0) if isinstance(size, int) else tf.maximum(size, 0)


def _product(numbers):
    total = 1
    for number in numbers:
        total *= number
    return total
