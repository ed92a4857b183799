"""``HDF5Matrix``: rows of an HDF5 file as the data of a model.

Source: ``keras/utils/io_utils.py`` of TF 1.15.
"""

from tfgraphtools.compat.engine.rows import Fix, Table


class HDF5Matrix:
    """Rows of a dataset of an HDF5 file, to be used instead of a NumPy array.

    Args:
      datapath: the file.
      dataset: the name of the dataset.
      start, end: which of its rows; all of them by default.
      normalizer: a function of what is read.

    Raises:
      IndexError: a row that is not between `start` and `end`.
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
        last, index = self._place(key)
        if last + self.start >= self.end:
            raise IndexError
        rows = self.data[index]
        return rows if self.normalizer is None else self.normalizer(rows)

    def _place(self, key):
        """Returns (the last row that a key asks for, what h5py takes as its index)."""
        import numpy as np

        if isinstance(key, slice):
            start = 0 if key.start is None else key.start
            stop = self.shape[0] if key.stop is None else key.stop
            return stop - 1, slice(start + self.start, stop + self.start)
        if isinstance(key, (int, np.integer)):
            return key, key + self.start
        return max(key), [row + self.start for row in key]

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


TABLES = (
    Table(
        "rows of HDF5 files for Keras",
        "names",
        [
            Fix(name + ".HDF5Matrix", "TF 2.4", "rows of an HDF5 file", lambda real: HDF5Matrix)
            for name in (
                "tensorflow.keras.utils",
                "tensorflow.python.keras.utils",
                "tensorflow.python.keras.utils.io_utils",
                "tensorflow.contrib.keras.utils",
                "keras.utils",
                "keras.utils.io_utils",
            )
        ],
    ),
)
