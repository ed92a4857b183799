"""One contract on types: bfloat16, complex numbers and scalars, from and to every kind of model."""

import numpy as np
import pytest
from checkpoint_files import write_first

from tfgraphtools import checkpoints
from tfgraphtools.errors import ArgumentError, PlanError

W = np.float32([[-2.125, 1.5], [0.25, 3.0]])
HEAD = np.float32([[-2.125, 1.0], [2.0, 3.0]])


@pytest.fixture
def write(tmp_path):
    """A function of tensors, and of a type to cast them to, that gives a prefix."""

    def of(cast=None, **tensors):
        tensors = {name.replace("__", "/"): value for name, value in tensors.items()}
        with checkpoints.open_checkpoint(write_first(tmp_path / "first")) as ckpt:
            checkpoints.plan(ckpt, drop=".*", add=tensors).apply(tmp_path / "all", overwrite=True)
        with checkpoints.open_checkpoint(tmp_path / "all") as ckpt:
            plan = checkpoints.plan(ckpt, cast=cast) if cast else checkpoints.plan(ckpt)
            plan.apply(tmp_path / f"of_{cast}", overwrite=True)
        return str(tmp_path / f"of_{cast}")

    return of


@pytest.fixture
def net(torch):
    net = torch.nn.Module()
    net.fc = torch.nn.Linear(2, 2, bias=False)
    net.head = torch.nn.Linear(2, 2, bias=False)
    with torch.no_grad():
        net.fc.weight.copy_(torch.from_numpy(W))
        net.head.weight.copy_(torch.from_numpy(HEAD))
    return net.to(torch.bfloat16)


@pytest.fixture(params=["module", "dict", ".safetensors", ".pt"])
def source(request, torch, net, tmp_path):
    """The module in bfloat16, in each form in which it can be passed."""
    path = str(tmp_path / ("model" + request.param))
    if request.param == ".safetensors":
        pytest.importorskip("safetensors.torch").save_file(net.state_dict(), path)
    elif request.param == ".pt":
        torch.save(net.state_dict(), path)
    else:
        return net if request.param == "module" else net.state_dict()
    return path


@pytest.mark.parametrize("suffix", [".safetensors", ".pt"])
@pytest.mark.parametrize("is_cast", [False, True], ids=["as it is", "cast"])
def test_bfloat16(torch, write, source, suffix, is_cast, tmp_path):
    load = pytest.importorskip("safetensors.torch").load_file if suffix != ".pt" else torch.load
    prefix = write(None if is_cast else "bfloat16", fc__kernel=W.T * 2)
    path = str(tmp_path / ("out" + suffix))
    options = {"cast": {".*": "bfloat16"}} if is_cast else {}
    checkpoints.to_torch(prefix, source, path, keep=["head.weight"], **options)
    state = load(path)
    assert {value.dtype for value in state.values()} == {torch.bfloat16}
    assert np.array_equal(state["fc.weight"].float().numpy(), W * 2)
    assert np.array_equal(state["head.weight"].float().numpy(), HEAD)


def test_a_live_module_in_bfloat16(write, net):
    checkpoints.to_torch(write("bfloat16", fc__kernel=W.T * 2), net, keep=["head.weight"])
    assert np.array_equal(net.fc.weight.detach().float().numpy(), W * 2)
    assert np.array_equal(net.head.weight.detach().float().numpy(), HEAD)


@pytest.mark.parametrize("like", [None, "bfloat16"])
def test_the_way_back_from_bfloat16(write, source, like, tmp_path):
    prefix = write(like, fc__kernel=W * 9, head__kernel=W)
    checkpoints.to_tf1(source, str(tmp_path / "back"), like=prefix)
    with checkpoints.open_checkpoint(str(tmp_path / "back")) as ckpt:
        assert ckpt.tensor("fc/kernel").dtype.name == (like or "float32")
        assert np.array_equal(ckpt["fc/kernel"], W.T) and np.array_equal(
            ckpt["head/kernel"], HEAD.T
        )


def test_values_that_the_old_type_does_not_hold_are_refused(torch, write, net, tmp_path):
    net = net.float()
    with torch.no_grad():
        net.fc.weight[0, 0] = 1.001
    prefix = write("bfloat16", fc__kernel=W, head__kernel=W)
    with pytest.raises(PlanError, match="'fc/kernel'.*bfloat16.*--cast fc.kernel float32"):
        checkpoints.to_tf1(net, str(tmp_path / "back"), like=prefix)


@pytest.mark.parametrize("suffix", [".safetensors", ".pt"])
def test_complex_numbers_and_scalars(torch, write, suffix, tmp_path):
    net = torch.nn.Module()
    net.temperature = torch.nn.Parameter(torch.tensor(7.5))
    net.phase = torch.nn.Parameter(torch.tensor([3 + 4j], dtype=torch.complex64))
    prefix = write(temperature=np.float32(2.5), phase=np.complex64([1 + 2j]))
    path = str(tmp_path / ("out" + suffix))
    checkpoints.to_torch(prefix, net, path)
    load = pytest.importorskip("safetensors.torch").load_file if suffix != ".pt" else torch.load
    state = load(path)
    assert state["temperature"].shape == () and float(state["temperature"]) == 2.5
    assert state["phase"].dtype == torch.complex64 and complex(state["phase"][0]) == 1 + 2j
    checkpoints.to_tf1(net, str(tmp_path / "back"), like=prefix)
    with checkpoints.open_checkpoint(str(tmp_path / "back")) as ckpt:
        assert ckpt["temperature"].shape == () and ckpt["temperature"] == 7.5
        assert ckpt["phase"][0] == 3 + 4j


def test_a_type_that_safetensors_lacks_is_named(torch, write, tmp_path):
    net = torch.nn.Module()
    net.phase = torch.nn.Parameter(torch.tensor([3 + 4j], dtype=torch.complex128))
    prefix = write(phase=np.complex128([1 + 2j]))
    with pytest.raises(ArgumentError, match="'phase'.*complex128"):
        checkpoints.to_torch(prefix, net, str(tmp_path / "out.safetensors"))
    checkpoints.to_torch(prefix, net, str(tmp_path / "out.pt"))
