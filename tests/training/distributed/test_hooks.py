"""Every hook under a MirroredStrategy, on a server and in one process: what it leaves behind."""

import contextlib

import numpy as np
import pytest
from hook_setups import MASK, PLACES, REPLICAS, START, Setup
from stepping_threads import CHECKPOINTS, stepping

from tfgraphtools.errors import ArgumentError, FrozenMovedError, OptimizerKindError
from training_cases import same_bits


@pytest.fixture(scope="module")
def server(tf):
    return tf.compat.v1.train.Server({"ps": ["localhost:0"]}, "ps", 0)  # any free port


@pytest.fixture(params=PLACES)
def setup(request, variables, graph, tf, v1, training, server):
    v1.Session.reset(server.target)
    yield Setup(tf, v1, training, request.param, server)
    v1.Session.reset(server.target)


def test_averages_are_read_and_the_variables_kept(setup, tmp_path):
    """Whether the evaluation ends well or fails; a checkpoint of its session has the variables."""
    v1 = setup.v1
    save = v1.train.CheckpointSaverHook(str(tmp_path), save_steps=1000)
    with setup.session([save]) as session:
        for _ in range(8):
            session.run(setup.step)
        w, average = session.run([setup.read, first(setup, setup.average.average(setup.w))])
    assert not same_bits(w, average)
    hook = setup.training.AverageHook(setup.average)
    for fails in (True, False):
        with contextlib.suppress(ZeroDivisionError):
            with setup.session([hook], tmp_path) as session:
                assert same_bits(session.run(setup.read), average)
                session.run_step_fn(
                    lambda step_context: check(step_context.session.run(setup.read, None), w)
                )
                if fails:
                    raise ZeroDivisionError
        if setup.place == "server":
            with v1.Session(setup.target) as other:
                assert same_bits(other.run(setup.read), w)


def check(value, expected):
    assert same_bits(value, expected)


def first(setup, variable):
    """The variable, or the first of its copies."""
    return setup.strategy.experimental_local_results(variable)[0] if setup.strategy else variable


def test_a_run_that_trains_is_refused(setup, tmp_path):
    with setup.session() as session:
        session.run([setup.step])
        session.run([setup.step])
        saver = setup.v1.get_collection(setup.v1.GraphKeys.SAVERS)[0]
        session.run_step_fn(
            lambda step_context: saver.save(step_context.session, str(tmp_path / "model.ckpt"))
        )
    hook = setup.training.AverageHook(setup.average)
    with pytest.raises(ArgumentError, match="change no variable that has an average"):
        with setup.session([hook], tmp_path) as session:
            session.run(setup.step)


def test_masks_change(setup):
    """After step 1 all is released, in every copy: nothing joins the final graph."""
    hook = setup.training.UnfreezeHook({1: {"frozen": False}})
    with setup.session([hook]) as session:
        for released in (False, True, True, True):  # as the run after the step sees it
            before = session.run(setup.read)
            assert same_bits(before[MASK], START[MASK])
            session.run(setup.step)
            if setup.strategy:
                copies = list(setup.strategy.experimental_local_results(setup.frozen))
                assert [copy.any() for copy in session.run(copies)] == [not released] * REPLICAS
        assert (session.run(setup.read) != START)[MASK].all()


def test_swapped(setup):
    with setup.session() as session:
        for _ in range(4):
            session.run(setup.step)
        w, average = session.run([setup.read, first(setup, setup.average.average(setup.w))])
        with setup.average.swapped(session):
            assert same_bits(session.run(setup.read), average)
        assert same_bits(session.run(setup.read), w)
        assert not same_bits(w, average)


def test_a_flush(setup, tmp_path):
    """Outside of its strategy it is refused before the first run, not at the end of training."""
    hook = setup.training.FlushHook(setup.sums, str(tmp_path))
    scope = contextlib.nullcontext()
    if setup.strategy:
        with pytest.raises(OptimizerKindError, match="flush: expected the strategy that 'w"):
            hook.begin()
        scope = setup.strategy.scope()
    with scope, setup.session([hook]) as session:
        session.run(setup.step)
    assert setup.v1.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-1")


@pytest.mark.parametrize("where", ["one-process", "server"])
def test_a_checkpoint_is_of_one_step(where, variables, graph, tf, v1, training, server, tmp_path):
    """Under a steady saver: weight, slot and average; what a thread saves is what a step left.

    Each step adds 1 to w and to nothing else, so that all elements are equal between steps, and
    the sum of an accumulation of ones is its count.
    """
    v1.Session.reset(server.target)
    with v1.device("/job:ps/task:0" if where == "server" else ""):
        w = v1.get_variable("w", initializer=np.zeros([200, 50], np.float32))
        count = v1.train.get_or_create_global_step()
        optimizer = training.GradientAccumulationOptimizer(
            training.LookaheadOptimizer(v1.train.GradientDescentOptimizer(1.0), 1000), 7
        )
        step = optimizer.apply_gradients([(-tf.ones([200, 50]), w)], global_step=count)
    saver = training.ConsistentSaver(max_to_keep=2)
    names = [v.op.name for v in v1.global_variables()]
    (runs,) = [name for name in names if name.endswith("/runs")]
    total = "w/gradient_sum"
    initialize = v1.global_variables_initializer()
    with v1.Session(server.target if where == "server" else "") as session:
        session.run(initialize)
        with stepping(session, step):
            for number in range(CHECKPOINTS):
                path = saver.save(session, str(tmp_path / "m"), number, write_meta_graph=False)
                saved = v1.train.NewCheckpointReader(path)
                state = {name: saved.get_tensor(name) for name in names}
                assert (state["w"] == state["global_step"]).all()
                assert (state[total] == -state[runs]).all()
    v1.Session.reset(server.target)


@pytest.mark.parametrize("copy", [0, 1])
def test_a_guard_of_every_copy(copy, graph, v1, tf, training, server):
    """What moves a frozen element in one copy of a mirrored variable alone is seen."""
    setup = Setup(tf, v1, training, "mirrored", server)
    own = setup.strategy.experimental_local_results(setup.w)[copy]
    moves = own.assign_add(np.ones_like(START))
    with pytest.raises(FrozenMovedError, match=r"'w(/replica_1)?'\[0, 0\]"):
        with setup.session([training.FrozenGuardHook({"w": MASK})]) as session:
            session.run(setup.step)
            session.run(moves)
