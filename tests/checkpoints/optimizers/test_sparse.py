"""Embeddings, clipping, tf.keras's optimizers: TF 1.15 going on, and Keras after a conversion.

What is not exact must be refused by name. A reference is TF 1.15 itself, 20 steps later.
"""

import importlib.util
import json
import os

import pytest
import sparse_runs
import tf_keras_runs

import optimizer_runs
from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.graphs import graph_training
from tfgraphtools.errors import PlanError

pytestmark = pytest.mark.slow

EXACT = 3e-6


def _table(script, folder, this_server, tf1_server):
    """What a script printed, after TF 1.15 has trained and Keras has gone on."""
    if not (importlib.util.find_spec("keras") and importlib.util.find_spec("tf_keras")):
        pytest.skip("needs Keras 3 and tf_keras, and so TF 2")
    path = os.path.abspath(script.__file__)
    tf1_server.run(folder, path, "train", folder).checked()
    return json.loads(this_server.run(folder, path, "go-on", folder).checked())


@pytest.fixture(scope="module")
def sparse(tmp_path_factory, this_server, tf1_server):
    folder = tmp_path_factory.mktemp("sparse")
    return folder, _table(sparse_runs, folder, this_server, tf1_server)


@pytest.fixture(scope="module")
def of_tf_keras(tmp_path_factory, this_server, tf1_server):
    folder = tmp_path_factory.mktemp("tf_keras")
    return folder, _table(tf_keras_runs, folder, this_server, tf1_server)


@pytest.mark.parametrize("case, variant", sparse_runs.continued())
def test_exact_or_refused(sparse, case, variant):
    row = sparse[1][variant][case]
    assert row["legacy"]["difference"] <= EXACT and row["legacy"]["refused"] is None
    difference, words = row["keras"]["difference"], row["keras"]["refused"]
    kind = optimizer_runs.CASES[case][0]
    is_exact = kind == "GradientDescent" or variant == "dense" and kind == "Momentum"
    if is_exact:
        assert words is None
    else:
        assert "embed/embeddings" in words and "legacy" in words
        assert (".meta" in words) == ("dense" not in variant)
    if is_exact or "dense" in variant:  # accepted, and trained without Keras's own lookup
        assert difference <= EXACT
    elif variant == "sparse":
        assert difference > 100 * EXACT  # it is refused for a reason


def test_what_a_graph_says(sparse):
    folder, _ = sparse
    for variant in sparse_runs.VARIANTS:
        for case in ("Adam", "SGD", "Ftrl"):
            training = graph_training.read(folder / variant / case / "model.ckpt.meta")
            assert bool(training.sparse) == ("dense" not in variant)
            assert training.is_clipped == ("clipped" in variant)


@pytest.mark.parametrize(
    "name, variant, says",
    [
        ("NadamOptimizer", "dense", "NadamOptimizer of tf.contrib.opt in"),
        ("NadamOptimizer", "sparse", "NadamOptimizer of tf.contrib.opt in"),
        ("LazyAdamOptimizer", "sparse", "only the rows looked up of 'embed/embeddings'"),
        ("LazyAdamOptimizer", "dense", None),  # which is Adam then
    ],
)
def test_optimizers_that_save_the_names_of_adam(sparse, name, variant, says):
    with checkpoints.open_checkpoint(sparse[0] / name / variant / "model.ckpt") as ckpt:
        options = {"rules": [("(.*)", r"net/\1")], "steps": 0}
        if says is None:
            assert not [
                n for n in checkpoints.plan_object_based(ckpt, **options).notes if name in n
            ]
            return
        with pytest.raises(PlanError) as error:
            checkpoints.plan_object_based(ckpt, **options)
        assert says in str(error.value)
        left = checkpoints.plan_object_based(ckpt, rules=options["rules"], drop_optimizer=True)
        assert len(left.targets) == 4  # two variables, the counter and the graph


@pytest.mark.parametrize("case", sorted(tf_keras_runs.CASES))
def test_the_optimizers_of_tf_keras_go_on(of_tf_keras, case):
    row = of_tf_keras[1][case]
    assert row["legacy"] <= EXACT
    if case == "RMSprop":
        assert "legacy.RMSprop" in row["keras"]
    else:
        assert row["keras"] <= EXACT
    if case == "nesterov":  # which no checkpoint holds
        assert "nesterov" in row["object"]
    else:
        assert row["object"] <= EXACT


@pytest.mark.parametrize("case", sorted(tf_keras_runs.CASES))
def test_a_round_trip_keeps_the_names_of_tf_keras(of_tf_keras, tmp_path, case):
    source = of_tf_keras[0] / case / "model.ckpt"
    checkpoints.to_object_based(source, tmp_path / "object", rules=[("(.*)", r"net/\1")])
    checkpoints.to_name_based(tmp_path / "object", tmp_path / "back")
    assert not checkpoints.diff(source, tmp_path / "back")
