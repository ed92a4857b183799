"""The optimizers' maths, one step at a time, against their update rules in NumPy; and detection."""

import numpy as np
import pytest

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.errors import ArgumentError, PlanError

pytestmark = pytest.mark.quick

RATE, FACTOR = 0.125, 0.9  # a rate that float32 has exactly
GRADIENTS = np.random.RandomState(0).normal(size=(6, 4)).astype(np.float64)


def tf1_momentum(weights, accumulator, gradient, nesterov):
    """TF 1's ApplyMomentum."""
    accumulator = FACTOR * accumulator + gradient
    step = gradient + FACTOR * accumulator if nesterov else accumulator
    return weights - RATE * step, accumulator


def keras_momentum(weights, velocity, gradient, nesterov):
    """Keras's SGD."""
    velocity = FACTOR * velocity - RATE * gradient
    step = FACTOR * velocity - RATE * gradient if nesterov else velocity
    return weights + step, velocity


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("flavour", optimizers.FLAVOURS)
def test_momentum_goes_on(nesterov, flavour):
    hyper = {"learning_rate": RATE, "momentum": FACTOR, "use_nesterov": nesterov}
    weights, accumulator = np.ones(4), np.zeros(4)
    for gradient in GRADIENTS[:3]:
        weights, accumulator = tf1_momentum(weights, accumulator, gradient, nesterov)
    slots = optimizers.to_keras("Momentum", {"momentum": accumulator}, hyper, flavour)
    there, velocity = weights, slots["momentum"]
    for gradient in GRADIENTS[3:]:
        weights, accumulator = tf1_momentum(weights, accumulator, gradient, nesterov)
        there, velocity = keras_momentum(there, velocity, gradient, nesterov)
    np.testing.assert_allclose(there, weights, rtol=1e-12)
    back = optimizers.to_tf1("Momentum", {"momentum": velocity}, hyper, flavour)
    np.testing.assert_allclose(back["momentum"], accumulator, rtol=1e-12)


@pytest.mark.parametrize("flavour", optimizers.FLAVOURS)
@pytest.mark.parametrize("kind", sorted(optimizers.KINDS))
def test_there_and_back(kind, flavour):
    rows = optimizers.KINDS[kind].slots
    slots = {row.name: np.full(2, i + 1, np.float32) for i, row in enumerate(rows)}
    hyper = {"learning_rate": RATE}
    keras = optimizers.to_keras(kind, slots, hyper, flavour)
    assert list(keras) == list(optimizers.kept(kind, hyper, flavour))
    back = optimizers.to_tf1(kind, keras, hyper, flavour)
    of_keras = kind.startswith("tf.keras")
    is_rmsprop = optimizers.KINDS[kind].keras == "RMSprop" and not of_keras
    if is_rmsprop and flavour == optimizers.KERAS:
        assert not back.pop("momentum").any()  # without a momentum no step reads it
        slots.pop("momentum")
    assert {name: value.tolist() for name, value in back.items()} == {
        name: value.tolist() for name, value in slots.items()
    }


def test_an_array_keeps_its_type():
    for dtype in ("float16", "float32", "float64"):
        slots = {"momentum": np.ones(2, dtype)}
        assert (
            optimizers.to_keras("Momentum", slots, {"learning_rate": 1})["momentum"].dtype == dtype
        )


#: (kind, what is given, flavour, the call that goes on)
CONFIGS = [
    ("GradientDescent", {"learning_rate": 1}, "keras", ("SGD", {"learning_rate": 1})),
    (
        "Adam",
        {},
        "keras",
        ("Adam", {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-8}),
    ),
    ("Adagrad", {}, "keras", ("Adagrad", {"epsilon": 0.0, "initial_accumulator_value": 0.1})),
    ("Adagrad", {}, "legacy", ("Adagrad", {"epsilon": 1e-37, "initial_accumulator_value": 0.1})),
    (
        "CenteredRMSProp",
        {"decay": 0.5},
        "legacy",
        ("RMSprop", {"rho": 0.5, "momentum": 1e-37, "epsilon": 1e-10, "centered": True}),
    ),
    (
        "RMSProp",
        {"momentum": 0.5},
        "keras",
        ("RMSprop", {"rho": 0.9, "momentum": 0.5, "epsilon": 1e-10, "centered": False}),
    ),
]


@pytest.mark.parametrize("kind, hyper, flavour, call", CONFIGS)
def test_the_optimizer_that_goes_on(kind, hyper, flavour, call):
    assert optimizers.keras_config(kind, hyper, flavour) == call


# Detection ------------------------------------------------------------------------


def shapes(*names):
    return dict.fromkeys(("w",) + names, (2,))


#: (names besides w, kind, {slot: name})
DETECTED = [
    (["w/Adam", "w/Adam_1"], "Adam", {"m": "w/Adam", "v": "w/Adam_1"}),
    (["w/Adam_2", "w/Adam_3"], "Adam", {"m": "w/Adam_2", "v": "w/Adam_3"}),
    (["w/Momentum"], "Momentum", {"momentum": "w/Momentum"}),
    (["w/Momentum_1"], "Momentum", {"momentum": "w/Momentum_1"}),
    (["opt/w/Momentum"], "Momentum", {"momentum": "opt/w/Momentum"}),
    (["w/RMSProp", "w/RMSProp_1"], "RMSProp", {"rms": "w/RMSProp", "momentum": "w/RMSProp_1"}),
    (
        ["w/RMSProp", "w/RMSProp_1", "w/RMSProp_2"],
        "CenteredRMSProp",
        {"rms": "w/RMSProp", "mg": "w/RMSProp_1", "momentum": "w/RMSProp_2"},
    ),
    (["w/Ftrl", "w/Ftrl_1"], "Ftrl", {"accum": "w/Ftrl", "linear": "w/Ftrl_1"}),
    (["w/Adagrad", "w/ExponentialMovingAverage"], "Adagrad", {"accumulator": "w/Adagrad"}),
]


@pytest.mark.parametrize("names, kind, slots", DETECTED)
def test_detected(names, kind, slots):
    detection = optimizers.detect(shapes(*names))
    assert detection.by_variable == {"w": optimizers.Found(kind, slots)}
    assert bool(detection.averages) == ("w/ExponentialMovingAverage" in names)


def test_nothing_is_detected_without_slots():
    detection = optimizers.detect(
        {"w": (2,), "global_step": (), "beta1_power": (), "beta2_power": ()}
    )
    assert not detection.by_variable and detection.global_step == "global_step"
    assert detection.beta_powers == [("beta1_power", "beta2_power")]


def test_an_optimizer_with_a_name_of_its_own():
    detection = optimizers.detect(shapes("w/Mine", "w/Mine_1"), names={"Mine": "Adam"})
    assert detection.by_variable["w"].kind == "Adam"
    with pytest.raises(PlanError, match="names="):
        optimizers.detect(shapes("w/Mine", "w/Adam", "w/Adam_1"), names={"Mine": "Momentum"})


# Steps ----------------------------------------------------------------------------


def adam(**values):
    """(values, Detection) of a checkpoint with Adam."""
    slot_sets = {"w": optimizers.Found("Adam", {})}
    step = "global_step" if "global_step" in values else None
    return values, optimizers.Detection(slot_sets, [("beta1_power", "beta2_power")], step, {})


@pytest.mark.parametrize("steps", [0, 1, 20, 827, 828, 5000, 80000])
def test_the_steps_in_the_beta_powers(steps):
    first, second = optimizers.beta_powers(steps=steps)
    values, detection = adam(beta1_power=first, beta2_power=second)
    assert (first == 0) == (steps >= 828)
    assert optimizers.steps_taken(values, detection) == steps


def test_beta_powers_are_tensorflows(tf, v1, graph):
    """One float32 product a step, as the graph of TF 1's Adam makes them."""
    variable = v1.get_variable("w", initializer=[1.0])
    optimizer = v1.train.AdamOptimizer()
    train = optimizer.minimize(tf.reduce_sum(variable))
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        for _ in range(39):
            session.run(train)
        powers = session.run(optimizer._get_beta_accumulators())
    assert tuple(powers) == optimizers.beta_powers(steps=39)


def test_other_optimizers_count_by_global_step():
    slot_sets = {"w": optimizers.Found("Adagrad", {})}
    detection = optimizers.Detection(slot_sets, [], "global_step", {})
    assert optimizers.steps_taken({"global_step": np.int64(3)}, detection) == 3
    assert optimizers.steps_taken({}, detection._replace(global_step=None)) is None


@pytest.mark.parametrize(
    "values, hyper, words",
    [
        (dict(beta1_power=0.9**6, beta2_power=0.999**6, global_step=500), {}, "global_step after"),
        (dict(beta1_power=0.9**6, beta2_power=0.999**6), {"beta2": 0.99}, "to agree"),
        (dict(beta1_power=0.0, beta2_power=0.0), {}, "steps="),
    ],
    ids=["another-global-step", "another-beta", "reached-zero"],
)
def test_steps_that_are_not_known(values, hyper, words):
    values, detection = adam(**{name: np.float32(value) for name, value in values.items()})
    with pytest.raises(PlanError, match=words):
        optimizers.steps_taken(values, detection, hyper)
    assert optimizers.steps_taken(values, detection, hyper, steps=7) == 7


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: optimizers.to_keras("Momentum", {"momentum": np.ones(1)}), "learning_rate"),
        (lambda: optimizers.to_keras("Adam", {"m": np.ones(1)}, {}), "m, v"),
        (
            lambda: optimizers.to_tf1("Momentum", {"momentum": np.ones(1)}, {"learning_rate": 0}),
            "not 0",
        ),
        (lambda: optimizers.settings("Adam", {"epsilon": float("nan")}), "a number"),
    ],
    ids=["no-rate", "a-slot-missing", "a-rate-of-zero", "not-finite"],
)
def test_bad_arguments(call, words):
    with pytest.raises(ArgumentError, match=words):
        call()
