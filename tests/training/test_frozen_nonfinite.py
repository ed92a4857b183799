"""Random set-ups in which the gradients of frozen elements are NaN and infinite.

A bigger draw by hand: ``TFGRAPHTOOLS_NONFINITE="7 300" pytest`` of this file.
"""

import os

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, OptimizerKindError
from training_cases import CORE, same_bits

SEED, COUNT = map(int, os.environ.get("TFGRAPHTOOLS_NONFINITE", "5 6").split())
SHAPE = (6, 4)
BAD = [np.nan, np.inf, -np.inf]

#: {letter: wrap(training, optimizer, random, mask, name)}
WRAPPERS = {
    "F": lambda t, o, r, mask, name: t.FreezeOptimizer(
        o, {"w": mask}, slots=r.choice(["keep", "keep", "reset", "compact"]), name=name
    ),
    "G": lambda t, o, r, mask, name: t.FreezeOptimizer(
        o, {"w": mask}, clock=r.choice(["global", "element"]), name=name
    ),
    "A": lambda t, o, r, mask, name: t.GradientAccumulationOptimizer(o, r.randint(1, 4), name=name),
    "K": lambda t, o, r, mask, name: t.LookaheadOptimizer(o, r.randint(1, 4), name=name),
    "E": lambda t, o, r, mask, name: t.ExponentialAverageOptimizer(o, 0.5, name=name),
    "W": lambda t, o, r, mask, name: t.WeightAverageOptimizer(o, r.randint(1, 4), name=name),
    "D": lambda t, o, r, mask, name: t.DecoupledWeightDecayOptimizer(o, {"w": 0.1}, name=name),
    "L": lambda t, o, r, mask, name: t.LRMultiplierOptimizer(o, {"w": 0.5}, name=name),
    "P": lambda t, o, r, mask, name: t.PartitionOptimizer([t.Group("all", "w", o)], name=name),
    "R": lambda t, o, r, mask, name: t.TrustRatioOptimizer(
        o, of=r.choice(["update", "gradient"]), name=name
    ),
    "T": lambda t, o, r, mask, name: t.GradientTransformOptimizer(
        o, t.transforms.scale(0.5), name=name
    ),
    "S": lambda t, o, r, mask, name: t.SkipNonFiniteOptimizer(o, name=name),
    "V": lambda t, o, r, mask, name: t.LossScaleOptimizer(o, 8.0, 2, name=name),
}


class Setup:
    """One drawn chain around a drawn optimizer, with a drawn kind of mask and of gradient."""

    def __init__(self, tf, training, seed):
        self.tf, self.v1, random = tf, tf.compat.v1, np.random.RandomState(seed)
        self.random = random
        self.dtype = random.choice(["float32", "float32", "float64"])
        self.kind = random.choice(["dense", "dense", "sparse", "partitioned"])
        self.case = random.choice(list(CORE))
        if self.case.startswith("proximal"):  # TensorFlow has no other
            self.dtype = "float32"
        letters = [random.choice(["F", "F", "G"])]
        letters += list(random.choice(list(WRAPPERS), random.randint(0, 4)))
        self.letters = "".join(random.permutation(letters))
        self.frozen = random.rand(*SHAPE) < 0.4
        self.released = self.v1.placeholder_with_default(False, [])
        self.words = f"{seed} {self.letters} {self.case} {self.kind} {self.dtype}"
        optimizer = CORE[self.case].build(self.v1.train, 0.05)
        self.w = self._variable()
        self.grad = self.v1.placeholder(self.dtype, SHAPE)
        self.skipping, self.resets = [], False
        for depth, letter in enumerate(reversed(self.letters)):
            optimizer = WRAPPERS[letter](
                training, optimizer, random, self._mask(), f"Own{letter}{depth}"
            )
            self.resets |= getattr(optimizer, "slots_of_frozen", None) == "reset"
            if letter in "SV":
                self.skipping.append(optimizer)
        self.step = optimizer.apply_gradients(self._pairs())
        self.states = [v for v in self.v1.global_variables() if "Average" not in v.op.name]

    def _variable(self):
        start = self.random.normal(size=SHAPE).astype(self.dtype)
        if self.kind != "partitioned":
            return self.v1.get_variable("w", initializer=start)

        def part(shape, dtype=None, partition_info=None):
            begin = partition_info.var_offset[0]
            return self.tf.constant(start[begin : begin + shape[0]])

        with self.v1.variable_scope("", partitioner=self.v1.fixed_size_partitioner(2)):
            return self.v1.get_variable("w", SHAPE, self.tf.as_dtype(self.dtype), initializer=part)

    def _mask(self):
        if self.random.rand() < 0.4:  # it is never released
            return self.frozen
        return self.tf.logical_and(self.frozen, self.tf.logical_not(self.released))

    def _pairs(self):
        if self.kind == "partitioned":
            return list(zip(self.tf.split(self.grad, [3, 3]), list(self.w)))
        if self.kind == "sparse":
            rows = self.tf.range(SHAPE[0])
            return [(self.tf.IndexedSlices(self.grad, rows, self.tf.constant(SHAPE)), self.w)]
        return [(self.grad, self.w)]

    def _frozen_of(self, state):
        """The frozen elements of a state of the variable's own shape, or None."""
        shape = tuple(state.shape.as_list())
        if shape == SHAPE:
            return self.frozen
        if self.kind == "partitioned" and shape == (3, 4):
            return self.frozen[3:] if "/part_1" in state.op.name else self.frozen[:3]
        return None

    def check(self, run):
        """Runs it with bad gradients, compares the bits, releases, and runs it on."""
        run.run(self.v1.global_variables_initializer())
        good = lambda: self.random.normal(size=SHAPE)  # noqa: E731
        for _ in range(0 if self.resets else 2):
            run.run(self.step, {self.grad: good(), self.released: True})
        before = run.run(self.states)
        for _ in range(5):
            bad = self.random.choice(BAD, SHAPE)
            run.run(self.step, {self.grad: np.where(self.frozen, bad, good())})
        after = run.run(self.states)
        for state, old, new in zip(self.states, before, after):
            assert np.isfinite(new).all(), f"{self.words}: {state.op.name}"
            frozen = self._frozen_of(state)
            if frozen is not None and "OwnSteps" not in state.op.name:
                assert same_bits(old[frozen], new[frozen]), f"{self.words}: {state.op.name}"
        for optimizer in self.skipping:
            assert run.run(optimizer.skipped()) == 0, self.words
        everything = [v for v in self.v1.global_variables()]
        for _ in range(4):
            run.run(self.step, {self.grad: good(), self.released: True})
        for state, value in zip(everything, run.run(everything)):
            assert np.isfinite(value).all(), f"{self.words}: {state.op.name}"


def outcome(tf, training, seed):
    """True if a set-up holds, False if it is refused by name."""
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as run:
        try:
            setup = Setup(tf, training, seed)
        except (ArgumentError, OptimizerKindError):
            return False
        setup.check(run)
        return True


def check(tf, training, seeds):
    held = [outcome(tf, training, seed) for seed in seeds]
    assert sum(held) >= 0.5 * len(held)  # what is refused is the exception


def test_few(variables, tf, training):
    check(tf, training, range(1000 * SEED, 1000 * SEED + COUNT))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_three_hundred(part, variables, tf, training):
    check(tf, training, range(30 * part, 30 * part + 30))


def around(v1, inner):
    """A user's wrapper, which does not show the optimizer that it wraps."""

    class Around(v1.train.Optimizer):
        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            return inner.apply_gradients(grads_and_vars, global_step, name)

    return Around(False, "Around")


def with_local_state(v1):
    """An optimizer whose state is in a collection of its own choice."""

    class Local(v1.train.Optimizer):
        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            ((grad, variable),) = grads_and_vars
            with v1.variable_scope("", reuse=v1.AUTO_REUSE):
                m = v1.get_local_variable(
                    "w/m", initializer=np.zeros(3, np.float32), use_resource=False
                )
            moved = v1.assign(m, 0.9 * m + grad)
            return v1.assign_sub(variable, 0.1 * moved)

    return Local(False, "Local")


@pytest.mark.parametrize("plain_before", [False, True], ids=["new", "trained-before"])
@pytest.mark.parametrize("kind", ["around", "local"])
def test_state_that_is_no_slot(kind, plain_before, variables, graph, v1, training, session):
    """Made before the step is built, or outside of the global variables: it stays as the rest."""
    w = v1.get_variable("w", initializer=np.zeros(3, np.float32))
    grad, mask = v1.placeholder("float32", [3]), v1.placeholder("bool", [3])
    momentum = v1.train.MomentumOptimizer(0.1, 0.9)
    optimizer = around(v1, momentum) if kind == "around" else with_local_state(v1)
    if plain_before:
        optimizer.apply_gradients([(grad, w)])
    step = training.FreezeOptimizer(optimizer, {"w": mask}).apply_gradients([(grad, w)])
    local = v1.local_variables_initializer()
    run = session()
    run.run(local)
    run.run(step, {grad: [1, np.nan, 1], mask: [False, True, False]})
    run.run(step, {grad: [1, 1, 1], mask: [False, False, False]})
    np.testing.assert_allclose(run.run(w), [-0.29, -0.1, -0.29], rtol=1e-5)


def with_state_named(v1, name_of):
    """An optimizer that makes its momentum by itself: ``name_of(variable)`` is its name."""

    class Own(v1.train.Optimizer):
        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            updates = []
            for grad, variable in grads_and_vars:
                zeros = v1.zeros_initializer()
                m = v1.get_variable(name_of(variable), [3], initializer=zeros, trainable=False)
                moved = v1.assign(m, 0.9 * m + grad)
                updates.append(v1.assign_sub(variable, 0.1 * moved))
            return v1.group(*updates)

    return Own(False, "Own")


@pytest.mark.parametrize("scope", ["", "a"])
def test_state_in_the_scope_of_a_step(scope, variables, graph, v1, training, session):
    """In the scope "a" that of "w" has the name of "a/w", whose own is "a/a/w/m"."""
    w, other = (v1.get_variable(n, initializer=np.zeros(3, np.float32)) for n in ("w", "a/w"))
    grad, mask = v1.placeholder("float32", [3]), v1.placeholder("bool", [3])
    optimizer = with_state_named(v1, lambda variable: variable.op.name + "/m")
    with v1.variable_scope(scope):
        freezer = training.FreezeOptimizer(optimizer, {"w": mask})
        step = freezer.apply_gradients([(grad, w), (2 * grad, other)])
    run = session()
    run.run(step, {grad: [1, np.nan, 1], mask: [False, True, False]})
    run.run(step, {grad: [1, 1, 1], mask: [False, False, False]})
    np.testing.assert_allclose(run.run(w), [-0.29, -0.1, -0.29], rtol=1e-5)
    np.testing.assert_allclose(run.run(other), [-0.58, np.nan, -0.58], rtol=1e-5)


@pytest.mark.parametrize("name, refused", [("state", True), ("w/state", False)])
def test_state_without_the_name_of_a_variable(name, refused, variables, graph, v1, training):
    w = v1.get_variable("w", initializer=np.zeros(3, np.float32))
    optimizer = with_state_named(v1, lambda variable: name)
    freezer = training.FreezeOptimizer(optimizer, {"w": [True, False, False]})
    if not refused:
        freezer.apply_gradients([(v1.ones([3]), w)])
        return
    with pytest.raises(OptimizerKindError, match="got 'state' of the shape of 'w'.*'w/m'"):
        freezer.apply_gradients([(v1.ones([3]), w)])


def test_a_slot_that_is_reset_to_its_variable(variables, graph, v1, tf, training):
    """To the value before the step, and not to one in the middle of it."""

    class FromTheVariable(v1.train.GradientDescentOptimizer):
        def _create_slots(self, var_list):
            for variable in var_list:
                value = tf.identity(variable.read_value())
                self._get_or_make_slot(variable, value, "start", "start")

    w = v1.get_variable("w", initializer=np.float32([1.0, 2.0]))
    optimizer = training.FreezeOptimizer(FromTheVariable(1.0), {"w": [True, False]}, slots="reset")
    step = optimizer.apply_gradients([(tf.ones([2]), w)])
    slot = optimizer.get_slot(w, "start")
    with v1.Session() as run:
        run.run(w.initializer)
        run.run(slot.initializer)
        for _ in range(5):
            run.run(step)
            assert run.run([w, slot])[1].tolist() == [1.0, 2.0]
        assert run.run(w).tolist() == [1.0, -3.0]
