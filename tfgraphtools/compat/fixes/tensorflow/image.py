"""``tf.image``: scales of integers, images of unknown rank, and arguments of before 1.0."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.seeds import counting


@in_place_of(
    "tensorflow.image.per_image_standardization",
    "TF 2.1",
    "integer images are scaled to [0, 1] first, and the result has the dtype of the image",
)
def _per_image_standardization(original, used, image):
    """Standardizes as ``image_ops_impl`` of TF 1.15."""
    from tfgraphtools._tf import v1

    image = v1.convert_to_tensor(image, name="image")
    if image.dtype == v1.float32:
        return original(image)
    used()
    standardized = original(v1.image.convert_image_dtype(image, v1.float32))
    counting.add(v1.get_default_graph(), -1)  # the identity of a float image
    return v1.image.convert_image_dtype(standardized, image.dtype, saturate=True)


@in_place_of("tensorflow.image.resize_images", "TF 1.0", "takes (images, height, width), too")
def _resize_images(original, used, images, size, *arguments, **options):
    if arguments and isinstance(size, int) and _is_number(arguments[0]):
        used()
        size, arguments = [size, arguments[0]], arguments[1:]  # (images, height, width)
    return original(images, size, *arguments, **options)


def _is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


_OF_ONE_IMAGE = (
    "flip_left_right flip_up_down random_flip_left_right random_flip_up_down rot90 transpose "
    "transpose_image encode_png random_jpeg_quality adjust_jpeg_quality"
).split()


@in_place_of(
    " ".join("tensorflow.image." + name for name in _OF_ONE_IMAGE),
    "TF 2.2",
    "an image of unknown rank has three dimensions",
)
def _of_three_dimensions(original, used, image, *arguments, **options):
    from tfgraphtools._tf import v1

    image = v1.convert_to_tensor(image, name="image")
    if image.shape.ndims is None:
        used()
        image = v1.identity(image)
        image.set_shape([None, None, None])
    return original(image, *arguments, **options)


TABLES = (
    Table(
        "functions of images",
        "calls",
        [*_per_image_standardization, *_resize_images, *_of_three_dimensions],
    ),
)
