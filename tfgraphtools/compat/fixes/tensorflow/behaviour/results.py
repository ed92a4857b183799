"""Functions of TensorFlow whose numbers changed although their names did not.

Where 2.x gives 0 for 0/0, 1.15 gave NaN, which a script sees; integers and floats
are divided, and images scaled, as 1.15 did. Sources: TF 1.15's ``embedding_ops``,
``math_grad``, ``image_ops_impl`` and the kernel of TruncateDiv.
"""

import functools

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.behaviour.shapes import ragged


def _per_image_standardization(real, used):
    plain = real.per_image_standardization

    @functools.wraps(plain)
    def per_image_standardization(image):
        from tfgraphtools._tf import v1

        image = v1.convert_to_tensor(image, name="image")
        if image.dtype == v1.float32:
            return plain(image)
        used()
        if image.dtype == v1.float16:
            return _standardized(image)
        scaled = v1.image.convert_image_dtype(image, v1.float32)
        return v1.image.convert_image_dtype(plain(scaled), image.dtype, saturate=True)

    return per_image_standardization


def _standardized(image):
    """A float16 image by the arithmetic of float16, which overflows beyond 65504."""
    from tfgraphtools._tf import v1

    with v1.name_scope(None, "per_image_standardization", [image]) as scope:
        axes = [-1, -2, -3]
        count = v1.cast(v1.reduce_prod(v1.shape(image)[-3:]), image.dtype)
        mean = v1.reduce_mean(image, axis=axes, keepdims=True)
        deviation = v1.math.reduce_std(image, axis=axes, keepdims=True)
        return v1.div(image - mean, v1.maximum(deviation, v1.rsqrt(count)), name=scope)


def _truncatediv(real, used):
    plain = real.truncatediv

    @ragged.of_two
    @functools.wraps(plain)
    def truncatediv(x, y, name=None):
        from tfgraphtools._tf import v1

        with v1.name_scope(name, "TruncateDiv", [x, y]) as scope:
            x = v1.convert_to_tensor(x, name="x")
            y = v1.convert_to_tensor(y, dtype=x.dtype, name="y")
            if not x.dtype.is_floating:
                return plain(x, y, name=scope)
            used()
            return v1.stop_gradient(v1.realdiv(x, y), name=scope)

    return truncatediv


def _angle(real, used):
    plain = real.angle

    @ragged.of_one
    @functools.wraps(plain)
    def angle(input, name=None):
        from tfgraphtools._tf import v1

        if not hasattr(input, "dtype"):
            input = v1.convert_to_tensor(input, name="input")
        if v1.as_dtype(input.dtype).is_complex:
            return plain(input, name=name)
        used()
        with v1.name_scope(name, "Angle", [input]):
            return v1.zeros_like(v1.convert_to_tensor(input, name="input"))

    return angle


TABLE = Table(
    "functions whose numbers changed",
    "calls",
    [
        Row(
            "tensorflow.image.per_image_standardization",
            "TF 2.1",
            "integer images are scaled to [0, 1] first, and the result has the dtype of the image",
            _per_image_standardization,
        )
    ]
    + [
        Row(name, "TF 2.7", "the angle of a real number is 0, also of a negative one", _angle)
        for name in ("tensorflow.angle", "tensorflow.math.angle")
    ]
    + [
        Row(
            "tensorflow.truncatediv",
            "TF 2.10",
            "floats are divided without truncation: truncatediv(-7.5, 2.) is -3.75",
            _truncatediv,
        )
    ],
)
