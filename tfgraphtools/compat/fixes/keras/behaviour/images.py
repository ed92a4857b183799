"""How Keras turns, moves and zooms images."""

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_IMAGES = Row(
    "tensorflow.keras.preprocessing.image.apply_affine_transform",
    "TF 2.9",
    "rotates, shifts, shears and zooms images as Keras-Preprocessing 1.1 did: rows come first, "
    "and the centre differs",
)


def _move_images_as_before(module):
    def apply_affine_transform(
        x, theta=0, tx=0, ty=0, shear=0, zx=1, zy=1, row_axis=0, col_axis=1, channel_axis=2,
        fill_mode="nearest", cval=0.0, order=1
    ):  # fmt: skip
        import numpy as np

        if (theta, tx, ty, shear, zx, zy) == (0, 0, 0, 0, 1, 1):
            return x
        rows.used(_IMAGES)
        turn, lean = np.deg2rad([theta, shear])
        turned = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
        leaning = [[1, -np.sin(lean)], [0, np.cos(lean)]]
        matrix = np.dot(turned, leaning) @ np.diag([zx, zy])
        centre = np.array([x.shape[row_axis], x.shape[col_axis]]) / 2 + 0.5
        offset = np.dot(turned, [tx, ty]) + centre - matrix @ centre
        moved = [
            module.ndimage.affine_transform(
                channel, matrix, offset, order=order, mode=fill_mode, cval=cval
            )
            for channel in np.rollaxis(x, channel_axis, 0)
        ]
        return np.rollaxis(np.stack(moved, axis=0), 0, channel_axis + 1)

    state.set_attribute(module, "apply_affine_transform", apply_affine_transform)


CHANGES = ((_IMAGES, "preprocessing.image", _move_images_as_before),)
