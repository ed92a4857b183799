"""``tf.as_dtype``: columns of text, whose dtype in pandas 3 is no dtype of NumPy.

Functions of TF 1 that take frames and columns read their dtype: ``pandas_input_fn``, the queues of
``numpy_input_fn``, ``tf.as_dtype(column.dtype)``. It was object, which is `tf.string`.
"""

import sys

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.fixes.tensorflow import ownership


def is_of_texts(type_value):
    """Tells whether it is the dtype of texts of pandas; other extension types were refused, too."""
    kind = type(type_value)
    return kind.__name__ == "StringDtype" and kind.__module__.partition(".")[0] == "pandas"


@replacing.replaces(
    "tensorflow.python.framework.dtypes:as_dtype",
    also=(
        "tfgraphtools._tf:v1.as_dtype",
        "tfgraphtools._tf:v1.dtypes.as_dtype",
        "tensorflow:as_dtype",  # as the estimator asks
        "tensorflow:dtypes.as_dtype",
    ),
    when=is_of_texts,
    name="tensorflow.as_dtype",
    since="pandas 3.0",
    why="the dtype of a column of texts is tf.string; it was object before pandas 3",
    cannot="write column.astype(object)",
)
def _as_dtype(original, type_value):
    from tensorflow.python.framework import dtypes

    if not ownership.is_user(sys._getframe(1)):
        return original(type_value)
    _as_dtype.used()
    return dtypes.string


TABLES = (replacing.table("dtypes of other libraries", _as_dtype, kind="patches"),)
