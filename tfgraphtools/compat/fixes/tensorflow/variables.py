"""``isinstance(v, tf.Variable)`` is True for every variable, as in 1.x, and so are its methods.

1.x's tf.Variable was the base of resource variables and of Keras's weights, too; in 2.x
the class of that name in the 1.x API is the base of ref variables only, and the only one
that can tell its `initialized_value`.
"""

import sys

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rewrite_kinds import Syntax
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.tensorflow import ownership
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

CLASS = Fix(
    "variables.isinstance",
    "TF 2.0",
    "resource variables and Keras's weights are instances of tf.Variable",
    rewrite=Syntax("variables.isinstance"),
)
_METACLASS = "tensorflow.python.ops.variables:VariableMetaclass."


def _asks_for_v1(cls, other):
    """Tells whether user code asks for 1.x's class; TensorFlow asks for classes all the time."""
    return cls.__name__ == "VariableV1" and ownership.is_user(sys._getframe())


@replaces(_METACLASS + "__instancecheck__", row=CLASS, when=_asks_for_v1)
def _is_instance(original, cls, instance):
    if original(cls, instance):
        return True
    if type.__instancecheck__(cls.__base__, instance):
        _is_instance.used()
        return True
    return False


@replaces(_METACLASS + "__subclasscheck__", row=CLASS, when=_asks_for_v1)
def _is_subclass(original, cls, other):
    if original(cls, other):
        return True
    if other is not cls.__base__ and type.__subclasscheck__(cls.__base__, other):
        _is_subclass.used()
        return True
    return False


@replaces(
    "tensorflow.python.ops.variables:Variable.initialized_value",
    name="variables.initialized_value",
    since="TF 2.0",
    why="resource variables have it, too",
)
def _initialized_value(original, self):
    """Returns the value of the variable, or of its initializer as long as it is not initialized."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import cond, variable_v1

    _initialized_value.used()
    with ops.init_scope():
        is_initialized = variable_v1.is_variable_initialized(self)
        return cond.cond(is_initialized, self.read_value, lambda: self.initial_value)


def _initializer(real):
    from tensorflow.python.ops import init_ops

    return init_ops.Initializer


_INITIALIZER = Fix(
    "tensorflow.keras.initializers.Initializer",
    "TF 2.0",
    "the base class of all initializers, also those of tf.initializers and of Keras's functions",
    _initializer,
)


@replaces(
    "tensorflow.python.ops.variable_scope:_VariableStore._get_single_variable",
    name="variables.regularizers",
    since="TF 2.0",
    why="a regularizer is called once for each variable, and the collection holds its tensor",
)
def _get_single_variable(original, self, name, *arguments, regularizer=None, **options):
    from tensorflow.python.framework import ops

    if not regularizer or arguments or name in self._vars:
        return original(self, name, *arguments, regularizer=regularizer, **options)
    variable = original(self, name, **options)
    _get_single_variable.used()
    with ops.colocate_with(variable), ops.name_scope(name + "/Regularizer/"), ops.init_scope():
        loss = regularizer(variable)
    if loss is not None:
        ops.add_to_collection(ops.GraphKeys.REGULARIZATION_LOSSES, loss)
    return variable


TABLES = (
    replacing.table(
        "the class of variables",
        _is_instance,
        _is_subclass,
        _initialized_value,
        _get_single_variable,
        kind="patches",
    ),
    Table("the class of initializers", "names", [_INITIALIZER]),
)
