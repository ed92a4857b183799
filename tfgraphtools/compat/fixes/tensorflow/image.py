"""``tf.image``: scales of integers, images of unknown rank, and arguments of before 1.0."""

from tfgraphtools.compat.engine.rewrite_kinds import Call
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


_PADDED = (
    "boxes scores max_output_size iou_threshold score_threshold pad_to_max_output_size name"
).split()


@in_place_of(
    "tensorflow.image.non_max_suppression_padded",
    "TF 2.3",
    "one op of TF 1: boxes and scores may be NumPy arrays, whatever the padding",
    rewrite=Call(
        "tensorflow.compat.v1.raw_ops.NonMaxSuppressionV4",
        positions=_PADDED,
        added={"iou_threshold": "0.5", "score_threshold": 'float("-inf")'},
    ),
)
def _non_max_suppression_padded(original, used, *arguments, **options):
    """Suppresses as ``image_ops_impl`` of TF 1.15; batches and tiles are TF 2's."""
    from tfgraphtools._tf import v1

    call = {**dict(zip(_PADDED, arguments)), **options}
    if len(arguments) > len(_PADDED) or not set(call).issubset(_PADDED):
        return original(*arguments, **options)
    used()
    with v1.name_scope(call.pop("name", None), "non_max_suppression_padded"):
        for threshold, default in (("iou_threshold", 0.5), ("score_threshold", float("-inf"))):
            call[threshold] = v1.convert_to_tensor(call.get(threshold, default), name=threshold)
        return v1.raw_ops.NonMaxSuppressionV4(**call)


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
        [
            *_per_image_standardization,
            *_resize_images,
            *_non_max_suppression_padded,
            *_of_three_dimensions,
        ],
    ),
)
