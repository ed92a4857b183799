"""zero_gradient_effects against the table measured by hand on plain TensorFlow."""

import inspect

import numpy as np
import pytest

from tfgraphtools._tf import IS_TF1
from tfgraphtools.errors import ArgumentError, OptimizerKindError
from training_cases import CORE, same_bits

#: After 3 steps of gradient 0.5 at rate 0.1, on zeros: how far the variable moves,
#: and whether its slots change.
CORE_TABLE = {
    "sgd": (0, False),
    "momentum": (0.122, True),
    "nesterov": (0.110, True),
    "adagrad": (0, False),
    "adagrad-da": (0, False),
    "adadelta": (0, True),
    "adam": (0.0819, True),
    "rmsprop": (0, True),
    "rmsprop-centered": (0, True),
    "rmsprop-momentum": (0.132, True),
    "ftrl": (0, False),
}

MORE = {
    "rmsprop-centered-momentum": (
        lambda t, o: t.RMSPropOptimizer(0.1, momentum=0.9, centered=True),
        (0.133, True),
    ),
    "proximal-adagrad": (lambda t, o: t.ProximalAdagradOptimizer(0.1), (0, False)),
    "proximal-sgd": (lambda t, o: t.ProximalGradientDescentOptimizer(0.1), (0, False)),
    "proximal-sgd-l1-l2": (
        lambda t, o: t.ProximalGradientDescentOptimizer(
            0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.01
        ),
        (0.0051, False),
    ),
}

CONTRIB = {
    "lazy-adam": (lambda t, o: o.LazyAdamOptimizer(0.1), (0.0819, True)),
    "moving-average": (lambda t, o: o.MovingAverageOptimizer(t.AdamOptimizer(0.1)), (0.0819, True)),
    "adamax": (lambda t, o: o.AdaMaxOptimizer(0.1), (0.071, True)),
    "nadam": (lambda t, o: o.NadamOptimizer(0.1), (0.0737, True)),
    "adamw": (lambda t, o: o.AdamWOptimizer(0.01, 0.1), (0.108, True)),
    "power-sign": (lambda t, o: o.PowerSignOptimizer(0.1), (0, True)),
    "add-sign": (lambda t, o: o.AddSignOptimizer(0.1), (0, True)),
    "ggt": (lambda t, o: o.GGTOptimizer(0.1), None),
    "lars": (lambda t, o: o.LARSOptimizer(0.1), None),
}


def check(effects, wanted):
    moves, slots_change = wanted
    assert effects.after_steps["variable"] == pytest.approx(moves, rel=0.01)
    slots = [change for name, change in effects.after_steps.items() if name.startswith("slot")]
    assert any(slots) == slots_change
    assert effects.freezes == (
        not moves and not slots_change and not effects.first_step["variable"]
    )


@pytest.mark.parametrize("case", CORE_TABLE)
def test_the_core_optimizers(case, variables, v1, training):
    effects = training.zero_gradient_effects(lambda: CORE[case].build(v1.train, 0.1))
    check(effects, CORE_TABLE[case])
    resets = case in ("ftrl", "adagrad-da")  # from [1, -2, 3, -4] to zeros
    assert effects.first_step["variable"] == (4 if resets else 0)
    left_out = effects.left_out_rows
    assert (left_out["variable"] > 0.05) == (case == "adam")
    assert any(v for k, v in left_out.items() if k.startswith("slot")) == (case == "adam")


@pytest.mark.parametrize("case", MORE)
def test_their_other_configurations(case, variables, v1, training):
    build, wanted = MORE[case]
    check(training.zero_gradient_effects(build(v1.train, None)), wanted)


@pytest.mark.skipif(not IS_TF1, reason="tf.contrib is in TF 1.15 only")
@pytest.mark.parametrize("case", CONTRIB)
def test_contribs(case, variables, v1, tf, training):
    build, wanted = CONTRIB[case]
    effects = training.zero_gradient_effects(build(v1.train, tf.contrib.opt))
    if wanted is None:  # these depend on the size of the variable: they move, that is all
        assert effects.after_steps["variable"] > 0 and not effects.freezes
    else:
        check(effects, wanted)
    no_sparse = case == "ggt" or (case.endswith("-sign") and variables == "resource")
    assert (effects.left_out_rows is None) == no_sparse
    if not no_sparse and case in ("nadam", "power-sign", "adamw"):
        assert (effects.left_out_rows["variable"] > 0) == (case == "adamw")
        assert effects.left_out_rows["slot m"] > 0


def test_state_kept_once_advances(v1, training):
    effects = training.zero_gradient_effects(v1.train.AdamOptimizer(0.1))
    assert effects.after_steps["state beta1_power"] == pytest.approx(0.1 * 0.9**4, rel=1e-4)


def test_as_the_formula_after_other_numbers_of_steps(v1, training):
    for steps in (1, 2, 5):
        effects = training.zero_gradient_effects(v1.train.MomentumOptimizer(0.1, 0.9), steps)
        moment = 0.5 * sum(0.9**i for i in range(steps))
        assert effects.after_steps["variable"] == pytest.approx(0.09 * moment, rel=1e-5)


def test_the_table(v1, training):
    text = str(training.zero_gradient_effects(v1.train.MomentumOptimizer(0.1, 0.9)))
    shown = inspect.getdoc(training.zero_gradient_effects)  # Python 3.13 takes its indent away
    assert text in shown.replace("\n  ", "\n")
    text = str(training.zero_gradient_effects(v1.train.GradientDescentOptimizer(0.1)))
    assert text.endswith("A gradient of 0 freezes here, as far as this run shows.")


def contents_of(optimizer):
    """The attributes of an optimizer and, two levels deep, what its containers hold."""

    def inside(value):
        if isinstance(value, dict):
            return {key: dict(v) if isinstance(v, dict) else id(v) for key, v in value.items()}
        return list(value) if isinstance(value, list) else None

    return {name: (id(value), inside(value)) for name, value in vars(optimizer).items()}


def adam_with_a_diary(v1):
    """An Adam that writes down in a list of its own what it prepares."""

    class Diary(v1.train.AdamOptimizer):
        def __init__(self, rate):
            super().__init__(rate)
            self.diary = []

        def _prepare(self):
            super()._prepare()
            self.diary.append(self._lr_t)

    return Diary(0.1)


@pytest.mark.parametrize("built", [False, True], ids=["before-training", "in-training"])
def test_the_optimizer_is_untouched(built, variables, graph, v1, tf, training, session):
    names = ["audited", "twin"]
    values = [v1.get_variable(name, initializer=[1.0, 2.0]) for name in names]
    optimizers = [adam_with_a_diary(v1) for _ in names]
    build = [
        lambda o=o, v=v: o.minimize(tf.reduce_sum(v**2), var_list=[v])
        for o, v in zip(optimizers, values)
    ]
    steps = [build_step() for build_step in build] if built else []
    before = contents_of(optimizers[0]), len(graph.get_operations())
    training.zero_gradient_effects(optimizers[0])
    assert (contents_of(optimizers[0]), len(graph.get_operations())) == before
    assert v1.get_default_graph() is graph
    steps = steps or [build_step() for build_step in build]
    run = session()
    for _ in range(3):
        run.run(steps)
    assert same_bits(*run.run(values)) and not np.array_equal(run.run(values[0]), [1, 2])


def test_a_wrapper_from_a_function(v1, training):
    def build():
        return training.DecoupledWeightDecayOptimizer(
            v1.train.GradientDescentOptimizer(0.1), {".*": 0.01}
        )

    effects = training.zero_gradient_effects(build)
    assert effects.name == "DecoupledWeightDecayOptimizer" and not effects.freezes
    assert effects.first_step["variable"] == pytest.approx(0.04)


def bound_to_a_graph(v1, training):
    """Optimizers that have something of the current graph in them."""
    v1.get_variable("w", initializer=1.0)
    adam, rate = v1.train.AdamOptimizer, v1.placeholder(v1.float32, [])
    return {
        "tensor-rate": adam(rate),
        "global-step": v1.train.AdagradDAOptimizer(0.1, v1.train.get_or_create_global_step()),
        "ours": training.FreezeOptimizer(adam(), {"w": True}),
    }


@pytest.mark.parametrize("case", ["tensor-rate", "global-step", "ours"])
def test_what_cannot_be_copied_is_refused(case, variables, graph, v1, training):
    optimizer = bound_to_a_graph(v1, training)[case]
    with pytest.raises(OptimizerKindError, match=r"Pass a function.*lambda: \w+Optimizer"):
        training.zero_gradient_effects(optimizer)


@pytest.mark.parametrize(
    "argument, error, words",
    [
        (0.1, OptimizerKindError, "zero_gradient_effects.*0.1"),
        (lambda: 0.1, OptimizerKindError, "zero_gradient_effects.*0.1"),
    ],
    ids=["number", "function-of-a-number"],
)
def test_mistakes(argument, error, words, training):
    with pytest.raises(error, match=words):
        training.zero_gradient_effects(argument)


def test_steps_must_be_an_int(v1, training):
    with pytest.raises(ArgumentError, match="steps.*got 0"):
        training.zero_gradient_effects(v1.train.AdamOptimizer(), steps=0)
