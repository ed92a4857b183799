"""A checkpoint of an earlier phase, which has not all: what is new starts from the variables."""

import numpy as np
import pytest

from tfgraphtools._tf import IS_TF1

#: What nothing may be computed from: the initial value of the new variable.
FAR = -100.0
FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = [] if IS_TF1 else ["complex64", "complex128"]  # TF 1.15 has no kernels

#: {id: wrap(training, optimizer)}
KEEPERS = {
    "lookahead": lambda t, o: t.LookaheadOptimizer(o, 2),
    "weight-average": lambda t, o: t.WeightAverageOptimizer(o),
    "average": lambda t, o: t.ExponentialAverageOptimizer(o, 0.875),
    "debiased": lambda t, o: t.ExponentialAverageOptimizer(o, 0.875, debias=True),
}
#: {id: wrap(training, optimizer)} of what is around or inside.
OTHERS = {
    "freeze": lambda t, o: t.FreezeOptimizer(o, {".*": False}),
    "rates": lambda t, o: t.LRMultiplierOptimizer(o, {".*": 1.0}),
    "transform": lambda t, o: t.GradientTransformOptimizer(o, t.transforms.scale(1.0)),
    "decay": lambda t, o: t.DecoupledWeightDecayOptimizer(o, {".*": 0.0}),
    "accumulation": lambda t, o: t.GradientAccumulationOptimizer(o, 1),
    "trust": lambda t, o: t.TrustRatioOptimizer(o),
    "partition": lambda t, o: t.PartitionOptimizer([t.Group("all", ".*", o)]),
    "skip": lambda t, o: t.SkipNonFiniteOptimizer(o),
    "scale": lambda t, o: t.LossScaleOptimizer(o, 8.0),
}


def restored_names(v1, saver_of, session, path):
    """Restores by a stock Saver of the variables whose names the checkpoint has."""
    known = {name for name, _ in v1.train.list_variables(path)}
    saver_of([v for v in v1.global_variables() if _saved_name(v) in known]).restore(session, path)


def _saved_name(variable):
    info = getattr(variable, "_save_slice_info", None)
    return variable.op.name if info is None else info.full_name


class Phases:
    """Two phases of one training: `old` is in both, `new` is trained in the second alone.

    Each moves by nothing: an average of it is what it is, unless something else is mixed in.
    """

    def __init__(self, v1, tf, wrap, tmp_path, kind="float32", shape=(2,)):
        self.v1, self.tf, self.wrap = v1, tf, wrap
        self.kind, self.shape, self.path = kind, shape, str(tmp_path / "model")

    def build(self, trained):
        tf, v1 = self.tf, self.v1
        old, new = (
            v1.get_variable(name, initializer=tf.cast(tf.fill(self.shape, FAR), self.kind))
            for name in ("old", "new")
        )
        optimizer = self.wrap(v1.train.GradientDescentOptimizer(1.0))
        chosen = {"old": old, "new": new}
        step = optimizer.apply_gradients([(tf.zeros_like(chosen[n]), chosen[n]) for n in trained])
        return old, new, step

    def run(self, first=("old",), second=("old", "new"), steps=(11, 4)):
        """Returns the values of what the second phase leaves, by names."""
        tf, v1 = self.tf, self.v1
        with v1.Graph().as_default(), v1.Session() as session:
            old, new, step = self.build(first)
            sevens = [
                v1.assign(v, tf.cast(tf.fill(self.shape, 7.0), self.kind)) for v in (old, new)
            ]
            session.run(v1.global_variables_initializer())
            session.run(sevens)
            for _ in range(steps[0]):
                session.run(step)
            v1.train.Saver().save(session, self.path)
        with v1.Graph().as_default(), v1.Session() as session:
            old, new, step = self.build(second)
            session.run(v1.global_variables_initializer())
            restored_names(v1, v1.train.Saver, session, self.path)
            for _ in range(steps[1]):
                session.run(step)
            wide = {v.op.name: tf.cast(v.read_value(), "complex128") for v in v1.global_variables()}
            return session.run(wide)


def check_sevens(values):
    averages = {n: v for n, v in values.items() if n.startswith(("old", "new"))}
    averages = {n: v for n, v in averages.items() if not n.endswith("/gradient_sum")}
    for name, value in averages.items():
        assert np.all(value == 7), (name, value)
    assert len(averages) > 2


@pytest.mark.costly(in_ci=12)
@pytest.mark.parametrize("kind", FLOATS + COMPLEX)
@pytest.mark.parametrize("shape", [(), (2, 3)], ids=str)
@pytest.mark.parametrize("keeper", KEEPERS)
def test_a_variable_joins(keeper, shape, kind, variables, v1, tf, training, tmp_path):
    """Its average starts from it, whatever the counter of the steps says."""
    if kind.startswith("complex") and variables == "ref":
        pytest.skip("TensorFlow has no kernel")
    phases = Phases(v1, tf, lambda o: KEEPERS[keeper](training, o), tmp_path, kind, shape)
    check_sevens(phases.run())


@pytest.mark.costly(in_ci=12)
@pytest.mark.parametrize("inside", [False, True], ids=["outside", "inside"])
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("keeper", KEEPERS)
def test_a_variable_joins_in_pairs(keeper, other, inside, v1, tf, training, tmp_path):
    def wrap(optimizer):
        if inside:
            return KEEPERS[keeper](training, OTHERS[other](training, optimizer))
        return OTHERS[other](training, KEEPERS[keeper](training, optimizer))

    check_sevens(Phases(v1, tf, wrap, tmp_path).run())


@pytest.mark.parametrize("keeper", KEEPERS)
def test_a_wrapper_joins(keeper, variables, v1, tf, training, tmp_path):
    """The first phase has no average at all, or another one."""
    phases = Phases(v1, tf, lambda o: o, tmp_path)
    with v1.Graph().as_default(), v1.Session() as session:
        old, new, step = phases.build(["old"])
        session.run(v1.global_variables_initializer())
        session.run([v1.assign(v, [7.0, 7.0]) for v in (old, new)])
        v1.train.Saver().save(session, phases.path)
    phases.wrap = lambda o: KEEPERS[keeper](training, o)
    with v1.Graph().as_default(), v1.Session() as session:
        _, _, step = phases.build(["old", "new"])
        session.run(v1.global_variables_initializer())
        restored_names(v1, v1.train.Saver, session, phases.path)
        for _ in range(3):
            session.run(step)
        check_sevens({v.op.name: session.run(v) for v in v1.global_variables()})
