"""TF1 -> Keras -> TF1 and TF1 -> timm -> TF1 give the very bits."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.cli import main

RANDOM = np.random.RandomState(11)


def floats(*shape):
    return RANDOM.randn(*shape).astype(np.float32)


def save(path, arrays):
    np.savez(str(path) + ".npz", **arrays)
    checkpoints.from_npz(str(path) + ".npz", str(path), overwrite=True)
    return str(path)


def norm(scope, size, leaves=("gamma", "beta", "moving_mean", "moving_variance")):
    return {f"{scope}/BatchNorm/{leaf}": np.abs(floats(size)) for leaf in leaves}


def mobilenet_v1(width=8, classes=5):
    """All tensors of a MobileNet v1 of depth multiplier width / 32."""
    scope, sizes = "MobilenetV1/", [1, 2, 4, 4, 8, 8, 16, 16, 16, 16, 16, 16, 32, 32]
    sizes = [width * size for size in sizes]
    tensors = {scope + "Conv2d_0/weights": floats(3, 3, 3, sizes[0]), "global_step": np.int64(9)}
    tensors.update(norm(scope + "Conv2d_0", sizes[0]))
    for number in range(1, 14):
        before, after = sizes[number - 1], sizes[number]
        depth, point = (f"{scope}Conv2d_{number}_{kind}wise" for kind in ("depth", "point"))
        tensors[depth + "/depthwise_weights"] = floats(3, 3, before, 1)
        tensors[point + "/weights"] = floats(1, 1, before, after)
        tensors.update(norm(depth, before))
        tensors.update(norm(point, after))
    logits = scope + "Logits/Conv2d_1c_1x1"
    tensors[logits + "/weights"] = floats(1, 1, sizes[-1], classes)
    tensors[logits + "/biases"] = floats(classes)
    return tensors


LAYERS = {
    "conv/kernel": floats(3, 3, 2, 4),
    "conv/bias": floats(4),
    "batch_norm/gamma": floats(4),
    "batch_norm/beta": floats(4),
    "batch_norm/moving_mean": floats(4),
    "batch_norm/moving_variance": floats(4),
    "separable/depthwise_kernel": floats(3, 3, 4, 2),
    "separable/pointwise_kernel": floats(1, 1, 8, 3),
    "up/kernel": floats(2, 2, 5, 3),
    "up/bias": floats(5),
    "fc/kernel": floats(5, 7),
    "fc/bias": floats(7),
}

#: In a process of its own: Keras needs eager execution, which other tests switch off.
SCRIPT = """
import sys, keras
from tfgraphtools import checkpoints
from tfgraphtools.cli import main
folder = sys.argv[1] + "/"
for name in ("a.keras", "a.weights.h5"):
    checkpoints.to_application(folder + "mobilenet", folder + name)
    checkpoints.to_tf1(folder + name, folder + "back_" + name[2:], like=folder + "mobilenet")
words = [folder + "below", folder + "d.keras", "--to", "keras", "--rule", "net/(.*)", r"\\1"]
assert main(["ckpt", "convert", *words]) == 0
checkpoints.to_tf1(folder + "d.keras", folder + "back_below", like=folder + "mobilenet")
with checkpoints.open_checkpoint(folder + "mobilenet") as ckpt:
    half = checkpoints.plan(ckpt, cast={".*gamma": "bfloat16", ".*beta": "float16"}).view()
    made = checkpoints.plan_application(half).build().get_layer("conv1_bn")
    for name in ("gamma", "beta"):
        was = ckpt["MobilenetV1/Conv2d_0/BatchNorm/" + name]
        assert abs(getattr(made, name) - was).numpy().max() <= abs(was).max() / 256
K = keras.layers
model = keras.Sequential([
    keras.Input((8, 8, 2)), K.Conv2D(4, 3, name="conv"), K.BatchNormalization(name="batch_norm"),
    K.SeparableConv2D(3, 3, depth_multiplier=2, use_bias=False, name="separable"),
    K.Conv2DTranspose(5, 2, name="up"), K.GlobalAveragePooling2D(), K.Dense(7, name="fc")])
checkpoints.to_keras(folder + "layers", model, folder + "b.keras")
checkpoints.to_tf1(folder + "b.keras", folder + "back_layers", like=folder + "layers")
model = keras.Sequential([keras.Input((4, 2)), K.LSTM(3, name="rnn")])
bias = {"forget_bias": 1.0}
checkpoints.to_keras(folder + "lstm", model, folder + "c.keras", **bias)
checkpoints.to_tf1(folder + "c.keras", folder + "back_lstm", like=folder + "lstm", **bias)
biases = model.layers[0].cell.bias
biases.assign(biases + [0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0])
checkpoints.to_tf1(model, folder + "trained_lstm", like=folder + "lstm", **bias)
"""

#: The forget gate's biases (the third three) are smaller than what is left of them beside 1.
LSTM = {
    "rnn/basic_lstm_cell/kernel": floats(5, 12),
    "rnn/basic_lstm_cell/bias": floats(12) * np.float32(1e-6),
}
LSTM["rnn/basic_lstm_cell/bias"][7:9] = [-0.0, 1e-30]


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info < (3, 9), reason="Keras 3 is needed")
def test_keras(tmp_path):
    mobilenet = mobilenet_v1()
    save(tmp_path / "mobilenet", mobilenet)
    save(tmp_path / "below", {"net/" + name: array for name, array in mobilenet.items()})
    save(tmp_path / "layers", LAYERS)
    save(tmp_path / "lstm", LSTM)
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    environment.pop("TF2_BEHAVIOR", None)
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(command, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr[-3000:]
    for name, tensors in [("keras", mobilenet), ("weights.h5", mobilenet), ("layers", LAYERS)]:
        require_bits(tmp_path / f"back_{name}", tensors)
    require_bits(tmp_path / "back_lstm", LSTM)
    require_bits(tmp_path / "back_below", mobilenet)
    trained = dict(LSTM, **{"rnn/basic_lstm_cell/bias": LSTM["rnn/basic_lstm_cell/bias"].copy()})
    bias = trained["rnn/basic_lstm_cell/bias"]
    bias[6] = (bias[6] + np.float32(1) + np.float32(0.5)) - np.float32(1)
    require_bits(tmp_path / "trained_lstm", trained)


def test_timm(tmp_path, capsys):
    tensors = mobilenet_v1(32)
    source, folder, back = (str(tmp_path / name) for name in ("mobilenet", "timm", "back"))
    save(source, tensors)
    assert main(["ckpt", "convert", source, folder, "--to", "timm"]) == 0
    assert main(["ckpt", "convert", folder, back, "--to", "tf1", "--like", source]) == 0
    capsys.readouterr()
    require_bits(back, tensors)


def require_bits(path, tensors):
    with checkpoints.open_checkpoint(path) as written:
        assert sorted(written) == sorted(tensors)
        for name, array in tensors.items():
            assert written[name].tobytes() == np.asarray(array).tobytes(), name
