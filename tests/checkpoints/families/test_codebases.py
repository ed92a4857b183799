"""Models of the Object Detection API and of tensor2tensor are named, and nothing else is."""

import re
import shlex

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli
from tfgraphtools.checkpoints.families import codebases

SSD = [
    "FeatureExtractor/MobilenetV2/Conv/weights",
    "FeatureExtractor/MobilenetV2/Conv/BatchNorm/gamma",
    "BoxPredictor_0/BoxEncodingPredictor/weights",
    "BoxPredictor_0/ClassPredictor/biases",
]
FASTER = [
    "FirstStageFeatureExtractor/resnet_v1_50/conv1/weights",
    "FirstStageBoxPredictor/ClassPredictor/weights",
    "SecondStageBoxPredictor/ClassPredictor/weights",
]
T2T = [
    "transformer/body/encoder/layer_0/self_attention/multihead_attention/q/kernel",
    "transformer/body/decoder/layer_prepostprocess/layer_norm/layer_norm_scale",
    "transformer/symbol_modality_33708_512/shared/weights_0",
]


@pytest.mark.parametrize(
    "names, name",
    [
        (["bert/encoder/layer_0/attention/self/query/kernel"], None),
        (["FeatureExtractor/MobilenetV2/Conv/weights"], None),  # a backbone without a detector
        (["BoxPredictor_0/weights", "dense/kernel"], None),
        (["net/body/encoder/w", "other/symbol_modality_1_2/w"], None),
        (SSD, "a detector of the Object Detection API: SSD with MobilenetV2"),
        (FASTER, "a detector of the Object Detection API: Faster R-CNN with resnet_v1_50"),
        (
            [SSD[0], "WeightSharedConvolutionalBoxPredictor/BoxPredictor/weights"],
            "a detector of the Object Detection API: RetinaNet with MobilenetV2",
        ),
        (T2T, "a model of tensor2tensor: transformer"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_names(names, name):
    codebase = codebases.find(names)
    assert (codebase and codebase.name) == name


def test_the_way_to_the_backbone_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    np.savez("m.npz", **{name: np.ones(1, np.float32) for name in SSD})
    checkpoints.from_npz("m.npz", "m")
    assert cli.main(["ckpt", "families", "m"]) == 0
    printed = capsys.readouterr().out
    split, rename = re.findall(r"ckpt (\w+ --\w+ .*?)(?=, then|\.\n)", printed)
    command, *words = shlex.split(split)
    assert cli.main(["ckpt", command, "m", "part", *words]) == 0
    command, *words = shlex.split(rename)
    assert cli.main(["ckpt", command, "part", "backbone", *words]) == 0
    with checkpoints.open_checkpoint("backbone") as ckpt:
        assert sorted(ckpt) == ["MobilenetV2/Conv/BatchNorm/gamma", "MobilenetV2/Conv/weights"]
