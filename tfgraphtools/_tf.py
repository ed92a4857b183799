"""The one door to TensorFlow: the v1 API under TF 1.15 and TF 2.x, and their differences, named.

Every other module of the package takes TensorFlow from here
(``from tfgraphtools._tf import tf, v1``), so that a difference between the two
is written down once, in this file.
"""

import tensorflow as tf
from tensorflow.python.framework import ops as _ops
from tensorflow.python.ops import resource_variable_ops as _resource_variables
from tensorflow.python.ops import variables as _variables

__all__ = [
    "DeepCopy",
    "IS_TF1",
    "colocate_with",
    "init_scope",
    "is_partitioned",
    "is_resource_variable",
    "is_variable",
    "key",
    "tf",
    "v1",
    "where",
]

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


def graph_of(x):
    """The graph that an op, tensor or variable belongs to."""
    return _ops._get_graph_from_inputs([x])  # pylint: disable=protected-access
