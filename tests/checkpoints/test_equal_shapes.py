"""Layers and roles of equal shapes: right by name or number, or refused, whatever the target."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.errors import TfgraphtoolsError

#: (id, layers of the checkpoint, layers of the model): None if nothing says which is which, else
#: the checkpoint's layer of each of the model's.
PAIRS = [
    ("the-same", ["fc", "out"], ["fc", "out"], ["fc", "out"]),
    ("the-same-reversed", ["fc", "out"], ["out", "fc"], ["out", "fc"]),
    ("below-a-scope", ["net/fc", "net/out"], ["out", "fc"], ["net/out", "net/fc"]),
    ("numbered", ["dense", "dense_1"], ["layer_1", "layer_2"], ["dense", "dense_1"]),
    ("numbered-to-ten", ["d_9", "d_10"], ["layer_1", "layer_2"], ["d_9", "d_10"]),
    ("others", ["encoder", "decoder"], ["enc", "dec"], None),
    ("short-and-long", ["q", "k", "v"], ["q_proj", "k_proj", "v_proj"], None),
    ("one-agrees", ["fc", "out"], ["fc", "head"], None),
    ("two-groups", ["a/x", "a/y", "b/x", "b/y"], ["p/x", "p/y", "q/x", "q/y"], None),
    ("words", ["left", "right"], ["first", "second"], None),
]
#: (target, first layer of the checkpoint): Keras 3 puts the model's own name in front of a path.
REFUSED = {("keras", "net/fc")}
SIZE = 3


def arrays(layers):
    random = np.random.RandomState(0)
    return {
        f"{layer}/{role}": random.randn(*shape).astype(np.float32)
        for layer in layers
        for role, shape in (("kernel", (SIZE, SIZE)), ("bias", (SIZE,)))
    }


def of_keras(package):
    def convert(path, layers):
        keras = pytest.importorskip(package)
        model = keras.Sequential([keras.Input((SIZE,))])
        for layer in layers:
            model.add(keras.layers.Dense(SIZE, name=layer.replace("/", "_")))
        checkpoints.to_keras(path, model)
        return [np.asarray(layer.kernel) for layer in model.layers if layer.weights], model

    return convert


def of_torch(path, layers):
    torch = pytest.importorskip("torch")
    modules = torch.nn.ModuleDict(
        (layer.replace("/", "_"), torch.nn.Linear(SIZE, SIZE)) for layer in layers
    )
    checkpoints.to_torch(path, modules)
    return [module.weight.detach().numpy().T for module in modules.values()], modules


def of_objects(path, layers):
    tf = pytest.importorskip("tensorflow")

    class Model(tf.Module):
        pass

    model = Model()
    for layer in layers:
        module = tf.Module()
        module.kernel = tf.Variable(tf.zeros((SIZE, SIZE)))
        module.bias = tf.Variable(tf.zeros((SIZE,)))
        setattr(model, layer.replace("/", "_"), module)
    checkpoints.to_object_based(path, path + "-object", live=model)
    tf.train.Checkpoint(model).restore(path + "-object").assert_existing_objects_matched()
    return [getattr(model, layer.replace("/", "_")).kernel.numpy() for layer in layers], None


TARGETS = {
    "keras": of_keras("keras"),
    "tf_keras": of_keras("tf_keras"),
    "torch": of_torch,
    "object": of_objects,
}


@pytest.fixture
def eager():
    pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    with context.eager_mode():
        yield


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize(
    "sources, layers, expected", [pytest.param(*row[1:], id=row[0]) for row in PAIRS]
)
def test_layers(eager, tmp_path, sources, layers, expected, target):
    values, path = arrays(sources), str(tmp_path / "m")
    np.savez(path + ".npz", **values)
    checkpoints.from_npz(path + ".npz", path)
    if expected is None:
        with pytest.raises(TfgraphtoolsError, match="could each be any of|--rule|map"):
            TARGETS[target](path, layers)
        return
    if (target, sources[0]) in REFUSED:
        with pytest.raises(TfgraphtoolsError, match="could each be any of"):
            TARGETS[target](path, layers)
        return
    kernels, model = TARGETS[target](path, layers)
    for kernel, source in zip(kernels, expected):
        np.testing.assert_array_equal(kernel, values[source + "/kernel"])
    if model is not None:  # and back
        checkpoints.to_tf1(model, path + "-back", path)
        assert not checkpoints.diff(path + "-back", path)


@pytest.mark.parametrize("target", ["keras", "tf_keras", "torch"])
@pytest.mark.parametrize(
    "names, is_right",
    [
        (["gamma", "beta", "moving_mean", "moving_variance"], True),
        (["gamma", "beta", "mean", "variance"], False),
        (["g", "b", "m", "v"], False),
    ],
    ids=["named", "half-named", "letters"],
)
def test_roles(eager, tmp_path, names, is_right, target):
    random, path = np.random.RandomState(0), str(tmp_path / "m.npz")
    values = [random.rand(SIZE).astype(np.float32) for _ in names]
    np.savez(path, **{"bn/" + name: value for name, value in zip(names, values)})
    if target == "torch":
        torch = pytest.importorskip("torch")
        model = torch.nn.BatchNorm1d(SIZE, eps=1e-3)
        convert = checkpoints.to_torch
    else:
        keras = pytest.importorskip(target)
        model = keras.Sequential([keras.Input((SIZE,)), keras.layers.BatchNormalization()])
        convert = checkpoints.to_keras
    if not is_right:
        with pytest.raises(TfgraphtoolsError):
            convert(path, model)
        return
    convert(path, model)
    if target == "torch":
        own = [model.weight, model.bias, model.running_mean, model.running_var]
        own = [value.detach().numpy() for value in own]
    else:
        own = model.get_weights()
    for value, expected in zip(own, values):
        np.testing.assert_array_equal(value, expected)
