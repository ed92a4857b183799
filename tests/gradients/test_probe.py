"""GradientProbe: right values, and a training that never knows; effects: what a run changes."""

import numpy as np
import pytest

from tfgraphtools.errors import ProbeError

STEPS = 12


def _network(tf, v1, features, labels):
    """Embeddings, dropout and a candidate sampler, none of them seeded op by op."""
    table = v1.get_variable("table", [20, 4], initializer=v1.random_normal_initializer(seed=1))
    embedded = tf.nn.embedding_lookup(table, features)
    hidden = tf.nn.dropout(embedded, rate=0.5)
    w = v1.get_variable("w", [30, 4], initializer=v1.random_normal_initializer(seed=2))
    b = v1.get_variable("b", [30], initializer=v1.zeros_initializer())
    loss = tf.reduce_mean(
        tf.nn.sampled_softmax_loss(
            weights=w,
            biases=b,
            labels=labels[:, None],
            inputs=hidden,
            num_sampled=5,
            num_classes=30,
        )
    )
    return embedded, loss


def _train(tf, v1, gradients, data, probed):
    """The losses of a training on its own graph, with a probe at every step or without."""
    with v1.Graph().as_default() as graph:
        v1.set_random_seed(7)
        rng = np.random.RandomState(0)
        features, labels = rng.randint(20, size=64), rng.randint(30, size=64)
        if data == "dataset":
            dataset = v1.data.Dataset.from_tensor_slices(
                (features.astype(np.int64), labels.astype(np.int64))
            )
            iterator = v1.data.make_one_shot_iterator(dataset.shuffle(64).repeat().batch(8))
            x, y = iterator.get_next()
        elif data == "queue":
            queue = tf.queue.RandomShuffleQueue(64, 0, [tf.int64, tf.int64], [[], []], seed=3)
            fill = queue.enqueue_many([features, labels])
            x, y = queue.dequeue_many(8)
            again = queue.enqueue_many([x, y])
        else:
            x, y = (v1.placeholder(tf.int64, [8]) for _ in range(2))
        embedded, loss = _network(tf, v1, x, y)
        if data != "queue":
            again = tf.no_op()
        train = v1.train.AdamOptimizer(0.05).minimize(loss)
        initialize = v1.global_variables_initializer()
        losses, gradients_probed = [], []
        with v1.Session() as session:
            session.run(initialize)
            if data == "queue":
                session.run(fill)
            graph.finalize()
            probe = gradients.GradientProbe(session, loss, embedded) if probed else None
            for step in range(STEPS):
                feed = {}
                if data == "feed":
                    at = np.arange(8 * step, 8 * step + 8) % 64
                    feed = {x: features[at], y: labels[at]}
                value, bx, by, _, _ = session.run([loss, x, y, train, again], feed)
                losses.append(value)
                if probed:
                    gradients_probed.append(probe.run({x: bx, y: by}))
        return np.float32(losses), gradients_probed


@pytest.mark.parametrize("data", ["feed", "dataset", "queue"])
def test_d1_training_is_bit_identical(tf, v1, variables, gradients, data):
    losses, _ = _train(tf, v1, gradients, data, probed=False)
    probed, gradients_probed = _train(tf, v1, gradients, data, probed=True)
    assert losses.tobytes() == probed.tobytes()
    assert all(g.shape == (8, 4) and np.abs(g).max() > 0 for g in gradients_probed)
    assert (gradients_probed[0] != gradients_probed[-1]).any()


def test_fetching_the_gradient_itself_would_disturb(tf, v1, variables, gradients):
    """The test above can fail: the way people do it first changes the losses."""

    def losses(fetch):
        with v1.Graph().as_default():
            v1.set_random_seed(7)
            x, y = tf.constant(np.arange(8)), tf.constant(np.arange(8))
            embedded, loss = _network(tf, v1, x, y)
            train = v1.train.AdamOptimizer(0.05).minimize(loss)
            gradient = v1.gradients(loss, embedded)[0]
            with v1.Session() as session:
                session.run(v1.global_variables_initializer())
                losses = []
                for _ in range(5):
                    losses.append(session.run([loss, train])[0])
                    if fetch:
                        session.run(gradient)
                return losses

    assert losses(False) == losses(False) != losses(True)


def test_a_probe_built_early_shifts_no_seed(tf, v1, graph, variables, gradients):
    """TF 1.15 seeds ops by how many there are: building a probe in between adds none."""
    v1.set_random_seed(5)
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    loss = tf.reduce_sum(w * w)
    before = len(graph.get_operations())
    with v1.Session() as session:
        gradients.GradientProbe(session, loss, w)
        assert len(graph.get_operations()) == before
        probed = _random_op(tf)
    with v1.Graph().as_default():
        v1.set_random_seed(5)
        w = v1.get_variable("w", initializer=[1.0, 2.0])
        tf.reduce_sum(w * w)
        reference = _random_op(tf)
    assert probed.get_attr("seed2") == reference.get_attr("seed2")


def _random_op(tf):
    drawn = tf.random.uniform([3])
    return [op for op in drawn.graph.get_operations() if op.type == "RandomUniform"][-1]


def _cond(tf, v1, w, x):
    return v1.cond(tf.reduce_sum(x) > 0.0, lambda: tf.reduce_sum(w * w * x), lambda: w[0])


def _while(tf, v1, w, x):
    return tf.reduce_sum(
        v1.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * w), [tf.constant(0), x])[1]
    )


NETS = {
    "plain": lambda tf, v1, w, x: tf.reduce_sum(w * w * x),
    "cond": _cond,
    "while": _while,
    "scan": lambda tf, v1, w, x: tf.reduce_sum(
        tf.scan(lambda a, b: a * w, tf.stack([x, x]), x)[-1]
    ),
    "tf.function": lambda tf, v1, w, x: tf.function(lambda a: tf.reduce_sum(w * w * a))(1.0 * x),
}


@pytest.mark.parametrize("kind", NETS)
def test_values(tf, v1, graph, variables, control_flow, gradients, session, kind):
    """d sum(w^2 x) / dw = 2 w x and / dx = w^2, at the variables' values of the moment."""
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    x = v1.placeholder(tf.float32, [2])
    loss = NETS[kind](tf, v1, w, x)
    double = w.assign(2.0 * w)
    opened = session()
    probe = gradients.GradientProbe(opened, loss, [w, x])
    for scale in (1.0, 2.0):
        at = scale * np.float32([1.0, 2.0])
        in_w, in_x = probe.run({x: [3.0, 5.0]})
        np.testing.assert_allclose(in_w, 2 * at * [3.0, 5.0])
        np.testing.assert_allclose(in_x, at**2)
        opened.run(double.op if hasattr(double, "op") else double)


def test_monitored_sessions_and_their_hooks_are_left_alone(tf, v1, graph, variables, gradients):
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    loss = tf.reduce_sum(w * w)

    class Counter(v1.train.SessionRunHook):
        runs = 0

        def after_run(self, run_context, run_values):
            Counter.runs += 1

    with v1.train.MonitoredSession(hooks=[Counter()]) as session:
        with gradients.GradientProbe(session, loss, w) as probe:
            np.testing.assert_allclose(probe.run(), [2.0, 4.0])
    assert Counter.runs == 0


def test_batch_normalisation_s_updates_are_not_run(tf, v1, graph, variables, gradients, session):
    x = v1.placeholder(tf.float32, [4, 2])
    moving = v1.get_variable("moving", initializer=[0.0, 0.0], trainable=False)
    with tf.control_dependencies([moving.assign(tf.reduce_mean(x, 0))]):
        loss = tf.reduce_sum(x * x)
    opened = session()
    probe = gradients.GradientProbe(opened, loss, x)
    np.testing.assert_allclose(probe.run({x: np.ones([4, 2])}), 2 * np.ones([4, 2]))
    np.testing.assert_array_equal(opened.run(moving), [0.0, 0.0])


def test_what_must_be_fed_is_said(tf, v1, graph, variables, gradients, session):
    dataset = v1.data.Dataset.from_tensors(np.float32([1.0, 2.0])).repeat()
    x = v1.data.make_one_shot_iterator(dataset).get_next()
    scale = v1.placeholder(tf.float32, [], name="scale")
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    loss = tf.reduce_sum(w * x * scale)
    probe = gradients.GradientProbe(session(), loss, w)
    with pytest.raises(ProbeError, match="IteratorGetNext.*feed it here|'scale:0'"):
        probe.run({})
    with pytest.raises(ProbeError, match="IteratorGetNext"):
        probe.run({scale: 1.0})
    np.testing.assert_allclose(probe.run({scale: 2.0, x: [3.0, 4.0]}), [6.0, 8.0])


def test_no_gradient_and_written_variables_are_refused(
    tf, v1, graph, variables, gradients, session
):
    w = v1.get_variable("w", initializer=[1.6])
    floor = tf.reduce_sum(tf.floor(w))
    with tf.control_dependencies([w.assign([3.0])]):
        after = tf.reduce_sum(w.read_value())
    opened = session()
    with pytest.raises(ProbeError, match="Floor"):
        gradients.GradientProbe(opened, floor, w)
    with pytest.raises(ProbeError, match="Assign.*'w'"):
        gradients.GradientProbe(opened, after, w)
    with pytest.raises(ProbeError, match="sibling|built after|has to do"):
        gradients.GradientProbe(opened, floor, after)


# effects ---------------------------------------------------------------------------


def test_effects(tf, v1, graph, variables, control_flow, gradients):
    table = v1.get_variable("table", [4, 2])
    still = v1.get_variable("still", [2], trainable=False)
    x = tf.nn.dropout(tf.nn.embedding_lookup(table, [0, 1]), rate=0.5)
    clean = tf.reduce_sum(table) + tf.reduce_sum(still)
    loss = tf.reduce_sum(x)
    train = v1.train.AdamOptimizer().minimize(loss)
    update = still.assign([1.0, 1.0])
    dataset = v1.data.Dataset.range(3).repeat()
    item = v1.data.make_one_shot_iterator(dataset).get_next()
    if (variables, control_flow) == ("ref", "v2"):
        still = v1.get_variable("other", [2], trainable=False, use_resource=True)  # TF's own limit
    hidden = v1.cond(
        tf.reduce_sum(x) > 1e9, lambda: tf.identity(still.assign([2.0, 2.0])), lambda: tf.zeros([2])
    )
    printed = v1.Print(clean, [clean])

    assert not gradients.effects([clean, table]) and "nothing" in str(gradients.effects(clean))
    assert len(gradients.effects(loss).random) == 1 and not gradients.effects(loss).trained
    trained = gradients.effects({"loss": loss, "step": [train]})
    assert trained.trained == ["table"] and "table/Adam" in trained.assigned
    assert "trains the model: yes (table)" in str(trained)
    updated = gradients.effects(update)
    assert (updated.assigned, updated.trained) == (["still"], [])
    assert gradients.effects(item).data == ["IteratorGetNext"]
    assert gradients.effects(hidden).assigned == [still.op.name]
    assert gradients.effects(printed).other == [printed.op.name]
    assert gradients.effects(train.name).trained == ["table"]
