"""Bilinear sampling of images at given points."""

from tfgraphtools._tf import v1


def resampler(data, warp, name=None):
    """Returns the values of images at points between their pixels; 0 outside of them.

    Args:
      data: [batch, height, width, channels], float.
      warp: [batch, ..., 2]: the points, as (x, y) in pixels.

    Returns:
      [batch, ..., channels].

    Raises:
      ValueError: if the points are not of two numbers.
    """
    with v1.name_scope(name, "Resampler", [data, warp]):
        data = v1.convert_to_tensor(data)
        warp = v1.convert_to_tensor(warp, data.dtype)
        if warp.shape.rank and warp.shape.as_list()[-1] not in (None, 2):
            raise ValueError(f"the last dimension of warp must be 2, not {warp.shape[-1]}")
        shape, points = v1.shape(data), v1.shape(warp)
        flat = v1.reshape(warp, [shape[0], -1, 2])
        x, y = flat[..., 0], flat[..., 1]
        left, top = v1.floor(x), v1.floor(y)
        right_share, bottom_share = x - left, y - top
        total = 0
        for column, x_share in ((left, 1 - right_share), (left + 1, right_share)):
            for row, y_share in ((top, 1 - bottom_share), (top + 1, bottom_share)):
                total += (x_share * y_share)[..., None] * _pixels(data, shape, row, column)
        result = v1.reshape(total, v1.concat([points[:-1], shape[3:]], 0))
        channels = data.shape[3:] if data.shape.rank else [None]
        result.set_shape(warp.shape[:-1].concatenate(channels))
        return result


def _pixels(data, shape, row, column):
    """Returns the pixels of each image at [batch, points] rows and columns; 0 outside."""
    height, width = v1.cast(shape[1], data.dtype), v1.cast(shape[2], data.dtype)
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    row = v1.cast(v1.clip_by_value(row, 0, height - 1), v1.int32)
    column = v1.cast(v1.clip_by_value(column, 0, width - 1), v1.int32)
    batch = v1.tile(v1.range(shape[0])[:, None], [1, v1.shape(row)[1]])
    pixels = v1.gather_nd(data, v1.stack([batch, row, column], -1))
    return pixels * v1.cast(inside, data.dtype)[..., None]
