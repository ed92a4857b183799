"""`tf.train.Supervisor`, which saves in a thread of its own while steps run."""

import os

import numpy as np
import pytest

from training_cases import same_bits

CHECKPOINTS = 300 if os.environ.get("TFGRAPHTOOLS_WHOLE") else 5
SHAPE = (200, 50)
START = np.random.RandomState(0).normal(size=SHAPE).astype(np.float32)
MASKS = {
    "elements": np.random.RandomState(1).rand(*SHAPE) < 0.5,
    "rows": np.broadcast_to(np.arange(SHAPE[0])[:, None] % 4 == 0, SHAPE),
}


@pytest.fixture(scope="module")
def server(tf):
    return tf.compat.v1.train.Server({"ps": ["localhost:0"]}, "ps", 0)  # any free port


@pytest.mark.parametrize("mask", sorted(MASKS))
@pytest.mark.parametrize("place", ["one-process", "server"])
def test_checkpoints(place, mask, variables, graph, tf, v1, training, server, tmp_path):
    """No frozen element moved, a sum with its count, in each; a stock Saver restores the last."""
    v1.Session.reset(server.target)
    frozen, target = MASKS[mask], server.target if place == "server" else ""
    with v1.device("/job:ps/task:0" if target else None):
        w, u = (v1.get_variable(n, initializer=START) for n in "wu")
        optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": frozen})
        optimizer = training.GradientAccumulationOptimizer(optimizer, 3)
        count = v1.train.get_or_create_global_step()
        pairs = [(tf.sin(w), w), (tf.ones(SHAPE), u)]
        step = optimizer.apply_gradients(pairs, global_step=count)
    stock = v1.train.Saver()
    supervisor = v1.train.Supervisor(
        logdir=str(tmp_path),
        saver=training.ConsistentSaver(max_to_keep=1000),
        save_model_secs=0.02,
        summary_op=None,
    )
    with supervisor.managed_session(target) as session:
        taken = 0
        while len(set(paths(tmp_path))) < CHECKPOINTS and taken < 100 * CHECKPOINTS + 5000:
            session.run(step)
            taken += 1
    saved = paths(tmp_path)
    assert len(saved) >= CHECKPOINTS
    for path in saved:
        reader = v1.train.NewCheckpointReader(path)
        assert same_bits(reader.get_tensor("w")[frozen], START[frozen])
        runs = reader.get_tensor("GradientAccumulation/runs")
        assert (reader.get_tensor("u/gradient_sum") == runs).all()
    last = v1.train.latest_checkpoint(str(tmp_path))
    v1.Session.reset(server.target)
    with v1.Session(target) as session:
        stock.restore(session, last)
        assert same_bits(session.run(w), v1.train.load_variable(last, "w"))
        session.run(step)
    v1.Session.reset(server.target)


def paths(folder):
    return [str(path)[: -len(".index")] for path in folder.glob("model.ckpt*.index")]
