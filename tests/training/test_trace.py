"""TraceHook: values over the steps as arrays, CSV and a plot; the example of case D2."""

import builtins
import csv

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, MissingExtraError, NothingMatchedError


def run_steps(v1, step, hooks, count, feeds=None):
    with v1.train.MonitoredTrainingSession(hooks=hooks) as session:
        for i in range(count):
            session.run(step, feeds and feeds[i])


def countdown(v1, tf, with_global_step=True):
    """A variable of two elements that loses [1, 2] per step, and its loss."""
    w = v1.get_variable("w", initializer=[0.0, 10.0])
    v1.get_variable("w2", initializer=5.0)
    loss = tf.reduce_sum(w * [1.0, 2.0])
    global_step = v1.train.get_or_create_global_step() if with_global_step else None
    step = v1.train.GradientDescentOptimizer(1.0).minimize(loss, global_step=global_step)
    return w, loss, step


@pytest.mark.parametrize("with_global_step", [True, False])
def test_variables_before_and_after_each_run(with_global_step, variables, graph, v1, tf, training):
    _, _, step = countdown(v1, tf, with_global_step)
    trace = training.TraceHook("w2?")
    run_steps(v1, step, [trace], 3)
    assert trace.labels == ["w", "w2"] and trace.steps.tolist() == [0, 1, 2, 3]
    assert trace["w"].tolist() == [[0, 10], [-1, 8], [-2, 6], [-3, 4]]
    assert trace["w"].dtype == np.float32 and trace["w2"].tolist() == [5] * 4


def test_tensors_are_of_the_run_itself(variables, graph, v1, tf, training):
    fed = v1.placeholder(tf.int32, [])
    w, _, step = countdown(v1, tf)
    trace = training.TraceHook({"twice": fed * 2, "w": w}, every=2)
    run_steps(v1, step, [trace], 4, [{fed: i} for i in range(4)])
    assert trace.steps.tolist() == [0, 2, 4]
    np.testing.assert_array_equal(trace["twice"], [np.nan, 2, 6])
    assert trace["w"].tolist() == [[0, 10], [-2, 6], [-4, 2]]
    alone = training.TraceHook({"twice": fed * 2})
    with v1.Session() as session:
        alone.begin()
        alone.after_create_session(session, None)
    assert alone.steps.tolist() == [] and alone["twice"].tolist() == []


def test_partitioned_and_half_floats(variables, graph, v1, tf, training):
    with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(2)):
        table = v1.get_variable("table", [3], initializer=v1.ones_initializer())
    half = v1.get_variable("half", initializer=tf.cast(0.5, "bfloat16"))
    step = v1.group(*[v1.assign_add(part, part) for part in table])
    trace = training.TraceHook({"table": table, "half": half, "again": tf.cast(1.5, "bfloat16")})
    run_steps(v1, step, [trace], 1)
    assert trace["table"].tolist() == [[1, 1, 1], [2, 2, 2]]
    assert trace["half"].astype(float).tolist() == [0.5, 0.5]
    np.testing.assert_array_equal(trace["again"], [np.nan, 1.5])


def test_csv(variables, graph, v1, tf, training, tmp_path):
    w, loss, step = countdown(v1, tf)
    path = tmp_path / "trace.csv"
    three = tf.constant(3)
    trace = training.TraceHook({"three": three, "w": w}, csv_path=str(path))
    run_steps(v1, step, [trace], 2)
    with open(str(path), newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["step", "three", "w[0]", "w[1]"],
        ["0", "nan", "0.0", "10.0"],
        ["1", "3.0", "-1.0", "8.0"],
        ["2", "3.0", "-2.0", "6.0"],
    ]


def lines_of(path):
    with open(str(path), newline="") as file:
        return list(csv.reader(file))


def traced_steps(tf, v1, training, folder, steps, fails=None, every=1):
    """Trains for so many steps, from the last checkpoint if there is one; an error may end it."""
    with tf.Graph().as_default():
        w, _, step = countdown(v1, tf)
        trace = training.TraceHook(
            {"three": tf.constant(3.0), "w": w}, every=every, csv_path=str(folder / "trace.csv")
        )
        hooks = [trace, v1.train.CheckpointSaverHook(str(folder), save_steps=3)]
        with v1.train.MonitoredSession(
            v1.train.ChiefSessionCreator(checkpoint_dir=str(folder)), hooks
        ) as session:
            for number in range(steps):
                if number == fails:
                    raise ZeroDivisionError
                session.run(step)


@pytest.mark.parametrize("fails, every", [(1, 1), (3, 1), (5, 1), (7, 1), (3, 2), (5, 2), (7, 2)])
def test_an_error_loses_no_line_and_a_restart_goes_on(
    fails, every, variables, v1, tf, training, tmp_path
):
    for name in ("whole", "failing"):
        (tmp_path / name).mkdir()
    traced_steps(tf, v1, training, tmp_path / "whole", 8)
    whole = lines_of(tmp_path / "whole" / "trace.csv")
    with pytest.raises(ZeroDivisionError):
        traced_steps(tf, v1, training, tmp_path / "failing", 8, fails, every)
    before = lines_of(tmp_path / "failing" / "trace.csv")
    assert int(before[-1][0]) == fails // every * every
    with open(str(tmp_path / "failing" / "trace.csv"), "a") as file:
        file.write("9,1.")  # a kill in the middle of a line
    restored = v1.train.load_variable(str(tmp_path / "failing"), "global_step")
    traced_steps(tf, v1, training, tmp_path / "failing", 8 - restored, None, every)
    lines = lines_of(tmp_path / "failing" / "trace.csv")
    steps = [int(line[0]) for line in lines[1:]]
    assert steps == sorted(set(steps)) and {line[0] for line in before[1:]} <= {
        str(step) for step in steps if step <= restored
    } | {str(step) for step in range(restored + 1, 9)}
    by_step = {line[0]: line for line in whole}
    assert all(line == by_step[line[0]] or line[1] == "nan" for line in lines)
    assert every > 1 or lines == whole


@pytest.mark.parametrize("text", ["step,other\n0,1\n", "step,other\n7,1\n", "some\ntext\n"])
def test_a_file_of_something_else_is_left(text, graph, v1, tf, training, tmp_path):
    path = tmp_path / "trace.csv"
    path.write_text(text)
    w, _, step = countdown(v1, tf)
    v1.train.get_or_create_global_step()
    with pytest.raises(ArgumentError, match="columns step,w"):
        run_steps(v1, step, [training.TraceHook({"w": w}, csv_path=str(path))], 1)
    assert path.read_text() == text


def d2(v1, tf):
    """Train w1 alone: loss = mean((x.w1 - stop(x.(w2*w3)))^2)."""
    x = v1.placeholder(tf.float32, [None, 3])
    w1, w2, w3 = (
        v1.get_variable(name, initializer=start)
        for name, start in [("w1", [0.0] * 3), ("w2", [1.0, 2.0, 3.0]), ("w3", [0.5, -1.0, 2.0])]
    )
    target = tf.stop_gradient(tf.linalg.matvec(x, w2 * w3))
    loss = tf.reduce_mean(tf.square(tf.linalg.matvec(x, w1) - target))
    step = v1.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[w1])
    return x, loss, step


def test_w1_converges_to_the_product_and_the_plot_shows_it(
    variables, graph, v1, tf, training, tmp_path
):
    x, loss, step = d2(v1, tf)
    path = tmp_path / "d2.png"
    weights = v1.trainable_variables()
    items = {"loss": loss, **{v.op.name: v for v in weights}}
    trace = training.TraceHook(items, png_path=str(path))
    random = np.random.RandomState(0)
    run_steps(v1, step, [trace], 150, [{x: random.normal(size=(20, 3))} for _ in range(150)])
    np.testing.assert_allclose(trace["w1"][-1], [0.5, -2, 6], atol=1e-3)
    assert (trace["w2"] == [1, 2, 3]).all() and (trace["w3"] == [0.5, -1, 2]).all()
    assert trace["loss"][1] > 10 and trace["loss"][-1] < 1e-4

    from matplotlib import image

    picture = image.imread(str(path))  # 4 panels of 2 inches at 120 dpi, with something on each
    assert picture.shape[:2] == (1056, 840)
    assert all(panel[:, :, :3].std() > 0.02 for panel in np.array_split(picture, 4))


def test_a_plot_of_many_elements(graph, v1, tf, training, tmp_path):
    w = v1.get_variable("w", initializer=np.zeros([30, 40], np.float32))
    trace = training.TraceHook("w")
    run_steps(v1, v1.assign_add(w, tf.ones_like(w)), [trace], 1)
    trace.to_png(str(tmp_path / "many.png"))
    assert (tmp_path / "many.png").stat().st_size > 1000


def test_without_matplotlib(monkeypatch, training):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match="pip install matplotlib"):
        training.TraceHook("w", png_path="trace.png")


@pytest.mark.parametrize(
    "items, error, words",
    [
        ({}, ArgumentError, "got none"),
        ({"a": 1.0}, ArgumentError, "1.0 as 'a'"),
        ("v", NothingMatchedError, "'v' among 'w'"),
    ],
)
def test_mistakes(items, error, words, graph, v1, tf, training):
    countdown(v1, tf)
    with pytest.raises(error, match=words):
        training.TraceHook(items).begin()


def test_shapes_that_change_and_labels_that_are_not_there(graph, v1, tf, training):
    fed = v1.placeholder(tf.float32, [None])
    _, _, step = countdown(v1, tf)
    trace = training.TraceHook({"fed": fed})
    run_steps(v1, step, [trace], 2, [{fed: [1.0]}, {fed: [1.0, 2.0]}])
    with pytest.raises(ArgumentError, match=r"'fed'.*\(1,\), \(2,\)"):
        trace["fed"]
    with pytest.raises(NothingMatchedError, match="'fed', got 'loss'"):
        trace["loss"]
