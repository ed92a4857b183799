"""PreemptionHook: a signal ends a session after its run, with a checkpoint."""

import os
import signal
import threading

import pytest

from tfgraphtools.errors import ArgumentError


@pytest.fixture
def taken():
    """The signals that the handler took which was there before."""
    numbers = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: numbers.append(number))
    yield numbers
    signal.signal(signal.SIGTERM, before)


def counting(tf, v1):
    """Returns the op of a step that subtracts 1 from w."""
    w = v1.get_variable("w", initializer=[0.0])
    optimizer = v1.train.GradientDescentOptimizer(1.0)
    return optimizer.minimize(tf.reduce_sum(w), v1.train.get_or_create_global_step())


def session_with(v1, hooks, folder=None):
    return v1.train.MonitoredTrainingSession(
        checkpoint_dir=folder and str(folder),
        hooks=hooks,
        save_checkpoint_steps=1000,
        save_summaries_steps=None,
        save_summaries_secs=None,
        log_step_count_steps=None,
    )


def send():
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize("is_first", [True, False], ids=["first", "last"])
def test_the_step_is_saved(is_first, variables, graph, v1, tf, training, taken, tmp_path):
    step, hook, runs = counting(tf, v1), training.PreemptionHook(), 0
    others = [v1.train.StopAtStepHook(last_step=100)]
    with session_with(v1, [hook, *others] if is_first else [*others, hook], tmp_path) as session:
        while not session.should_stop():
            if runs == 3:
                send()
            session.run(step)
            runs += 1
    assert runs == 4 and hook.received == signal.SIGTERM and not taken
    saved = v1.train.latest_checkpoint(str(tmp_path))
    assert v1.train.load_variable(saved, "global_step") == 4
    assert v1.train.load_variable(saved, "w").tolist() == [-4.0]
    send()
    assert taken == [signal.SIGTERM]


def test_signals_are_as_before_where_no_session_runs(graph, v1, tf, training, taken):
    step, hook = counting(tf, v1), training.PreemptionHook()
    send()
    with pytest.raises(ZeroDivisionError):
        with session_with(v1, [hook]) as session:
            session.run(step)
            raise ZeroDivisionError
    send()
    assert taken == [signal.SIGTERM] * 2 and hook.received is None
    with session_with(v1, [training.PreemptionHook()]) as session:
        session.run(step)
    send()
    assert taken == [signal.SIGTERM] * 3


def test_a_second_signal_is_as_before(graph, v1, tf, training, taken):
    step = counting(tf, v1)
    with session_with(v1, [training.PreemptionHook()]) as session:
        send()
        send()
        assert taken == [signal.SIGTERM]
        session.run(step)
        assert session.should_stop()


def test_a_session_that_was_created_again(variables, graph, v1, tf, training, taken):
    class Abort(v1.train.SessionRunHook):
        """Loses the session once, as a server that is started again."""

        runs = 0

        def after_run(self, run_context, run_values):
            self.runs += 1
            if self.runs == 2:
                raise tf.errors.AbortedError(None, None, "gone")

    step, hook, runs = counting(tf, v1), training.PreemptionHook(), 0
    with session_with(v1, [Abort(), hook]) as session:
        while not session.should_stop():
            runs += 1
            if runs == 4:
                send()
            session.run(step)
    assert runs == 4 and hook.received == signal.SIGTERM and not taken
    send()
    assert taken == [signal.SIGTERM]


@pytest.mark.parametrize("signals", [(), (signal.SIGKILL,), (0,), ("SIGTERM",)], ids=repr)
def test_no_signal(signals, training):
    with pytest.raises(ArgumentError, match="signals that a program can take"):
        training.PreemptionHook(signals)


def test_another_thread(graph, v1, tf, training):
    errors = []

    def begin():
        try:
            training.PreemptionHook().begin()
        except ArgumentError as error:
            errors.append(str(error))

    thread = threading.Thread(target=begin, name="trainer")
    thread.start()
    thread.join()
    assert len(errors) == 1 and "'trainer'" in errors[0]


def test_sessions_inside_one_another(graph, v1, tf, training, taken):
    """An evaluation with a hook of its own does not keep the signal from the training around."""
    step, outer, inner = counting(tf, v1), training.PreemptionHook(), training.PreemptionHook()
    with session_with(v1, [outer]) as session:
        session.run(step)
        with v1.Graph().as_default():
            constant = tf.constant(1)
            with v1.train.MonitoredSession(hooks=[inner]) as evaluation:
                evaluation.run(constant)
                send()
                evaluation.run(constant)
                assert evaluation.should_stop()
        session.run(step)
        assert session.should_stop()
    assert outer.received == inner.received == signal.SIGTERM and not taken
    send()
    assert taken == [signal.SIGTERM]


def test_a_session_around_that_failed(graph, v1, tf, training, taken):
    """Its hook is over: the signal ends the session that runs, and later ones are as before."""
    step, failed, hook = counting(tf, v1), training.PreemptionHook(), training.PreemptionHook()
    with pytest.raises(ZeroDivisionError):
        with session_with(v1, [failed]):
            raise ZeroDivisionError
    with session_with(v1, [hook]) as session:
        send()
        session.run(step)
        assert session.should_stop()
    assert hook.received == signal.SIGTERM and failed.received is None and not taken
    send()
    assert taken == [signal.SIGTERM]
