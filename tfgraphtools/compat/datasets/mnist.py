"""The MNIST reader of the tutorials, from files that are there: nothing is downloaded.

The batches come in the order of TF 1.15, as both draw them from NumPy's global
generator, seeded by the graph's seed.
"""

import gzip
import os

from tfgraphtools import environment_variables
from tfgraphtools.compat.datasets import mnist_input_data
from tfgraphtools.errors import MissingDataError

DataSet, dense_to_one_hot = mnist_input_data.DataSet, mnist_input_data.dense_to_one_hot

#: The four files: name, size in bytes.
FILES = (
    ("train-images-idx3-ubyte.gz", 9912422),
    ("train-labels-idx1-ubyte.gz", 28881),
    ("t10k-images-idx3-ubyte.gz", 1648877),
    ("t10k-labels-idx1-ubyte.gz", 4542),
)

#: The same data as one file, as Keras keeps it.
ARCHIVE = "mnist.npz"

_NAMES_IN_ARCHIVE = ("x_train", "y_train", "x_test", "y_test")


def read_data_sets(
    train_dir,
    fake_data=False,
    one_hot=False,
    dtype="float32",
    reshape=True,
    validation_size=5000,
    seed=None,
    source_url=None,
):
    """Reads MNIST from the files in `train_dir`, or in the folders of `folders`.

    Returns:
      `Datasets`: train, validation, test, each a `DataSet`.

    Raises:
      MissingDataError: the files are nowhere; it says which, and where to put them.
      ValueError: `validation_size` is not between 0 and the number of images.
    """
    options = dict(dtype=dtype, reshape=reshape, seed=seed)
    if fake_data:
        return mnist_input_data.read_data_sets(train_dir, fake_data, one_hot, **options)
    return mnist_input_data.split(*load(train_dir), validation_size, one_hot, options)


def load(train_dir):
    """Returns (train images and labels, test images and labels) of the first folder with them."""
    for folder in folders(train_dir):
        paths = [_with_or_without_gz(folder, name) for name, _ in FILES]
        if all(paths):
            return [_read(path) for path in paths]
        archive = os.path.join(folder, ARCHIVE)
        if os.path.isfile(archive):
            return _from_archive(archive)
    raise _missing(train_dir)


def folders(train_dir):
    """Returns the folders where the files are looked for, in this order."""
    from_environment = environment_variables.value_of(environment_variables.DATA)
    shared = [from_environment, os.path.join(from_environment, "mnist")] if from_environment else []
    home = os.path.expanduser(os.path.join("~", ".keras", "datasets"))
    return [str(train_dir), *shared, home]


def _with_or_without_gz(folder, name):
    for path in (os.path.join(folder, name), os.path.join(folder, name[: -len(".gz")])):
        if os.path.isfile(path):
            return path
    return None


def _read(path):
    """Returns the array of a file in the IDX format: a magic number, the sizes, the bytes."""
    import numpy as np

    print("Extracting", path)
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    magic = int.from_bytes(data[:4], "big")
    axes = magic & 0xFF
    if magic not in (2049, 2051):
        raise ValueError(f"Invalid magic number {magic} in MNIST file: {path}")
    sizes = np.frombuffer(data, ">u4", axes, offset=4).astype(int)
    values = np.frombuffer(data, np.uint8, offset=4 + 4 * axes).reshape(sizes)
    return values[..., None] if axes == 3 else values


def _from_archive(path):
    import numpy as np

    print("Extracting", path)
    with np.load(path) as archive:
        arrays = [archive[name] for name in _NAMES_IN_ARCHIVE]
    return [values[..., None] if values.ndim == 3 else values for values in arrays]


def _missing(train_dir):
    files = ", ".join(f"{name} ({size:,} bytes)" for name, size in FILES)
    return MissingDataError(
        f"read_data_sets({str(train_dir)!r})",
        f"the four files of MNIST: {files}; or {ARCHIVE} of Keras",
        "none of them in " + ", ".join(map(repr, folders(train_dir))),
        f"Put them into {os.path.abspath(str(train_dir))} (their old address no longer "
        "answers), or name their folder: export TFGRAPHTOOLS_DATA=/path/to/folder",
    )
