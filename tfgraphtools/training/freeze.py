"""Frozen elements: chosen elements of variables, and of their slots, stay bit for bit."""

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _masks, _optimizers, _wrapper
from tfgraphtools.training._state import StateFinder

_SLOTS = ("keep", "reset", "advance")


class FreezeOptimizer(_wrapper.WrapperOptimizer):
    """Trains with any optimizer while the elements under a mask stay as they are.

    After each step the frozen elements of a variable are bit for bit what they
    were before it, under every optimizer and whatever their gradient is, NaN
    included. (A gradient of zero is not a freeze: Adam, Momentum and others move
    on by their old moments.) The others are bit for bit what the optimizer makes
    of them. State keeps the plain optimizer's names, so its checkpoints restore
    with a stock ``Saver``.

    It does nothing to a variable that no key matches, and nothing to state that
    an optimizer keeps once for all variables, such as Adam's ``beta1_power``:
    that goes on with every step.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``, wrappers included.
      frozen: ``{selector: mask}``, each mask bool and True where frozen: an
        array, a tensor, a placeholder or a variable. A mask broadcasts to the
        variable's shape by NumPy's rules: shapes align at the last dimension, a
        scalar freezes the whole variable, ``(n, 1)`` freezes rows, and a
        partitioned variable takes one mask for the whole. The selectors
        exclude one another. A mask is read once, at the start of the step.
      slots: what happens to the frozen elements of slots: ``"keep"`` keeps them
        as they are, so that training goes on from them when an element is
        released; ``"reset"`` sets them to their initial values; ``"advance"``
        leaves them to the optimizer.
      clock: ``"global"``: Adam's bias correction counts all steps.
      fused: False.
      name: of the scope of ops.

    Example:
      >>> frozen = tf.compat.v1.placeholder(tf.bool, [4])
      >>> optimizer = FreezeOptimizer(tf.compat.v1.train.AdamOptimizer(), {"w": frozen})
      >>> train_op = optimizer.minimize(loss)
      >>> session.run(train_op, {frozen: [True, False, False, True]})

    Raises:
      MaskError: a mask that is not bool, or does not broadcast.
      NothingMatchedError, MatchedTwiceError: when the step is built: a key that
        matches no variable, or two that match the same one.
      OptimizerKindError: when the step is built: an optimizer whose state of a
        frozen variable has another shape.
    """

    def __init__(self, optimizer, frozen, slots="keep", clock="global", fused=False, name="Freeze"):
        _optimizers.check_optimizer(optimizer, "FreezeOptimizer")
        super().__init__([optimizer], name)
        _check_choice("slots", slots, _SLOTS)
        _check_choice("clock", clock, ("global",))
        _check_choice("fused", fused, (False,))
        items = list(frozen.items() if hasattr(frozen, "items") else frozen)
        if not items:
            raise ArgumentError(
                "FreezeOptimizer frozen", "{selector: mask}", "none", "Pass {'w': mask}, say."
            )
        self._frozen = [
            (selector, _masks.Mask(mask, "FreezeOptimizer frozen " + _select.shown(selector)))
            for selector, mask in items
        ]
        self._slots = slots
        self._finder = StateFinder(optimizer)

    def _apply(self, pairs, outside):
        mask_of = _select.assign_values(
            self._frozen,
            _wrapper.candidates([v for _, v in pairs]),
            "FreezeOptimizer frozen",
        )
        # Every op of the optimizer's step waits for this one, which waits for the
        # copies. They are made after it: only a step that is built has its state.
        copied = tf.no_op(name="copied")
        with v1.control_dependencies([copied]), v1.name_scope(outside):
            stepped = self._finder.watch(
                lambda: _optimizers.as_operation(self._wrapped[0].apply_gradients(pairs))
            )
        trained = [v for grad, v in pairs if grad is not None]
        restored = []
        for variable in trained:
            if variable in mask_of:
                states = self._finder.state_of(variable, trained)
                with v1.name_scope("frozen_" + variable.op.name), _tf.colocate_with(variable):
                    mask = mask_of.get(variable).of(variable)
                    restored += self._keep(variable, states, mask, copied, stepped)
        return tf.group(stepped, *restored, name="restored")

    def _keep(self, variable, states, mask, copied, stepped):
        """The ops that, after the step, put the frozen elements back."""
        _tf.add_control_inputs(copied, [mask.op])
        restored = [_restore(variable, _copy(variable, copied), mask, stepped)]
        for state in states:
            if self._slots == "keep":
                restored.append(_restore(state, _copy(state, copied), mask, stepped))
            elif self._slots == "reset":
                restored.append(_restore(state, state.initial_value, mask, stepped))
        return restored


def _copy(variable, copied):
    """The variable's value before the step, in memory of its own."""
    copy = _tf.DeepCopy(x=variable.read_value())
    _tf.add_control_inputs(copied, [copy.op])
    return copy


def _restore(variable, old, mask, stepped):
    """After the step: the old values where frozen, the new ones elsewhere."""
    with v1.control_dependencies([stepped]):
        return v1.assign(variable, _tf.where(mask, old, variable.read_value())).op


def _check_choice(argument, value, choices):
    if value not in choices:
        raise ArgumentError(
            f"FreezeOptimizer {argument}",
            "one of {}".format(", ".join(map(repr, choices))),
            repr(value),
            "See the docstring for what each does.",
        )
