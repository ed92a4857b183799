"""A product with a matrix without rows or columns, and a bias: ``tf.layers.dense(x, 0)``.

TF 2.x fuses the product, the bias and the following op, and oneDNN's kernel crashes the process
if the matrix is empty. A control dependency of the product on the variable of the bias prevents
the fusion. (If 1.15 fused the two, it dropped the bias of a product with a matrix without rows.
Here the sum is correct.)
"""

from tfgraphtools.compat.engine.rows import Fix, Table, used
from tfgraphtools.compat.fixes.tensorflow import new_ops


def _keep_empty_products_apart():
    """Makes graphs check each new sum for such products."""
    new_ops.look_at(_SUMS, _part, ROW.name)


ROW = Fix(
    "sessions.empty_products",
    "TF 2.4",
    "a product with an empty matrix (tf.layers.dense(x, 0)) does not crash the process",
    _keep_empty_products_apart,
)

#: The ops that add a bias, and the ops between one and its variable.
_SUMS = frozenset(("BiasAdd", "Add", "AddV2"))
_READS = frozenset(("Identity", "ReadVariableOp"))
_VARIABLES = frozenset(("VarHandleOp", "Variable", "VariableV2"))


def _part(total):
    """Makes an empty product in a sum run after the variable of the bias."""
    for product, bias in zip(total.inputs, reversed(total.inputs)):
        if _is_empty_product(product.op) and run_after(product.op, bias):
            used(ROW)


def run_after(op, value):
    """Makes an op run after the variable that is read as `value`; returns whether there is one."""
    source = value.op
    while source.type in _READS:
        source = source.inputs[0].op
    contexts = {each._get_control_flow_context() for each in (source, op)}
    if source.type not in _VARIABLES or len(contexts) != 1:
        return False
    op._add_control_input(source)
    return True


def _is_empty_product(op):
    return op.type == "MatMul" and 0 in (op.inputs[1].shape.dims or ())


TABLES = (Table("sessions of empty products", "patches", [ROW]),)
