"""The optimizer of Keras that goes on exactly from one of TF 1, and why another does not.

Measured by training 20 steps in TF 1.15 and 20 more in both (tests/checkpoints/test_sparse.py):
with sparse gradients, such as those of embeddings, every optimizer of Keras 3 that keeps slots
is 1e-3 to 2 off. TF 1 sums repeated rows before it squares them and, but for Adam, leaves rows
without a gradient alone; Keras 3 does neither. tf_keras.optimizers.legacy does what TF 1 does.
An Embedding layer of Keras 3 has a sparse gradient, whatever TF 1's was.
"""

import numpy as np

from tfgraphtools.checkpoints.optimizers.hyperparameters import settings
from tfgraphtools.checkpoints.optimizers.tf1_optimizers import KERAS, KINDS
from tfgraphtools.errors import PlanError

_DROP = "or leave the optimizer's state behind (--drop-optimizer)."


def own_numbers(ckpt, detection, kind):
    """Returns {hyper-parameter: number} that the checkpoint of a tf.keras optimizer holds.

    Raises:
      PlanError: a decay of the learning rate, which no optimizer of Keras 3 has.
    """
    numbers = {name: float(np.asarray(ckpt[of])) for name, of in detection.numbers.items()}
    if numbers.get("decay"):
        raise PlanError(
            f"the optimizer's state: {detection.numbers['decay']!r}",
            "a constant learning rate, or a schedule in the new optimizer",
            "{:g}, a decay at each step".format(numbers["decay"]),
            f"Drop this tensor and go on with InverseTimeDecay, {_DROP}",
        )
    return {name: value for name, value in numbers.items() if name in KINDS[kind].defaults}


def require_exact(kind, flavour, hyper=None):
    """Raises `PlanError` if an optimizer of a flavour computes something else.

    Args:
      kind: a key of `KINDS`.
      flavour: `KERAS` or `LEGACY`.
      hyper: hyper-parameters.
    """
    is_keras_rmsprop = KINDS[kind].keras == "RMSprop" and KINDS[kind].saved_as is None
    if flavour == KERAS and is_keras_rmsprop and "momentum" not in _slots(kind):
        epsilon = settings(kind, hyper)["epsilon"]
        raise PlanError(
            f"the state of {kind}",
            "an optimizer that adds epsilon as it did, after the square root",
            f"RMSprop of Keras 3, which adds {epsilon:g} before it",
            f"Go on with tf_keras.optimizers.legacy.RMSprop, {_DROP}",
        )


def _slots(kind):
    return [row.name for row in KINDS[kind].slots]


def require_dense(variable, kind, flavour, reason):
    """Raises `PlanError` for a variable with a sparse gradient, unless the flavour is exact.

    Args:
      variable: its name.
      kind, flavour: as in `require_exact`.
      reason: how it is known, in words.
    """
    if flavour != KERAS or not KINDS[kind].slots:
        return
    raise PlanError(
        f"the optimizer's state of {variable!r}",
        "an optimizer that treats sparse gradients as TF 1 does",
        f"{KINDS[kind].keras} of Keras 3, which does not; {reason}",
        f"Go on with tf_keras.optimizers.legacy.{KINDS[kind].keras}, which is exact; pass "
        f"sparse_gradients=[] (--sparse-gradients none) to accept the difference; {_DROP}",
    )
