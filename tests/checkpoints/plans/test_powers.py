"""Beta powers count steps: they are neither averaged nor rounded with the weights."""

import numpy as np
import pytest
from checkpoint_files import write_first

from tfgraphtools import checkpoints

pytestmark = pytest.mark.quick

W = np.float32([[0.25, 0.5], [0.125, 3.0]])


def _trained(steps):
    """The tensors of an Adam after some steps."""
    return {
        "w": W * steps,
        "w/Adam": W,
        "w/Adam_1": W,
        "beta1_power": np.float32(0.9**steps),
        "train/beta2_power": np.float32(0.999**steps),
        "beta2_power": np.float32(0.999**steps),
        "global_step": np.int64(steps),
    }


@pytest.fixture
def write(tmp_path):
    """A function of a name and tensors that gives an open checkpoint."""
    opened = []

    def of(name, tensors):
        with checkpoints.open_checkpoint(write_first(tmp_path / "first")) as ckpt:
            checkpoints.plan(ckpt, drop=".*", add=tensors).apply(tmp_path / name)
        opened.append(checkpoints.open_checkpoint(tmp_path / name))
        return opened[-1]

    yield of
    for ckpt in opened:
        ckpt.close()


def test_an_average_has_the_last_ones(write):
    of_first, of_last = _trained(10), _trained(30)
    mean = checkpoints.average([write("a", of_first), write("b", of_last)]).view()
    assert np.array_equal(mean["w"], W * 20)
    for name in ("beta1_power", "beta2_power", "train/beta2_power", "global_step"):
        assert mean[name] == of_last[name], name


@pytest.mark.parametrize("cast", ["float16", {".*": "float16"}, {"(w|beta).*": "float16"}])
def test_a_cast_of_weights_spares_them(write, cast):
    tensors = _trained(30)
    if isinstance(cast, dict):
        tensors.pop("global_step")
    done = checkpoints.plan(write("a", tensors), cast=cast).view()
    assert done["w"].dtype == np.float16
    for name in ("beta1_power", "beta2_power", "train/beta2_power"):
        assert done[name].dtype == np.float32 and done[name] == tensors[name], name


def test_a_pattern_that_names_them_casts_them(write):
    done = checkpoints.plan(write("a", _trained(30)), cast={"beta1_power": "float16"}).view()
    assert done["beta1_power"].dtype == np.float16 and done["beta2_power"].dtype == np.float32


def test_a_cast_for_pytorch_keeps_the_count_of_steps(write):
    torch = pytest.importorskip("torch")
    tensors = {("dense/kernel" + n[1:] if n[0] == "w" else n): v for n, v in _trained(300).items()}
    del tensors["train/beta2_power"], tensors["global_step"]
    net = torch.nn.Sequential()
    net.add_module("dense", torch.nn.Linear(2, 2, bias=False).half())
    optimizer = torch.optim.Adam(net.parameters(), eps=1e-8)
    options = {"cast": {".*": "float16"}, "optimizer": optimizer}
    plan = checkpoints.to_torch(write("a", tensors), net, **options)
    assert plan.state.steps == 299  # of TF 1's beta ** (steps + 1)
    assert net.dense.weight.dtype == torch.float16
