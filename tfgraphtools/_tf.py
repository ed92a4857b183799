"""The one door to TensorFlow: the v1 API under TF 1.15 and TF 2.x, and their differences, named.

Every other module of the package takes TensorFlow from here
(``from tfgraphtools._tf import tf, v1``), so that a difference between the two
is written down once, in this file.
"""

import tensorflow as tf
from tensorflow.python.ops import resource_variable_ops as _resource_variables
from tensorflow.python.ops import variables as _variables
from tensorflow.python.training import optimizer as _optimizer

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

colocate_with = v1.colocate_with


def is_variable(x):
    """True for a ref or resource variable (a PartitionedVariable is several)."""
    return isinstance(x, _variables.Variable)


def is_partitioned(x):
    """True for a PartitionedVariable."""
    return isinstance(x, _variables.PartitionedVariable)


def is_resource_variable(variable):
    """True for a resource variable, False for a ref variable."""
    return _resource_variables.is_resource_variable(variable)


def key(variable):
    """A hashable stand-in for a variable, by identity.

    TF 2 makes variables unhashable where `==` compares them elementwise.
    """
    return variable.ref() if hasattr(variable, "ref") else variable.experimental_ref()


def select(condition, x, y):
    """As `where` for three tensors of one shape, and faster: it broadcasts nothing."""
    return tf.raw_ops.Select(condition=condition, x=x, y=y)


def switch_cond(pred, true_fn, false_fn):
    """`cond` by Switch and Merge: a branch may then update ref variables."""
    v2_enabled = v1.control_flow_v2_enabled()
    v1.disable_control_flow_v2()
    try:
        return v1.cond(pred, true_fn, false_fn)
    finally:
        if v2_enabled:
            v1.enable_control_flow_v2()


def scratch_variable(like, shape, name):
    """A variable of the same kind, dtype and place as another, in no collection.

    Nothing initialises or saves it: it must be assigned before each use.
    """
    with init_scope(), colocate_with(like):
        return v1.Variable(
            tf.zeros(shape, like.dtype.base_dtype),
            trainable=False,
            collections=[],
            name=name,
            use_resource=is_resource_variable(like),
        )


def slot_key(variable):
    """What an optimizer's own dicts of slots have as the key of a variable."""
    return _optimizer._var_key(variable)


def add_control_inputs(op, inputs):
    """Makes an existing op wait for others, which must not depend on it."""
    op._add_control_inputs(inputs)


def is_ref_buffer(tensor):
    """True where a tensor is the memory of a ref variable, which any assign changes.

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
