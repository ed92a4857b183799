"""The mean of the last checkpoints of a folder, for every target; the oracle is NumPy."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.errors import CheckpointNotFoundError

pytestmark = pytest.mark.quick

RANDOM = np.random.RandomState(3)
STEPS = (5, 20, 100)  # as text, 5 comes last
ARRAYS = {
    step: {
        "net/kernel": RANDOM.randn(3, 2).astype(np.float32) * 10.0 ** RANDOM.randint(-8, 8, (3, 2)),
        "net/bias": RANDOM.randn(2).astype(np.float32),
        "global_step": np.int64(step),
    }
    for step in STEPS
}
for arrays in ARRAYS.values():
    arrays["net/kernel"] = arrays["net/kernel"].astype(np.float32)


def mean(name, count):
    if name == "global_step":
        return ARRAYS[100][name]
    return np.mean([ARRAYS[s][name].astype(np.float64) for s in STEPS[-count:]], 0, np.float64)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("training")
    for step, arrays in ARRAYS.items():
        np.savez(str(folder / "in.npz"), **arrays)
        checkpoints.from_npz(str(folder / "in.npz"), str(folder / f"model.ckpt-{step}"))
    (folder / "checkpoint").write_text('model_checkpoint_path: "model.ckpt-100"\n')
    np.savez(str(folder / "in.npz"), other=np.ones(2))
    checkpoints.from_npz(str(folder / "in.npz"), str(folder / "best-7"))
    return folder


def require_mean(path, count, names=None):
    with checkpoints.open_checkpoint(path) as averaged:
        for name in names or ARRAYS[5]:
            expected = mean(name, count).astype(averaged[name].dtype)
            np.testing.assert_array_equal(averaged[name], expected)


@pytest.mark.parametrize("count", [2, 3])
def test_average(folder, tmp_path, run, count):
    code, out, err = run("average", tmp_path / "mean", folder, "--last", str(count))
    assert code == 0, err
    require_mean(tmp_path / "mean", count)


@pytest.mark.parametrize("to, path", [("npz", "a.npz"), ("safetensors", "a.st"), ("tf1", "a")])
def test_convert(folder, tmp_path, run, to, path):
    code, out, err = run("convert", folder, tmp_path / path, "--to", to, "--average", "2")
    assert code == 0 and "the mean of" in err and "model.ckpt-20, " in err
    require_mean(tmp_path / path, 2)


def test_convert_to_object_and_torch(folder, tmp_path, run):
    rule = ["--rule", "net/(.*)", r"net/\1", "--drop-optimizer"]
    archive = ["convert", folder, tmp_path / "object", "--to", "object", "--average", "2", *rule]
    assert run(*archive)[0] == 0
    with checkpoints.open_checkpoint(tmp_path / "object") as ckpt:
        kernel = ckpt["net/kernel/.ATTRIBUTES/VARIABLE_VALUE"]
        assert np.array_equal(kernel, mean("net/kernel", 2).astype(np.float32))
    like = {"net.weight": np.zeros((2, 3), np.float32), "net.bias": np.zeros(2, np.float32)}
    np.savez(str(tmp_path / "like.npz"), **like)
    checkpoints.to_safetensors(tmp_path / "like.npz", tmp_path / "like.safetensors")
    words = ["--to", "torch", "--like", tmp_path / "like.safetensors", "--average", "3"]
    code, out, err = run("convert", folder, tmp_path / "new.safetensors", *words)
    assert code == 0, err
    with checkpoints.open_checkpoint(tmp_path / "new.safetensors") as archive:
        assert np.array_equal(archive["net.weight"], mean("net/kernel", 3).astype(np.float32).T)


@pytest.mark.parametrize("to, path", [("frozen", "frozen.pb"), ("saved_model", "model")])
def test_convert_with_a_graph(tf, folder, tmp_path, run, to, path):
    v1, names = tf.compat.v1, ["net/kernel", "net/bias"]
    with v1.Graph().as_default():
        x = v1.placeholder(tf.float32, [None, 3], name="x")
        kernel, bias = (v1.get_variable(name, ARRAYS[5][name].shape) for name in names)
        v1.identity(tf.matmul(x, kernel) + bias, name="y")
        v1.train.Saver([kernel, bias])
        v1.train.export_meta_graph(str(tmp_path / "model.meta"))
    graph = ["--meta", tmp_path / "model.meta", "--outputs", "y", "--average", "3"]
    code, out, err = run("convert", folder, tmp_path / path, "--to", to, *graph)
    assert code == 0 and "the mean of" in err, err
    require_mean(tmp_path / path, 3, names)


def test_refused(folder, tmp_path, run):
    with pytest.raises(CheckpointNotFoundError, match="3: model.ckpt-5, model.ckpt-20"):
        checkpoints.average_last(folder, 4)
    code, out, err = run("average", tmp_path / "m", folder, "--last", "1")
    assert code == 2 and err.count("\n") == 1 and "two checkpoints or more" in err
    code, out, err = run("average", tmp_path / "m", folder, folder, "--last", "2")
    assert code == 2 and "one folder" in err and not list(tmp_path.glob("m*"))
