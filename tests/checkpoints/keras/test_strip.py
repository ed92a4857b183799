"""`strip` of what tf.train.Checkpoint saves of a model of Keras 3 and its optimizer."""

import numpy as np
import pytest

from tfgraphtools import checkpoints

pytestmark = pytest.mark.quick

#: {id: (an optimizer, the variables that it keeps for one that it trains)}
OPTIMIZERS = {
    "sgd": (lambda o: o.SGD(0.1), 0),
    "momentum": (lambda o: o.SGD(0.1, momentum=0.9), 1),
    "adam": (lambda o: o.Adam(0.01), 2),
    "averages": (lambda o: o.Adam(0.01, use_ema=True), 2),
    "accumulation": (lambda o: o.Adam(0.01, gradient_accumulation_steps=2), 3),
    "centered": (lambda o: o.RMSprop(0.1, centered=True, momentum=0.9), 3),
}


def build(keras):
    layers = keras.layers
    return keras.Sequential(
        [layers.Input((3,)), layers.Dense(3), layers.BatchNormalization(), layers.Dense(2)]
    )


@pytest.mark.parametrize("case", sorted(OPTIMIZERS))
def test_weights_stay_and_state_goes(keras3, tf, tmp_path, case):
    """The model's weights are saved under the optimizer's names: they must stay all the same."""
    make, slots = OPTIMIZERS[case]
    model = build(keras3)
    optimizer = make(keras3.optimizers)
    optimizer.build(model.trainable_variables)
    for i, variable in enumerate(model.weights):
        variable.assign(np.full(variable.shape, i + 1.0))
    prefix = tf.train.Checkpoint(model=model, optimizer=optimizer).write(str(tmp_path / "a"))
    with checkpoints.open_checkpoint(prefix) as ckpt:
        plan = checkpoints.strip(ckpt)
        assert len(plan.dropped) == 1 + 6 * slots  # the learning rate, and six trained variables
        assert len(checkpoints.strip(ckpt, global_step=True).dropped) == 2 + 6 * slots
        plan.apply(tmp_path / "stripped", compact=True)
    fresh = build(keras3)
    status = tf.train.Checkpoint(model=fresh).restore(str(tmp_path / "stripped"))
    status.expect_partial()
    for weight, other in zip(model.get_weights(), fresh.get_weights()):
        np.testing.assert_array_equal(weight, other)
