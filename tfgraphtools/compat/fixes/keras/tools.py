"""Tools of ``tf.keras`` up to 1.15 that tf_keras has no more."""

import importlib
import types

from tfgraphtools.compat.engine.rows import Row, Table

_MULTI_GPU = "tfgraphtools.compat.fixes.keras.multi_gpu"


class HDF5Matrix:
    """Rows of a dataset of an HDF5 file, to be used instead of a NumPy array.

    Args:
      datapath: the file.
      dataset: the name of the dataset.
      start, end: which of its rows; all of them by default.
      normalizer: a function of what is read.
    """

    refs = {}  # path -> open file

    def __init__(self, datapath, dataset, start=0, end=None, normalizer=None):
        import h5py

        if datapath not in self.refs:
            self.refs[datapath] = h5py.File(datapath, "r")
        self.data = self.refs[datapath][dataset]
        self.start = start
        self.end = self.data.shape[0] if end is None else end
        self.normalizer = normalizer

    def __len__(self):
        return self.end - self.start

    def __getitem__(self, key):
        import numpy as np

        if isinstance(key, slice):
            start = 0 if key.start is None else key.start
            stop = self.shape[0] if key.stop is None else key.stop
            last, index = stop - 1, slice(start + self.start, stop + self.start)
        elif isinstance(key, (int, np.integer)):
            last, index = key, key + self.start
        else:
            last, index = max(key), [row + self.start for row in key]
        if last + self.start >= self.end:
            raise IndexError
        rows = self.data[index]
        return rows if self.normalizer is None else self.normalizer(rows)

    @property
    def shape(self):
        """The shape, as of an array."""
        return (self.end - self.start, *self.data.shape[1:])

    @property
    def dtype(self):
        """The dtype of the dataset."""
        return self.data.dtype

    @property
    def ndim(self):
        """The number of dimensions of the dataset."""
        return self.data.ndim

    @property
    def size(self):
        """The number of elements."""
        import numpy as np

        return np.prod(self.shape)


def _load_from_saved_model(real):
    def load_from_saved_model(saved_model_path, custom_objects=None):
        """Loads the model that `export_saved_model` of TF 1.15 wrote."""
        import os

        import tf_keras

        path = os.fsdecode(saved_model_path)
        with open(os.path.join(path, "assets", "saved_model.json"), encoding="utf-8") as file:
            model = tf_keras.models.model_from_json(file.read(), custom_objects=custom_objects)
        model.load_weights(os.path.join(path, "variables", "variables"))
        return model

    return load_from_saved_model


def _mixed_precision():
    from tf_keras.src.mixed_precision import loss_scale_optimizer, policy

    scaled = loss_scale_optimizer._create_loss_scale_optimizer_from_v1_loss_scale
    kind = loss_scale_optimizer.LossScaleOptimizer

    class Scaling(type):
        def __call__(cls, optimizer, loss_scale):
            return scaled(optimizer, loss_scale)

        def __instancecheck__(cls, instance):
            return isinstance(instance, kind)

    module = types.ModuleType("tensorflow.keras.mixed_precision.experimental")
    module.LossScaleOptimizer = Scaling("LossScaleOptimizer", (), {"__doc__": kind.__doc__})
    module.Policy = policy.Policy
    module.global_policy = policy.global_policy
    module.set_policy = policy.set_global_policy
    return module


def _multi_gpu_module():
    return importlib.import_module(_MULTI_GPU)


def _rows():
    for keras in ("tensorflow.keras", "keras"):
        yield keras + ".utils.HDF5Matrix", "TF 2.4", "rows of an HDF5 file", lambda real: HDF5Matrix
        yield (
            keras + ".utils.multi_gpu_model",
            "TF 2.4",
            "splits each batch over GPUs",
            lambda real: _multi_gpu_module().multi_gpu_model,
        )
    for keras in ("tensorflow.python.keras", "keras"):
        name = keras + ".utils.io_utils.HDF5Matrix"
        yield name, "TF 2.4", "rows of an HDF5 file", lambda real: HDF5Matrix
    yield (
        "tensorflow.keras.experimental.load_from_saved_model",
        "TF 2.4",
        "reads models written by export_saved_model of 1.15",
        _load_from_saved_model,
    )


TABLES = (
    Table(
        "utilities of Keras that were removed",
        "names",
        [Row(*row) for row in _rows()],
    ),
    Table(
        "modules of Keras's utilities",
        "modules",
        [
            Row(
                "tensorflow.keras.mixed_precision.experimental",
                "TF 2.7",
                "policies and loss scales; a policy needs enable_v2_behavior(), as in 1.15",
                _mixed_precision,
            )
        ]
        + [
            Row(name, "TF 2.4", "holds multi_gpu_model", _multi_gpu_module)
            for name in (
                "keras.utils.multi_gpu_utils",
                "keras.utils.training_utils",
                "tensorflow.python.keras.utils.multi_gpu_utils",
            )
        ],
    ),
)
