"""`Dataset.shuffle(...).repeat(...)` in the order of TF 1.15, which fused the two.

The fused dataset seeds its generator once, not for each epoch, and begins to
fill its buffer with the next epoch while the last elements of one are drawn. TF 2.x
has no such kernel any more, so the buffer is kept in Python: some 0.1 ms an element.

Source: shuffle_dataset_op.cc and shuffle_and_repeat_fusion.cc of TF 1.15.5.
"""

import itertools

from tfgraphtools.compat.seeds import counting, coverage


class Buffer:
    """The elements in the buffer of one iterator, by epoch; drawn from the oldest."""

    def __init__(self):
        self._epochs = []  # lists of elements; those already drawn are at the front
        self._drawn = 0  # how many, of the oldest epoch
        self._held = 0

    def __len__(self):
        return self._held

    def push(self, place, element):
        """Adds the element at this place of the input's current epoch."""
        if place == 0:
            self._epochs.append([])
        self._epochs[-1].append(element)
        self._held += 1

    def pop(self, number):
        """Draws an element by a random number, and has the first one take its place."""
        while self._drawn == len(self._epochs[0]):
            del self._epochs[0]
            self._drawn = 0
        epoch, first = self._epochs[0], self._drawn
        chosen = first + number % (len(epoch) - first)
        element, epoch[chosen], epoch[first] = epoch[chosen], epoch[first], None
        self._drawn += 1
        self._held -= 1
        return element


def fused(source, size, count, seeds):
    """Returns the dataset that TF 1.15 makes of ``source.shuffle(size).repeat(count)``.

    Args:
      source: the dataset before the shuffle, of dense elements.
      size: elements in the buffer, an int64 scalar tensor.
      count: epochs, an int64 scalar tensor; -1 for no end.
      seeds: the two seeds of the shuffle, int64 scalar tensors.
    """
    from tensorflow.python.data.ops import dataset_ops
    from tensorflow.python.framework import tensor_spec

    buffers = {}
    keys = itertools.count()

    def one_buffer():
        key = next(keys)
        buffers[key] = Buffer()
        try:
            yield key
        finally:  # when the iterator ends, or is dropped
            del buffers[key]

    def drawn(key):
        order = _pushes(source, buffers, key, size, count)
        draws = dataset_ops.DatasetV2.zip((order, _random_numbers(seeds)))
        return draws.map(lambda _, number: _pop(source.element_spec, buffers, key, number))

    key = tensor_spec.TensorSpec([], "int64")
    of_key = dataset_ops.DatasetV2.from_generator(one_buffer, output_signature=key)
    return of_key.flat_map(drawn)


def _pushes(source, buffers, key, size, count):
    """Returns an element for each draw: once the buffer is full, and for what is left."""
    from tensorflow.python.data.ops import dataset_ops
    from tensorflow.python.data.util import structure
    from tensorflow.python.ops import script_ops

    def push(key, size, place, *element):
        buffer = buffers[int(key)]
        buffer.push(place, element)
        return len(buffer) == size

    def pushed(place, element):
        parts = structure.to_tensor_list(source.element_spec, element)
        is_full = script_ops.numpy_function(push, [key, size, place, *parts], "bool")
        is_full.set_shape([])
        return is_full

    def left(_):
        held = script_ops.numpy_function(lambda key: len(buffers[int(key)]), [key], "int64")
        held.set_shape([])
        return dataset_ops.DatasetV2.range(held).map(lambda _: True)

    filled = source.enumerate().repeat(count).map(pushed).filter(lambda is_full: is_full)
    return filled.concatenate(dataset_ops.DatasetV2.from_tensors(0).flat_map(left))


def _pop(spec, buffers, key, number):
    """Returns the element that a buffer, named by its key, gives for a random number."""
    from tensorflow.python.data.util import structure
    from tensorflow.python.ops import script_ops

    types = structure.get_flat_tensor_types(spec)
    parts = script_ops.numpy_function(
        lambda key, number: buffers[int(key)].pop(number), [key, number], types
    )
    parts = list(parts) if isinstance(parts, (list, tuple)) else [parts]
    for part, shape in zip(parts, structure.get_flat_tensor_shapes(spec)):
        part.set_shape(shape)
    return structure.from_tensor_list(spec, parts)


def _random_numbers(seeds):
    """Returns the numbers of the generator with these seeds, as a dataset."""
    from tensorflow.python.data.ops import dataset_ops
    from tensorflow.python.framework import tensor_spec
    from tensorflow.python.ops import gen_experimental_dataset_ops

    variant = gen_experimental_dataset_ops.random_dataset(
        *seeds, output_types=["int64"], output_shapes=[[]]
    )
    return dataset_ops._VariantDataset(variant, tensor_spec.TensorSpec([], "int64"))


def repeat(original):
    """Makes ``repeat`` of a shuffled dataset fuse the two, as TF 1.15's optimizer did."""

    def repeated_as_tf1(input_dataset, count, name):
        from tensorflow.python.data.ops import shuffle_op
        from tensorflow.python.framework import tensor_util

        repeated = original(input_dataset, count, name)
        shuffled = getattr(input_dataset, "_dataset", input_dataset)
        if not isinstance(shuffled, shuffle_op._ShuffleDataset):
            return repeated
        is_once = tensor_util.constant_value(repeated._count) == 1
        if is_once or shuffled._reshuffle_each_iteration is False:
            return repeated  # as TF 1.15 did not fuse them
        return _instead_of(repeated, shuffled, repeated._count)

    return repeated_as_tf1


def shuffle_and_repeat(original):
    """Makes ``shuffle_and_repeat`` draw from the buffer of TF 1.15's kernel."""

    def shuffled_as_tf1(*args, **kwargs):
        apply = original(*args, **kwargs)

        def apply_as_tf1(dataset):
            repeated = apply(dataset)
            return _instead_of(repeated, repeated, repeated._count)

        return apply_as_tf1

    return shuffled_as_tf1


def _instead_of(dataset, shuffled, count):
    """Returns the fused dataset; this one where no seed is set."""
    from tensorflow.python.data.util import structure
    from tensorflow.python.framework import ops, tensor_util

    seeds = shuffled._seed, shuffled._seed2
    graph = ops.get_default_graph()
    if all(tensor_util.constant_value(seed) == 0 for seed in seeds):
        return dataset
    if any(kind == "variant" for kind in structure.get_flat_tensor_types(dataset.element_spec)):
        coverage.warn(
            "Dataset.shuffle().repeat() of elements that are not dense has another order than in "
            "TF 1.15"
        )
        return dataset
    with counting.paused(graph):
        result = fused(shuffled._input_dataset, shuffled._buffer_size, count, seeds)
    result._tfgraphtools_source = shuffled._input_dataset  # only its functions are the user's
    return result
