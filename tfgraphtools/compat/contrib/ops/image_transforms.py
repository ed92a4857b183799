"""Ops on images: projective transforms, connected components."""

from tfgraphtools._tf import tf, v1


def image_projective_transform_v2(images, transforms, output_shape, interpolation, name=None):
    """Calls TF's own op of this name, which fills with 0 as contrib's did."""
    return tf.raw_ops.ImageProjectiveTransformV2(
        images=images,
        transforms=transforms,
        output_shape=output_shape,
        interpolation=interpolation,
        name=name,
    )


def image_projective_transform(images, transforms, interpolation, name=None):
    """Returns the transform whose output has the size of its input."""
    size = v1.shape(images)[1:3]
    return image_projective_transform_v2(images, transforms, size, interpolation, name)


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
    """Returns each label, or that of a pixel of the same region beside it, if that is less."""
    down = v1.where(below, v1.minimum(labels[:, 1:], labels[:, :-1]), labels[:, 1:])
    labels = v1.concat([labels[:, :1], down], 1)
    up = v1.where(below, v1.minimum(labels[:, 1:], labels[:, :-1]), labels[:, :-1])
    labels = v1.concat([up, labels[:, -1:]], 1)
    east = v1.where(right, v1.minimum(labels[:, :, 1:], labels[:, :, :-1]), labels[:, :, 1:])
    labels = v1.concat([labels[:, :, :1], east], 2)
    west = v1.where(right, v1.minimum(labels[:, :, 1:], labels[:, :, :-1]), labels[:, :, :-1])
    return v1.concat([west, labels[:, :, -1:]], 2)
