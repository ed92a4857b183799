"""The tables of all subjects of TensorFlow, in the order in which their patches are applied."""

from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.tensorflow import (
    array_ops,
    constants,
    control_flow,
    data,
    debug,
    dtypes,
    eager,
    empty_products,
    feature_column,
    forward_compatibility,
    framework,
    function,
    fusions,
    gen_ops,
    gfile,
    graph,
    held,
    image,
    linalg,
    math,
    models,
    nn,
    op_definitions,
    op_types,
    operation,
    ownership,
    parsing_ops,
    random,
    rnn_cell,
    session,
    sparse_tensor,
    summary,
    tensor,
    tensor_shape,
    testing,
    tf2,
    tf_inspect,
    train,
    variables,
    while_loop,
)

_SUBJECTS = (
    ownership,  # first: others ask it whose a graph is
    op_types,
    operation,
    tensor,
    tensor_shape,
    sparse_tensor,
    array_ops,
    math,
    random,
    linalg,
    nn,
    image,
    rnn_cell,
    control_flow,
    while_loop,
    function,
    variables,
    train,
    summary,
    feature_column,
    data,
    gfile,
    parsing_ops,
    eager,
    session,
    empty_products,
    fusions,
    constants,
    graph,
    op_definitions,
    framework,
    forward_compatibility,
    tf2,
    tf_inspect,
    testing,
    debug,
    dtypes,
    gen_ops,
    models,
    held,
)

TABLES = (
    *removed.tables_of("TF"),
    *(table for subject in _SUBJECTS for table in subject.TABLES),
)

HELPERS = dict(op_types.HELPERS, **operation.HELPERS, **tensor.HELPERS)


def install(options):
    """Makes internal modules hold the names that they held in 1.15, and those for contrib alone."""
    held.install()
    removed.register_those_of_contrib()
