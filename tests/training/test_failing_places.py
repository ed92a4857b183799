"""A run that fails anywhere before the first write leaves everything as it was."""

import numpy as np
import pytest

from training_cases import same_bits

PLACES = [
    "gradient",
    "another gradient",
    "values of rows",
    "indices of rows",
    "mask of elements",
    "mask of rows",
    "mask of a variable",
    "rate",
    "beta1",
    "beta2",
    "epsilon",
    "decay",
    "another decay",
    "multiplier",
    "decay of the average",
    "updates of the average",
    "rate of slow weights",
    "runs of a step",
    "coefficient",
    "decay of the ratio",
    "bound of a transform",
    "gradient in a transform",
]


class Model:
    """Every argument that may be a tensor is one, behind an assertion that a run can fail."""

    def __init__(self, tf, training):
        self.tf, v1 = tf, tf.compat.v1
        self.good = {place: v1.placeholder_with_default(True, []) for place in PLACES}
        w, u = (v1.get_variable(n, initializer=np.ones([4, 2], np.float32)) for n in "wu")
        table = v1.get_variable("t", initializer=np.ones([4, 2], np.float32))
        adam = v1.train.AdamOptimizer(
            *[self.asserted(p, x) for p, x in zip(PLACES[7:11], (0.1, 0.9, 0.999, 1e-8))]
        )
        t, a = training, self.asserted
        optimizer = t.TrustRatioOptimizer(
            adam,
            coefficient=a("coefficient", 1.0),
            decays={"w": a("decay of the ratio", 0.01)},
        )
        optimizer = t.LRMultiplierOptimizer(optimizer, {"w": a("multiplier", 0.5)})
        optimizer = t.DecoupledWeightDecayOptimizer(
            optimizer, {"w": a("decay", 0.1), "u": a("another decay", 0.1)}
        )
        masks = {
            "w": a("mask of elements", [[True, False]] * 4),
            "t": a("mask of rows", [[True], [False], [True], [False]]),
            "u": a("mask of a variable", False),
        }
        optimizer = t.FreezeOptimizer(optimizer, masks)
        optimizer = t.LookaheadOptimizer(optimizer, 2, a("rate of slow weights", 0.5))
        optimizer = t.ExponentialAverageOptimizer(
            optimizer, a("decay of the average", 0.5), a("updates of the average", 3.0)
        )
        optimizer = t.GradientAccumulationOptimizer(optimizer, a("runs of a step", 2))
        optimizer = t.GradientTransformOptimizer(optimizer, self.transformed)
        ones = tf.ones([4, 2])
        rows = tf.IndexedSlices(
            a("values of rows", ones[:2]), a("indices of rows", [1, 2]), tf.constant([4, 2])
        )
        grads = [a("gradient", ones), a("another gradient", ones), rows]
        count = v1.train.get_or_create_global_step()
        self.step = optimizer.apply_gradients(list(zip(grads, [w, u, table])), global_step=count)
        self.states = v1.global_variables()

    def asserted(self, place, value):
        """The value as a tensor that fails where the place is fed to be bad."""
        words = ["fails: " + place]
        with self.tf.control_dependencies(
            [self.tf.compat.v1.debugging.Assert(self.good[place], words)]
        ):
            return self.tf.identity(value)

    def transformed(self, pairs):
        bound = self.asserted("bound of a transform", 5.0)
        clipped = [
            (g if isinstance(g, self.tf.IndexedSlices) else self.tf.minimum(g, bound), v)
            for g, v in pairs
        ]
        (grad, variable), *others = clipped
        return [(self.asserted("gradient in a transform", grad), variable), *others]


@pytest.mark.costly(in_ci=1)
@pytest.mark.parametrize(
    "skips", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["plain", "skips"]
)
def test_all_or_nothing(skips, variables, graph, v1, tf, training, session):
    """In a run that only adds, and in one that takes the step."""
    wrapped = training
    if skips:

        class Skipping:
            """As `training`, with an optimizer that skips inside the accumulation."""

            def __getattr__(self, name):
                return getattr(training, name)

            def LookaheadOptimizer(self, optimizer, *arguments):
                skips = training.SkipNonFiniteOptimizer(optimizer)
                return training.LookaheadOptimizer(skips, *arguments)

        wrapped = Skipping()
    model = Model(tf, wrapped)
    count = v1.train.get_global_step()
    run = session()
    assert len(PLACES) >= 20
    for taken in range(2):
        for place in PLACES:
            before = run.run(model.states)
            with pytest.raises(tf.errors.InvalidArgumentError, match="fails: " + place):
                run.run(model.step, {model.good[place]: False})
            for state, old, new in zip(model.states, before, run.run(model.states)):
                assert same_bits(old, new), (place, state.op.name)
        run.run(model.step)
        assert run.run(count) == taken
