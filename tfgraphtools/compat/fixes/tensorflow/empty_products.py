"""A product with a matrix without rows or columns, and a bias: ``tf.layers.dense(x, 0)``.

TF 2.x fuses the product, the bias and the following op, and oneDNN's kernel crashes the process
if the matrix is empty. This fix turns the fusion off in sessions that are created for a graph
with such a product; it does not change other sessions. If the session is older than the product,
the product gets a control dependency on the variable of the bias, which prevents the fusion.
(If 1.15 fused the two, it dropped the bias of a product with a matrix without rows. Here the sum
is correct.)
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Table, used
from tfgraphtools.compat.fixes.tensorflow import new_ops, ownership


def _is_of_users(session, target="", graph=None, config=None):
    """Tells whether the graph of a session that is made is user code's."""
    from tensorflow.python.framework import ops

    graph = ops.get_default_graph() if graph is None else graph
    return isinstance(graph, ops.Graph) and ownership.is_users(graph)  # else it is an error


@replacing.replaces(
    "tensorflow.python.client.session:BaseSession.__init__",
    when=_is_of_users,
    name="sessions.empty_products",
    since="TF 2.4",
    why="a product with an empty matrix (tf.layers.dense(x, 0)) does not crash the process",
)
def _init(original, self, target="", graph=None, config=None):
    if _has_empty_product(graph):
        _init.used()
        config = _apart(config)
    original(self, target, graph, config)


def _keep_empty_products_apart():
    """Makes sessions and graphs check for such products."""
    _init.apply()
    new_ops.look_at(_SUMS, _part, ROW.name)


ROW = _init.row._replace(provide=_keep_empty_products_apart)

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


def _has_empty_product(graph):
    from tensorflow.python.framework import ops

    graph = ops.get_default_graph() if graph is None else graph
    return any(_is_empty_product(op) for op in graph.get_operations())


def _apart(config):
    """Returns the configuration of a session, with fusions off unless it sets them."""
    from tensorflow.core.protobuf import config_pb2, rewriter_config_pb2
    from tensorflow.python.eager import context

    changed = config_pb2.ConfigProto()
    changed.CopyFrom(context.context().config if config is None else config)
    rewrites = changed.graph_options.rewrite_options
    if rewrites.remapping == rewriter_config_pb2.RewriterConfig.DEFAULT:
        rewrites.remapping = rewriter_config_pb2.RewriterConfig.OFF
    return changed


TABLES = (Table("sessions of empty products", "patches", [ROW]),)
