"""A checkpoint that is written while it is converted: what was there before stays."""

import os

import numpy as np
import pytest
from checkpoint_files import write_first

from tfgraphtools import checkpoints
from tfgraphtools.errors import SourceChangedError

W = np.float32([[2.0, 1.5], [0.25, 3.0]])


@pytest.fixture
def changed(tmp_path):
    """An open checkpoint of an Adam whose files another process has written since."""
    tensors = {"fc/kernel": W, "fc/kernel/Adam": W, "fc/kernel/Adam_1": W}
    powers = {"beta1_power": np.float32(0.9**3), "beta2_power": np.float32(0.999**3)}
    with checkpoints.open_checkpoint(write_first(tmp_path / "first")) as ckpt:
        checkpoints.plan(ckpt, drop=".*", add=dict(tensors, **powers)).apply(tmp_path / "m")
    with checkpoints.open_checkpoint(str(tmp_path / "m")) as ckpt:
        assert np.array_equal(ckpt["fc/kernel"], W)
        for path in tmp_path.glob("m.*"):
            data = path.read_bytes()
            path.write_bytes(data)
            os.utime(str(path), ns=(1, 1))
        yield ckpt


@pytest.fixture
def net(torch):
    net = torch.nn.Module()
    net.fc = torch.nn.Linear(2, 2, bias=False)
    with torch.no_grad():
        net.fc.weight.fill_(7.0)
    return net


@pytest.mark.parametrize("name", ["out.safetensors", "out.pt"])
def test_a_file_keeps_what_it_had(changed, net, name, tmp_path):
    (tmp_path / name).write_bytes(b"old")
    plan = checkpoints.plan_torch(changed, net, drop_optimizer=True)
    with pytest.raises(SourceChangedError):
        plan.apply(str(tmp_path / name), overwrite=True)
    assert (tmp_path / name).read_bytes() == b"old"


def test_a_folder_keeps_what_it_had(changed, net, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"old")
    plan = checkpoints.plan_torch(changed, net, drop_optimizer=True)
    with pytest.raises(SourceChangedError):
        plan.apply(str(folder), overwrite=True, max_shard_size=1000)
    assert (folder / "model.safetensors").read_bytes() == b"old"


def test_a_live_module_and_its_optimizer_keep_what_they_had(torch, changed, net):
    optimizer = torch.optim.Adam(net.parameters(), eps=1e-8)
    plan = checkpoints.plan_torch(changed, net, optimizer=optimizer)
    with pytest.raises(SourceChangedError):
        plan.apply()
    assert float(net.fc.weight.detach().min()) == 7.0 and not optimizer.state
