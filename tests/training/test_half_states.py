"""Restores of a whole state, and of one half: slots without their count, or the count alone."""

import numpy as np
import pytest

from training_cases import same_bits

#: {id: wrap(training, tf, optimizer)}
WRAPPERS = {
    "none": lambda t, tf, o: o,
    "accumulation": lambda t, tf, o: t.GradientAccumulationOptimizer(o, 2),
    "waits": lambda t, tf, o: t.GradientAccumulationOptimizer(
        t.FreezeOptimizer(o, {"a/w": tf.compat.v1.get_variable("frozen", initializer=MASK)}), 2
    ),
    "lookahead": lambda t, tf, o: t.LookaheadOptimizer(o, 4),
    "weight-average": lambda t, tf, o: t.WeightAverageOptimizer(o),
    "average": lambda t, tf, o: t.ExponentialAverageOptimizer(o, 0.5),
    "debiased": lambda t, tf, o: t.ExponentialAverageOptimizer(o, 0.5, debias=True),
    "rule": lambda t, tf, o: t.ExponentialAverageOptimizer(
        o, lambda count: 1 - 1 / (tf.cast(count, tf.float32) + 2.0)
    ),
    "every": lambda t, tf, o: t.ExponentialAverageOptimizer(o, 0.5, every=2),
    "rule-every": lambda t, tf, o: t.ExponentialAverageOptimizer(
        o, lambda count: 1 - 1 / (tf.cast(count, tf.float32) + 2.0), every=3
    ),
    "skip": lambda t, tf, o: t.SkipNonFiniteOptimizer(o),
    "scale": lambda t, tf, o: t.LossScaleOptimizer(o, 8.0),
    "freeze": lambda t, tf, o: t.FreezeOptimizer(o, {"a/w": MASK}),
    "compact": lambda t, tf, o: t.FreezeOptimizer(o, {"a/w": MASK}, slots="compact"),
    "partition": lambda t, tf, o: t.PartitionOptimizer([t.Group("all", "a/w", o)]),
    "trust": lambda t, tf, o: t.TrustRatioOptimizer(o, of="gradient"),
    "decay": lambda t, tf, o: t.DecoupledWeightDecayOptimizer(o, {"a/w": 0.1}),
}
#: Those whose slots mean nothing without a count.
COUNTED = {
    "accumulation": "GradientAccumulation/runs",
    "waits": "GradientAccumulation/runs",
    "lookahead": "Lookahead/steps",
    "weight-average": "WeightAverage/steps",
    "rule": "ExponentialAverage/averagings",
    "every": "ExponentialAverage/steps",
    "rule-every": "ExponentialAverage/steps",
}
#: Of each all slots are made by TensorFlow, and none has a count that TensorFlow leaves out.
BASES = {
    "momentum": lambda t, v1: v1.train.MomentumOptimizer(0.1, 0.9),
    "adamw": lambda t, v1: t.AdamWOptimizer(0.1),
    "nadam": lambda t, v1: t.NadamOptimizer(0.1),
}
MASK = np.array([True, False, False])
#: Three runs before the restart: in the middle of all that counts to 2 or 4.
BEFORE, AFTER = 3, 4


class Job:
    """One training in a graph and session of its own; ``job.state()`` is all that it has."""

    def __init__(self, tf, training, wrapper, base, name=None):
        self.v1 = v1 = tf.compat.v1
        with v1.variable_scope("a"):
            w = v1.get_variable("w", initializer=[1.0, 2.0, 3.0])
        self.count = v1.train.get_or_create_global_step()
        self.optimizer = WRAPPERS[wrapper](training, tf, BASES[base](training, v1))
        if name:
            self.optimizer._name = name
        self.step = self.optimizer.apply_gradients([(tf.sin(w) + 0.3, w)], global_step=self.count)

    def start(self, session):
        session.run(self.v1.global_variables_initializer())

    def run(self, session, times):
        for _ in range(times):
            session.run(self.step)

    def state(self, session):
        return {v.op.name: session.run(v) for v in self.v1.global_variables()}


@pytest.fixture
def trained(tf, v1, training, tmp_path):
    """A function: a checkpoint in the middle of a training, and the state at its end."""

    def train(wrapper, base):
        path = str(tmp_path / "model")
        with v1.Graph().as_default(), v1.Session() as session:
            job = Job(tf, training, wrapper, base)
            job.start(session)
            job.run(session, BEFORE)
            v1.train.Saver().save(session, path)
            job.run(session, AFTER)
            return path, job.state(session)

    return train


def saved_names(v1, variables):
    return [v.op.name for v in variables]


#: {id: restore(v1, session, path, variables)}: variables are restored by their names.
RESTORES = {
    "saver": lambda v1, session, path, variables: v1.train.Saver(variables).restore(session, path),
    "map": lambda v1, session, path, variables: mapped(
        v1, session, path, {v.op.name: v for v in variables}
    ),
    "warm-start": lambda v1, session, path, variables: warm_started(
        v1, session, path, [v.op.name + ":" for v in variables]
    ),
}


def mapped(v1, session, path, names):
    v1.train.init_from_checkpoint(path, names)
    session.run(v1.global_variables_initializer())


def warm_started(v1, session, path, patterns):
    v1.train.warm_start(path, patterns)
    session.run(v1.global_variables_initializer())


def check_same(state, expected):
    assert sorted(state) == sorted(expected)
    for name, value in expected.items():
        assert same_bits(state[name], value), (name, state[name], value)


@pytest.mark.costly(in_ci=6)
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_all_scopes(wrapper, base, variables, tf, v1, training, trained):
    """``{"/": "/"}`` restores all that `get_variable` makes: no count of ours is left out."""
    path, expected = trained(wrapper, base)
    with v1.Graph().as_default(), v1.Session() as session:
        job = Job(tf, training, wrapper, base)
        mapped(v1, session, path, {"/": "/"})
        job.run(session, AFTER)
        check_same(job.state(session), expected)


@pytest.mark.costly(in_ci=6)
@pytest.mark.parametrize("restore", RESTORES)
@pytest.mark.parametrize("base", ["adam", *BASES])
@pytest.mark.parametrize("wrapper", sorted(set(WRAPPERS) - {"none"}))
def test_state_variables(wrapper, base, restore, variables, tf, v1, training, trained, monkeypatch):
    """With the variables and the global step they are the whole training."""
    monkeypatch.setitem(BASES, "adam", lambda t, v1: v1.train.AdamOptimizer(0.1))
    path, expected = trained(wrapper, base)
    with v1.Graph().as_default(), v1.Session() as session:
        job = Job(tf, training, wrapper, base)
        job.start(session)
        state = job.optimizer.state_variables()
        own = [v for v in v1.global_variables() if v.op.name in ("a/w", "frozen", "global_step")]
        assert sorted(saved_names(v1, state + own)) == sorted(expected)
        RESTORES[restore](v1, session, path, own + state)
        job.run(session, AFTER)
        check_same(job.state(session), expected)


@pytest.mark.costly(in_ci=4)
@pytest.mark.parametrize("restore", RESTORES)
@pytest.mark.parametrize("wrapper", sorted(COUNTED))
def test_slots_alone(wrapper, restore, variables, tf, v1, training, trained):
    """Refused in the first run, and in each until the count is there."""
    path, expected = trained(wrapper, "momentum")
    with v1.Graph().as_default(), v1.Session() as session:
        job = Job(tf, training, wrapper, "momentum")
        job.start(session)
        part = [v for v in v1.global_variables() if v.op.name.startswith("a/")]
        RESTORES[restore](v1, session, path, part)
        before = job.state(session)
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match=COUNTED[wrapper]):
                job.run(session, 1)
        check_same(job.state(session), before)
        v1.train.Saver().restore(session, path)
        job.run(session, AFTER)
        check_same(job.state(session), expected)


@pytest.mark.parametrize("wrapper", sorted(COUNTED))
def test_a_whole_restart_after_each_run(wrapper, variables, tf, v1, training, tmp_path):
    """Before the first averaging or step, too: a count that is still 0 is not a half state."""
    states = [None]
    with v1.Graph().as_default(), v1.Session() as session:
        job = Job(tf, training, wrapper, "momentum")
        saver = v1.train.Saver(max_to_keep=None)
        job.start(session)
        for run in range(1, 10):
            job.run(session, 1)
            saver.save(session, str(tmp_path / "model"), run, write_meta_graph=False)
            states.append(job.state(session))
    with v1.Graph().as_default():
        job = Job(tf, training, wrapper, "momentum")
        saver = v1.train.Saver()
        for run in range(1, 7):
            with v1.Session() as session:
                saver.restore(session, str(tmp_path / f"model-{run}"))
                job.run(session, 3)
                check_same(job.state(session), states[run + 3])


@pytest.mark.parametrize("base", ["adamw", "nadam"])
def test_slots_of_an_optimizer_alone(base, variables, tf, v1, training, trained):
    path, _ = trained("none", base)
    with v1.Graph().as_default(), v1.Session() as session:
        job = Job(tf, training, "none", base)
        mapped(v1, session, path, {"a/": "a/"})
        with pytest.raises(tf.errors.InvalidArgumentError, match="first without the second"):
            job.run(session, 1)


@pytest.mark.parametrize("wrapper", sorted(WRAPPERS))
def test_the_model_alone(wrapper, variables, tf, v1, training, trained):
    """A warm start of the weights is a new training from them."""
    path, _ = trained(wrapper, "momentum")
    states = []
    for is_restored in (True, False):
        with v1.Graph().as_default(), v1.Session() as session:
            job = Job(tf, training, wrapper, "momentum")
            job.start(session)
            (w,) = [v for v in v1.global_variables() if v.op.name == "a/w"]
            if is_restored:
                RESTORES["map"](v1, session, path, [w])
            else:
                w.load(v1.train.load_variable(path, "a/w"), session)
            job.run(session, AFTER)
            states.append(job.state(session))
    check_same(*states)


@pytest.mark.parametrize("wrapper", ["accumulation", "lookahead", "weight-average"])
def test_a_first_run_that_fails_is_no_half(wrapper, variables, graph, tf, v1, training, session):
    """It may start averages and not count itself: the next one goes on."""
    fails = v1.placeholder(tf.bool, [])

    def failing(pairs):
        with tf.control_dependencies([v1.debugging.Assert(tf.logical_not(fails), ["no"])]):
            return [(tf.identity(grad), variable) for grad, variable in pairs]

    w = v1.get_variable("a/w", initializer=[1.0, 2.0, 3.0])
    inner = training.GradientTransformOptimizer(BASES["momentum"](training, v1), failing)
    optimizer = WRAPPERS[wrapper](training, tf, inner)
    step = optimizer.apply_gradients([(tf.sin(w) + 0.3, w)])
    run = session()
    if wrapper == "accumulation":
        run.run(step, {fails: False})
    with pytest.raises(tf.errors.InvalidArgumentError):
        run.run(step, {fails: True})
    run.run(step, {fails: False})


@pytest.mark.parametrize("has_count", [False, True], ids=["slots", "count"])
@pytest.mark.parametrize("wrapper", sorted(COUNTED))
def test_what_fits(wrapper, has_count, variables, tf, v1, training, trained, tmp_path):
    """Of a checkpoint that has one half, `restore_what_fits` takes none: both start anew."""
    path, expected = trained(wrapper, "momentum")
    part = str(tmp_path / "part")
    counts = [name for name in expected if "Average/" in name or name == COUNTED[wrapper]]
    slots = [name for name in expected if name.startswith("a/w/") and "Momentum" not in name]
    with v1.Graph().as_default(), v1.Session() as session:
        job = Job(tf, training, wrapper, "momentum")
        v1.train.Saver().restore(session, path)
        left_out = slots if has_count else [COUNTED[wrapper]]
        v1.train.Saver([v for v in v1.global_variables() if v.op.name not in left_out]).save(
            session, part
        )
    with v1.Graph().as_default(), v1.Session() as session:
        job = Job(tf, training, wrapper, "momentum")
        result = training.restore_what_fits(session, part)
        assert "a/w" in result.restored and "a/w/Momentum" in result.restored
        if has_count:
            assert result.started[COUNTED[wrapper]] == "nothing that it counts is restored"
        else:
            assert {"a/w", "a/w/Momentum"} & set(result.started) == set()
            reason = f"its count {COUNTED[wrapper]} is not restored"
            assert [result.started[name] for name in slots] == [reason] * len(slots)
        job.run(session, AFTER)
    assert counts and slots


def minimized(tf, optimizer, w, count):
    return optimizer.minimize(tf.reduce_sum(tf.sin(w)), global_step=count)


@pytest.mark.parametrize("restore", ["saver", "slots"])
def test_mirrored(restore, variables, v1, tf, training, tmp_path):
    """The state of all copies, and a half of it, which is refused."""
    path, states = str(tmp_path / "model"), []
    for is_restored in (False, True):
        strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
        config = v1.ConfigProto(device_count={"CPU": 2})
        with v1.Graph().as_default(), strategy.scope(), v1.Session(config=config) as session:
            w = v1.get_variable("w", initializer=[1.0, 2.0])
            count = v1.train.get_or_create_global_step()
            inner = training.LookaheadOptimizer(BASES["momentum"](training, v1), 4)
            optimizer = training.GradientAccumulationOptimizer(inner, 2)
            run = getattr(strategy, "run", None) or strategy.experimental_run_v2
            step = strategy.group(run(minimized, args=(tf, optimizer, w, count)))
            state = optimizer.state_variables()
            names = {v.op.name for v in v1.global_variables()}
            assert {v.op.name for v in state} == names - {"w", "global_step"}
            slots = [v for v in state if v.op.name.startswith("w/")]
            saver = v1.train.Saver([w, count, *(state if restore == "saver" else slots)])
            session.run(v1.global_variables_initializer())
            if not is_restored:
                for _ in range(BEFORE):
                    session.run(step)
                saver.save(session, path)
            else:
                saver.restore(session, path)
                if restore == "slots":
                    with pytest.raises(tf.errors.InvalidArgumentError, match="/runs"):
                        session.run(step)
                    return
            for _ in range(AFTER):
                session.run(step)
            copies = [c for v in [w, *state] for c in strategy.experimental_local_results(v)]
            states.append({c.op.name: session.run(c) for c in copies})
    check_same(*states)


#: The wrappers of which each of two groups has one, with a state of their own.
GROUPED = {
    "accumulation": lambda t, o, name: t.GradientAccumulationOptimizer(o, 4, name=name),
    "lookahead": lambda t, o, name: t.LookaheadOptimizer(o, 4, name=name),
    "weight-average": lambda t, o, name: t.WeightAverageOptimizer(o, name=name),
}


@pytest.mark.parametrize("wrapper", GROUPED)
def test_one_look_for_all_groups(wrapper, variables, tf, v1, training, tmp_path):
    """The half state of the second group is named, and no group is changed."""
    names = ("one", "two")

    def built():
        weights = [v1.get_variable(name, initializer=[1.0, 2.0]) for name in names]
        optimizers = [
            GROUPED[wrapper](training, v1.train.MomentumOptimizer(0.1, 0.9), f"Own_{name}")
            for name in names
        ]
        groups = [training.Group(n, n, o) for n, o in zip(names, optimizers)]
        return training.PartitionOptimizer(groups).apply_gradients(
            [(tf.constant([1.0, 1.0]), weight) for weight in weights]
        )

    path = str(tmp_path / "model")
    with v1.Graph().as_default(), v1.Session() as session:
        step = built()
        session.run(v1.global_variables_initializer())
        session.run(step)
        v1.train.Saver().save(session, path)
    with v1.Graph().as_default() as graph, v1.Session() as session:
        step = built()
        session.run(v1.global_variables_initializer())
        every = v1.global_variables()
        half = [v for v in every if v.op.name.startswith("two/")]
        v1.train.Saver(half).restore(session, path)
        before = session.run(every)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Own_two/.* of one training"):
            session.run(step)
        assert all(map(same_bits, session.run(every), before))
        assert sum("is_first_run" in op.name for op in graph.get_operations()) == 1
        v1.train.Saver().restore(session, path)
        session.run(step)
