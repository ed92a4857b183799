"""The number of steps taken: Keras's ``iterations``, TF 1's beta powers.

TF 1's Adam saves beta1_power and beta2_power, which are beta ** (steps + 1), as float32; Keras
computes them from ``iterations``. So steps = ln(beta2_power) / ln(beta2) - 1. beta1_power (0.9)
reaches 0 after 828 steps, beta2_power (0.999) after about 87,000.
"""

import math

import numpy as np

from tfgraphtools.checkpoints.optimizers.hyperparameters import settings
from tfgraphtools.errors import PlanError

_SMALLEST = float(np.finfo(np.float32).tiny)  # below it the logarithm is no longer exact
_EPSILON = float(np.finfo(np.float32).eps)


def steps_taken(ckpt, detection, hyper=None, steps=None):
    """Returns the number of steps that the optimizer has taken.

    Args:
      ckpt: an open checkpoint, or a dict of arrays.
      detection: what `detect` found in it.
      hyper: hyper-parameters of Adam by TF 1's names (``beta1``, ``beta2``).
      steps: the number, if it is known: it is then checked against nothing.

    Returns:
      An int: from the beta powers and global_step, which must agree; global_step's own value if
      it is nearer than the powers' rounding. None if there is neither.

    Example:
      >>> powers = {"beta1_power": np.float32(0.9**21), "beta2_power": np.float32(0.999**21)}
      >>> steps_taken(powers, Detection({}, [("beta1_power", "beta2_power")], None, {}))
      20

    Raises:
      PlanError: the beta powers fit no number of steps with these betas, contradict global_step
        or each other, or are 0 and there is no global_step.
    """
    if steps is not None:
        return int(steps)
    counted = None
    if detection.global_step is not None:
        counted = int(np.asarray(ckpt[detection.global_step]))
    if not any(slot_set.kind in ("Adam", "AdamW") for slot_set in detection.by_variable.values()):
        if detection.by_variable or not detection.beta_powers:
            return counted
    merged = settings("Adam", {k: v for k, v in (hyper or {}).items() if k in ("beta1", "beta2")})
    for pair in detection.beta_powers:
        counted = _agreed(ckpt, pair, merged, counted)
    if counted is None and detection.beta_powers:
        raise PlanError(
            "the steps that Adam has taken",
            "a beta2_power that is not 0, or a global_step",
            "beta powers that have reached 0",
            "Pass steps=..., the number of steps trained (--steps).",
        )
    return counted


def _agreed(ckpt, pair, merged, counted):
    """Returns the steps that a pair of beta powers says, checked against what was known before."""
    readings = []  # (how far it may be off, steps, name), the surest first
    for name, beta in zip(pair, ("beta1", "beta2")):
        steps = name and _steps_of(float(np.asarray(ckpt[name])), float(merged[beta]))
        if steps:
            readings.append((steps[1], steps[0], name))
    readings.sort()
    source = "global_step"
    if counted is None and readings:
        counted, source = int(round(readings[0][1])), readings[0][2]
    for doubt, steps, name in readings:
        if abs(steps - counted) > doubt + 0.01:
            raise PlanError(
                "the steps that Adam has taken",
                f"{name} and {source} to agree",
                f"{name} after {steps:.6g} steps with the betas {merged['beta1']:g} and "
                f"{merged['beta2']:g}, {source} after {counted}",
                "Pass the beta1 and beta2 of the training, or steps=... (--steps): the steps of "
                "Adam keep its bias correction, those of global_step keep a schedule.",
            )
    return counted


def _steps_of(power, beta):
    """Returns (steps, how far they may be off) of a beta power; None if it has reached 0.

    Each of the products that made it was rounded; TF 1 had the beta itself as float32.
    """
    if power < _SMALLEST:
        return None
    beta = float(np.float32(beta))
    if power == beta == 1:
        return None  # it says nothing
    if not 0 < beta < 1:
        raise PlanError(
            "the steps that Adam has taken",
            "the betas of the training",
            f"a beta of {beta:g}, which makes no power of {power:g}",
            "Build the new optimizer with the beta_1 and beta_2 of TF 1's.",
        )
    logarithm = math.log(beta)
    steps = math.log(power) / logarithm - 1
    return steps, (steps + 1) * _EPSILON / 2 / -logarithm


def beta_powers(hyper=None, steps=0):
    """Returns (beta1_power, beta2_power) after some steps, in float32 as in TF 1's Adam.

    They are multiplied up as TF 1 does it, one rounding a step, so that a training that goes on
    has the same bits.

    Example:
      >>> float(beta_powers({"beta1": 0.5, "beta2": 0.25}, steps=2)[1])
      0.015625
    """
    merged = settings("Adam", {k: v for k, v in (hyper or {}).items() if k in ("beta1", "beta2")})
    return tuple(_power(np.float32(merged[name]), steps) for name in ("beta1", "beta2"))


def _power(beta, steps):
    power = beta
    for _ in range(steps):
        following = np.float32(power * beta)
        if following < _SMALLEST:  # TF's kernels flush what is smaller to 0
            return np.float32(0)
        if following == power:  # a beta of 1, or so near that it stays
            break
        power = following
    return power
