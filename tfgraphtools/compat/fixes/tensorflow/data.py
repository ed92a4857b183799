"""``tf.data``: in which order datasets give their elements, and when they compute them.

In eager code of TF 1.15 each iterator of a dataset started its random numbers from the seeds. In
2.x they continue where the previous iteration stopped. This fix makes each further iterator from
a copy of the dataset, which starts from the seeds. State of the dataset's functions is shared
with the copy, as 1.15's iterators shared it.

TF 2.x appends ``prefetch`` to every pipeline that does not end in one, and runs maps in parallel,
so that elements are computed a few steps earlier. Nobody notices where they follow from the input
alone. A map that reads a variable sees an older value, though, and a Python function runs before
the code that it depends on, or draws from NumPy's generator at another time. Such pipelines are
left without both, as on TF 1.15; all others keep them.

Source: `_apply_options` in tensorflow/python/data/ops/dataset_ops.py of TF 1.15.5.
"""

import weakref

from tfgraphtools.compat.engine import notices, replacing, rows
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces
from tfgraphtools.compat.seeds import counting

_ITERATIONS = Fix(
    "datasets.iterations",
    "TF 2.0",
    "in eager code a dataset that is shuffled with a seed has the same order in each iteration",
)

#: The shuffles that have been iterated, and the serialized datasets.
_begun, _graphs = weakref.WeakSet(), weakref.WeakKeyDictionary()


@replaces("tensorflow.python.data.ops.iterator_ops:OwnedIterator._create_iterator", row=_ITERATIONS)
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
    """Returns the shuffles that a dataset consists of: with a seed, and another order each time."""
    from tensorflow.python.data.ops import dataset_ops, shuffle_op
    from tensorflow.python.framework import tensor_util

    remaining, seen = [dataset], set()
    while remaining:
        part = remaining.pop()
        while isinstance(part, dataset_ops.DatasetV1Adapter):
            part = part._dataset
        if id(part) in seen:
            continue
        seen.add(id(part))
        remaining.extend(part._inputs())
        if isinstance(part, shuffle_op._ShuffleDataset):
            seeds = [tensor_util.constant_value(seed) for seed in (part._seed, part._seed2)]
            if part._reshuffle_each_iteration is not False and any(seed != 0 for seed in seeds):
                yield part


def _make_from_copy(iterator, graphs):
    """Makes an unused iterator iterate over a copy of its dataset."""
    from tensorflow.python.framework import errors
    from tensorflow.python.ops import gen_dataset_ops

    dataset = iterator._dataset
    try:
        if dataset not in graphs:
            graphs[dataset] = _graph_of(dataset)
        gen_dataset_ops.make_iterator(_variant_of(graphs[dataset]), iterator._iterator_resource)
    except errors.OpError:
        notices.once(
            _ITERATIONS.name,
            "this dataset is shuffled with a seed and iterated again: TF 1.15 repeated the order "
            "of the first iteration; here the order is another one, because the dataset cannot be"
            " copied",
        )


#: What the functions of a dataset keep is neither copied nor an error.
_IGNORE = 1


def _graph_of(dataset):
    """Returns the graph that makes a dataset: a serialized GraphDef in a string tensor.

    Raises:
      tf.errors.OpError: the dataset cannot be copied, such as one that is copied to a device.
    """
    from tensorflow.python.ops import gen_dataset_ops

    return gen_dataset_ops.dataset_to_graph_v2(
        dataset._variant_tensor, external_state_policy=_IGNORE
    )


def _variant_of(graph):
    """Returns the variant tensor of the dataset that a serialized GraphDef makes."""
    from tensorflow.python.ops import gen_experimental_dataset_ops

    return gen_experimental_dataset_ops.dataset_from_graph(graph)


_PREFETCHES = Fix(
    "tensorflow.data.prefetches",
    "TF 2.9",
    "a dataset that reads variables or calls Python computes an element only when it is requested",
)

#: Ops whose results depend on what the program did before.
_READERS = frozenset(
    "EagerPyFunc PyFunc PyFuncStateless ReadVariableOp ResourceGather ResourceGatherNd "
    "VarIsInitializedOp Variable VariableV2".split()
)

#: The beginning of such ops that change what others read.
_CHANGING = ("Assign", "Mutable", "Resource")


@replaces("tensorflow.python.data.ops.dataset_ops:DatasetV2._apply_debug_options", row=_PREFETCHES)
def _apply_debug_options(original, self):
    return _in_time(original(self), _NEW)


@replaces("tensorflow.python.data.ops.iterator_ops:Iterator.make_initializer", row=_PREFETCHES)
def _make_initializer(original, self, dataset, name=None):
    return original(self, _in_time(dataset, _NEW + _ALL), name)


#: Optimizations that compute elements early and that TF 1.15 did not have, and that which it
#: had, but not for the datasets of `Iterator.make_initializer`.
_NEW = ("inject_prefetch", "map_parallelization", "parallel_batch")
_ALL = ("map_and_batch_fusion",)


def _in_time(dataset, optimizations):
    """Returns the dataset; without these optimizations where its elements depend on other code."""
    from tensorflow.python.data.ops import dataset_ops, options
    from tensorflow.python.framework import ops

    if not _depends_on_program(dataset):
        return dataset
    rows.used(_PREFETCHES)
    chosen = options.Options()
    users = dataset.options().experimental_optimization
    for name in optimizations:
        if getattr(users, name, True) is None:
            setattr(chosen.experimental_optimization, name, False)
    with counting.paused(ops.get_default_graph()):
        return dataset_ops._OptionsDataset(dataset, chosen)


def _depends_on_program(dataset):
    """Tells whether a function of the pipeline reads a variable, or calls Python."""
    todo = [dataset]
    while todo:
        part = todo.pop()
        part = getattr(part, "_dataset", part)
        source = getattr(part, SOURCE, None)
        if source is not None:
            todo.append(source)
            continue
        if any(_reads(wrapper.function) for wrapper in part._functions()):
            return True
        todo.extend(part._inputs())
    return False


#: The attribute of a dataset whose functions in Python are ours: what it is made from.
SOURCE = "_tfgraphtools_source"


def _reads(function):
    captured = [tensor for tensor in function.captured_inputs if not hasattr(tensor, "numpy")]
    tables = any(tensor.op.type.startswith("Mutable") for tensor in captured)
    return tables or any(
        kind in _READERS or kind.startswith(_CHANGING) for kind in _op_types(function)
    )


def _op_types(function):
    """Returns the types of the ops of a function, and of the functions that it calls."""
    graph = getattr(function, "graph", None)
    if graph is None:  # a function of map_with_legacy_function
        yield from (node.op for node in function.definition.node_def)
        called = function._sub_functions
    else:
        yield from (op.type for op in graph.get_operations())
        called = graph._functions
    for other in called.values():
        yield from _op_types(other)


TABLES = (
    replacing.table("orders of datasets", _create_iterator, kind="patches"),
    replacing.table(
        "when datasets compute", _apply_debug_options, _make_initializer, kind="patches"
    ),
)
