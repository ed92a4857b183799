"""The slots of one variable, from TF 1 to Keras and back.

Sources: the update rules in tensorflow/core/kernels/training_ops.cc of TF 1.15, in
keras/src/optimizers/*.py of Keras 3, and in tf_keras/src/optimizers/legacy/*.py.

    Momentum   TF 1:  a' = momentum * a + g,        w -= lr * a'
               Keras: v' = momentum * v - lr * g,   w += v'          hence v = -lr * a
               Nesterov alike: w -= lr * (g + momentum * a'), w += momentum * v' - lr * g
    others     the same slots, whatever their names
"""

import numpy as np

from tfgraphtools.checkpoints.optimizers.hyperparameters import settings
from tfgraphtools.checkpoints.optimizers.tf1_optimizers import KERAS, KINDS, LEGACY, SAME
from tfgraphtools.errors import ArgumentError


def is_same(kind, slot):
    """Tells whether a slot (TF 1's name) has the same numbers in Keras: its bytes can stay."""
    return next(row.rule for row in KINDS[kind].slots if row.name == slot) == SAME


def to_keras(kind, slots, hyper=None, flavour=KERAS):
    """Returns Keras's slots of a variable from TF 1's.

    RMSProp without momentum: Keras 3 keeps no momentum slot, and TF 1's, which holds nothing that
    the next step uses, is left out.

    Args:
      kind: a key of `KINDS`.
      slots: {TF 1's name of the slot, as in `Detection`: array}.
      hyper: hyper-parameters by TF 1's names. Momentum needs the ``learning_rate`` in force: with
        a schedule that goes on changing, TF 1's and Keras's momentum are two algorithms.
      flavour: `KERAS` or `LEGACY`.

    Returns:
      {Keras's name of the slot: array of the same type}, in the order in which Keras makes them.

    Example:
      >>> to_keras("Momentum", {"momentum": np.float32([2.0])}, {"learning_rate": 0.5})
      {'momentum': array([-1.], dtype=float32)}

    Raises:
      ArgumentError: a slot is missing or unknown, or the learning rate that is needed is not given.
    """
    rows = KINDS[kind].slots
    _require(kind, slots, [row.name for row in rows])
    out = {}
    for name, row in kept(kind, hyper, flavour).items():
        value = slots[row.name]
        out[name] = value if row.rule == SAME else scaled(value, velocity_factor(kind, hyper))
    return out


def to_tf1(kind, slots, hyper=None, flavour=KERAS):
    """Returns TF 1's slots of a variable from Keras's; the reverse of `to_keras`.

    Args:
      kind, hyper, flavour: as in `to_keras`.
      slots: {Keras's name of the slot: array}.

    Returns:
      {TF 1's name of the slot: array}. A momentum slot that Keras did not keep is all zeros.

    Example:
      >>> to_tf1("Momentum", {"momentum": np.float32([-1.0])}, {"learning_rate": 0.5})
      {'momentum': array([2.], dtype=float32)}

    Raises:
      ArgumentError: as in `to_keras`, or a learning rate of 0, whose velocity says nothing.
    """
    names = {row: name for name, row in kept(kind, hyper, flavour).items()}
    _require(kind, slots, list(names.values()))
    out = {}
    for row in KINDS[kind].slots:
        if row not in names:
            out[row.name] = np.zeros_like(next(iter(slots.values())))
            continue
        value = slots[names[row]]
        out[row.name] = (
            value if row.rule == SAME else scaled(value, accumulator_factor(kind, hyper))
        )
    return out


def kept(kind, hyper=None, flavour=KERAS):
    """Returns {Keras's name of a slot: its `Slot`} of the slots that a flavour keeps.

    Keras 3's RMSprop without momentum keeps no momentum slot. The legacy one is given a momentum
    that changes nothing (`hyperparameters.TINY`), and so it keeps one.

    Example:
      >>> list(kept("Adam", flavour="legacy"))
      ['m', 'v']
    """
    rows = KINDS[kind].slots
    if (
        KINDS[kind].keras == "RMSprop"
        and KINDS[kind].saved_as
        and flavour == KERAS
        and not settings(kind, hyper)["momentum"]
    ):
        rows = [row for row in rows if row.name != "momentum"]
    return {row.legacy if flavour == LEGACY else row.keras: row for row in rows}


def velocity_factor(kind, hyper):
    """Returns what Keras's velocity is times TF 1's accumulator: minus the learning rate.

    As float32, in which both keep it: so the way back finds the same factor in the checkpoint.
    """
    return -float(np.float32(settings(kind, hyper, ["learning_rate"])["learning_rate"]))


def accumulator_factor(kind, hyper):
    """Returns what TF 1's accumulator is times Keras's velocity."""
    factor = velocity_factor(kind, hyper)
    if factor == 0:
        raise ArgumentError(
            f"the hyper-parameters of {kind}",
            "a learning rate that is not 0",
            "0",
            "A velocity of -0 * accumulator has forgotten the accumulator: drop the optimizer.",
        )
    return 1 / factor


def scaled(array, factor):
    """Returns an array times a number, rounded once to the array's type."""
    array = np.asarray(array)
    return (array.astype(np.float64) * factor).astype(array.dtype)


def _require(kind, slots, wanted):
    if sorted(slots) != sorted(wanted):
        raise ArgumentError(
            f"the slots of {kind}",
            ", ".join(wanted) or "none",
            ", ".join(map(repr, slots)) or "none",
            "Give all of them, and no others.",
        )
