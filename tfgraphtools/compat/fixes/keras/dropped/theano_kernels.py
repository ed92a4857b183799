"""``convert_kernel`` and ``convert_all_kernels_in_model``: weights that Theano had trained.

Source: ``keras/utils/conv_utils.py`` and ``layer_utils.py`` of TF 1.15.
"""

from tfgraphtools.compat.engine.rows import Fix, Table

#: The layers whose kernels Theano turned around.
_CONVOLUTIONS = ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose")


def convert_kernel(kernel):
    """Returns the kernel of a convolution turned around in all its spatial dimensions.

    Args:
      kernel: an array of 3 to 5 dimensions, the last two of which are channels.

    Raises:
      ValueError: another number of dimensions.
    """
    import numpy as np

    kernel = np.asarray(kernel)
    if not 3 <= kernel.ndim <= 5:
        raise ValueError("Invalid kernel shape:", kernel.shape)
    return np.flip(kernel, tuple(range(kernel.ndim - 2))).copy()


def convert_all_kernels_in_model(model):
    """Turns the kernels of all convolutions of a model around, in place."""
    from tf_keras import backend

    kernels = [layer.kernel for layer in model.layers if type(layer).__name__ in _CONVOLUTIONS]
    backend.batch_set_value(
        [(kernel, convert_kernel(backend.get_value(kernel))) for kernel in kernels]
    )


def _row(name, function):
    why = "turns the kernels of convolutions around, from Theano's order and back"
    return Fix(f"{name}.{function.__name__}", "TF 2.4", why, lambda real: function)


TABLES = (
    Table(
        "kernels of Theano",
        "names",
        [
            *(
                _row(name, convert_all_kernels_in_model)
                for name in (
                    "tensorflow.keras.utils",
                    "tensorflow.python.keras.utils",
                    "tensorflow.python.keras.utils.layer_utils",
                    "tensorflow.contrib.keras.utils",
                    "keras.utils",
                    "keras.utils.layer_utils",
                )
            ),
            *(
                _row(name, convert_kernel)
                for name in (
                    "tensorflow.python.keras.utils.conv_utils",
                    "tensorflow.python.keras.utils.layer_utils",
                    "keras.utils.conv_utils",
                )
            ),
        ],
    ),
)
