"""Variables that begin with zeros, without a tensor of their size in the graph's definition."""

from tfgraphtools._tf import tf, v1


def zero_initializer(ref, name=None):
    """Sets a variable that has no value yet to zeros; InvalidArgumentError where it has one."""
    with v1.name_scope(name, "ZeroInitializer", [ref]) as scope:
        with _only_if_not(v1.is_variable_initialized(ref)):
            return v1.assign(ref, v1.zeros(ref.shape, ref.dtype.base_dtype), name=scope)


def zero_var_initializer(var, dtype, shape, name=None):
    """Works as `zero_initializer`, for the handle of a resource variable."""
    with v1.name_scope(name, "ZeroVarInitializer", [var]) as scope:
        with _only_if_not(tf.raw_ops.VarIsInitializedOp(resource=var)):
            zeros = v1.zeros(shape, dtype)
        assigned = tf.raw_ops.AssignVariableOp(resource=var, value=zeros)
        with v1.control_dependencies([assigned]):
            return v1.identity(var, name=scope)


def _only_if_not(is_initialized):
    is_new = v1.logical_not(is_initialized)
    return v1.control_dependencies(
        [v1.Assert(is_new, ["input is already initialized"], name="Assert")]
    )
