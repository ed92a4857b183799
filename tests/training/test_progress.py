"""ProgressHook: a bar on a terminal, plain lines when piped, scalars fetched only when shown."""

import builtins
import io
import re

import pytest

from tfgraphtools.errors import ArgumentError


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def model(graph, v1, tf):
    w = v1.get_variable("w", initializer=1.0)
    rate = v1.get_variable("rate", initializer=0.001, trainable=False)
    step = v1.train.GradientDescentOptimizer(0.25).minimize(
        w * w, global_step=v1.train.get_or_create_global_step()
    )
    return step, {"loss": tf.constant(0.5), "rate": rate}


def run_steps(v1, step, hook, count):
    with v1.train.MonitoredTrainingSession(hooks=[hook]) as session:
        for _ in range(count):
            session.run(step)


@pytest.mark.parametrize(
    "total, wanted",
    [
        (
            None,
            ["step 2  loss 0.5  rate 0.001  N steps/s", "step 4  loss 0.5  rate 0.001  N steps/s"],
        ),
        (
            5,
            [
                "step 2/5  loss 0.5  rate 0.001  N steps/s",
                "step 4/5  loss 0.5  rate 0.001  N steps/s",
            ],
        ),
    ],
    ids=["no-total", "total"],
)
def test_plain_lines_when_piped(total, wanted, variables, model, v1, training):
    step, scalars = model
    stream = io.StringIO()
    run_steps(v1, step, training.ProgressHook(scalars, total=total, every=2, stream=stream), 5)
    lines = [re.sub(r"\S+ steps/s", "N steps/s", line) for line in stream.getvalue().splitlines()]
    assert lines == wanted


def test_stderr_is_the_default(model, v1, training, capsys):
    step, _ = model
    run_steps(v1, step, training.ProgressHook(every=1), 1)
    captured = capsys.readouterr()
    assert re.fullmatch(r"step 1  \S+ steps/s", captured.err.strip().splitlines()[-1])
    assert captured.out == ""


def test_a_bar_on_a_terminal(model, v1, training, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    step, scalars = model
    stream = Terminal()
    run_steps(v1, step, training.ProgressHook(scalars, total=6, stream=stream), 6)
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", stream.getvalue())
    assert "━" in text and "loss 0.5  rate 0.001" in text and "steps/s" in text
    assert re.findall(r"\d+/6", text)[-1] == "6/6"


def test_plain_lines_on_a_terminal_without_rich(model, v1, training, monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.split(".")[0] == "rich":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    step, _ = model
    stream = Terminal()
    run_steps(v1, step, training.ProgressHook(every=1, stream=stream), 2)
    assert [line.split("  ")[0] for line in stream.getvalue().splitlines()] == ["step 1", "step 2"]


def test_without_a_global_step_runs_are_counted(graph, v1, tf, training):
    stream = io.StringIO()
    w = v1.get_variable("w", initializer=1.0)
    step = v1.train.GradientDescentOptimizer(0.25).minimize(w)
    hook = training.ProgressHook(every=2, stream=stream)
    with v1.train.SingularMonitoredSession(hooks=[hook]) as session:
        for _ in range(4):
            session.run(step)
    assert [line.split("  ")[0] for line in stream.getvalue().splitlines()] == ["step 2", "step 4"]


def test_scalars_are_fetched_only_when_shown(model, v1, tf, training):
    """A scalar that needs a feed fails in the first run that shows it, and not before."""
    step, _ = model
    unfed = v1.placeholder(tf.float32, [])
    hook = training.ProgressHook({"unfed": unfed}, every=3, stream=io.StringIO())
    with v1.train.MonitoredTrainingSession(hooks=[hook]) as session:
        for _ in range(2):
            session.run(step)
        session.run(step, {unfed: 1.0})
        session.run(step)


@pytest.mark.parametrize(
    "build, words",
    [
        (lambda t, tf: t.ProgressHook({"loss": 1.0}), "'loss'.*got 1.0"),
        (lambda t, tf: t.ProgressHook({"x": tf.ones([2])}), r"'x'.*shape \(2,\).*reduce_mean"),
        (lambda t, tf: t.ProgressHook({"x": tf.constant("a")}), "'x'.*numbers, got a string one"),
        (lambda t, tf: t.ProgressHook(total=0), "total.*got 0"),
        (lambda t, tf: t.ProgressHook(every=1.5), "every.*got 1.5"),
    ],
)
def test_mistakes(build, words, graph, tf, training):
    with pytest.raises(ArgumentError, match=words):
        build(training, tf)
