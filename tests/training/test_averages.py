"""Averages: as TensorFlow's own, to the bit; in evaluation, a Saver and hooks."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, NothingMatchedError
from tfgraphtools.training.steps import unstarted
from training_cases import same_bits

START = np.random.RandomState(0).normal(size=(4, 6)).astype(np.float32)


def model(v1, tf):
    w = v1.get_variable("w", initializer=START)
    b = v1.get_variable("b", initializer=np.ones(6, np.float32))
    return w, b, tf.reduce_sum(tf.sin(w) * b)


def trained(v1, run, step, count=5):
    for _ in range(count):
        run.run(step)


@pytest.mark.parametrize("updates", [False, True], ids=["decay", "num_updates"])
def test_as_tensorflows(updates, variables, graph, v1, tf, training, session):
    """Two copies of a model; one is averaged by us, one by TensorFlow after each step."""
    w, b, loss = model(v1, tf)
    with v1.variable_scope("other"):
        w2, _, loss2 = model(v1, tf)
    count = v1.train.get_or_create_global_step()
    num = count if updates else None
    optimizer = training.ExponentialAverageOptimizer(
        v1.train.AdamOptimizer(0.1), 0.99, num_updates=num
    )
    step = optimizer.minimize(loss, var_list=[w])
    frozen_count = tf.identity(count.read_value() + 0) if updates else None
    ema = v1.train.ExponentialMovingAverage(0.99, num_updates=frozen_count)
    inner = v1.train.AdamOptimizer(0.1).minimize(loss2, var_list=[w2])
    with v1.control_dependencies([inner]):
        other = ema.apply([w2])
    run = session()
    bump = count.initializer
    for number in range(5):
        run.run([step, other])
        run.run(bump, {bump.inputs[1]: number + 1})
        ours, theirs = run.run([optimizer.average(w), ema.average(w2)])
        assert same_bits(ours, theirs)
    assert optimizer.average(w).op.name == "w/ExponentialMovingAverage"
    assert ema.average(w2).op.name == "other/w/ExponentialMovingAverage"


def test_swapped_and_back(variables, graph, v1, tf, training, session):
    w, b, loss = model(v1, tf)
    optimizer = training.ExponentialAverageOptimizer(
        v1.train.AdamOptimizer(0.1), 0.9, debias=True, selector="w"
    )
    step = training.FreezeOptimizer(optimizer, {"w": START > 0}).minimize(loss)
    run = session()
    with optimizer.swapped(run):
        assert same_bits(run.run(w), START)  # no average yet: nothing happens
    trained(v1, run, step)
    before, average = run.run([[w, b], optimizer.average(w)])
    assert optimizer.average(b) is None
    with pytest.raises(KeyError), optimizer.swapped(run) as swapped:
        assert swapped is run and same_bits(run.run(w), average)
        assert same_bits(run.run(b), before[1])
        raise KeyError
    assert all(same_bits(x, y) for x, y in zip(run.run([w, b]), before))
    assert np.array_equal(average[START > 0], START[START > 0])


def test_a_saver_restores_the_averages_in_a_graph_without_a_step(
    variables, graph, v1, tf, training, session, tmp_path
):
    w, b, loss = model(v1, tf)
    average = training.ExponentialAverageOptimizer(v1.train.AdamOptimizer(0.1), 0.9, selector="w")
    step = training.LookaheadOptimizer(average, 2).minimize(loss)
    saver = v1.train.Saver()
    again = v1.train.Saver(average.variables_to_restore())  # in the graph that trains, too
    run = session()
    trained(v1, run, step)
    path = saver.save(run, str(tmp_path / "model.ckpt"))
    expected = run.run([average.average(w), b])
    again.restore(run, path)
    assert all(same_bits(x, y) for x, y in zip(run.run([w, b]), expected))
    with v1.Graph().as_default(), v1.Session() as other:
        w, b, _ = model(v1, tf)
        optimizer_without_step = training.ExponentialAverageOptimizer(
            v1.train.AdamOptimizer(), 0.9, selector="w"
        )
        v1.train.Saver(optimizer_without_step.variables_to_restore()).restore(other, path)
        assert all(same_bits(x, y) for x, y in zip(other.run([w, b]), expected))


def test_a_saver_goes_on_in_the_middle(variables, v1, tf, training, tmp_path):
    """After a restore into a new graph everything is as without the break, to the bit."""
    values = []
    for part in ("whole", "first", "second"):
        with v1.Graph().as_default(), v1.Session() as run:
            w, b, loss = model(v1, tf)
            optimizer = training.WeightAverageOptimizer(v1.train.AdamOptimizer(0.1), 2, 2)
            optimizer = training.ExponentialAverageOptimizer(optimizer, 0.9, debias=True)
            step = training.LookaheadOptimizer(optimizer, 4).minimize(loss)
            saver = v1.train.Saver()
            run.run(v1.global_variables_initializer())
            if part == "second":
                saver.restore(run, str(tmp_path / "model"))
            trained(v1, run, step, {"whole": 9, "first": 5, "second": 4}[part])
            saver.save(run, str(tmp_path / "model"))
            values.append({v.op.name: run.run(v) for v in v1.global_variables()})
    assert sorted(values[0]) == sorted(values[2])
    assert all(same_bits(values[2][name], value) for name, value in values[0].items())
    assert {"w/slow", "w/WeightAverage", "Lookahead/steps"} < set(values[0])


def test_averages_start_from_restored_variables(variables, graph, v1, tf, training, session):
    """As after a restore of the variables alone, which is how fine-tuning begins."""
    w, _, loss = model(v1, tf)
    average = training.ExponentialAverageOptimizer(v1.train.GradientDescentOptimizer(0.0), 0.9)
    ahead = training.LookaheadOptimizer(average, 1)
    step = ahead.minimize(loss)
    run = session()
    run.run(w.initializer, {w.initializer.inputs[1]: START + 5})
    run.run(step)
    for value in run.run([w, average.average(w), ahead.slow(w)]):
        assert same_bits(value, START + 5)


def test_hook(variables, graph, v1, tf, training, tmp_path):
    w, _, loss = model(v1, tf)
    count = v1.train.get_or_create_global_step()
    optimizer = training.WeightAverageOptimizer(v1.train.AdamOptimizer(0.1))
    step = training.LRMultiplierOptimizer(optimizer, {"w": 0.5}).minimize(loss, global_step=count)
    with v1.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)) as run:
        trained(v1, run, step)
        expected, average = run.run([w, optimizer.average(w)])
    hook = training.AverageHook(optimizer)
    creator = v1.train.ChiefSessionCreator(checkpoint_dir=str(tmp_path))
    with v1.train.MonitoredSession(creator, hooks=[hook]) as run:
        assert same_bits(run.run(w), average)
        raw = run.run_step_fn(lambda step_context: step_context.session)
        hook.end(raw)
        assert same_bits(run.run(w), expected)


def test_partitioned(variables, graph, v1, tf, training, session, tmp_path):
    with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(2)):
        table = v1.get_variable("table", [4, 2], initializer=v1.ones_initializer())
    optimizer = training.ExponentialAverageOptimizer(v1.train.GradientDescentOptimizer(1.0), 0.5)
    step = optimizer.minimize(tf.reduce_sum(tf.convert_to_tensor(table)))
    savers = [v1.train.Saver(), v1.train.Saver(optimizer.variables_to_restore())]
    value = tf.convert_to_tensor(table)
    run = session()
    run.run(step)
    savers[1].restore(run, savers[0].save(run, str(tmp_path / "model")))
    assert np.array_equal(run.run(value), np.full([4, 2], 0.5))


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_half_floats_are_averaged_in_float32(kind, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=tf.cast([1.0], kind))
    optimizer = training.ExponentialAverageOptimizer(v1.train.GradientDescentOptimizer(1.0), 0.9999)
    step = optimizer.apply_gradients([(tf.cast([1.0], kind), w)])
    value = tf.cast(w.read_value(), tf.float32)
    average = tf.cast(optimizer.average(w).read_value(), tf.float32)
    three = tf.cast([3.0], kind)
    run = session()
    run.run(step)
    twin = next(v for v in v1.global_variables() if v.op.name.endswith("Float32"))
    np.testing.assert_allclose(run.run(twin), [0.9999], rtol=1e-6)
    assert run.run(average) == [1.0]  # the nearest half float
    with optimizer.swapped(run):
        assert run.run(value) == [1.0]
    restored = optimizer.average(w).initializer  # of the average alone: the twin counts no longer
    run.run(restored, {restored.inputs[1]: run.run(three)})
    run.run(step)
    np.testing.assert_allclose(run.run(twin), [3 - 0.0001 * (3 + 1)], rtol=1e-6)


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("debias", [False, True])
def test_a_saver_takes_averages_for_variables(kind, debias, variables, v1, tf, training, tmp_path):
    """In a graph without the step, under every float dtype."""
    path, values = str(tmp_path / "model"), []
    for trains in (True, False):
        with v1.Graph().as_default(), v1.Session() as run:
            w = v1.get_variable("w", initializer=tf.cast([1.0, 2.0], kind))
            optimizer = training.ExponentialAverageOptimizer(
                v1.train.GradientDescentOptimizer(1.0), 0.5, debias=debias
            )
            if trains:
                step = optimizer.apply_gradients([(tf.ones_like(w), w)])
                run.run(v1.global_variables_initializer())
                trained(v1, run, step, 3)
                v1.train.Saver().save(run, path)
                values.append(run.run(tf.cast(optimizer.average(w).read_value(), tf.float32)))
            else:
                v1.train.Saver(optimizer.variables_to_restore()).restore(run, path)
                values.append(run.run(tf.cast(w.read_value(), tf.float32)))
    assert same_bits(*values) and values[0][0] < 0


def averaged_by_tensorflow(v1, tf, kind="float32"):
    w = v1.get_variable("w", initializer=tf.cast([1.0, 2.0], kind))
    step = v1.train.GradientDescentOptimizer(1.0).apply_gradients([(tf.ones_like(w), w)])
    ema = v1.train.ExponentialMovingAverage(0.75)
    with v1.control_dependencies([step]):
        return w, ema.average, ema.apply([w])


@pytest.mark.parametrize("kind", ["float32", "float16"])
@pytest.mark.parametrize("init", ["before", "after"])
def test_either_reads_the_others_checkpoints(init, kind, variables, v1, tf, training, tmp_path):
    """TensorFlow's goes on in ours, and ours in TensorFlow's, as TensorFlow's alone."""
    if variables == "ref":  # TensorFlow's own needs branches that reach ref variables
        v1.disable_control_flow_v2()
    path, averages, shown = str(tmp_path / "model"), {}, {}
    for part in ("whole", "theirs", "ours", "theirs-again"):
        with v1.Graph().as_default(), v1.Session() as run:
            if part == "ours":
                w = v1.get_variable("w", initializer=tf.cast([5.0, 6.0], kind))
                optimizer = training.ExponentialAverageOptimizer(
                    v1.train.GradientDescentOptimizer(1.0), 0.75
                )
                step = optimizer.apply_gradients([(tf.ones_like(w), w)])
                average = optimizer.average
            else:
                w, average, step = averaged_by_tensorflow(v1, tf, kind)
            saver = v1.train.Saver([w, average(w)])
            restored = [
                v for v in v1.global_variables() if v.op.name in ("w",) or "Moving" in v.op.name
            ]
            if init == "before" or part in ("whole", "theirs"):
                run.run(v1.global_variables_initializer())
            if part not in ("whole", "theirs"):
                saver.restore(run, path)
                if init == "after":
                    known = {v.op.name for v in restored if not v.op.name.endswith("Float32")}
                    others = [v for v in v1.global_variables() if v.op.name not in known]
                    run.run(v1.variables_initializer(others))
            if part == "ours":
                before = run.run(average(w))
                with optimizer.swapped(run):
                    assert same_bits(run.run(w), before)
            trained(v1, run, step, 6 if part == "whole" else 2)
            saver.save(run, path)
            averages[part], shown[part] = run.run([average(w), w])
    assert same_bits(shown["whole"], shown["theirs-again"])
    close = np.testing.assert_allclose
    close(averages["theirs-again"], averages["whole"], rtol=0 if kind == "float32" else 5e-3)


#: {how: the runs that initialise variables}
INITIALISED = {
    "together": lambda variables: [variables],
    "one-by-one": lambda variables: [[v] for v in variables],
    "one-by-one-from-the-last": lambda variables: [[v] for v in variables[::-1]],
    "one-by-one-twice": lambda variables: [[v] for v in variables * 2],
    "together-twice": lambda variables: [variables, variables],
}


@pytest.mark.parametrize("debias", [False, True], ids=["decay", "debias"])
@pytest.mark.parametrize("how", INITIALISED)
def test_random_initial_values(how, debias, variables, graph, v1, training, session):
    """Each run draws others: the average begins from the variable, whatever it was given."""
    weights = [
        v1.get_variable(name, shape, initializer=v1.random_normal_initializer())
        for name, shape in (("w", [3, 40]), ("u", [3]), ("b", []))
    ]
    optimizer = training.ExponentialAverageOptimizer(
        v1.train.GradientDescentOptimizer(1.0), 0.75, debias=debias
    )
    step = optimizer.minimize(sum(v1.math.reduce_sum(w) for w in weights))
    run = session()
    for chosen in INITIALISED[how](v1.global_variables()):
        run.run([v.initializer for v in chosen])
    before = run.run(weights)
    with optimizer.swapped(run):
        assert all(map(same_bits, run.run(weights), before))  # there is no average yet
    run.run(step)
    for average, start in zip(run.run([optimizer.average(w) for w in weights]), before):
        np.testing.assert_allclose(average, start - (1 if debias else 0.25), rtol=0, atol=1e-6)


def test_one_average_is_restored_and_one_is_new(variables, graph, v1, training, session):
    """As after a layer was added: TensorFlow's checkpoint has no average of its variable."""
    old, new = (
        v1.get_variable(name, [2], initializer=v1.random_normal_initializer()) for name in "ab"
    )
    optimizer = training.ExponentialAverageOptimizer(v1.train.GradientDescentOptimizer(0.0), 0.75)
    step = optimizer.minimize(v1.math.reduce_sum(old + new))
    run = session()
    for variable in v1.global_variables():
        run.run(variable.initializer)
    before = run.run([old, new])
    average = optimizer.average(old)
    run.run(average.initializer, {average.initializer.inputs[1]: before[0] + 4})
    with optimizer.swapped(run):
        assert same_bits(run.run(old), before[0] + 4)
        assert same_bits(run.run(new), before[1])
    run.run(step)
    averages = run.run([average, optimizer.average(new)])
    np.testing.assert_allclose(averages[0], before[0] + 3, rtol=1e-6)
    assert same_bits(averages[1], before[1])


#: Values that no mark may be taken for, by what was taken for one.
DATA = {
    "odd": lambda kind: np.full([40], 0.1, kind),
    "another-odd": lambda kind: np.full([40], 0.7, kind),
    "below-one": lambda kind: np.nextafter(np.ones([], kind), np.zeros([], kind)),
    "nan": lambda kind: np.full([3], np.nan, kind),
    "negative-nan": lambda kind: -np.full([3], np.nan, kind),
    "of-zeros": lambda kind: np.zeros([2], kind) / np.zeros([2], kind),
    "inf": lambda kind: np.full([3], np.inf, kind),
    "none": lambda kind: np.zeros([0], kind),
}


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("case", DATA)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_data_is_not_taken_for_unstarted(case, kind, graph, tf, session):
    real = {"complex64": "float32", "complex128": "float64"}.get(kind, kind)
    data = DATA[case](real).astype(kind)
    averages = [tf.compat.v1.Variable(data, use_resource=True) for _ in range(2)]
    marks = unstarted.fill(averages[0], averages[0].dtype.base_dtype)
    told, set_mark = unstarted.are(averages, tf.constant), averages[1].assign(marks)
    run = session()
    run.run(set_mark)
    array, told = run.run([marks, told])
    assert told == [False, data.size > 0]
    assert not unstarted.array_is(data) and unstarted.array_is(array) == (data.size > 0)


def test_no_float16_is_taken_for_unstarted_but_one():
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    marked = [number for number in every if unstarted.array_is(number)]
    assert len(marked) == 1 and np.isnan(marked[0])


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("value", [0.1, 0.7, 0.99999994])
def test_a_restored_average_counts_whatever_it_is(
    value, kind, variables, graph, v1, tf, training, session
):
    """As TensorFlow's checkpoint is, without a count."""
    w = v1.get_variable("w", initializer=tf.fill([40], tf.cast(7.0, kind)))
    optimizer = training.ExponentialAverageOptimizer(
        v1.train.GradientDescentOptimizer(0.0), 1 - 1e-9
    )
    step = optimizer.apply_gradients([(tf.ones_like(w), w)])
    average = optimizer.average(w)
    restored = v1.assign(average, tf.fill([40], tf.cast(value, kind)))
    run = session()
    before = run.run(restored)
    run.run(step)
    assert same_bits(run.run(average), before)


@pytest.mark.parametrize("keeper", ["average", "weight-average", "lookahead"])
def test_variables_of_old_meta_files(keeper, variables, v1, tf, training):
    """Before TF 1.4 a .meta file did not say what the initial value of a variable is."""
    with v1.Graph().as_default():
        definition = v1.get_variable("w", initializer=[1.0, 2.0]).to_proto()
        meta = v1.train.export_meta_graph()
    saved = meta.collection_def["variables"].bytes_list.value
    trained = meta.collection_def["trainable_variables"].bytes_list.value
    for serialized in (saved, trained):
        definition.ParseFromString(serialized[0])
        definition.ClearField("initial_value_name")
        serialized[0] = definition.SerializeToString()
    with v1.Graph().as_default(), v1.Session() as run:
        v1.train.import_meta_graph(meta)
        (w,) = v1.trainable_variables()
        assert w.initial_value is None
        sgd = v1.train.GradientDescentOptimizer(1.0)
        optimizer = {
            "average": lambda: training.ExponentialAverageOptimizer(sgd, 0.5),
            "weight-average": lambda: training.WeightAverageOptimizer(sgd),
            "lookahead": lambda: training.LookaheadOptimizer(sgd, 1),
        }[keeper]()
        step = optimizer.apply_gradients([(tf.ones([2]), w)])
        run.run(v1.global_variables_initializer())
        run.run(step)
        kept = optimizer.slow(w) if keeper == "lookahead" else optimizer.average(w)
        by = 1.0 if keeper == "weight-average" else 0.5
        assert run.run(kept).tolist() == [1 - by, 2 - by]


MISTAKES = {
    "decay": (lambda t, o: t.ExponentialAverageOptimizer(o, 1.0), ArgumentError, r"\[0, 1\)"),
    "num_updates": (
        lambda t, o: t.ExponentialAverageOptimizer(o, 0.9, num_updates="many"),
        ArgumentError,
        "number of steps",
    ),
    "start": (lambda t, o: t.WeightAverageOptimizer(o, 0), ArgumentError, "start"),
    "rate": (lambda t, o: t.LookaheadOptimizer(o, rate=2.0), ArgumentError, r"\(0, 1\]"),
    "steps": (lambda t, o: t.LookaheadOptimizer(o, steps=0), ArgumentError, "steps"),
    "threads": (lambda t, o: t.LookaheadOptimizer(o, threads=4), ArgumentError, "several"),
    "selector": (
        lambda t, o: t.ExponentialAverageOptimizer(o, 0.9, selector="v"),
        NothingMatchedError,
        "'v'",
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case, graph, v1, tf, training):
    build, error, words = MISTAKES[case]
    w = v1.get_variable("w", initializer=[1.0])
    with pytest.raises(error, match=words):
        build(training, v1.train.AdamOptimizer()).minimize(tf.reduce_sum(w))


def test_swapping_needs_the_step(graph, v1, tf, training):
    optimizer = training.ExponentialAverageOptimizer(v1.train.AdamOptimizer(), 0.9)
    with v1.Session() as run, pytest.raises(ArgumentError, match="Build the step first"):
        with optimizer.swapped(run):
            pass


def test_swapping_where_nothing_is_averaged(graph, v1, tf, training, session):
    w, u = (v1.get_variable(name, initializer=1.0) for name in "wu")
    optimizer = v1.train.GradientDescentOptimizer(0.1)
    average = training.ExponentialAverageOptimizer(optimizer, 0.9, selector="u")
    average.minimize(w * 2.0, var_list=[w, u])
    with pytest.raises(ArgumentError, match="only variables without a gradient"):
        with average.swapped(session()):
            pass


@pytest.mark.parametrize("at", [0, 1])
def test_an_interrupt_while_the_averages_are_loaded(at, graph, v1, tf, training, session):
    """No variable is left with its average."""
    w, b, loss = model(v1, tf)
    optimizer = training.ExponentialAverageOptimizer(v1.train.AdamOptimizer(0.1), 0.5)
    step = optimizer.minimize(loss)
    run = session()
    trained(v1, run, step)
    before, plain_run = run.run([w, b]), run.run

    class Interrupted:
        runs = 0

        def run(self, fetches, feed=None):
            self.runs += feed is not None
            values = plain_run(fetches, feed)  # what it has set is set
            if feed is not None and self.runs == 1 + at:
                raise KeyboardInterrupt
            return values

    Interrupted.graph = graph
    with pytest.raises(KeyboardInterrupt), optimizer.swapped(Interrupted()):
        pass
    assert all(same_bits(x, y) for x, y in zip(before, run.run([w, b])))


@pytest.mark.parametrize("rule", [False, True], ids=["number", "rule"])
@pytest.mark.parametrize("every", [1, 3])
def test_an_average_by_a_rule(every, rule, variables, graph, v1, tf, training, session):
    """NumPy's, after one step in `every`, with the decay of the averagings before."""
    w = v1.get_variable("w", initializer=0.0)
    decay = (lambda count: 0.5 - 0.5 / (1.0 + tf.cast(count, tf.float32))) if rule else 0.5
    optimizer = training.ExponentialAverageOptimizer(
        v1.train.GradientDescentOptimizer(1.0), decay, every=every
    )
    step = optimizer.minimize(-w)
    average = optimizer.average(w)
    run = session()
    expected, count = 0.0, 0
    for number in range(1, 8):
        run.run(step)
        if number % every == 0:
            now = 0.5 - 0.5 / (1 + count) if rule else 0.5
            expected, count = now * expected + (1 - now) * number, count + 1
        np.testing.assert_allclose(run.run(average), expected, rtol=1e-6)
    names = {v.op.name for v in v1.global_variables()}
    assert ("ExponentialAverage/averagings" in names, "ExponentialAverage/steps" in names) == (
        rule,
        every > 1,
    )


def test_what_is_wrong_with_a_rule(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=0.0)
    sgd = v1.train.GradientDescentOptimizer(1.0)
    with pytest.raises(ArgumentError, match=r"decay.*\[0, 1\).*got 2"):
        training.ExponentialAverageOptimizer(sgd, lambda count: 2).minimize(w)
    with pytest.raises(ArgumentError, match="every.*got 0"):
        training.ExponentialAverageOptimizer(sgd, 0.5, every=0)
