"""Borders between maps and vectors: the graph and a trace say the order, or the user is asked."""

import os
import pathlib
import shutil

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.errors import PlanError

MAKER = pathlib.Path(__file__).with_name("tf1_maps.py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tf1_server):
    folder = tmp_path_factory.mktemp("tf1_maps")
    tf1_server.run(folder, MAKER, folder).checked()
    return folder


@pytest.fixture(scope="module")
def modules(torch):
    """{name: class} of modules, in the order of PyTorch and, with "_last", in TF 1's."""
    nn = torch.nn

    class Module(nn.Module):
        permutes = untraceable = False
        axes = (0, 2, 3, 1)

        def __init__(self):
            super().__init__()
            self.build()

        def flat(self, x):
            if self.untraceable and float(x.detach().sum()) > 1e30:
                raise AssertionError
            if self.permutes:
                x = x.permute(*self.axes)
            return x.reshape(x.shape[0], -1) if self.permutes else x.flatten(1)

        def map(self, x):
            return x.view(-1, 3, 3, 4).permute(0, 3, 1, 2) if self.permutes else x.view(-1, 4, 3, 3)

    class widths_that_coincide(Module):
        def build(self):
            self.conv = nn.Conv2d(1, 4, 3, 2)
            self.fc1, self.fc2 = nn.Linear(36, 36), nn.Linear(36, 3)

        def forward(self, x):
            return self.fc2(torch.relu(self.fc1(self.flat(torch.relu(self.conv(x))))))

    class norm_behind_flatten(Module):
        def build(self):
            self.conv, self.bn = nn.Conv2d(1, 4, 3, 2), nn.BatchNorm1d(36, eps=1e-3)
            self.fc = nn.Linear(36, 5)

        def forward(self, x):
            return self.fc(self.bn(self.flat(self.conv(x))))

    class generator(Module):
        def build(self):
            self.fc, self.bn = nn.Linear(5, 36), nn.BatchNorm1d(36, eps=1e-3)
            self.up = nn.ConvTranspose2d(4, 2, 3, 2)

        def forward(self, x):
            return self.up(self.map(torch.relu(self.bn(self.fc(x)))))

    class autoencoder(Module):
        def build(self):
            self.down, self.up = nn.Conv2d(1, 4, 3, 2), nn.ConvTranspose2d(4, 1, 3, 2)
            self.mean, self.code = nn.Linear(36, 6), nn.Linear(6, 36)

        def forward(self, x):
            mean = self.mean(self.flat(torch.relu(self.down(x))))
            return self.up(self.map(torch.relu(self.code(mean))))

    class pooled(Module):
        def build(self):
            self.conv, self.conv2 = nn.Conv2d(1, 12, 3, 2), nn.Conv2d(12, 36, 3)
            self.fc = nn.Linear(36, 3)

        def forward(self, x):
            return self.fc(self.flat(self.conv2(torch.relu(self.conv(x)))))

    class line(Module):
        axes = (0, 2, 1)

        def build(self):
            self.conv, self.fc = nn.Conv1d(2, 4, 3), nn.Linear(28, 3)

        def forward(self, x):
            return self.fc(self.flat(self.conv(x)))

    class recurrent(Module):
        def build(self):
            self.conv = nn.Conv2d(1, 3, 3, (2, 1))
            self.cell = nn.LSTM(9, 5, batch_first=True)

        def forward(self, x):  # [2, 3, 3, 4]: channels, rows, columns
            x = torch.relu(self.conv(x))
            x = x.permute(0, 3, 2, 1) if self.permutes else x.permute(0, 3, 1, 2)
            return self.cell(x.reshape(2, 4, 9))[0].movedim(-1, 1)

    return {cls.__name__: cls for cls in Module.__subclasses__()}


NAMES = "widths_that_coincide norm_behind_flatten generator autoencoder pooled line".split()
#: What a user says where no trace does.
TOLD = {
    "widths_that_coincide": {"flatten": {"fc1": (3, 3, 4)}},
    "norm_behind_flatten": {"flatten": {"fc": (3, 3, 4)}, "unflatten": {"bn": (3, 3, 4)}},
    "line": {"flatten": {"fc": (7, 4)}},
    "pooled": {},
}


def largest_difference(torch, net, arrays):
    x = torch.from_numpy(arrays["x"])
    with torch.no_grad():
        y = net(x.movedim(-1, 1) if x.dim() > 2 else x)
    y = (y.movedim(1, -1) if y.dim() > 2 else y).numpy()
    return np.abs(y - arrays["y"]).max() / np.abs(arrays["y"]).max()


def load(folder, name):
    with np.load(str(folder / name / "arrays.npz")) as arrays:
        return str(folder / name / "model.ckpt"), dict(arrays)


@pytest.mark.parametrize("permutes", [False, True], ids=["first", "last"])
@pytest.mark.parametrize("name", NAMES)
def test_the_graph_and_a_trace_say_the_order(torch, folder, modules, name, permutes):
    prefix, arrays = load(folder, name)
    net = modules[name]().eval()
    net.permutes = permutes
    plan = checkpoints.to_torch(prefix, net, drop_optimizer=True)
    assert largest_difference(torch, net, arrays) < 1e-5
    back = str(folder / f"{name}-{permutes}")
    checkpoints.to_tf1(net, back, like=prefix)
    with checkpoints.open_checkpoint(prefix) as old, checkpoints.open_checkpoint(back) as new:
        for match in plan.matches:
            for tensor in match.fit.leaves.values():
                assert np.array_equal(old[tensor], new[tensor]), tensor


#: {name of a module: of the same model of `tf1_orders`, whose graphs have other orders}.
OTHER_ORDERS = {
    "widths_that_coincide": "dense",
    "norm_behind_flatten": "norm",
    "generator": "generator",
    "autoencoder": "autoencoder",
    "line": "line",
}


@pytest.fixture(scope="module")
def orders(tmp_path_factory, tf1_server):
    folder = tmp_path_factory.mktemp("tf1_orders")
    maker = MAKER.parent.parent / "keras" / "tf1_orders.py"
    tf1_server.run(folder, maker, folder).checked()
    return folder


@pytest.mark.slow(in_ci=4)
@pytest.mark.parametrize("permutes", [False, True], ids=["first", "last"])
@pytest.mark.parametrize("form", ["permuted", "first"])
@pytest.mark.parametrize("name", sorted(OTHER_ORDERS))
def test_a_graph_with_its_channels_first(torch, orders, modules, name, form, permutes):
    prefix, arrays = load(orders / form, OTHER_ORDERS[name])
    net = modules[name]().eval()
    net.permutes = permutes
    checkpoints.to_torch(prefix, net, drop_optimizer=True)
    arrays["x"] = arrays["x0"]
    assert largest_difference(torch, net, arrays) < 1e-5


@pytest.mark.slow(in_ci=2)
@pytest.mark.parametrize("permutes", [False, True], ids=["first", "last"])
@pytest.mark.parametrize("form", ["last", "permuted", "first"])
@pytest.mark.parametrize("name", sorted(OTHER_ORDERS))
def test_a_frozen_graph_says_no_shapes(torch, orders, modules, name, form, permutes):
    _, arrays = load(orders / form, OTHER_ORDERS[name])
    net = modules[name]().eval()
    net.permutes = permutes
    checkpoints.to_torch(str(orders / form / OTHER_ORDERS[name] / "frozen.pb"), net)
    arrays["x"] = arrays["x0"]
    assert largest_difference(torch, net, arrays) < 1e-5


@pytest.mark.slow(in_ci=1)
@pytest.mark.parametrize("form", ["last", "first"])
def test_pictures_that_are_flattened_are_asked_for(torch, orders, form):
    prefix, arrays = load(orders / form, "picture")
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(48, 5))
    rules = {"fc": "1"}
    with pytest.raises(PlanError, match="the rows of 'fc'.*pictures of the graph.*flatten="):
        checkpoints.to_torch(prefix, net, drop_optimizer=True, rules=rules)
    told = {"fc": (4, 4, 3) if form == "last" else False}
    checkpoints.to_torch(prefix, net, drop_optimizer=True, rules=rules, flatten=told)
    arrays["x"] = arrays["x0"]
    assert largest_difference(torch, net, arrays) < 1e-5


@pytest.mark.parametrize("name", sorted(TOLD))
def test_without_a_trace_the_user_is_asked(torch, folder, modules, name):
    prefix, arrays = load(folder, name)
    net = modules[name]().eval()
    net.untraceable = True
    if TOLD[name]:
        with pytest.raises(PlanError, match=r"(?s)the (rows|outputs) of .*no trace.*flatten="):
            checkpoints.to_torch(prefix, net, drop_optimizer=True)
    checkpoints.to_torch(prefix, net, drop_optimizer=True, **TOLD[name])
    assert largest_difference(torch, net, arrays) < 1e-5


@pytest.mark.parametrize("has_module", [False, True], ids=["state dict", "module"])
@pytest.mark.parametrize("name", ["widths_that_coincide", "pooled"])
def test_without_a_graph_the_user_is_asked(torch, folder, modules, tmp_path, name, has_module):
    for path in (folder / name).glob("model.ckpt.[di]*"):
        shutil.copy(str(path), str(tmp_path))
    net = modules[name]().eval()
    target = net if has_module else net.state_dict()
    prefix = str(tmp_path / "model.ckpt")
    if name == "pooled" and has_module:  # the trace says that the map has one cell
        checkpoints.to_torch(prefix, net, drop_optimizer=True)
        assert largest_difference(torch, net, load(folder, name)[1]) < 1e-5
        return
    with pytest.raises(PlanError, match="to know if its 36 inputs are a flattened feature map"):
        checkpoints.to_torch(prefix, target, str(tmp_path / "out.pt"), drop_optimizer=True)
    assert not os.path.exists(str(tmp_path / "out.pt"))


@pytest.mark.parametrize("permutes", [False, True], ids=["first", "last"])
def test_a_cell_that_reads_the_columns_of_a_map(torch, folder, modules, permutes):
    prefix, arrays = load(folder, "recurrent")
    net = modules["recurrent"]().eval()
    net.permutes = permutes
    with pytest.raises(PlanError, match=r"the inputs of the cell .*cell'.*: 3 x 3.*flatten="):
        checkpoints.to_torch(prefix, net, drop_optimizer=True)
    told = {".*cell": False if permutes else (3, 3)}
    checkpoints.to_torch(prefix, net, drop_optimizer=True, flatten=told)
    assert largest_difference(torch, net, arrays) < 1e-5


def test_slots_are_reordered_with_their_weights(torch, folder, modules):
    prefix, _ = load(folder, "generator")
    net = modules["generator"]()
    optimizer = torch.optim.Adam(net.parameters(), eps=1e-8)
    checkpoints.to_torch(prefix, net, optimizer=optimizer, steps=1)
    with checkpoints.open_checkpoint(prefix) as ckpt:
        moment = np.asarray(ckpt["fc/kernel/Adam"]).reshape(5, 3, 3, 4).transpose(3, 1, 2, 0)
    assert np.array_equal(optimizer.state[net.fc.weight]["exp_avg"], moment.reshape(36, 5))
