"""MNIST as TF 1's tutorials read it: ``read_data_sets(folder, one_hot=True).train.next_batch(50)``.

Written by ``tfgraphtools upgrade --no-runtime`` in place of
``tensorflow.examples.tutorials.mnist.input_data``, which left TensorFlow. It is yours to edit.
"""

import collections
import gzip
import os
import urllib.request

import numpy as np

DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"

Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])


class DataSet:
    """Images and labels, drawn batch by batch: each epoch in another order.

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
        from tensorflow.compat.v1 import get_seed

        graph_seed, op_seed = get_seed(seed)
        np.random.seed(graph_seed if seed is None else op_seed)
        dtype = getattr(dtype, "name", None) or np.dtype(dtype).name
        if dtype not in ("uint8", "float32"):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self._fake, self.one_hot = fake_data, one_hot
        if fake_data:
            self._count = 10000
        else:
            if len(images) != len(labels):
                raise ValueError(f"{len(images)} images, but {len(labels)} labels")
            self._count = len(images)
            if reshape:
                images = images.reshape(len(images), images.shape[1] * images.shape[2])
            if dtype == "float32":
                images = np.multiply(images.astype(np.float32), 1.0 / 255.0)
        self._images, self._labels = images, labels
        self._epochs_completed = 0
        self._position = 0

    @property
    def images(self):
        return self._images

    @property
    def labels(self):
        return self._labels

    @property
    def num_examples(self):
        return self._count

    @property
    def epochs_completed(self):
        return self._epochs_completed

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        """Returns the next images and labels; what an epoch leaves begins a batch of the next."""
        if fake_data:
            label = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784] * batch_size, [label] * batch_size
        start = self._position
        if self._epochs_completed == 0 and start == 0 and shuffle:
            self._shuffle()
        if start + batch_size <= self._count:
            self._position += batch_size
            return self._images[start : self._position], self._labels[start : self._position]
        self._epochs_completed += 1
        images, labels = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        end = self._position = batch_size - len(images)
        return (
            np.concatenate((images, self._images[:end]), axis=0),
            np.concatenate((labels, self._labels[:end]), axis=0),
        )

    def _shuffle(self):
        order = np.arange(self._count)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]


def read_data_sets(
    train_dir,
    fake_data=False,
    one_hot=False,
    dtype="float32",
    reshape=True,
    validation_size=5000,
    seed=None,
    source_url=DEFAULT_SOURCE_URL,
):
    """Returns the `Datasets` in a folder; files that are not there are downloaded."""
    options = dict(dtype=dtype, reshape=reshape, seed=seed)
    if fake_data:
        options.update(fake_data=True, one_hot=one_hot)
        return Datasets(*[DataSet([], [], **options) for _ in range(3)])
    arrays = []
    for part in ("train", "t10k"):
        for name, extract in (("images-idx3", extract_images), ("labels-idx1", extract_labels)):
            file_name = f"{part}-{name}-ubyte.gz"
            source = (source_url or DEFAULT_SOURCE_URL) + file_name
            with open(maybe_download(file_name, train_dir, source), "rb") as file:
                arrays.append(extract(file))
    return split(*arrays, validation_size, one_hot, options)


def split(images, labels, test_images, test_labels, validation_size, one_hot, options):
    """Returns the `Datasets` of MNIST's arrays; the first images are those of the validation."""
    if not 0 <= validation_size <= len(images):
        raise ValueError(
            f"Validation size should be between 0 and {len(images)}. Received: {validation_size}."
        )
    if one_hot:
        labels, test_labels = dense_to_one_hot(labels, 10), dense_to_one_hot(test_labels, 10)
    return Datasets(
        DataSet(images[validation_size:], labels[validation_size:], **options),
        DataSet(images[:validation_size], labels[:validation_size], **options),
        DataSet(test_images, test_labels, **options),
    )


def load_mnist(train_dir="MNIST-data"):
    """Returns the data sets of `read_data_sets`, from a folder of their own."""
    return read_data_sets(train_dir)


def maybe_download(filename, work_directory, source_url):
    """Returns the path of a file in a folder, downloaded if it is not there."""
    os.makedirs(work_directory, exist_ok=True)
    path = os.path.join(work_directory, filename)
    if not os.path.exists(path):
        urllib.request.urlretrieve(source_url, path + ".part")
        os.replace(path + ".part", path)
        print("Successfully downloaded", filename, os.path.getsize(path), "bytes.")
    return path


def extract_images(f):
    """Returns the images of an open ``.gz`` file: uint8, [index, y, x, 1]."""
    print("Extracting", f.name)
    count, rows, columns, data = _read(f, 2051, 3)
    return data.reshape(count, rows, columns, 1)


def extract_labels(f, one_hot=False, num_classes=10):
    """Returns the labels of an open ``.gz`` file: uint8, [index], or [index, class] if one-hot."""
    print("Extracting", f.name)
    _, labels = _read(f, 2049, 1)
    return dense_to_one_hot(labels, num_classes) if one_hot else labels


def dense_to_one_hot(labels_dense, num_classes):
    """Returns labels [index] as float64 [index, class]."""
    one_hot = np.zeros((len(labels_dense), num_classes))
    one_hot[np.arange(len(labels_dense)), np.ravel(labels_dense)] = 1
    return one_hot


def _read(f, expected, sizes):
    """Returns the sizes of an IDX file, and its bytes."""
    with gzip.GzipFile(fileobj=f) as stream:
        head = np.frombuffer(stream.read(4 * (1 + sizes)), dtype=">u4")
        if head[0] != expected:
            raise ValueError(f"Invalid magic number {head[0]} in MNIST file: {f.name}")
        data = np.frombuffer(stream.read(int(np.prod(head[1:]))), dtype=np.uint8)
    return (*[int(size) for size in head[1:]], data)
