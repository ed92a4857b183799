"""When a dataset computes its elements: TF 1.15 did when ``get_next`` asked for one.

TF 2.x appends ``prefetch`` to every pipeline that does not end in one, and runs maps in parallel,
so that elements are computed a few steps earlier. Nobody notices where they follow from the input
alone. A map that reads a variable sees an older value, though, and a Python function runs before
the code that it depends on, or draws from NumPy's generator at another time.

Such pipelines are left without both, as on TF 1.15; all others keep them.

Source: `_apply_options` in tensorflow/python/data/ops/dataset_ops.py of TF 1.15.5.
"""

from tfgraphtools.compat.engine import replacing, rows
from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces
from tfgraphtools.compat.seeds import counting

_ROW = Row(
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


@replaces("tensorflow.python.data.ops.dataset_ops:DatasetV2._apply_debug_options", row=_ROW)
def _apply_debug_options(original, self):
    return _in_time(original(self), _NEW)


@replaces("tensorflow.python.data.ops.iterator_ops:Iterator.make_initializer", row=_ROW)
def _make_initializer(original, self, dataset, name=None):
    return original(self, _in_time(dataset, _NEW + _ALL), name)


#: Optimizations that compute elements early and that TF 1.15 did not have, and that which it
#: had, but not for the datasets of `Iterator.make_initializer`.
_NEW = ("inject_prefetch", "map_parallelization", "parallel_batch")
_ALL = ("map_and_batch_fusion",)


def _in_time(dataset, optimizations):
    """The dataset; without these optimizations where its elements depend on other code."""
    from tensorflow.python.data.ops import dataset_ops, options
    from tensorflow.python.framework import ops

    if not _depends_on_program(dataset):
        return dataset
    rows.used(_ROW)
    chosen = options.Options()
    users = dataset.options().experimental_optimization
    for name in optimizations:
        if getattr(users, name, True) is None:
            setattr(chosen.experimental_optimization, name, False)
    with counting.paused(ops.get_default_graph()):
        return dataset_ops._OptionsDataset(dataset, chosen)


def _depends_on_program(dataset):
    """Whether a function of the pipeline reads a variable, or calls Python."""
    todo = [dataset]
    while todo:
        one = todo.pop()
        one = getattr(one, "_dataset", one)
        source = getattr(one, SOURCE, None)
        if source is not None:
            todo.append(source)
            continue
        if any(_reads(made.function) for made in one._functions()):
            return True
        todo.extend(one._inputs())
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
    """The types of the ops of a function, and of the functions that it calls."""
    graph = getattr(function, "graph", None)
    if graph is None:  # a function of map_with_legacy_function
        yield from (node.op for node in function.definition.node_def)
        called = function._sub_functions
    else:
        yield from (op.type for op in graph.get_operations())
        called = graph._functions
    for other in called.values():
        yield from _op_types(other)


TABLE = replacing.table(
    "when datasets compute", _apply_debug_options, _make_initializer, kind="patches"
)
