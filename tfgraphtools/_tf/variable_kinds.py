"""Ref, resource, partitioned and mirrored variables, and slots."""

import contextlib

import numpy as np

from tfgraphtools._tf.api import IS_TF1, colocate_with, init_scope, tf, v1
from tfgraphtools._tf.tf_internals import Internal

_distributed_values = Internal("tensorflow.python.distribute.values", "Variables of strategies")
_resource_variables = Internal("tensorflow.python.ops.resource_variable_ops", "Resource variables")
_variables = Internal("tensorflow.python.ops.variables", "Partitioned variables")
_optimizer = Internal("tensorflow.python.training.optimizer", "Slots of optimizers")


def is_variable(x):
    """Returns True for a ref or resource variable (a PartitionedVariable is several)."""
    return isinstance(x, tf.compat.v2.Variable)


def without_keras(x):
    """Returns the graph's variable that a variable of Keras 3 holds, and anything else as it is."""
    held = None if is_variable(x) else getattr(x, "value", None)
    return held if is_variable(held) else x


def is_partitioned(x):
    """Returns True for a PartitionedVariable."""
    return not is_variable(x) and isinstance(x, _variables.PartitionedVariable)


#: The strategies that keep a copy of each variable in every replica.
MIRRORED_STRATEGIES = (tf.compat.v2.distribute.MirroredStrategy, v1.distribute.MirroredStrategy)


def is_mirrored(x):
    """Returns True for the variable of a strategy that has a copy in every replica."""
    is_of_strategy = any(".python.distribute." in cls.__module__ for cls in type(x).__mro__)
    return is_of_strategy and isinstance(x, _distributed_values.DistributedVariable)


def components(variable):
    """Returns the copies of a mirrored variable or of one of its copies; else the variable."""
    variable = container(variable)
    return list(variable.values) if is_mirrored(variable) else [variable]


def container(variable):
    """Returns the mirrored variable of which this is a copy; any other variable itself."""
    if is_mirrored(variable):  # whose other attributes are those of a copy, which it reads
        return variable
    holder = variable  # TF 2 notes it at the handle, TF 1.15 at the variable
    if not IS_TF1 and is_resource_variable(variable):
        holder = variable.handle
    reference = getattr(holder, "_distributed_container", None)
    return variable if reference is None else reference()


def per_replica(like, values):
    """Returns a value of each replica, as another one holds them."""
    if tf.is_tensor(like) and len(values) == 1:
        return values[0]  # where there is one replica, TensorFlow makes no container
    if IS_TF1:
        return type(like)(like.device_map, tuple(values))
    return type(like)(tuple(values))


def graph_of_variable(variable):
    """Returns the graph that a variable is in; None for one of eager execution."""
    try:
        return getattr(components(variable)[0], "graph", None)
    except AttributeError:
        return None


def is_resource_variable(variable):
    """Returns True for a resource variable, False for a ref variable."""
    return _resource_variables.is_resource_variable(variable)


def key(variable):
    """Returns a hashable stand-in for a variable, by identity.

    TF 2 makes variables unhashable where `==` compares them elementwise.
    """
    return variable.ref() if hasattr(variable, "ref") else variable.experimental_ref()


def handle_of(variable):
    """Returns the tensor that stands for the variable in the graph: its handle, or its ref."""
    if is_resource_variable(variable):
        return variable.handle
    return variable._ref()  # pylint: disable=protected-access


def read_outside(op):
    """Returns a tensor that reads a variable, by its op, outside of control flow, or None."""
    if op.type != "VarHandleOp":
        return op.outputs[0]
    for name in op.graph.get_all_collection_keys():
        for variable in op.graph.get_collection(name):
            if is_variable(variable) and is_resource_variable(variable):
                if not is_partitioned(variable) and variable.handle.op is op:
                    return variable
    for reader in op.outputs[0].consumers():
        if reader.type == "ReadVariableOp" and not reader.control_inputs:
            if reader._get_control_flow_context() is None:
                return reader.outputs[0]
    return None


def is_ref(tensor):
    """Returns True for the output of a ref variable or of an op that passes one on."""
    return tensor.dtype._is_ref_dtype  # pylint: disable=protected-access


def is_ref_buffer(tensor):
    """Returns True where a tensor is the memory of a ref variable, which any assign changes.

    `tf.identity`, `read_value` and the reshaping ops hand on the buffer itself.
    """
    while tensor.op.type in _PASS_ON and not tensor.dtype._is_ref_dtype:
        tensor = tensor.op.inputs[0]
    return tensor.dtype._is_ref_dtype


#: Ops that may hand on the very buffer of their first input.
_PASS_ON = frozenset(
    [
        "Bitcast",
        "CheckNumerics",
        "EnsureShape",
        "ExpandDims",
        "Identity",
        "PreventGradient",
        "RefIdentity",
        "Reshape",
        "Squeeze",
        "StopGradient",
    ]
)


@contextlib.contextmanager
def constrained_by(variable, constraint):
    """Makes optimizers apply this constraint to a variable, and not its own, while open."""
    own, variable._constraint = variable._constraint, constraint
    try:
        yield
    finally:
        variable._constraint = own


def scatter_rows(variable, indices, values):
    """Assigns parts of a dense variable, as `scatter_nd_update` does.

    A scatter into a resource variable itself makes every later dense update and
    read of it copy the whole; a scatter into its value copies it once.
    """
    if not is_resource_variable(variable):
        return v1.scatter_nd_update(variable, indices, values)
    return v1.assign(variable, tf.tensor_scatter_nd_update(variable.read_value(), indices, values))


def overwrite_rows(variable, rows, values):
    """Writes rows of a resource variable that a kernel has just updated, without a copy.

    Its value is then memory that no other variable, constant or tensor shares,
    and may be written in place. (After an assign it may be anybody's.) The assign
    costs nothing, but where the read was a copy: after a scatter or gather.

    Args:
      rows: int32 vector of indices into the first dimension; a matrix with one
        row for each element indexes the flattened variable.
      values: the new rows, or a vector of elements.
    """
    value = variable.read_value()
    if rows.shape.rank == 1:
        return v1.assign(variable, tf.raw_ops.InplaceUpdate(x=value, i=rows, v=values))
    strides = np.cumprod([1] + variable.shape.as_list()[:0:-1])[::-1]
    flat = tf.reduce_sum(rows * tf.constant(strides, rows.dtype), axis=1)
    written = tf.raw_ops.InplaceUpdate(
        x=tf.reshape(value, [-1, 1]), i=flat, v=tf.reshape(values, [-1, 1])
    )
    return v1.assign(variable, tf.reshape(written, variable.shape))


def add_scaled(variable, values, factor):
    """Adds values times a scalar, all of one dtype, to a variable in one pass over memory.

    It is the kernel of gradient descent, which rounds the product before the sum.
    """
    descent, state = tf.raw_ops.ApplyGradientDescent, handle_of(variable)
    if is_resource_variable(variable):
        descent = tf.raw_ops.ResourceApplyGradientDescent
    return descent(var=state, alpha=-factor, delta=values, use_locking=True)


def scratch_variable(like, shape, name):
    """Returns a variable of the same kind, dtype and place as another, in no collection.

    Nothing initialises or saves it: it must be assigned before each use. Its name says what
    it is: on a server the steps of other graphs find it by the name.
    """
    shape = tf.TensorShape(shape)
    sizes = "x".join(map(str, shape.as_list())) if shape.rank is not None else "unknown"
    return unsaved_variable(like, shape, f"{name}_{like.dtype.base_dtype.name}_{sizes}")


def unsaved_variable(like, shape, name):
    """Makes a variable as `scratch_variable` does, of a given name; a size may be None."""
    shape = tf.TensorShape(shape)
    # Under a strategy v1.Variable makes a copy for every replica; the class itself makes one.
    kind = v1.Variable if container(like) is like else _resource_variables.ResourceVariable
    own = {"use_resource": is_resource_variable(like)} if kind is v1.Variable else {}
    # No ref variable enters a v1 loop without a value: there it is given one before the loop.
    filled = is_in_v1_loop() and not is_resource_variable(like)
    with init_scope(), colocate_with(like):
        zeros = tf.zeros([size or 0 for size in shape.as_list()], like.dtype.base_dtype)
        if not shape.is_fully_defined():
            own["validate_shape"] = False
            if kind is not v1.Variable or own["use_resource"]:
                own["shape"] = shape  # a ref variable cannot state a part of its shape
        own_name = f"{name}Empty" if filled else name
        scratch = kind(zeros, trainable=False, collections=[], name=own_name, **own)
        if filled:
            scratch._variable = v1.assign(
                scratch, zeros, validate_shape=shape.is_fully_defined(), name=name
            )
    return scratch


class Flag:
    """A mark in the memory of a process or server, which nothing saves or initialises: it is unset.

    Args:
      like: a variable, beside which it is.
      name: the whole name: steps of other graphs on a server find it by this.
    """

    def __init__(self, like, name):
        self._dtype = like.dtype.base_dtype  # of a kind that has a place on the device
        with init_scope(), v1.name_scope(None), colocate_with(like):
            self._handle = tf.raw_ops.VarHandleOp(
                container="", shared_name=name, dtype=self._dtype, shape=[], name=name
            )

    def is_set(self):
        """Tells, as a scalar tensor, whether a run has set it."""
        return tf.raw_ops.VarIsInitializedOp(resource=self._handle)

    def set(self):
        """Returns the op that sets it."""
        value = tf.ones([], self._dtype)
        return tf.raw_ops.AssignVariableOp(resource=self._handle, value=value)


def is_in_v1_loop():
    """Tells whether ops are built inside a loop of control flow v1."""
    context = v1.get_default_graph()._get_control_flow_context()
    return context is not None and context.GetWhileContext() is not None


def read_now(variable):
    """Reads a variable as `read_value` does, in one op: that of a resource has an Identity, too."""
    if not is_resource_variable(variable):
        return variable.read_value()
    return tf.raw_ops.ReadVariableOp(resource=variable.handle, dtype=variable.dtype)


def read_from_here_on(variable):
    """Makes later uses of the variable as a tensor wait for the control dependencies open now.

    A resource variable is read again at each use. A ref variable is used by one
    read, which was built with it and waits for nothing.
    """
    if not is_resource_variable(variable):
        variable._snapshot = tf.identity(variable._variable, name="read")


@contextlib.contextmanager
def read_while_open(variable):
    """Reads as `read_from_here_on` does while it is open, and as before it afterwards."""
    before = getattr(variable, "_snapshot", None)
    read_from_here_on(variable)
    try:
        yield
    finally:
        if not is_resource_variable(variable):
            variable._snapshot = before


def save_as_rows(slot, variable):
    """Saves a slot with one number for each row so that it restores into other slices.

    Where the slices are of columns, each has all rows of its own, under its own name.
    """
    own, whole = None, getattr(variable, "_save_slice_info", None)
    if whole is not None and list(whole.var_shape[1:]) == list(whole.full_shape[1:]):
        name = whole.full_name + slot.op.name[len(variable.op.name) :]
        parts = (whole.full_shape[:1], whole.var_offset[:1], whole.var_shape[:1])
        own = v1.Variable.SaveSliceInfo(name, *parts)
    slot._set_save_slice_info(own)


def scalar_in_store(name, initial_value, resource):
    """Returns a new variable of this whole name, which `init_from_checkpoint` knows.

    It restores scopes of what `get_variable` makes, slots among it, not what ``Variable`` makes.
    """
    root = v1.VariableScope(reuse=False, name="")
    with init_scope(), v1.name_scope(None):
        with v1.variable_scope(root, auxiliary_name_scope=False):
            return v1.get_variable(
                name, initializer=initial_value, trainable=False, use_resource=resource
            )


def slot_key(variable):
    """Returns what an optimizer's own dicts of slots have as the key of a variable."""
    return _optimizer._var_key(variable)
