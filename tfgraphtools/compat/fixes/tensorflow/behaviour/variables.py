"""``isinstance(v, tf.Variable)`` is True for every variable, as in 1.x, and so are its methods.

1.x's tf.Variable was the base of resource variables and of Keras's weights, too; in 2.x
the class of that name in the 1.x API is the base of ref variables only, and the only one
that can tell its `initialized_value`.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _one_base_class():
    from tensorflow.python.ops import variable_v1, variables

    base, of_v1 = variables.Variable, variable_v1.VariableV1
    kind = type(of_v1)
    is_instance, is_subclass = type.__instancecheck__, type.__subclasscheck__

    def __instancecheck__(cls, instance):
        if is_instance(cls, instance):
            return True
        if cls is of_v1 and is_instance(base, instance):
            rows.used(_CLASS)
            return True
        return False

    def __subclasscheck__(cls, other):
        if is_subclass(cls, other):
            return True
        if cls is of_v1 and other is not base and is_subclass(base, other):
            rows.used(_CLASS)
            return True
        return False

    for method in (__instancecheck__, __subclasscheck__):
        state.set_attribute(kind, method.__name__, method)


_CLASS = Row(
    "variables.isinstance",
    "TF 2.0",
    "resource variables and Keras's weights are instances of tf.Variable",
    _one_base_class,
)


def _tell_initialized_values():
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import cond, variable_v1, variables

    def initialized_value(self):
        """The value of the variable, or of its initializer as long as it is not initialized."""
        rows.used(_INITIALIZED)
        with ops.init_scope():
            is_initialized = variable_v1.is_variable_initialized(self)
            return cond.cond(is_initialized, self.read_value, lambda: self.initial_value)

    state.set_attribute(variables.Variable, "initialized_value", initialized_value)


_INITIALIZED = Row(
    "variables.initialized_value",
    "TF 2.0",
    "resource variables have it, too",
    _tell_initialized_values,
)


def _initializer(real):
    from tensorflow.python.ops import init_ops

    return init_ops.Initializer


INITIALIZERS = Table(
    "the class of initializers",
    "names",
    [
        Row(
            "tensorflow.keras.initializers.Initializer",
            "TF 2.0",
            "the base class of all initializers, also those of tf.initializers and of Keras's "
            "functions",
            _initializer,
        )
    ],
)


def _regularize_at_once():
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import variable_scope

    store = variable_scope._VariableStore
    plain = store._get_single_variable

    @functools.wraps(plain)
    def get_single_variable(self, name, *arguments, regularizer=None, **options):
        if not regularizer or arguments or name in self._vars:
            return plain(self, name, *arguments, regularizer=regularizer, **options)
        variable = plain(self, name, **options)
        rows.used(_REGULARIZED)
        with ops.colocate_with(variable), ops.name_scope(name + "/Regularizer/"), ops.init_scope():
            loss = regularizer(variable)
        if loss is not None:
            ops.add_to_collection(ops.GraphKeys.REGULARIZATION_LOSSES, loss)
        return variable

    state.set_attribute(store, "_get_single_variable", get_single_variable)


_REGULARIZED = Row(
    "variables.regularizers",
    "TF 2.0",
    "a regularizer is called once for each variable, and the collection holds its tensor",
    _regularize_at_once,
)

TABLE = Table("the class of variables", "patches", [_CLASS, _INITIALIZED, _REGULARIZED])
