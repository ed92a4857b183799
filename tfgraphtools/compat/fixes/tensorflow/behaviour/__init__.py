"""Names that are still there and mean something else now.

calls       functions that take or do something else
types       what ``type(x)`` of a tensor is
ops         which ops a graph has, and what they are called
operators   what a class takes over to stand for a tensor
slots       where optimizers keep their slots
diagonals   arguments of diagonals that 1.15 ignored
defaults    the dtypes that ops give to arrays, and which are numeric
eager       the configuration of eager execution
eager_arrays  the dtypes of arrays in eager execution
embeddings  sums of embeddings of 16 bits
running     how graphs run
results     functions whose numbers changed
dropout     the formula of tf.nn.dropout
functions   what a call of a ``tf.function`` gives
singular    matrices without a root or an inverse
shapes      static shapes, what a dimension may be, and when shapes are equal
feature_columns  what columns refuse, and their configurations
file_patterns  where files are looked for
datasets    when and in what order they give their elements
loops       the order of random numbers in loops
sparse      arguments of sparse tensors before 1.0
variables   what ``isinstance`` of a variable and of an initializer is
"""

from tfgraphtools.compat.fixes.tensorflow import ownership
from tfgraphtools.compat.fixes.tensorflow.behaviour import (
    calls,
    datasets,
    defaults,
    diagonals,
    dropout,
    eager,
    eager_arrays,
    embeddings,
    feature_columns,
    file_patterns,
    functions,
    loops,
    operators,
    ops,
    results,
    running,
    shapes,
    singular,
    slots,
    sparse,
    types,
    variables,
)

TABLES = (
    ownership.TABLE,
    calls.TABLE,
    types.TABLE,
    operators.TABLE,
    *ops.TABLES,
    slots.TABLE,
    results.TABLE,
    embeddings.TABLE,
    dropout.TABLE,
    functions.TABLE,
    diagonals.TABLE,
    singular.TABLE,
    *running.TABLES,
    *shapes.TABLES,
    feature_columns.TABLE,
    file_patterns.PATCHES,
    file_patterns.CALLS,
    *datasets.TABLES,
    loops.TABLE,
    sparse.TABLE,
    defaults.TABLE,
    defaults.CALLS,
    eager.TABLE,
    eager_arrays.TABLE,
    variables.TABLE,
    variables.INITIALIZERS,
)

HELPERS = dict(types.HELPERS, **operators.HELPERS, **ops.HELPERS)
