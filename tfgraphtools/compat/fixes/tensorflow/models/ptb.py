"""``tensorflow.models.rnn.ptb.reader``: the words of the Penn Treebank, of 0.x's tutorial.

Source: the tutorial "Recurrent Neural Networks" of TF 0.12, and of 0.10 (`ptb_iterator`).
"""

import collections
import os


def ptb_raw_data(data_path=None):
    """Returns (train, valid, test, vocabulary size): word numbers of ``ptb.{part}.txt``."""
    texts = [
        _words(os.path.join(data_path, "ptb." + part + ".txt"))
        for part in ("train", "valid", "test")
    ]
    numbers = _vocabulary(texts[0])
    parts = [[numbers[word] for word in text if word in numbers] for text in texts]
    return (*parts, len(numbers))


def _words(path):
    with open(path, encoding="utf-8") as file:
        return file.read().replace("\n", "<eos>").split()


def _vocabulary(words):
    """Returns word -> number, the most frequent first and the alphabet among equals."""
    counts = collections.Counter(words)
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    return {word: number for number, word in enumerate(ordered)}


def _rows(raw_data, batch_size, num_steps):
    """Returns the words as [batch_size, steps], and the number of windows of `num_steps` in it."""
    import numpy as np

    steps = len(raw_data) // batch_size
    windows = (steps - 1) // num_steps
    if windows <= 0:
        raise ValueError("epoch_size == 0, decrease batch_size or num_steps")
    return np.reshape(raw_data[: steps * batch_size], [batch_size, steps]), windows


def ptb_iterator(raw_data, batch_size, num_steps):
    """Yields (inputs, targets), [batch_size, num_steps] int32 each; targets are one word on."""
    import numpy as np

    rows, windows = _rows(np.array(raw_data, np.int32), batch_size, num_steps)
    for start in range(0, windows * num_steps, num_steps):
        yield rows[:, start : start + num_steps], rows[:, start + 1 : start + num_steps + 1]


def ptb_producer(raw_data, batch_size, num_steps, name=None):
    """Returns the same as two tensors, fed by a queue of the windows' numbers, in order."""
    import numpy as np

    from tfgraphtools._tf import v1

    rows, windows = _rows(np.array(raw_data, np.int32), batch_size, num_steps)
    with v1.name_scope(name, "PTBProducer"):
        rows = v1.constant(rows)
        start = num_steps * v1.train.range_input_producer(windows, shuffle=False).dequeue()
        inputs = v1.slice(rows, [0, start], [batch_size, num_steps])
        targets = v1.slice(rows, [0, start + 1], [batch_size, num_steps])
    inputs.set_shape([batch_size, num_steps])
    targets.set_shape([batch_size, num_steps])
    return inputs, targets
