"""The ways to freeze inside an optimizer's update of a variable: nothing is put back after it.

Each is a class with ``update(leaf, hook, grad, variable)``, called instead of the optimizer's own
``hook(grad, variable)`` (see `steps.optimizer_chain.driven`). They fit where nothing
but that hook changes the variable. Those for few trainable elements are in
`compact`.
"""

import contextlib

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training.freezing import kernel_rules
from tfgraphtools.training.steps import rate as _rate


class Beside:
    """Any mask: the optimizer updates a copy, and the trainable elements are written back.

    The variable itself never holds a moved frozen element, not even during the
    step: for variables on a server, which other workers and a `Saver` read when
    they like. The copies are variables that nothing saves or initialises,
    because every step fills them again.
    """

    def __init__(self, mask):
        self._mask = mask

    def update(self, leaf, hook, grad, variable):
        """Returns the optimizer's update of the copy, and the writing back."""
        with v1.name_scope("beside"):
            frozen = self._mask.tensor()
            copies = Scratch(leaf, variable, lambda state: state.shape, "copy")
            copies.fill(lambda state: state.read_value())
            stepped = copies.step(hook, grad)
            with _tf.after([stepped, frozen]):
                return copies.each(lambda state, copy: self._write_back(state, copy, frozen))

    def _write_back(self, state, copy, frozen):
        return v1.assign(state, _tf.select(frozen, state.read_value(), copy.read_value()))


class InOnePass:
    """Any mask, resource variables, TF 2: XLA reads and writes each state once, exactly.

    No state ever holds a moved frozen element.

    Args:
      mask: of the frozen elements.
      multipliers: of the learning rate.
    """

    def __init__(self, mask, multipliers):
        self._mask, self._multipliers = mask, multipliers

    def update(self, leaf, hook, grad, variable):
        """Returns what the optimizer's kernel computes, left out where frozen."""
        with v1.name_scope("in_one_pass"):
            return _rate.at_rate(leaf, self._multipliers, self._passes(leaf))(grad, variable)

    def _passes(self, leaf):
        def update(grad, variable):
            frozen, slots = self._mask.tensor(), slots_of(leaf, variable)
            done = []
            for state_pass in kernel_rules.passes(leaf, variable.dtype.base_dtype):
                state = variable if state_pass.slot is None else slots[state_pass.slot]
                others = [slots[name] for name in state_pass.others]
                with _tf.after(done[-1:]):
                    tensors = [grad, *state_pass.scalars, frozen]
                    done.append(_tf.one_pass(state, state_pass.rule, others, tensors))
            return done[-1]

        return update


class Fused:
    """Any mask, resource variables, TF 2: read, update and restore in one XLA cluster.

    For optimizers without `kernel_rules`: XLA computes with other instructions than the
    optimizer's own kernel, and the trainable elements differ from it in their last bits. The
    frozen ones do not.
    """

    def __init__(self, mask):
        self._mask = mask

    def update(self, leaf, hook, grad, variable):
        """Returns the optimizer's update with the frozen elements put back, compiled as one."""
        slots = list(slots_of(leaf, variable).values())

        def fused(grad, mask):
            old, old_slots = variable.read_value(), [slot.read_value() for slot in slots]
            with v1.control_dependencies([hook(grad, variable)]):
                new = _tf.select(mask, old, variable.read_value())
            if slots:
                # The slots come second, from an update of their own (XLA drops the
                # other halves), because the variable's update reads the old ones:
                # in any other order XLA copies them first, which costs as much again.
                with v1.control_dependencies([new]):
                    back = [slot.assign(before) for slot, before in zip(slots, old_slots)]
                with v1.control_dependencies(back + [variable.assign(old)]):
                    stepped = hook(_after(new, grad), variable)
                with v1.control_dependencies([stepped]):
                    for slot, before in zip(slots, old_slots):
                        slot.assign(_tf.select(mask, before, slot.read_value()))
            variable.assign(new)
            return tf.zeros([])

        compiled = tf.function(fused, jit_compile=True, autograph=False)
        return compiled(grad, self._mask.tensor()).op


def _after(first, grad):
    """Returns the gradient, which XLA must think depends on another tensor."""
    element = tf.reshape(first, [-1])[:1]
    never = tf.reduce_any(
        tf.logical_and(tf.not_equal(element, element), tf.equal(element, element))
    )
    return _tf.where(never, tf.zeros_like(grad), grad)


def slots_of(leaf, variable):
    """Returns {slot name: slot} of one variable."""
    named = {name: leaf.get_slot(variable, name) for name in leaf.get_slot_names()}
    return {name: slot for name, slot in named.items() if slot is not None}


class Scratch:
    """Variables in the place of a variable and its slots, for the optimizer to update.

    Nothing saves or initialises them: every step fills them again.
    """

    def __init__(self, leaf, variable, shape_of, name):
        self._leaf = leaf
        self._slots = slots_of(leaf, variable)
        self._states = [variable] + list(self._slots.values())
        self._scratch = [_tf.scratch_variable(s, shape_of(s), name) for s in self._states]
        self._filled = []

    def fill(self, value_of):
        """Assigns each the value of its state."""
        assigned = [
            # A variable of as many rows as a run needs takes the shape of its value.
            v1.assign(s, value_of(state), validate_shape=s.shape.is_fully_defined())
            for state, s in zip(self._states, self._scratch)
        ]
        self._filled = [getattr(assign, "op", assign) for assign in assigned]

    def step(self, hook, grad):
        """Returns the optimizer's update of them, once they are filled."""
        with _tf.after(self._filled):
            for scratch in self._scratch:
                _tf.read_from_here_on(scratch)
            slots = dict(zip(self._slots, self._scratch[1:]))
            with _lent(self._leaf, slots, self._scratch[0]):
                return hook(grad, self._scratch[0])

    def each(self, build):
        """Returns one op of ``build(state, scratch variable)`` for all."""
        return tf.group(*[build(state, s) for state, s in zip(self._states, self._scratch)])


def slots_lent(leaf, variable, other):
    """Returns a context in which the optimizer finds the slots of one variable as another's."""
    return _lent(leaf, slots_of(leaf, variable), other)


@contextlib.contextmanager
def _lent(leaf, slots, variable):
    """Gives the optimizer these, {slot name: slot}, as a variable's slots while open."""
    key = _tf.slot_key(variable)
    for name, slot in slots.items():
        leaf._slots[name][key] = slot
    try:
        yield
    finally:
        for name in slots:
            del leaf._slots[name][key]
