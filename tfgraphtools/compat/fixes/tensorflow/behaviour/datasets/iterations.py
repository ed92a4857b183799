"""In eager code, a dataset that is shuffled with a seed has the same order in each iteration.

In eager code of TF 1.15 each iterator of a dataset started its random numbers from the seeds. In
2.x they continue where the previous iteration stopped. This fix makes each further iterator from
a copy of the dataset, which starts from the seeds. State of the dataset's functions is shared
with the copy, as 1.15's iterators shared it.
"""

import weakref

from tfgraphtools.compat.engine import notices, replacing
from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.behaviour.datasets import copies
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_ROW = Row(
    "datasets.iterations",
    "TF 2.0",
    "in eager code a dataset that is shuffled with a seed has the same order in each iteration",
)

#: The shuffles that have been iterated, and the serialized datasets.
_begun, _graphs = weakref.WeakSet(), weakref.WeakKeyDictionary()


@replaces("tensorflow.python.data.ops.iterator_ops:OwnedIterator._create_iterator", row=_ROW)
def _create_iterator(original, self, dataset):
    from tensorflow.python.eager import context

    original(self, dataset)
    if not context.executing_eagerly():
        return
    shuffles = list(_shuffles(self._dataset))
    if any(shuffle in _begun for shuffle in shuffles):
        _create_iterator.used()
        _make_from_copy(self, _graphs)
    _begun.update(shuffles)


def _shuffles(dataset):
    """The shuffles that a dataset consists of: with a seed, and another order each time."""
    from tensorflow.python.data.ops import dataset_ops, shuffle_op
    from tensorflow.python.framework import tensor_util

    remaining, seen = [dataset], set()
    while remaining:
        one = remaining.pop()
        while isinstance(one, dataset_ops.DatasetV1Adapter):
            one = one._dataset
        if id(one) in seen:
            continue
        seen.add(id(one))
        remaining.extend(one._inputs())
        if isinstance(one, shuffle_op._ShuffleDataset):
            seeds = [tensor_util.constant_value(seed) for seed in (one._seed, one._seed2)]
            if one._reshuffle_each_iteration is not False and any(seed != 0 for seed in seeds):
                yield one


def _make_from_copy(iterator, graphs):
    """Makes an unused iterator iterate over a copy of its dataset."""
    from tensorflow.python.framework import errors
    from tensorflow.python.ops import gen_dataset_ops

    dataset = iterator._dataset
    try:
        if dataset not in graphs:
            graphs[dataset] = copies.graph_of(dataset)
        gen_dataset_ops.make_iterator(
            copies.variant_of(graphs[dataset]), iterator._iterator_resource
        )
    except errors.OpError:
        notices.once(
            _ROW.name,
            "this dataset is shuffled with a seed and iterated again: TF 1.15 repeated the order "
            "of the first iteration; here the order is another one, because the dataset cannot be"
            " copied",
        )


TABLE = replacing.table("orders of datasets", _create_iterator, kind="patches")
