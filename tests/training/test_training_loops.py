"""The loops that people train in: Estimator, and slim's, with our optimizers and hooks."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "helpers" / "estimator_job.py"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def legacy_installation():
    """The folder of TF 1.15's own Estimator, or None; it is made with `legacy install`."""
    from tfgraphtools.compat import legacy

    found = legacy.status()
    return legacy.cache_folder() if found.packages else None


def test_an_estimator(tf, tmp_path):
    """On TF 1.15 as it is; on TF 2 by `run`, with the original Estimator."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT), TF_CPP_MIN_LOG_LEVEL="3")
    command = [sys.executable]
    if not tf.__version__.startswith("1."):
        folder = legacy_installation()
        if folder is None:
            pytest.skip("no legacy installation: run `tfgraphtools legacy install`")
        environment["TFGRAPHTOOLS_CACHE"] = str(folder)
        command += ["-m", "tfgraphtools", "run"]
    done = subprocess.run(
        command + [str(SCRIPT), str(tmp_path)],
        env=environment,
        cwd=str(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=400,
    )
    assert b"as expected" in done.stdout, done.stdout.decode()[-3000:]
    assert done.returncode == 0
    assert list((tmp_path / "summaries").glob("events*"))


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

    with v1.Graph().as_default() as plain, v1.Session(graph=plain) as run:
        w, loss, optimizer = build()
        step = optimizer.minimize(loss, global_step=v1.train.get_or_create_global_step())
        run.run(v1.global_variables_initializer())
        while run.run(v1.train.get_global_step()) < 3:
            run.run(step)
        expected = run.run(w)
    w, loss, optimizer = build()
    train_op = slim.learning.create_train_op(loss, optimizer)
    final = slim.learning.train(
        train_op, str(tmp_path), number_of_steps=3, save_summaries_secs=None, log_every_n_steps=100
    )
    assert np.isfinite(final)
    path = v1.train.latest_checkpoint(str(tmp_path))
    found = v1.train.NewCheckpointReader(path).get_tensor("w")
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    start = np.float32([[1.0], [2.0]])
    assert np.array_equal((found == start).ravel(), SLIM[case][1])
