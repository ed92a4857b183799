"""Feeders of contrib.learn with the types that they fed up to TF 0.10.

Samples are float32, or int64 where they are int64; labels are float32.
"""

import importlib

import numpy

_FEEDER = "tensorflow.contrib.learn.python.learn.learn_io.data_feeder"


def feeder(x, y, n_classes, batch_size, shuffle=True, epochs=None):
    """Returns a feeder of contrib.learn, with its ``input_builder`` and ``get_feed_dict_fn``.

    Args:
      x: [samples, ...]: an array, a list, a frame of pandas or dask, or an iterator of samples.
      y: [samples] or [samples, outputs] beside it; None to predict.
      n_classes: labels become one-hot where there are more than one; None takes them
        as they are.
      batch_size: samples in a batch.
      shuffle: whether to permute the samples, again in each epoch, always from one seed.
      epochs: how often to go through the samples; None for ever.
    """
    data_feeder = importlib.import_module(_FEEDER)
    with importlib.import_module("tensorflow.python.util.deprecation").silence():
        x, y = data_feeder._data_type_filter(x, y)
        if hasattr(x, "__next__"):
            x = map(_as_fed, x)
        elif not hasattr(x, "dask"):
            x = _as_fed(x)
        feeder_of_1x = data_feeder.setup_train_data_feeder(
            x, y, n_classes, batch_size, shuffle=shuffle, epochs=epochs
        )
    feeder_of_1x._output_dtype = numpy.float32
    return feeder_of_1x


def _as_fed(x):
    x = x if hasattr(x, "dtype") else numpy.asarray(x)
    return x if x.dtype in (numpy.int64, numpy.float32) else numpy.asarray(x, numpy.float32)
