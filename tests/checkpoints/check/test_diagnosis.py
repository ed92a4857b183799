"""A checkpoint against the variables of a graph."""

import sys

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.check import diagnosis
from tfgraphtools.errors import DamagedCheckpointError


def build(tf, v1, scope, kernel="kernel", width=5, partitions=None, dtype=None):
    with v1.variable_scope(scope):
        for i in range(3):
            with v1.variable_scope(f"layer_{i}"):
                v1.get_variable(kernel, (4, width), dtype)
                v1.get_variable("bias", (width,))
        partitioner = v1.fixed_size_partitioner(partitions) if partitions else None
        v1.get_variable("embedding", (9, 3), partitioner=partitioner)
    loss = sum(
        tf.reduce_sum(v**2) for v in v1.trainable_variables() if v.dtype.base_dtype == tf.float32
    )
    return v1.train.AdamOptimizer().minimize(loss)


@pytest.fixture
def save(tf, v1, tmp_path):
    """A function that trains and saves a model; returns its prefix."""

    def run(name, scope, **options):
        with v1.Graph().as_default(), v1.Session() as session:
            train = build(tf, v1, scope, **options)
            session.run(v1.global_variables_initializer())
            session.run(train)
            return v1.train.Saver().save(session, str(tmp_path / name))

    return run


@pytest.mark.parametrize("partitions", [None, 2, 3])
def test_a_model_fits_its_own_checkpoint(save, variables, partitions):
    prefix = save("m", "net", partitions=partitions)
    diagnosed = checkpoints.doctor(prefix, prefix + ".meta")
    assert (
        diagnosed.ok and not diagnosed.extra and not diagnosed.ops and len(diagnosed.fitting) == 23
    )


@pytest.mark.parametrize("kernel", ["kernel", "weights"])
def test_the_renames_mend_an_old_checkpoint(save, tmp_path, kernel, tf, v1):
    old, new = save("old", "old_scope", kernel=kernel), save("new", "net/deep", partitions=2)
    diagnosed = checkpoints.doctor(old, new + ".meta")
    assert not diagnosed.ok and len(diagnosed.missing) == len(diagnosed.renames) == 21
    assert (
        diagnosed.renames[f"old_scope/layer_1/{kernel}/Adam_1"] == "net/deep/layer_1/kernel/Adam_1"
    )
    with checkpoints.open_checkpoint(old) as ckpt:
        checkpoints.plan(ckpt, rename=diagnosed.renames).apply(tmp_path / "mended")
        assert checkpoints.doctor(tmp_path / "mended", new + ".meta").ok
        with v1.Graph().as_default(), v1.Session() as session:
            build(tf, v1, "net/deep", partitions=2)
            v1.train.Saver().restore(session, str(tmp_path / "mended"))
            (kernel_2,) = [
                v for v in v1.global_variables() if v.op.name == "net/deep/layer_2/kernel"
            ]
            value = session.run(kernel_2)
        assert np.array_equal(value, ckpt[f"old_scope/layer_2/{kernel}"])


OPTIMIZERS = {
    "Momentum": lambda train: train.MomentumOptimizer(0.1, 0.9),
    "Adam": lambda train: train.AdamOptimizer(),
    "RMSProp": lambda train: train.RMSPropOptimizer(0.1),
    "CenteredRMSProp": lambda train: train.RMSPropOptimizer(0.1, centered=True),
    "Adagrad": lambda train: train.AdagradOptimizer(0.1),
    "Adadelta": lambda train: train.AdadeltaOptimizer(),
    "Ftrl": lambda train: train.FtrlOptimizer(0.1),
}


@pytest.fixture
def trained_by(tf, v1, tmp_path):
    """A function that saves a net in a scope with the state of an optimizer; returns its prefix."""

    def save(name, scope, average=False):
        with v1.Graph().as_default(), v1.Session() as session:
            with v1.variable_scope(scope):
                w = v1.get_variable("w", (2, 2))
                b = v1.get_variable("b", (2,))
            step = v1.train.get_or_create_global_step()
            loss = tf.reduce_sum(w**2) + tf.reduce_sum(b**2)
            OPTIMIZERS[name](v1.train).minimize(loss, global_step=step)
            if average:
                v1.train.ExponentialMovingAverage(0.9).apply([w, b])
            session.run(v1.global_variables_initializer())
            return v1.train.Saver().save(session, str(tmp_path / (name + scope)))

    return save


@pytest.mark.costly(in_ci=16)
@pytest.mark.parametrize("scope", ["net", pytest.param("other", marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", sorted(OPTIMIZERS))
@pytest.mark.parametrize("source", sorted(OPTIMIZERS))
def test_no_slot_becomes_another_optimizers(trained_by, source, model, scope):
    diagnosed = checkpoints.doctor(trained_by(source, "net"), trained_by(model, scope) + ".meta")
    slots = {name for name in diagnosed.missing if name.count("/") == 2 or "power" in name}
    if source == model:
        assert diagnosed.ok or set(diagnosed.renames.values()) == set(diagnosed.missing)
        return
    assert not slots & set(diagnosed.renames.values())
    assert not any(diagnosed.nearest.get(name) for name in slots)
    weights = {"other/w": "net/w", "other/b": "net/b"} if scope == "other" else {}
    assert {new: old for old, new in diagnosed.renames.items()} == weights
    assert slots == set(diagnosed.state)


def test_no_average_becomes_a_weight(trained_by):
    """Nor a weight an average: what is missing is named."""
    with_average = trained_by("Adagrad", "net", average=True)
    diagnosed = checkpoints.doctor(trained_by("Adagrad", "other"), with_average + ".meta")
    averages = {f"net/{name}/ExponentialMovingAverage" for name in "wb"}
    assert {
        name for name, role in diagnosed.state.items() if role == "a moving average"
    } == averages
    assert not averages & set(diagnosed.renames.values())


def test_shapes_and_types_that_differ(save, tf):
    diagnosed = checkpoints.doctor(save("a", "net"), save("b", "net", width=6) + ".meta")
    assert ("net/layer_0/kernel", (4, 5), (4, 6)) in diagnosed.shapes and not diagnosed.missing
    diagnosed = checkpoints.doctor(save("c", "net"), save("d", "net", dtype=tf.float64) + ".meta")
    assert ("net/layer_0/kernel", "float32", "float64") in diagnosed.dtypes


def test_what_is_ambiguous_is_not_proposed(tf, v1, tmp_path):
    def save(*names):
        with v1.Graph().as_default(), v1.Session() as session:
            for name in names:
                v1.get_variable(name, (2, 2))
            session.run(v1.global_variables_initializer())
            return v1.train.Saver().save(session, str(tmp_path / names[0]))

    diagnosed = checkpoints.doctor(save("a/w", "b/w"), save("c/w") + ".meta")
    assert not diagnosed.renames and sorted(diagnosed.nearest["c/w"]) == ["a/w", "b/w"]


@pytest.mark.parametrize("kind", ["graph-def", "saved-model"])
def test_other_kinds_of_graph(save, tf, v1, tmp_path, kind):
    prefix = save("m", "net")
    with v1.Graph().as_default() as graph:
        build(tf, v1, "net")
        if kind == "graph-def":
            path = str(tmp_path / "graph.pb")
            with open(path, "wb") as file:
                file.write(graph.as_graph_def().SerializeToString())
        else:
            with v1.Session(graph=graph) as session:
                session.run(v1.global_variables_initializer())
                builder = v1.saved_model.Builder(str(tmp_path / "saved"))
                builder.add_meta_graph_and_variables(session, ["serve"])
                builder.save()
            path = str(tmp_path / "saved" / "saved_model.pb")
    assert checkpoints.doctor(prefix, path).ok


def test_an_old_saver_with_an_op_for_each_variable(save, tf, v1, tmp_path):
    """As TF before 1.4 saved: one RestoreV2 for every tensor."""
    prefix = save("m", "net")
    with v1.Graph().as_default() as graph:
        for i, shape in enumerate([(4, 5), (4, 6)]):
            variable = v1.get_variable(f"v{i}", shape)
            (restored,) = tf.raw_ops.RestoreV2(
                prefix="x",
                tensor_names=[f"net/layer_{i}/kernel"],
                shape_and_slices=[""],
                dtypes=[tf.float32],
            )
            v1.assign(variable, restored, validate_shape=False)
        path = str(tmp_path / "old.meta")
        v1.train.export_meta_graph(path, graph=graph)
    diagnosed = checkpoints.doctor(prefix, path)
    assert diagnosed.fitting == ["net/layer_0/kernel"]
    assert diagnosed.shapes == [("net/layer_1/kernel", (4, 5), (4, 6))]


def test_ops_that_this_tensorflow_lacks(save, tf, v1, tmp_path):
    prefix = save("m", "net")
    graph = v1.GraphDef()
    graph.node.add(name="w", op="VariableV2").attr["dtype"].type = 1
    for op in ("Resampler", "GatherTree", "MadeUp"):
        graph.node.add(name="x" + op, op=op)
    graph.library.function.add().node_def.add(name="y", op="SkipGramGenerateCandidates")
    path = str(tmp_path / "g.pb")
    with open(path, "wb") as file:
        file.write(graph.SerializeToString())
    if "tensorflow.contrib" in sys.modules:
        pytest.skip("another test of this process has loaded tf.contrib, which has these ops")
    contrib = [
        ("GatherTree", "tf.contrib.seq2seq"),
        ("Resampler", "tf.contrib.resampler"),
        ("SkipGramGenerateCandidates", "tf.contrib.text"),
    ]
    assert checkpoints.doctor(prefix, path).ops == contrib
    assert (
        checkpoints.doctor(prefix, path, ops=True).ops
        == contrib[:1] + [("MadeUp", "")] + contrib[1:]
    )


@pytest.mark.parametrize("data", [b"", b"\xff\xff", b"hello { }", b"\x0a\x05ab"])
def test_a_file_that_is_no_graph(save, tmp_path, data):
    (tmp_path / "g.pb").write_bytes(data)
    with pytest.raises(DamagedCheckpointError, match="g.pb"):
        checkpoints.doctor(save("m", "net"), tmp_path / "g.pb")


def test_thousands_of_names_are_compared_in_seconds():
    """The names alone: many layers of one shape, under another scope."""
    shape = (4, 4)
    expected = diagnosis._model.Expected
    wanted = {f"new/layer_{i}/kernel": expected("", "float32", shape) for i in range(1500)}
    held = {f"old/layer_{i}/weights": ("float32", shape) for i in range(1500)}
    diagnosed = diagnosis.Diagnosis()
    diagnosis._propose(diagnosed, wanted, held)
    assert diagnosed.renames == {
        f"old/layer_{i}/weights": f"new/layer_{i}/kernel" for i in range(1500)
    }
