"""An optimizer of graph mode whose update of a variable is one function of arrays."""

from typing import Any, Optional

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _arguments, _types
from tfgraphtools.training.steps import half_states as _half_states
from tfgraphtools.training.steps import optimizer_chain as _optimizers

#: Types of few bits: slots and arithmetic are float32, and the variable is rounded once a step.
_HALVES = (tf.float16, tf.bfloat16)


class RuleOptimizer(v1.train.Optimizer):
    """Base of the optimizers here: a subclass names its slots and returns their new values.

    A sparse gradient (`tf.IndexedSlices`) counts as the dense one that is 0 in all other rows,
    which is what TensorFlow's Adam does too: a step costs the whole table.

    The number of steps is one int64 variable, ``<name>/steps``. Factors such as
    ``1 - beta2 ** steps`` are computed in float64: in float32 the first one is off by 5e-5.

    Attributes:
      slot_names: of the slots of the variable's shape, all zeros at first.
    """

    _slot_names = ()

    def __init__(self, learning_rate: _types.Scalar, use_locking: bool, name: str) -> None:
        super().__init__(use_locking, name)
        place = f"{type(self).__name__} learning_rate"
        if not callable(learning_rate):
            _arguments.check_scalar(place, learning_rate, lambda rate: rate >= 0, "a rate from 0")
        self._lr = learning_rate
        self._lr_t = None
        self._trained, self._checked = [], []

    @_optimizers.only_checks
    def compute_gradients(
        self, loss: _types.Tensor, var_list: Optional[_types.Selector] = None, **options: Any
    ) -> _types.Pairs:
        """Returns the gradients as every optimizer does, of variables of Keras 3, too."""
        with _optimizers.complex_named(type(self).__name__):
            return super().compute_gradients(loss, _optimizers.graph_variables(var_list), **options)

    @_optimizers.only_checks
    def apply_gradients(
        self,
        grads_and_vars: _types.Pairs,
        global_step: Optional[_types.Variable] = None,
        name: Optional[str] = None,
    ) -> tf.Operation:
        """Applies the gradients as every optimizer does, of variables of Keras 3, too."""
        pairs = [(grad, _tf.without_keras(variable)) for grad, variable in grads_and_vars]
        return super().apply_gradients(pairs, global_step, name)

    def get_slot(self, var: _types.Variable, name: str) -> Optional[_types.Variable]:
        """Returns the slot of a variable, or None."""
        return super().get_slot(_tf.without_keras(var), name)

    def _new_values(self, value, grad, slots, rate, steps):
        """Returns (the variable's new value, {slot name: its new value}).

        Args:
          value, grad: tensors of one shape and dtype.
          slots: ``{slot name: tensor}``.
          rate: scalar of their dtype.
          steps: `Steps`, this one counted.
        """
        raise NotImplementedError

    def _make_slots(self, variable):
        """Makes the slots of one variable."""
        for slot_name in self._slot_names:
            self._make_slot(variable, slot_name, variable.shape)

    def _make_slot(self, variable, slot_name, shape):
        """Makes one slot of zeros, named ``<variable>/<optimizer's name>/<slot name>``."""
        self._get_or_make_slot_with_initializer(
            variable,
            v1.zeros_initializer(),
            tf.TensorShape(shape),
            _computed_in(variable),
            slot_name,
            f"{self._name}/{slot_name}",
        )

    def _create_slots(self, variables):
        self._make_scalar(np.int64(0), self._steps_name, variables)
        for variable in variables:
            self._check(variable)
            self._make_slots(variable)
        self._trained = list(variables)

    def _make_scalar(self, initial_value, name, variables):
        """Makes a variable that is kept once, beside the first variable by name."""
        key = (name, _tf.root_graph())
        if key in self._non_slot_dict:
            return
        first = min(variables, key=lambda variable: variable.name)
        whole_name = _tf.root_graph().unique_name(name, mark_as_used=False)
        with tf.distribute.get_strategy().extended.colocate_vars_with(first):
            resource = _tf.is_resource_variable(first)
            scalar = _tf.scalar_in_store(whole_name, initial_value, resource)
        self._maybe_initialize_trackable()
        self._handle_deferred_dependencies(name=name, trackable=scalar)
        self._non_slot_dict[key] = scalar

    def _check(self, variable):
        """Raises for a variable that the rule is not for, or whose slots have no known shape."""
        dtype = variable.dtype.base_dtype
        if not dtype.is_floating or not variable.shape.is_fully_defined():
            raise ArgumentError(
                type(self).__name__,
                "variables of floats, of a shape known when the step is built",
                f"{variable.op.name!r} of {dtype.name} and of shape {variable.shape}",
                "Leave it out of var_list, or give it an optimizer of tf.compat.v1.train.",
            )

    def _prepare(self):
        rate = self._call_if_callable(self._lr)
        self._lr_t = tf.convert_to_tensor(rate, name="learning_rate")
        names = self.get_slot_names()
        slots = [self.get_slot(variable, name) for variable in self._trained for name in names]
        slots = [slot for slot in slots if slot is not None]
        if slots:
            count = self._non_slot_dict[self._steps_name, _tf.root_graph()]
            unused = lambda: _half_states.all_are_zero(slots)  # noqa: E731
            look = _half_states.Look(type(self).__name__, count, slots, unused)
            self._checked = [_half_states.noticed(look)]

    @property
    def _steps_name(self):
        """The name of the variable that counts the steps."""
        return f"{self._name}/steps"

    def _non_slot(self, name):
        """Returns a variable that is kept once for all variables."""
        return self._get_non_slot_variable(name, graph=_tf.root_graph())

    def _counted(self):
        """Returns the op that counts a step, once all variables are updated."""
        steps = self._non_slot(self._steps_name)
        with _tf.colocate_with(steps):
            return steps.assign_add(1, use_locking=self._use_locking, read_value=False)

    def _finish(self, update_ops, name_scope):
        with v1.control_dependencies(update_ops):
            counted = self._counted()
        return tf.group(*update_ops, counted, name=name_scope)

    def _apply_dense(self, grad, variable):
        dtype, stored = _computed_in(variable), variable.dtype.base_dtype
        with v1.control_dependencies([grad, *self._checked]):
            value = tf.cast(variable.read_value(), dtype)
            names = self.get_slot_names()
            slots = {slot_name: self.get_slot(variable, slot_name) for slot_name in names}
            slots = {slot_name: slot for slot_name, slot in slots.items() if slot is not None}
            old = {slot_name: slot.read_value() for slot_name, slot in slots.items()}
            steps = Steps(self._non_slot(self._steps_name).read_value() + 1, dtype)
        rate = tf.cast(self._lr_t, dtype)
        new_value, new = self._new_values(value, tf.cast(grad, dtype), old, rate, steps)
        new_value = tf.cast(new_value, stored)
        # A ref variable is read where it stands: nothing is written before all is computed.
        with v1.control_dependencies([new_value, *new.values()]):
            pairs = [(variable, new_value)] + [(slots[name], new[name]) for name in new]
            return tf.group(
                *[v1.assign(state, to, use_locking=self._use_locking) for state, to in pairs]
            )

    def _resource_apply_dense(self, grad, variable):
        return self._apply_dense(grad, variable)

    def _apply_sparse_shared(self, values, variable, indices):
        dense = tf.IndexedSlices(values, indices, tf.shape(variable.read_value()))
        return self._apply_dense(tf.convert_to_tensor(dense), variable)

    def _apply_sparse(self, grad, variable):
        return self._apply_sparse_shared(grad.values, variable, grad.indices)

    def _resource_apply_sparse(self, grad, variable, indices):
        return self._apply_sparse_shared(grad, variable, indices)


class Steps:
    """The number of a step, from 1, and what is computed of it in float64.

    Args:
      count: int64 scalar, from 1.
      dtype: of the factors.
    """

    def __init__(self, count, dtype):
        self._count = tf.cast(count, tf.float64)
        self._dtype = dtype

    def of(self, function):
        """Returns ``function(steps)``, computed in float64, as a scalar of the update's dtype."""
        return tf.cast(function(self._count), self._dtype)

    def in_float64(self):
        """Returns the number as a scalar of float64."""
        return self._count

    def debiased(self, beta):
        """Returns ``1 - beta ** steps``: what an average from zero is divided by."""
        return self.of(lambda count: 1 - wide(beta) ** count)


def scalar(number, dtype):
    """Returns a hyperparameter, a number or scalar tensor, as a scalar of a dtype."""
    if tf.is_tensor(number) or _tf.is_variable(number):
        return tf.cast(number, dtype)
    return tf.constant(number, dtype)  # `cast` would round it to float32 first


def wide(number):
    """Returns a hyperparameter as a scalar of float64."""
    return scalar(number, tf.float64)


def mixed(old, new, beta):
    """Returns ``beta * old + (1 - beta) * new``, with ``1 - beta`` rounded once."""
    keep, take = (tf.cast(factor, old.dtype) for factor in (wide(beta), 1 - wide(beta)))
    return keep * old + take * new


def check_betas(place, **betas):
    """Raises unless each is a number in ``[0, 1)`` or a scalar float tensor."""
    for argument, beta in betas.items():
        _arguments.check_scalar(f"{place} {argument}", beta, lambda x: 0 <= x < 1, "from 0 below 1")


def check_not_negative(place, **values):
    """Raises unless each is a finite number from 0 or a scalar float tensor."""
    for argument, value in values.items():
        _arguments.check_scalar(f"{place} {argument}", value, lambda x: x >= 0, "a number from 0")


def _computed_in(variable):
    dtype = variable.dtype.base_dtype
    return tf.float32 if dtype in _HALVES else dtype
