"""The v1 API under both TensorFlows, and ops that differ between them."""

import functools

from tfgraphtools.errors import MissingExtraError

try:
    import tensorflow as tf
except ModuleNotFoundError as error:
    if error.name != "tensorflow":  # TensorFlow is there, and something that it needs is not
        raise
    raise MissingExtraError(
        "tfgraphtools.gradients, .training",
        "TensorFlow 1.15 or 2.x to be installed",
        "no module named 'tensorflow'",
        "Install one: pip install tensorflow tf_keras, or tensorflow-cpu, "
        "tensorflow-gpu==1.15.5 or the build of your hardware's vendor.",
    ) from None

v1 = tf.compat.v1

#: True on TF 1.15, False on TF 2.x.
IS_TF1 = tf.__version__.startswith("1.")

#: Elementwise choice with NumPy's broadcasting rules. TF 1.15's own `tf.where`
#: takes a rank-1 condition to choose rows; TF 2's broadcasts it over columns.
where = tf.compat.v2.where

#: A copy that shares no memory with its input. On ref variables `tf.identity`
#: and `read_value` give the variable's own buffer, which a later assign changes.
DeepCopy = tf.raw_ops.DeepCopy

#: Lifts ops out of control dependencies, control-flow contexts and functions.
init_scope = tf.init_scope


def colocate_with(op, ignore_existing=False):
    """Places ops where this op is: `tf.colocate_with` without its warning."""
    place = v1 if tf.executing_eagerly() else v1.get_default_graph()
    return place.colocate_with(op, ignore_existing)


def select(condition, x, y):
    """Chooses as `where` does, for two tensors of one shape and a condition of it or a scalar.

    It is faster, as it broadcasts nothing.
    """
    return tf.raw_ops.Select(condition=condition, x=x, y=y)


class _OpsOfLoops(set):
    """The loops begun in a scope of control dependencies, as the scope believes.

    The ops by which TensorFlow enters a loop of control flow v1 have the edge, and all in the
    loop waits for them: it cannot build another edge into a loop.
    """

    def __init__(self, loop):
        super().__init__()
        self._loop = loop

    def add(self, op):
        """Adds an op if it is inside of such a loop."""
        loop = _loop_of(op._get_control_flow_context())  # pylint: disable=protected-access
        if loop not in (None, self._loop) and op.type not in ("Exit", "RefExit"):
            super().add(op)


def _loop_of(context):
    return None if context is None else context.GetWhileContext()


def after(inputs):
    """Orders ops as `control_dependencies`, in an order that no graph optimizer removes.

    TensorFlow gives an op no control edge where one of its inputs has it. The graph optimizer
    removes an edge that another path implies, and later a Reshape or ExpandDims of that path
    with the edges that it has: a variable is read before the lock behind which it was built.
    Here every op has the edge, from a Merge, whose edges no path implies to the optimizer.
    """
    if not inputs:
        return v1.control_dependencies(inputs)
    with colocate_with(None, ignore_existing=True), v1.device(_cpu_near(inputs)):
        with v1.control_dependencies([_inside(tensor_or_op) for tensor_or_op in inputs]):
            now = tf.timestamp(name="now")  # not a constant, which would be folded
        scope = v1.control_dependencies([tf.raw_ops.Merge(inputs=[now], name="after").output])
    context = v1.get_default_graph()._get_control_flow_context()  # pylint: disable=protected-access
    scope._seen_nodes = _OpsOfLoops(_loop_of(context))  # pylint: disable=protected-access
    return scope


def _inside(item):
    """Returns an op or tensor of the graph being built that is there when the given one is.

    A branch or function does not wait for an op outside of it but by a control edge of the op
    that calls it, which is lost when the graph is optimized: only what it captures is waited for.
    """
    tensor = next(iter(getattr(item, "outputs", [item])), None)
    is_inside = getattr(item, "graph", None) is v1.get_default_graph()
    if is_inside or tensor is None or tensor.dtype.base_dtype != tensor.dtype:
        return item
    return tf.identity(tensor)


def _cpu_near(inputs):
    """Returns the CPU of the machine where one of some ops or tensors is."""
    devices = dict.fromkeys(getattr(item, "op", item).device for item in inputs)
    return _cpu_of_first(tuple(devices))


@functools.lru_cache(maxsize=None)
def _cpu_of_first(devices):
    near = map(tf.DeviceSpec.from_string, devices)
    near = next((place for place in near if place.job is not None), tf.DeviceSpec())
    own = {"job": near.job, "replica": near.replica, "task": near.task}
    return tf.DeviceSpec(device_type="CPU", device_index=0, **own).to_string()


def run_if(predicate, build, waits=()):
    """Returns an op that runs what ``build()`` builds where the predicate is True.

    This is what `cond` becomes when it runs, without its contexts and function
    bodies: inside those an optimizer cannot reach a ref variable, and names its
    state after them. All that ``build`` makes waits for the predicate, and for the ops of
    ``waits``; where the predicate is False, nothing waits for these.
    """
    no, yes = tf.raw_ops.Switch(data=predicate, pred=predicate)
    pivot = tf.identity(yes, name="yes")
    with after([pivot, *waits]):
        built = build()
    with v1.control_dependencies([built]):
        done = tf.identity(pivot, name="done")
    return tf.raw_ops.Merge(inputs=[no, done]).output.op


def together(ops):
    """Returns an op that runs all of these; of one, itself."""
    return ops[0] if len(ops) == 1 and isinstance(ops[0], tf.Operation) else tf.group(*ops)


def all_true(scalars):
    """Returns a scalar tensor: whether all of some bool scalars are true."""
    return tf.reduce_all(tf.stack(scalars)) if len(scalars) > 1 else scalars[0]


def times_or_zero(values, factor):
    """Returns values * factor, and 0 where the factor is 0, be the value infinite or NaN."""
    if IS_TF1 and values.dtype.base_dtype == tf.bfloat16:  # TF 1.15 has no such op for it
        return where(tf.equal(factor, 0), tf.zeros_like(values), values * factor)
    return tf.math.multiply_no_nan(values, factor)


def plain_session(graph):
    """Returns a session for a few runs, without the graph optimizer, which takes longer."""
    config = v1.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = v1.OptimizerOptions.L0
    return v1.Session(graph=graph, config=config)


def without_autograph(function):
    """Marks a function for AutoGraph to call as it is: a body that it converts fails on TF 1.15."""
    function.autograph_info__ = {}
    return function
