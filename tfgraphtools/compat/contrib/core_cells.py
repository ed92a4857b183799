"""``tensorflow.contrib.rnn.python.ops.core_rnn_cell_impl``: the cells' module of TF 1.0 and 1.1.

Hand-written decoders call its ``_linear``. Source: TF 1.1's module of that name.
"""

import importlib
import types

from tfgraphtools._tf import v1

NAME = "tensorflow.contrib.rnn.python.ops.core_rnn_cell_impl"


def _linear(args, output_size, bias, bias_start=0.0, scope=None):
    """Returns the product of the joined arguments and "weights", plus "biases", in this scope."""
    args = list(args) if isinstance(args, (list, tuple)) else [args]
    joined = args[0] if len(args) == 1 else v1.concat(args, 1)
    shape = [int(joined.shape[1]), output_size]
    with v1.variable_scope(scope or v1.get_variable_scope()) as outer:
        product = v1.matmul(joined, v1.get_variable("weights", shape, dtype=joined.dtype))
        if not bias:
            return product
        with v1.variable_scope(outer) as inner:
            inner.set_partitioner(None)
            start = v1.constant_initializer(bias_start, dtype=joined.dtype)
            offset = v1.get_variable("biases", [output_size], joined.dtype, start)
    return v1.nn.bias_add(product, offset)


def module():
    """Returns the module that user code gets: the cells of ``tf.nn.rnn_cell`` and of contrib."""
    cells = types.ModuleType(NAME, __doc__)
    contrib_cells = importlib.import_module("tensorflow.contrib.rnn.python.ops.core_rnn_cell")
    for home in (contrib_cells, v1.nn.rnn_cell):
        names = [name for name in dir(home) if name[0].isupper()]
        vars(cells).update((name, getattr(home, name)) for name in names)
    cells._linear = _linear
    return cells
