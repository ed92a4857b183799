"""Each layer of TF 1.15 in PyTorch modules that compute the same, and in ones that do not.

A module whose outputs are others is named by a note or refused; one that computes the same is not.
"""

import copy

import layer_table
import pytest
from layer_table import DILATION, PADDING, SIZE, STRIDE, UNEQUAL

from tfgraphtools import checkpoints


def conv(n, **options):
    return n.seq(conv=n.nn.Conv2d(2, 4, 3, **options))


def padded_conv(n):
    return n.seq(pad=n.nn.ZeroPad2d((0, 1, 0, 1)), conv=n.nn.Conv2d(2, 4, 3, 2))


def up(n, *sizes, **options):
    return n.seq(up=n.nn.ConvTranspose2d(2, 4, *sizes, **options))


def depthwise(n, **options):
    return n.seq(conv=n.nn.Conv2d(2, 4, 3, groups=2, bias=False, **options))


def separable(n):
    return n.seq(
        first=n.nn.Conv2d(2, 4, 3, groups=2, bias=False), conv_pointwise=n.nn.Conv2d(4, 4, 1)
    )


def tied(n, size):
    return n.mean(fc=n.nn.Linear(2, 6), out=n.nn.Linear(6, size, bias=False))


def norm(n, **options):
    return n.seq(conv=n.nn.Conv2d(2, 4, 3), bn=n.nn.BatchNorm2d(4, **options))


def branches(n, first, second):
    return n.branches(first, second, lambda: n.nn.Conv2d(2, 4, 3))


def temperature(n):
    return n.scaled(n.nn.Linear(2, 3))


def normalised(n, module, dim=0, is_new=False):
    import torch

    utils = torch.nn.utils
    return (utils.parametrizations if is_new else utils).weight_norm(module, dim=dim)


def normalised_linear(n, **options):
    return n.mean(layer=normalised(n, n.nn.Linear(2, 4), **options))


def normalised_conv(n, **options):
    return n.seq(layer=normalised(n, n.nn.Conv2d(2, 4, 3), **options))


def normalised_up(n, **options):
    return n.seq(layer=normalised(n, n.nn.ConvTranspose2d(2, 2, 2, 2), **options))


#: (case of `tf1_layers`, a model, its arguments, what a note or an error says, None if it is equal)
TORCH = [
    ("valid", conv, {}, None),
    ("valid", conv, {"padding": 1}, PADDING),
    ("valid", conv, {"stride": 2}, STRIDE),
    ("valid", conv, {"dilation": 2}, DILATION),
    ("same", conv, {"padding": 1}, None),
    ("same", conv, {"padding": "same"}, None),
    ("same", conv, {}, PADDING),
    ("same", conv, {"padding": 1, "padding_mode": "reflect"}, "padding_mode is reflect"),
    ("stride", conv, {"stride": 2}, None),
    ("stride", conv, {}, STRIDE),
    ("same_stride", conv, {"stride": 2, "padding": 1}, PADDING),
    ("dilated", conv, {"dilation": 2}, None),
    ("dilated", conv, {}, DILATION),
    ("same_dilated", conv, {"dilation": 2, "padding": 2}, None),
    ("same_dilated", conv, {"padding": "same"}, DILATION),
    ("same_dilated", conv, {"dilation": 2}, PADDING),
    ("dilated_nn", conv, {"dilation": 2}, None),
    ("dilated_nn", conv, {}, DILATION),
    ("up_valid", up, {"kernel_size": 3, "stride": 2}, None),
    ("up_valid", up, {"kernel_size": 3, "stride": 2, "output_padding": 1}, SIZE),
    ("up_valid", up, {"kernel_size": 3, "stride": 1}, STRIDE),
    ("up_same", up, {"kernel_size": 4, "stride": 2, "padding": 1}, None),
    ("up_same", up, {"kernel_size": 4, "stride": 2}, PADDING),
    ("up_same_odd", up, dict(kernel_size=3, stride=2, padding=1, output_padding=1), PADDING),
    ("depthwise", depthwise, {}, None),
    ("depthwise", depthwise, {"padding": 1}, PADDING),
    ("separable", separable, {}, None),
    ("tied", tied, {"size": 9}, None),
    ("tied_square", tied, {"size": 6}, None),
    ("branches", branches, {"first": "first", "second": "second"}, None),
    ("branches", branches, {"first": "left", "second": "right"}, UNEQUAL),
    ("branches", branches, {"first": "conv_a", "second": "conv_b"}, UNEQUAL),
    ("temperature", temperature, {}, None),
    ("norm", norm, {"eps": 1e-3, "momentum": 0.1}, "num_batches_tracked"),
    ("norm", norm, {"eps": 1e-3, "momentum": 0.01}, "momentum is 0.99; .* keep 0.9 a step"),
    ("norm", norm, {}, "epsilon is 0.001 in"),
    ("weight_norm", normalised_linear, {}, None),
    ("weight_norm", normalised_linear, {"is_new": True}, None),
    ("weight_norm", normalised_linear, {"dim": 1}, "weight_norm of other axes"),
    ("weight_norm", normalised_linear, {"dim": None}, "weight_norm of other axes"),
    ("weight_norm_conv", normalised_conv, {}, None),
    ("weight_norm_conv", normalised_conv, {"is_new": True}, None),
    ("weight_norm_conv", normalised_conv, {"dim": 1}, "weight_norm of other axes"),
    ("weight_norm_up", normalised_up, {"dim": 1}, None),
    ("weight_norm_up", normalised_up, {"dim": 1, "is_new": True}, None),
    ("weight_norm_up", normalised_up, {}, "weight_norm of other axes"),
]


@pytest.fixture(scope="module")
def n():
    """``torch.nn`` and ways to put modules together."""
    torch = pytest.importorskip("torch")

    class Makers:
        nn = torch.nn

        class seq(torch.nn.Sequential):
            def __init__(self, **modules):
                super().__init__()
                for name, module in modules.items():
                    self.add_module(name, module)

        class mean(seq):
            def forward(self, x):
                return super().forward(x.mean((2, 3)))

        class branches(torch.nn.Module):
            def __init__(self, first, second, build):
                super().__init__()
                self.names = first, second
                for name in (second, first):  # registered in another order
                    self.add_module(name, Makers.seq(conv=build()))

            def forward(self, x):
                first, second = [getattr(self, name)(x) for name in self.names]
                return first - second * second

        class scaled(torch.nn.Module):
            def __init__(self, fc):
                super().__init__()
                self.fc, self.scale = fc, torch.nn.Parameter(torch.zeros(()))

            def forward(self, x):
                return self.fc(x.mean((2, 3))) * self.scale

    return Makers


def torch_outputs(net, x, is_training):
    import torch

    with torch.no_grad():
        net = copy.deepcopy(net).train() if is_training else net.eval()
        y = net(torch.from_numpy(x).movedim(-1, 1))
    return (y.movedim(1, -1) if y.dim() > 2 else y).numpy()


@pytest.mark.parametrize("case, model, arguments, says", TORCH, ids=layer_table.ids(TORCH))
def test_torch(n, tf1_layers, tmp_path, case, model, arguments, says):
    files, net = layer_table.load(tf1_layers, case), model(n, **arguments)
    layer_table.check(checkpoints.to_torch, net, torch_outputs, says, files)
    if says is None:
        layer_table.check_back(net, files[0], str(tmp_path / "back"))
