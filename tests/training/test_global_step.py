"""The global step goes to the innermost optimizer: who counts it alone counts it wrapped."""

import numpy as np
import pytest

from tfgraphtools._tf import IS_TF1
from training_cases import same_bits

#: {id: wrapped(training, optimizer)}, none of which changes what the optimizer does.
WRAPPERS = {
    "rates": lambda t, o: t.LRMultiplierOptimizer(o, {"w": 1}),
    "freeze": lambda t, o: t.FreezeOptimizer(o, {"w": [False, False]}),
    "transform": lambda t, o: t.GradientTransformOptimizer(o, lambda pairs: pairs),
    "decay": lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w": 0.0}),
    "accumulation": lambda t, o: t.GradientAccumulationOptimizer(o, 1),
    "average": lambda t, o: t.ExponentialAverageOptimizer(o, 0.5),
    "weight-average": lambda t, o: t.WeightAverageOptimizer(o),
    "lookahead": lambda t, o: t.LookaheadOptimizer(o, 100),
    "trust": lambda t, o: t.TrustRatioOptimizer(o, of="gradient", exclude="w"),
    "partition": lambda t, o: t.PartitionOptimizer([t.Group("all", "w", o)]),
}
WRAPPERS["pair"] = lambda t, o: WRAPPERS["rates"](t, WRAPPERS["average"](t, o))
WRAPPERS["other-pair"] = lambda t, o: WRAPPERS["accumulation"](t, WRAPPERS["freeze"](t, o))
WRAPPERS["triple"] = lambda t, o: WRAPPERS["partition"](
    t, WRAPPERS["lookahead"](t, WRAPPERS["decay"](t, o))
)


@pytest.fixture(autouse=True)
def ref_variables_in_branches(variables, v1):
    """No optimizer of TensorFlow reaches a ref variable in a branch of control flow v2."""
    if variables == "ref":
        v1.disable_control_flow_v2()


def optimizers(tf):
    """{id: a function that makes an optimizer with an apply_gradients of its own}."""
    train = tf.compat.v1.train
    sgd = train.GradientDescentOptimizer

    class NotCounting(train.Optimizer):
        """As BERT's AdamWeightDecayOptimizer: the script adds one to the global step."""

        def __init__(self):
            super().__init__(False, "NotCounting")

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            updates = [v.assign_sub(0.1 * g) for g, v in grads_and_vars if g is not None]
            return tf.group(*updates, name=name)

    class Reading(sgd):
        """As AddSign with a decay: its steps depend on the global step."""

        counts = True

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            if global_step is None:
                raise ValueError("global_step is required")
            share = 1 / (1 + tf.cast(global_step, tf.float32))
            pairs = [(share * g, v) for g, v in grads_and_vars if g is not None]
            return super().apply_gradients(pairs, global_step if self.counts else None, name)

    class ReadingNotCounting(Reading):
        counts = False

    class Skipping(train.Optimizer):
        """As a loss scale: it takes and counts no step whose gradients are not finite."""

        def __init__(self):
            super().__init__(False, "Skipping")
            self._optimizer = train.MomentumOptimizer(0.1, 0.9)

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            finite = tf.stack([tf.reduce_all(tf.math.is_finite(g)) for g, _ in grads_and_vars])
            return tf.cond(
                tf.reduce_all(finite),
                lambda: self._optimizer.apply_gradients(grads_and_vars, global_step, name),
                tf.no_op,
            )

        def get_slot_names(self):
            return self._optimizer.get_slot_names()

        def get_slot(self, variable, name):
            return self._optimizer.get_slot(variable, name)

        def variables(self):
            return self._optimizer.variables()

    made = {
        "counting": lambda: sgd(0.1),
        "not-counting": NotCounting,
        "reading": lambda: Reading(0.1),
        "reading-not-counting": lambda: ReadingNotCounting(0.1),
        "skipping": Skipping,
    }
    if IS_TF1:
        from tensorflow.contrib import opt
        from tensorflow.contrib.opt.python.training import sign_decay

        decay = sign_decay.get_linear_decay_fn(10)
        made["add-sign"] = lambda: opt.AddSignOptimizer(0.1, sign_decay_fn=decay)
        made["power-sign"] = lambda: opt.PowerSignOptimizer(0.1, sign_decay_fn=decay)
    return made


KINDS = ["counting", "not-counting", "reading", "reading-not-counting", "skipping"]
KINDS += ["add-sign", "power-sign"] if IS_TF1 else []
GRADIENTS = [[1.0, -2.0], [0.5, 1.0], [np.nan, 1.0], [3.0, 0.25]]


def runs(wrap, kind, v1, tf):
    """Returns [(w, global step)] after each run."""
    with v1.Graph().as_default(), v1.Session() as run:
        w = v1.get_variable("w", initializer=[1.0, 2.0])
        grad = v1.placeholder(tf.float32, [2])
        count = v1.train.get_or_create_global_step()
        optimizer = wrap(optimizers(tf)[kind]())
        step = optimizer.apply_gradients([(grad, w)], global_step=count)
        run.run(v1.global_variables_initializer())
        seen = []
        for values in GRADIENTS:
            run.run(step, {grad: values})
            seen.append(run.run([w, count]))
    return seen


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrapper", sorted(WRAPPERS))
def test_as_the_optimizer_alone(wrapper, kind, variables, v1, tf, training):
    expected = runs(lambda one: one, kind, v1, tf)
    counts = {
        "not-counting": [0, 0, 0, 0],
        "reading-not-counting": [0, 0, 0, 0],
        "skipping": [1, 2, 2, 3],
    }
    assert [count for _, count in expected] == counts.get(kind, [1, 2, 3, 4])
    seen = runs(lambda one: WRAPPERS[wrapper](training, one), kind, v1, tf)
    for (w, count), (wrapped, wrapped_count) in zip(expected, seen):
        assert same_bits(w, wrapped) and count == wrapped_count


@pytest.mark.parametrize(
    "kinds, counts",
    [
        (("counting", "not-counting"), [1, 2, 3, 4]),
        (("not-counting", "reading-not-counting"), [0, 0, 0, 0]),
        (("reading", "reading"), [1, 2, 3, 4]),
        (("reading", "reading-not-counting"), [1, 2, 3, 4]),
        (("skipping", "not-counting"), [1, 2, 2, 3]),
        (("skipping", "skipping"), [1, 2, 2, 3]),
        (("skipping", "counting"), [1, 2, 3, 4]),
    ],
    ids=str,
)
def test_groups_count_once(kinds, counts, variables, graph, v1, tf, training, session):
    """And each group's weights are as with its optimizer alone."""
    weights = [v1.get_variable(f"w{i}", initializer=[1.0, 2.0]) for i in range(2)]
    grad = v1.placeholder(tf.float32, [2])
    count = v1.train.get_or_create_global_step()
    made = [optimizers(tf)[kind]() for kind in kinds]
    optimizer = training.PartitionOptimizer(
        [training.Group(f"g{i}", f"w{i}", one) for i, one in enumerate(made)]
    )
    step = optimizer.apply_gradients([(grad, w) for w in weights], global_step=count)
    run = session()
    for values, expected in zip(GRADIENTS, counts):
        run.run(step, {grad: values})
        assert run.run(count) == expected
    if "reading" not in kinds[0] or counts[-1]:
        for kind, w in zip(kinds, run.run(weights)):
            if kind != "reading-not-counting":  # alone it never gets beyond step 0
                assert same_bits(w, runs(lambda one: one, kind, v1, tf)[-1][0])


def test_an_accumulation_in_a_group(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0])
    u = v1.get_variable("u", initializer=[1.0])
    count = v1.train.get_or_create_global_step()
    slow = training.GradientAccumulationOptimizer(v1.train.GradientDescentOptimizer(0.5), 3)
    other = training.GradientAccumulationOptimizer(
        v1.train.GradientDescentOptimizer(0.5), 2, name="Other"
    )
    optimizer = training.PartitionOptimizer(
        [training.Group("w", "w", slow), training.Group("u", "u", other)]
    )
    step = optimizer.minimize(tf.reduce_sum(w) + tf.reduce_sum(u), global_step=count)
    run, counts = session(), []
    for _ in range(6):
        run.run(step)
        counts.append(int(run.run(count)))
    assert counts == [0, 1, 2, 3, 3, 4]  # in runs 2, 3, 4 and 6 one of them takes a step
