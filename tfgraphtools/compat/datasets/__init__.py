"""Data that old scripts downloaded, read from files that are there.

mnist        tensorflow.examples.tutorials.mnist.input_data
tutorial     tensorflow.examples.tutorials.mnist.mnist
downloads    the files of tf.contrib.learn.datasets
"""

import types

from tfgraphtools.compat.engine.rows import Fix, Table

_MNIST = "tensorflow.examples.tutorials.mnist"


def _package(name):
    def provide():
        module = types.ModuleType(name)
        module.__path__ = []
        return module

    return provide


def _input_data():
    from tfgraphtools.compat.datasets import mnist

    return _named(_MNIST + ".input_data", mnist, ("read_data_sets", "DataSet", "dense_to_one_hot"))


def _model():
    from tfgraphtools.compat.datasets import tutorial

    return _named(
        _MNIST + ".mnist",
        tutorial,
        (
            "NUM_CLASSES",
            "IMAGE_SIZE",
            "IMAGE_PIXELS",
            "inference",
            "loss",
            "training",
            "evaluation",
        ),
    )


def _named(name, source, names):
    module = types.ModuleType(name, source.__doc__)
    vars(module).update((each, getattr(source, each)) for each in names)
    return module


_WHY = "TF 2.x does not contain the tutorials; their data is read from local files"

ROWS = [
    Fix("tensorflow.examples", "TF 2.0", _WHY, _package("tensorflow.examples")),
    Fix("tensorflow.examples.tutorials", "TF 2.0", _WHY, _package("tensorflow.examples.tutorials")),
    Fix(_MNIST, "TF 2.0", _WHY, _package(_MNIST)),
    Fix(
        _MNIST + ".input_data",
        "TF 2.0",
        "reads MNIST from local files, in TF 1.15's order; TF 1.15 downloaded it",
        _input_data,
    ),
    Fix(_MNIST + ".mnist", "TF 2.0", "the model of the MNIST tutorial", _model),
]

TABLES = (Table("data and models of the tutorials", "modules", ROWS),)
