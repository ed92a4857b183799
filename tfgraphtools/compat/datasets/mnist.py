"""The MNIST reader of the tutorials, from files that are there: nothing is downloaded.

The batches come in the order of TF 1.15, as both draw them from NumPy's global
generator, seeded by the graph's seed.
"""

import collections
import gzip
import os

from tfgraphtools.errors import MissingDataError

Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])

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


class DataSet:
    """Images and labels, handed out in shuffled batches.

    Args:
      images: uint8, [examples, rows, columns, 1].
      labels: [examples], or [examples, classes] one-hot.
      fake_data: whether batches hold the same made-up example.
      one_hot: how labels of made-up examples look.
      dtype: "float32" scales images to [0, 1]; "uint8" leaves them in [0, 255].
      reshape: whether an image becomes one row.
      seed: of the shuffling; by default the seed of the graph.
    """

    def __init__(
        self,
        images,
        labels,
        fake_data=False,
        one_hot=False,
        dtype="float32",
        reshape=True,
        seed=None,
    ):
        import numpy as np

        np.random.seed(_seed(seed))
        name = getattr(dtype, "name", None) or np.dtype(dtype).name
        if name not in ("uint8", "float32"):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self._fake, self.one_hot = fake_data, one_hot
        self._num_examples = 10000 if fake_data else len(images)
        if not fake_data:
            assert len(images) == len(labels), (images.shape, labels.shape)
            if reshape:
                images = images.reshape(len(images), images.shape[1] * images.shape[2])
            if name == "float32":
                images = np.multiply(images.astype(np.float32), np.float32(1.0 / 255.0))
        self._images, self._labels = images, labels
        self._epochs_completed = 0
        self._index_in_epoch = 0

    images = property(lambda self: self._images)
    labels = property(lambda self: self._labels)
    num_examples = property(lambda self: self._num_examples)
    epochs_completed = property(lambda self: self._epochs_completed)

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        """Returns (images, labels) of the next `batch_size` examples; shuffles each epoch again."""
        import numpy as np

        if fake_data:
            label = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784] * batch_size, [label] * batch_size
        start = self._index_in_epoch
        if self._epochs_completed == 0 and start == 0 and shuffle:
            self._shuffle()
        end = start + batch_size
        if end <= self._num_examples:
            self._index_in_epoch = end
            return self._images[start:end], self._labels[start:end]
        last = self._images[start:], self._labels[start:]
        self._epochs_completed += 1
        self._index_in_epoch = end - self._num_examples
        if shuffle:
            self._shuffle()
        new = self._images[: self._index_in_epoch], self._labels[: self._index_in_epoch]
        return tuple(np.concatenate(arrays, axis=0) for arrays in zip(last, new))

    def _shuffle(self):
        import numpy as np

        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]


def _seed(seed):
    import tensorflow as tf

    if seed is None:
        seed = tf.compat.v1.get_default_graph().seed
    return None if seed is None else seed % (2**31 - 1)


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
    if fake_data:
        made_up = [
            DataSet([], [], fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed)
            for _ in range(3)
        ]
        return Datasets(*made_up)
    images, labels, test_images, test_labels = load(train_dir)
    if one_hot:
        labels, test_labels = dense_to_one_hot(labels, 10), dense_to_one_hot(test_labels, 10)
    if not 0 <= validation_size <= len(images):
        raise ValueError(
            f"Validation size should be between 0 and {len(images)}. Received: {validation_size}."
        )
    options = dict(dtype=dtype, reshape=reshape, seed=seed)
    cut = validation_size
    return Datasets(
        train=DataSet(images[cut:], labels[cut:], **options),
        validation=DataSet(images[:cut], labels[:cut], **options),
        test=DataSet(test_images, test_labels, **options),
    )


def dense_to_one_hot(labels_dense, num_classes):
    """Labels as rows of zeros with a one."""
    import numpy as np

    return np.eye(num_classes)[np.ravel(labels_dense)]


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
    from_environment = os.environ.get("TFGRAPHTOOLS_DATA")
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
