"""Keras's rotation, shift and zoom of images."""

from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@replaces(
    "tf_keras.src.preprocessing.image:apply_affine_transform",
    name="tensorflow.keras.preprocessing.image.apply_affine_transform",
    since="TF 2.9",
    why="rotates, shifts, shears and zooms images as Keras-Preprocessing 1.1 did: rows come "
    "first, and the centre differs",
)
def _apply_affine_transform(
    original, x, theta=0, tx=0, ty=0, shear=0, zx=1, zy=1, row_axis=0, col_axis=1,
    channel_axis=2, fill_mode="nearest", cval=0.0, order=1
):  # fmt: skip
    import numpy as np
    from scipy import ndimage

    if (theta, tx, ty, shear, zx, zy) == (0, 0, 0, 0, 1, 1):
        return x
    _apply_affine_transform.used()
    turn, lean = np.deg2rad([theta, shear])
    turned = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    leaning = [[1, -np.sin(lean)], [0, np.cos(lean)]]
    matrix = np.dot(turned, leaning) @ np.diag([zx, zy])
    centre = np.array([x.shape[row_axis], x.shape[col_axis]]) / 2 + 0.5
    offset = np.dot(turned, [tx, ty]) + centre - matrix @ centre
    moved = [
        ndimage.affine_transform(channel, matrix, offset, order=order, mode=fill_mode, cval=cval)
        for channel in np.rollaxis(x, channel_axis, 0)
    ]
    return np.rollaxis(np.stack(moved, axis=0), 0, channel_axis + 1)


REPLACEMENTS = (_apply_affine_transform,)
