"""Functions of images that made other numbers of ops in TF 1.15."""

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.seeds.array_ops import is_tensor
from tfgraphtools.compat.seeds.corrections import instead, more

_IMAGES = "tensorflow.python.ops.image_ops_impl:"


def _check_image(original):
    """TF 1.15 required every size to be known and positive, the batch's too."""

    def check_image(image, require_static=True):
        from tensorflow.python.ops import array_ops, check_ops

        original_finds = image.shape.rank is not None and image.shape.rank < 3
        if require_static or original_finds or image.shape.is_fully_defined():
            return original(image, require_static)
        return [
            check_ops.assert_positive(
                array_ops.shape(image), ["all dims of 'image.shape' must be > 0."]
            ),
            check_ops.assert_greater_equal(
                array_ops.rank(image), 3, message="'image' must be at least three-dimensional."
            ),
        ]

    return check_image


def _crop(call):
    """TF 2.x takes two sizes from the image's shape where TF 1.15 wrote -1."""
    sizes = call.argument(3, "target_height"), call.argument(4, "target_width")
    offsets = call.argument(1, "offset_height"), call.argument(2, "offset_width")
    return -12 if not any(map(is_tensor, sizes + offsets)) else -8


def _standardization(call):
    """An identity in the end; integers were converted back to themselves."""
    return 1 if call.argument(0, "image").dtype.is_floating else 9


def _jpeg_quality(call):
    """Two bounds and the smaller and the larger of each, unless it was uint8 before."""
    return 0 if call.argument(0, "image").dtype == "uint8" else -4


TABLE = Table(
    "images",
    "listed",
    [
        Row(
            "seeds.image.check",
            "TF 2.0",
            "functions of images checked every unknown size, also the batch size",
            instead(_IMAGES + "_CheckAtLeast3DImage", _check_image),
        ),
        Row(
            "seeds.crop_to_bounding_box",
            "TF 2.4",
            "crop_to_bounding_box used -1 for the end: eight or twelve ops fewer",
            more(_IMAGES + "crop_to_bounding_box", _crop),
        ),
        Row(
            "seeds.per_image_standardization",
            "TF 2.0",
            "per_image_standardization ended in an identity, or a conversion back",
            more(_IMAGES + "per_image_standardization", _standardization),
        ),
        Row(
            "seeds.adjust_jpeg_quality",
            "TF 2.0",
            "adjust_jpeg_quality did not clip: four ops fewer",
            more(_IMAGES + "adjust_jpeg_quality", _jpeg_quality),
        ),
    ],
)
