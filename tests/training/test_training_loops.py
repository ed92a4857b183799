"""The loops that people train in: Estimator, and slim's, with our optimizers and hooks."""

import pathlib

import numpy as np
import pytest

HELPERS = pathlib.Path(__file__).resolve().parents[1] / "helpers"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def has_legacy_installation():
    """Whether TF 1.15's own Estimator is there; it is made with `legacy install`."""
    from tfgraphtools.compat import legacy

    return bool(legacy.status().packages)


@pytest.fixture
def estimator_server(tf, request):
    """Runs scripts with an Estimator: TF 1.15's as it is; on TF 2 the original one, by `run`."""
    is_tf1 = tf.__version__.startswith("1.")
    if not is_tf1 and not has_legacy_installation():
        pytest.skip("no legacy installation: run `tfgraphtools legacy install`")
    return request.getfixturevalue("this_server" if is_tf1 else "compat_server")


def test_an_estimator(estimator_server, tmp_path):
    script = HELPERS / "estimator_job.py"
    assert "as expected" in estimator_server.run(tmp_path, script, tmp_path).checked()
    assert list((tmp_path / "summaries").glob("events*"))


def test_restarts_of_an_estimator(estimator_server, tmp_path):
    """The rows of "Long runs": all variables beside those of one Session, bit for bit."""
    script = HELPERS / "estimator_restarts_job.py"
    printed = estimator_server.run(tmp_path, script, tmp_path).checked()
    assert printed.count("as expected") == 8, printed


@pytest.fixture
def slim(tf):
    if tf.__version__.startswith("1."):
        import tensorflow.contrib.slim as slim
    else:
        slim = pytest.importorskip("tf_slim")
    return slim


MASK = np.array([[True], [False]])

#: id: (our optimizer around another one, which rows stay)
SLIM = {
    "freeze": (lambda t, o: t.FreezeOptimizer(o, {"w": MASK}), [True, False]),
    "rates": (lambda t, o: t.LRMultiplierOptimizer(o, {"w": 0.5}), [False, False]),
    "groups": (
        lambda t, o: t.FreezeOptimizer(t.PartitionOptimizer([t.Group("all", "w", o)]), {"w": MASK}),
        [True, False],
    ),
    "accumulation": (
        lambda t, o: t.GradientAccumulationOptimizer(t.FreezeOptimizer(o, {"w": MASK}), 2),
        [True, False],
    ),
    "clip": (
        lambda t, o: t.GradientTransformOptimizer(
            t.DecoupledWeightDecayOptimizer(o, {"w": 0.1}), t.transforms.clip_by_global_norm(1.0)
        ),
        [False, False],
    ),
}


@pytest.mark.parametrize("case", SLIM)
def test_slim(case, slim, variables, graph, v1, tf, training, tmp_path):
    """As `minimize` in a plain session. The loss depends on the value: in stock TensorFlow, too,
    one that does not may be read after the update."""

    def build():
        w = v1.get_variable("w", initializer=np.float32([[1.0], [2.0]]))
        return w, tf.reduce_sum(tf.square(w)), SLIM[case][0](training, v1.train.AdamOptimizer(0.1))

    with v1.Graph().as_default() as plain_graph, v1.Session(graph=plain_graph) as run:
        w, loss, optimizer = build()
        step = optimizer.minimize(loss, global_step=v1.train.get_or_create_global_step())
        run.run(v1.global_variables_initializer())
        while run.run(v1.train.get_global_step()) < 3:
            run.run(step)
        expected = run.run(w)
    w, loss, optimizer = build()
    train_op = slim.learning.create_train_op(loss, optimizer)
    final = slim.learning.train(
        train_op,
        str(tmp_path),
        number_of_steps=3,
        save_summaries_secs=None,
        save_interval_secs=0,  # no thread, whose checkpoint of step 2 might be written last
        log_every_n_steps=100,
    )
    assert np.isfinite(final)
    path = v1.train.latest_checkpoint(str(tmp_path))
    value = v1.train.NewCheckpointReader(path).get_tensor("w")
    np.testing.assert_allclose(value, expected, rtol=1e-6)
    start = np.float32([[1.0], [2.0]])
    assert np.array_equal((value == start).ravel(), SLIM[case][1])
