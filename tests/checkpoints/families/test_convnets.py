"""Slim's own networks, converted and loaded by Keras and timm: the same logits.

The suite runs the smallest. TFGRAPHTOOLS_ALL_FAMILIES=1 runs all; what the package tf-slim does not
have comes from research/slim of tensorflow/models, on the PYTHONPATH of TF 1.15
(TFGRAPHTOOLS_SLIM=/path/to/research/slim). ``-s`` prints the table of measured errors.
"""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from convolutional_models import TORCH, keras_logits

from tfgraphtools import checkpoints
from tfgraphtools.cli import main
from tfgraphtools.errors import PlanError

pytestmark = pytest.mark.slow

MAKER = pathlib.Path(__file__).with_name("tf1_convnets.py")
IS_WHOLE = bool(os.environ.get("TFGRAPHTOOLS_ALL_FAMILIES"))

#: name: {library: model}
NETWORKS = {
    "resnet_v2_50": {"keras": "ResNet50V2"},
    "resnet_v1_50": {"keras": "ResNet50"},
    "resnet_v1_101": {"keras": "ResNet101"},
    "resnet_v1_152": {"keras": "ResNet152"},
    "resnet_v2_101": {"keras": "ResNet101V2"},
    "resnet_v2_152": {"keras": "ResNet152V2"},
    "vgg_a": {"timm": "vgg11"},
    "vgg_16": {"timm": "vgg16", "keras": "VGG16"},
    "vgg_19": {"timm": "vgg19", "keras": "VGG19"},
    "inception_v3": {"keras": "InceptionV3"},
    "inception_v4": {"timm": "inception_v4"},
    "inception_resnet_v2": {"timm": "inception_resnet_v2", "keras": "InceptionResNetV2"},
    "mobilenet_v1": {"timm": "mobilenetv1_100", "keras": "MobileNet"},
    "mobilenet_v1_025": {"keras": "MobileNet"},
    "mobilenet_v2": {"timm": "mobilenetv2_100", "keras": "MobileNetV2"},
    "mobilenet_v2_035": {"timm": "mobilenetv2_035", "keras": "MobileNetV2"},
    "mobilenet_v2_140": {"timm": "mobilenetv2_140", "keras": "MobileNetV2"},
    "mobilenet_v1_050": {"keras": "MobileNet"},
    "mobilenet_v1_075": {"keras": "MobileNet"},
    "mobilenet_v2_050": {"timm": "mobilenetv2_050", "keras": "MobileNetV2"},
    "mobilenet_v2_075": {"timm": "mobilenetv2_075", "keras": "MobileNetV2"},
    "mobilenet_v2_130": {"keras": "MobileNetV2"},
    "mobilenet_v3_large": {"timm": "tf_mobilenetv3_large_100", "keras": "MobileNetV3Large"},
    "mobilenet_v3_large_075": {"timm": "tf_mobilenetv3_large_075", "keras": "MobileNetV3Large"},
    "mobilenet_v3_large_minimal": {
        "timm": "tf_mobilenetv3_large_minimal_100",
        "keras": "MobileNetV3Large",
    },
    "mobilenet_v3_small": {"timm": "tf_mobilenetv3_small_100", "keras": "MobileNetV3Small"},
    "mobilenet_v3_small_075": {"timm": "tf_mobilenetv3_small_075", "keras": "MobileNetV3Small"},
    "mobilenet_v3_small_minimal": {
        "timm": "tf_mobilenetv3_small_minimal_100",
        "keras": "MobileNetV3Small",
    },
    "xception_41": {"timm": "xception41"},
    "xception_65": {"timm": "xception65"},
    "xception_71": {"timm": "xception71"},
    "nasnet_large": {"keras": "NASNetLarge"},
    "nasnet_mobile": {"keras": "NASNetMobile"},
    "pnasnet_large": {"timm": "pnasnet5large"},
    "pnasnet_mobile": {},
    "facenet": {"torch": "facenet_pytorch.InceptionResnetV1"},
    "inception_v1": {},
    "inception_v2": {},
    "resnet_v1_200": {},
    "resnet_v2_200": {},
}
NETWORKS.update(
    (
        f"efficientnet_b{n}",
        {"timm": f"tf_efficientnet_b{n}", "keras": f"EfficientNetB{n}"},
    )
    for n in range(8)
)


@pytest.fixture
def tf1_network(tmp_path, tf1_python):
    """A function of a network's name that gives (its folder, {name: array})."""

    def of(name):
        environment = {k: v for k, v in os.environ.items() if k != "TF2_BEHAVIOR"}
        environment.update(
            TF_CPP_MIN_LOG_LEVEL="3",
            CUDA_VISIBLE_DEVICES="",
            PYTHONPATH=os.environ.get("TFGRAPHTOOLS_SLIM", ""),
        )
        command = [tf1_python, str(MAKER), str(tmp_path), name]
        subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)
        if not (tmp_path / name).exists():
            pytest.skip(f"the code of {name} is not installed beside TF 1.15")
        with np.load(str(tmp_path / name / "arrays.npz")) as arrays:
            return tmp_path / name, dict(arrays)

    return of


@pytest.mark.parametrize("name", sorted(NETWORKS) if IS_WHOLE else ["resnet_v2_50"])
def test_logits_are_those_of_tf1(tf1_network, tmp_path, name):
    if sys.version_info < (3, 9):
        pytest.skip("Keras 3 is needed")
    source, arrays = tf1_network(name)
    assert checkpoints.models_of(str(source))[1] == NETWORKS[name]
    expected = arrays["logits"]
    for to, model in NETWORKS[name].items():
        if to == "keras":
            logits = keras_logits(source, tmp_path, arrays["images"], model)
        else:
            logits = TORCH[to](source, tmp_path, arrays["images"])
        if logits is None:
            continue
        error = np.abs(logits - expected).max() / np.abs(expected).max()
        print(f"| {name} | {to} | {NETWORKS[name][to]} | {error:.1e} |")
        is_coarse = name.startswith("mobilenet_v3") or name == "efficientnet_b7"
        assert error < (1.5e-4 if is_coarse else 1e-5)


# Made-up tensors ------------------------------------------------------------------------


def save(tmp_path, **arrays):
    np.savez(str(tmp_path / "in.npz"), **arrays)
    checkpoints.from_npz(str(tmp_path / "in.npz"), str(tmp_path / "in.ckpt"), overwrite=True)
    return str(tmp_path / "in.ckpt")


def mobilenet(tmp_path, width, classes=3):
    """A few tensors of a MobileNet v1 of some depth multiplier."""
    wide = 1024 * width // 32
    arrays = {
        "MobilenetV1/Conv2d_0/weights": np.arange(3 * 3 * 3 * width).reshape(3, 3, 3, width),
        "MobilenetV1/Conv2d_0/BatchNorm/beta": np.ones(width),
        "MobilenetV1/Conv2d_1_depthwise/depthwise_weights": np.ones((3, 3, width, 1)),
        "MobilenetV1/Conv2d_13_pointwise/weights": np.ones((1, 1, wide, wide)),
        "MobilenetV1/Logits/Conv2d_1c_1x1/weights": np.ones((1, 1, wide, classes)),
        "MobilenetV1/Logits/Conv2d_1c_1x1/biases": np.ones(classes),
    }
    return save(tmp_path, **{name: a.astype(np.float32) for name, a in arrays.items()})


def test_timm_command(tmp_path, capsys):
    prefix, folder = mobilenet(tmp_path, 32), tmp_path / "timm"
    assert main(["ckpt", "families", prefix]) == 0
    assert "MobileNet v1: mobilenetv1_100 (--to timm)" in capsys.readouterr().out
    assert main(["ckpt", "convert", prefix, str(folder), "--to", "timm"]) == 0
    config = json.loads((folder / "config.json").read_text())
    assert config["architecture"] == "mobilenetv1_100" and config["num_classes"] == 3
    with checkpoints.open_archive(str(folder / "model.safetensors")) as archive:
        stem = archive["conv_stem.weight"]
        kernel = np.arange(3 * 3 * 3 * 32, dtype=np.float32).reshape(3, 3, 3, 32)
        assert np.array_equal(stem, kernel.transpose(3, 2, 0, 1))
        assert (archive["bn1.weight"] == 1).all()  # slim's layer may have no gamma
        assert archive["blocks.0.0.conv_dw.weight"].shape == (32, 1, 3, 3)
        assert archive["classifier.weight"].shape == (3, 1024)


def test_sizes_that_a_library_does_not_have(tmp_path):
    prefix = mobilenet(tmp_path, 8)
    assert checkpoints.models_of(prefix) == ("MobileNet v1", {"keras": "MobileNet"})
    with pytest.raises(PlanError, match="timm has none that computes the same.*--to keras"):
        checkpoints.to_timm(prefix, tmp_path / "timm")
    assert not (tmp_path / "timm").exists()


@pytest.mark.parametrize("to", ["timm", "keras"])
def test_a_narrow_last_convolution_is_refused(tmp_path, to):
    """No library narrows it; without the check timm could not load the folder."""
    scope = "MobilenetV3/expanded_conv"
    prefix = save(
        tmp_path,
        **{
            scope + "/depthwise/depthwise_weights": np.ones((3, 3, 16, 1)),
            scope + "_14/project/weights": np.ones((1, 1, 720, 120)),
            scope + "_14/squeeze_excite/Conv/weights": np.ones((1, 1, 720, 184)),
            "MobilenetV3/Conv_1/weights": np.ones((1, 1, 120, 720)),
            "MobilenetV3/Conv_2/weights": np.ones((1, 1, 720, 960)),
            "MobilenetV3/Logits/Conv2d_1c_1x1/biases": np.ones(3),
        },
    )
    plan = {"timm": checkpoints.plan_timm, "keras": checkpoints.plan_application}[to]
    with checkpoints.open_checkpoint(prefix) as ckpt:
        with pytest.raises(PlanError, match=r"Conv_2/weights': expected 1280 at axis -1.*960"):
            plan(ckpt)


@pytest.mark.parametrize(
    "family, scope",
    [
        ("Inception v1", "InceptionV1/InceptionV1/Conv2d_1a_7x7/weights"),
        ("Inception v2", "InceptionV2/Conv2d_1a_7x7/depthwise_weights"),
        ("ResNet v1", "resnet_v1_200/block1/unit_1/bottleneck_v1/conv1/weights"),
        ("ResNet v2", "resnet_v2_200/block1/unit_1/bottleneck_v2/conv1/weights"),
    ],
)
def test_networks_that_no_library_has_are_known_by_name(tmp_path, capsys, family, scope):
    prefix = save(tmp_path, **{scope: np.ones((1, 1, 2, 2), np.float32)})
    assert checkpoints.models_of(prefix) == (family, {})
    assert main(["ckpt", "families", prefix]) == 0
    assert f"{family}: no library has a model that computes the same" in capsys.readouterr().out
    for to in ("timm", "keras", "hf"):
        with pytest.raises(PlanError, match=f"{family}, of which .* has none"):
            plan = {"timm": "plan_timm", "keras": "plan_application", "hf": "plan_hugging_face"}
            with checkpoints.open_checkpoint(prefix) as ckpt:
                getattr(checkpoints, plan[to])(ckpt)


def test_a_tensor_of_another_model(tmp_path):
    prefix = save(
        tmp_path,
        **{
            "InceptionV4/Mixed_7d/Branch_0/Conv2d_0a_1x1/weights": np.ones((1, 1, 4, 4)),
            "InceptionV4/Logits/Logits/weights": np.ones((4, 3)),
            "InceptionV4/Logits/Logits/biases": np.ones(3),
            "InceptionV4/Odd": np.ones(3),
        },
    )
    with pytest.raises(PlanError, match="'InceptionV4/Odd'"):
        checkpoints.to_timm(prefix, tmp_path / "timm")
