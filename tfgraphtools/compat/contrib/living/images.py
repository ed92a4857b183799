"""Ops on images: projective transforms, colours, connected components."""

import numpy as np

from tfgraphtools._tf import tf, v1

_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]])


def image_projective_transform_v2(images, transforms, output_shape, interpolation, name=None):
    """TF's own op of this name, which fills with 0 as contrib's did."""
    return tf.raw_ops.ImageProjectiveTransformV2(
        images=images,
        transforms=transforms,
        output_shape=output_shape,
        interpolation=interpolation,
        name=name,
    )


def image_projective_transform(images, transforms, interpolation, name=None):
    """The transform whose output has the size of its input."""
    size = v1.shape(images)[1:3]
    return image_projective_transform_v2(images, transforms, size, interpolation, name)


def adjust_hsv_in_yiq(images, delta_h, scale_s, scale_v, name=None):
    """Turns hue, and scales saturation and value, by one linear map of the colours in YIQ.

    Args:
      images: [..., 3] float32.
      delta_h: the angle of the turn in radians.
      scale_s, scale_v: the factors.
    """
    with v1.name_scope(name, "AdjustHsvInYiq", [images]):
        images = v1.convert_to_tensor(images)
        if images.shape.ndims is not None and images.shape.ndims < 3:
            raise ValueError(
                f"Shape must be at least rank 3 but is rank {images.shape.ndims}: expected images "
                f"[..., height, width, 3], got {images.shape}. Add dimensions of size 1."
            )
        channels = images.shape.dims[-1].value if images.shape.ndims else None
        if channels != 3:
            with v1.control_dependencies([_has_three_channels(images)]):
                images = v1.identity(images)
            if channels is not None:
                return images  # never: it is an error of the step, as in 1.15
        delta_h, scale_s, scale_v = (
            v1.convert_to_tensor(value, v1.float32) for value in (delta_h, scale_s, scale_v)
        )
        grey, turned = np.diag([1.0, 0.0, 0.0]), np.diag([0.0, 1.0, 1.0])
        quarter = np.array([[0.0, 0, 0], [0, 0, -1], [0, 1, 0]])
        inverse = np.linalg.inv(_YIQ)
        grey, turned, quarter = (
            v1.constant(inverse.dot(part).dot(_YIQ), v1.float32) for part in (grey, turned, quarter)
        )
        chroma = scale_s * (v1.cos(delta_h) * turned + v1.sin(delta_h) * quarter)
        matrix = scale_v * (grey + chroma)
        result = v1.reshape(
            v1.matmul(v1.reshape(images, [-1, 3]), matrix, transpose_b=True), v1.shape(images)
        )
        result.set_shape(images.shape)
        return result


def _has_three_channels(images):
    """An assertion; the channels are counted when it runs."""
    channels = v1.shape(images)[-1]
    said = ["input must have 3 channels but instead has ", v1.as_string(channels), " channels."]
    return v1.Assert(v1.equal(channels, 3), [v1.strings.join(said)])


def image_connected_components(image, name=None):
    """Labels the regions of equal non-zero values that touch along an edge.

    Args:
      image: [batch, height, width], of any type.

    Returns:
      int64 of the same shape: 0 where the image is zero (or False, or ""), else a
      number that only the pixels of one region have.
    """
    with v1.name_scope(name, "ImageConnectedComponents", [image]):
        image = v1.convert_to_tensor(image)
        shape = v1.shape(image, out_type=v1.int64)
        filled = v1.not_equal(image, v1.zeros_like(image))
        first = v1.reshape(v1.range(1, v1.reduce_prod(shape) + 1), shape)
        first = v1.where(filled, first, v1.zeros_like(first))
        below = filled[:, 1:] & v1.equal(image[:, 1:], image[:, :-1])
        right = filled[:, :, 1:] & v1.equal(image[:, :, 1:], image[:, :, :-1])

        def spread(labels, _):
            new = _least_of_neighbours(labels, below, right)
            return new, v1.reduce_any(v1.not_equal(new, labels))

        labels, _ = v1.while_loop(
            lambda labels, changed: changed,
            spread,
            [first, v1.constant(True)],
            shape_invariants=[image.shape, v1.TensorShape([])],
        )
        return labels


def _least_of_neighbours(labels, below, right):
    """Each label, or that of a pixel of the same region beside it, if that is less."""
    down = v1.where(below, v1.minimum(labels[:, 1:], labels[:, :-1]), labels[:, 1:])
    labels = v1.concat([labels[:, :1], down], 1)
    up = v1.where(below, v1.minimum(labels[:, 1:], labels[:, :-1]), labels[:, :-1])
    labels = v1.concat([up, labels[:, -1:]], 1)
    east = v1.where(right, v1.minimum(labels[:, :, 1:], labels[:, :, :-1]), labels[:, :, 1:])
    labels = v1.concat([labels[:, :, :1], east], 2)
    west = v1.where(right, v1.minimum(labels[:, :, 1:], labels[:, :, :-1]), labels[:, :, :-1])
    return v1.concat([west, labels[:, :, -1:]], 2)
