"""What TensorFlow's importer refuses, as errors that say how to go on."""

import contextlib

from tfgraphtools.errors import GraphExportError


@contextlib.contextmanager
def importing(place):
    """Makes an error of TensorFlow's importer a `GraphExportError` of a file.

    A graph that was built in Python may be refused: `Tensor.set_shape` is in no file, and some ops
    need the shape that it said.
    """
    from tensorflow import errors

    try:
        yield
    except (ValueError, KeyError, errors.OpError) as error:
        raise GraphExportError(
            place,
            "a graph that TensorFlow imports",
            " ".join(str(error).split()).rstrip("."),
            "Cut the op off: name the tensors behind it in inputs (--inputs), or choose other "
            "outputs.",
        ) from error
