"""20 steps in TF 1.15, converted, 20 more in PyTorch: as TF 1.15's 20 more."""

import pathlib
import shutil

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.facts import of_optimizer
from tfgraphtools.checkpoints.torch import torch_optimizer_state
from tfgraphtools.errors import ArgumentError, PlanError

#: TF1's optimizer: (class in torch.optim, its arguments)
OPTIMIZERS = {
    "Adam": ("Adam", {"lr": 0.01, "eps": 1e-8}),
    "Momentum": ("SGD", {"lr": 0.01, "momentum": 0.9}),
    "Nesterov": ("SGD", {"lr": 0.01, "momentum": 0.9, "nesterov": True}),
    "RMSProp": ("RMSprop", {"lr": 0.01, "alpha": 0.9, "eps": 1e-10}),
    "RMSPropMomentum": ("RMSprop", {"lr": 0.01, "alpha": 0.9, "eps": 1e-10, "momentum": 0.8}),
    "CenteredRMSProp": (
        "RMSprop",
        {"lr": 0.01, "alpha": 0.9, "eps": 1e-10, "momentum": 0.8, "centered": True},
    ),
    "Adagrad": ("Adagrad", {"lr": 0.05, "eps": 0}),
    "Adadelta": ("Adadelta", {"lr": 1.0, "rho": 0.95, "eps": 1e-8}),
    "GradientDescent": ("SGD", {"lr": 0.05}),
    "AdamW": ("AdamW", {"lr": 0.01, "eps": 1e-8, "weight_decay": 0.002 / 0.01}),
    "AdamWeightDecay": ("AdamW", {"lr": 0.01, "eps": 1e-6, "weight_decay": 0.1}),
}
#: Optimizers of TF1 that another one's slots are named as.
NAMED = {"AdamWeightDecay": {"names": "AdamWeightDecay"}}


def trained_on(torch, net, optimizer, arrays):
    x, target = torch.from_numpy(arrays["x"]), torch.from_numpy(arrays["y"])
    for _ in range(20):
        optimizer.zero_grad()
        ((net(x) - target) ** 2).mean().backward()
        optimizer.step()


def largest_difference(net, arrays):
    pairs = [
        (arrays[f"{layer}/{ours}"], getattr(getattr(net, layer), theirs).detach().numpy().T)
        for layer in ("hidden", "out")
        for ours, theirs in (("kernel", "weight"), ("bias", "bias"))
    ]
    return max(np.abs(tf1 - own).max() for tf1, own in pairs)


def built(torch, net, name):
    """The optimizer that goes on; BERT's decays no biases."""
    kind, settings = OPTIMIZERS[name]
    groups = net.parameters()
    if name == "AdamWeightDecay":
        weights = [p for p in net.parameters() if p.dim() > 1]
        biases = [p for p in net.parameters() if p.dim() == 1]
        groups = [{"params": weights}, {"params": biases, "weight_decay": 0}]
    return getattr(torch.optim, kind)(groups, **settings)


@pytest.mark.parametrize("name", sorted(OPTIMIZERS))
def test_training_goes_on(torch, build_model, tf1_models, name):
    prefix, arrays = tf1_models(name)
    net = build_model("Regression")
    optimizer = built(torch, net, name)
    plan = checkpoints.to_torch(prefix, net, optimizer=optimizer, **NAMED.get(name, {}))
    assert plan.dropped in ([], ["global_step"], ["beta1_power", "beta2_power", "global_step"])
    is_warned = any("with a schedule their steps" in note for note in plan.notes)
    assert is_warned == (name in ("RMSPropMomentum", "CenteredRMSProp"))
    trained_on(torch, net, optimizer, arrays)
    assert largest_difference(net, arrays) < 1e-5


@pytest.mark.parametrize("name", ["Adam", "AdamWeightDecay", "Adagrad", "GradientDescent"])
def test_training_goes_on_with_rows_that_have_no_gradient(torch, build_model, tf1_models, name):
    prefix, arrays = tf1_models("rows_" + name)
    net = build_model("LookedUp")
    optimizer = built(torch, net, name)
    checkpoints.to_torch(prefix, net, optimizer=optimizer, **NAMED.get(name, {}))
    trained_on(torch, net, optimizer, arrays)
    assert np.abs(net.table.weight.detach().numpy() - arrays["table/embedding"]).max() < 1e-5
    assert np.abs(net.out.weight.detach().numpy().T - arrays["out/kernel"]).max() < 1e-5


@pytest.mark.parametrize("name", ["Momentum", "AdamW"])
def test_rows_that_only_pytorch_would_move_are_refused(torch, build_model, tf1_models, name):
    prefix, arrays = tf1_models("rows_" + name)
    net = build_model("LookedUp")
    optimizer = built(torch, net, name)
    with pytest.raises(PlanError, match="'table/embedding'.*leaves rows without a gradient alone"):
        checkpoints.to_torch(prefix, net, optimizer=optimizer)
    checkpoints.to_torch(prefix, net, optimizer=optimizer, sparse_gradients=[])
    trained_on(torch, net, optimizer, arrays)
    assert np.abs(net.table.weight.detach().numpy() - arrays["table/embedding"]).max() > 1e-3


def test_adamw_needs_a_graph_that_says_when_it_decays(torch, build_model, tf1_models, tmp_path):
    prefix, _ = tf1_models("AdamW")
    for path in pathlib.Path(prefix).parent.glob("model.ckpt-20.[id]*"):
        shutil.copy(str(path), str(tmp_path))
    net = build_model("Regression")
    optimizer = built(torch, net, "AdamW")
    copy = str(tmp_path / "model.ckpt-20")
    with pytest.raises(PlanError, match="no .meta that says so.*--optimizer AdamW"):
        checkpoints.to_torch(copy, net, optimizer=optimizer)
    checkpoints.to_torch(copy, net, optimizer=optimizer, graph=prefix + ".meta")
    plan = checkpoints.to_torch(copy, net, optimizer=optimizer, names="AdamW")
    assert any("weight_decay / lr" in note for note in plan.notes)


def test_slots_of_two_optimizers_are_not_guessed(torch, build_model, tf1_models):
    prefix, _ = tf1_models("AdamWeightDecay")
    net = build_model("Regression")
    optimizer = built(torch, net, "AdamWeightDecay")
    with pytest.raises(PlanError, match="AdamWeightDecay or LAMB.*--optimizer AdamWeightDecay"):
        checkpoints.to_torch(prefix, net, optimizer=optimizer)
    with pytest.raises(ArgumentError, match="'LAMB', and torch.optim has no such optimizer"):
        checkpoints.to_torch(prefix, net, optimizer=optimizer, names="LAMB")


def test_a_file_and_a_live_optimizer(torch, build_model, tf1_models, tmp_path):
    """The optimizer takes its state over where the weights are written, too."""
    prefix, _ = tf1_models("Adam")
    net = build_model("Regression")
    optimizer = built(torch, net, "Adam")
    checkpoints.to_torch(prefix, net, tmp_path / "a.safetensors", optimizer=optimizer)
    assert len(optimizer.state) == 4 and (tmp_path / "a.safetensors").exists()


@pytest.mark.parametrize("name", ["Adam", "Momentum", "CenteredRMSProp", "Adagrad"])
def test_a_fresh_optimizer_does_not_go_on(torch, build_model, tf1_models, name):
    """What the test above tells apart."""
    prefix, arrays = tf1_models(name)
    kind, settings = OPTIMIZERS[name]
    net = build_model("Regression")
    optimizer = getattr(torch.optim, kind)(net.parameters(), **settings)
    plan = checkpoints.to_torch(prefix, net)
    assert any("optimizer's state are left behind" in note for note in plan.notes)
    trained_on(torch, net, optimizer, arrays)
    assert largest_difference(net, arrays) > 1e-3


def test_the_state_saves_and_loads(torch, build_model, tf1_models):
    """What is set is what PyTorch itself would have: its own state dict round trip works."""
    prefix, arrays = tf1_models("Adam")
    net = build_model("Regression")
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    checkpoints.to_torch(prefix, net, optimizer=optimizer)
    again = torch.optim.Adam(net.parameters(), lr=0.01)
    again.load_state_dict(optimizer.state_dict())
    trained_on(torch, net, again, arrays)
    assert largest_difference(net, arrays) < 1e-5


@pytest.mark.parametrize(
    "name, kind, settings, message",
    [
        ("Adam", "SGD", {"lr": 0.1}, "a torch.optim.Adam, as Adam trained it"),
        ("Momentum", "SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.5}, "dampening=0,"),
        ("CenteredRMSProp", "RMSprop", {"lr": 0.1}, "centered=True"),
        ("Adagrad", "Adagrad", {"lr": 0.1}, "eps=0,"),
        ("Adam", "Adam", {"lr": 0.1, "weight_decay": 0.1}, "weight_decay=0,"),
    ],
)
def test_refused(torch, build_model, tf1_models, name, kind, settings, message):
    prefix, _ = tf1_models(name)
    net = build_model("Regression")
    before = [parameter.clone() for parameter in net.parameters()]
    set_before = str(getattr(torch.optim, kind)(net.parameters(), **settings).state)
    optimizer = getattr(torch.optim, kind)(net.parameters(), **settings)
    with pytest.raises(PlanError, match=message.replace(".", r"\.")):
        checkpoints.to_torch(prefix, net, optimizer=optimizer)
    assert all(map(torch.equal, before, net.parameters())) and str(optimizer.state) == set_before


RATE = {"learning_rate": 0.01}


@pytest.mark.parametrize(
    "slots, hyper, names, expected",
    [
        (["Adam", "Adam_1"], {}, None, ("Adam", {"lr": 0.001, "eps": 1e-8})),
        (["MyAdam", "MyAdam_1"], RATE, {"MyAdam": "Adam"}, ("Adam", {"lr": 0.01})),
        (
            ["AdamW", "AdamW_1"],
            dict(RATE, weight_decay=0.001),
            None,
            ("AdamW", {"weight_decay": 0.001 / 0.01}),
        ),
        (
            ["adam_m", "adam_v"],
            dict(RATE, weight_decay_rate=0.1),
            "AdamWeightDecay",
            ("AdamW", {"weight_decay": 0.1, "eps": 1e-6}),
        ),
        (["Momentum"], dict(RATE, momentum=0.9), None, ("SGD", {"momentum": 0.9})),
    ],
    ids=["Adam", "a name of its own", "AdamW", "AdamWeightDecay", "Momentum"],
)
def test_the_optimizer_that_goes_on(torch, tmp_path, slots, hyper, names, expected):
    arrays = {f"d/kernel/{slot}": np.ones((2, 3), np.float32) for slot in slots}
    arrays["d/kernel"] = np.ones((2, 3), np.float32)
    arrays.update(beta1_power=np.float32(0.9**4), beta2_power=np.float32(0.999**4))
    np.savez(str(tmp_path / "in.npz"), **arrays)
    with checkpoints.open_checkpoint(tmp_path / "in.npz") as ckpt:
        net = torch.nn.Linear(2, 3)
        optimizer = checkpoints.torch_optimizer(ckpt, net, hyper, names)
        settings = {name: optimizer.param_groups[0][name] for name in expected[1]}
        assert (type(optimizer).__name__, settings) == expected
        if slots[0] != "Adam":
            with pytest.raises(ArgumentError, match="TF 1's names"):
                checkpoints.torch_optimizer(ckpt, net, dict(hyper, lr=1.0), names)


def test_groups_with_different_betas_are_refused(torch):
    """TF 1's optimizer has one pair, and its powers say one number of steps."""
    weights = [torch.nn.Parameter(torch.zeros(2)) for _ in range(2)]
    groups = [{"params": [w], "betas": (beta, 0.99)} for w, beta in zip(weights, (0.9, 0.8))]
    with pytest.raises(PlanError, match="Give all parameter groups the same betas"):
        torch_optimizer_state._adam_betas(torch.optim.Adam(groups))


@pytest.mark.parametrize("weight_decay, is_noted", [(0, False), (0.1, True)])
def test_settings_that_tf1_does_not_have_are_noted(torch, weight_decay, is_noted):
    weights = [torch.nn.Parameter(torch.zeros(2))]
    optimizer = torch.optim.Adagrad(weights, eps=0, weight_decay=weight_decay)
    notes = torch_optimizer_state._check_settings("Adagrad", optimizer, of_optimizer.UNKNOWN)
    assert any("weight_decay is 0.1" in note for note in notes) == is_noted
