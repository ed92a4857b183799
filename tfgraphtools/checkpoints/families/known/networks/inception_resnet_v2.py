"""Inception-ResNet v2 of slim, into Keras and timm."""

from tfgraphtools.checkpoints.families.family import (
    SLIM_TO_KERAS,
    SLIM_TO_TORCH,
    Family,
    Target,
)
from tfgraphtools.checkpoints.families.settings import Size

_ROOT = "InceptionResnetV2/"
_LOGITS = _ROOT + "Logits/Logits/"
_REPEATS = [("Repeat/block35", "repeat"), ("Repeat_1/block17", "repeat_1")]
_REPEATS += [("Repeat_2/block8", "repeat_2")]

#: Renames of the layers of a branch, after those that are a family's own.
BRANCHES_TO_TORCH = [
    (rf"(.*)/Branch_(\d)/Conv2d_0{letter}_\w+/(.*)", rf"\1/branch\2/{number}/\3")
    for number, letter in enumerate("abc")
]
BRANCHES_TO_TORCH += [
    (r"(.*)/BatchNorm/(.*)", r"\1/bn/\2"),
    (r"((?:.*/branch.*)|(?:conv2d_\d\w))/weights", r"\1/conv/weights"),
]


def blocks_to_torch(root):
    """Returns the renames of an Inception-ResNet's stem, blocks and reductions below a scope."""
    return [
        (root + r"Block8/(.*)", r"block8/\1"),
        (root + r"Mixed_(\d\w)/(.*)", r"mixed_\1/\2"),
        (root + r"Conv2d_(\d\w)_\w+/(.*)", r"conv2d_\1/\2"),
        (r"(.*)/Branch_0/Conv2d_1x1/(.*)", r"\1/branch0/\2"),
        (r"(repeat.*|block8)/Conv2d_1x1/(.*)", r"\1/conv2d/\2"),
    ]


FAMILY = Family(
    name="Inception-ResNet v2",
    marks=[_ROOT + "Repeat/block35_1/Conv2d_1x1/weights", _LOGITS + "weights"],
    targets=[
        Target(
            to="keras",
            heads=[(_LOGITS + "weights", "InceptionResNetV2")],
            renames=[
                (_ROOT + "AuxLogits/.*", None),
                (_LOGITS + "weights", "predictions/linear"),
                (_LOGITS + "biases", "predictions/biases"),
                (_ROOT + r"Conv2d_7b_1x1/BatchNorm/(.*)", r"conv_7b_bn/\1"),
                (_ROOT + r"Conv2d_7b_1x1/(.*)", r"conv_7b/\1"),
                (_ROOT + r"Repeat(?:_\d)?/(block\d+_\d+)/Conv2d_1x1/(.*)", r"\1_conv/\2"),
                (_ROOT + r"Block8/Conv2d_1x1/(.*)", r"block8_10_conv/\1"),
                (_ROOT + r".*/BatchNorm/(.*)", r"batch_normalization_#/\1"),
                (_ROOT + r".*/(weights)", r"conv2d_#/\1"),
            ],
            numbered=[
                _ROOT + r"Conv2d_[1-4]\w+",
                _ROOT + r"Mixed_5b/.*",
                _ROOT + r"Repeat/.*/Branch_.*",
                _ROOT + r"Mixed_6a/.*",
                _ROOT + r"Repeat_1/.*/Branch_.*",
                _ROOT + r"Mixed_7a/.*",
                _ROOT + r"Repeat_2/.*/Branch_.*",
                _ROOT + r"Block8/Branch_.*",
            ],
            leaves=SLIM_TO_KERAS,
            settings={"classes": Size(_LOGITS + "biases", 0)},
        ),
        Target(
            to="timm",
            heads=[(_LOGITS + "weights", "inception_resnet_v2")],
            renames=[
                (_ROOT + "AuxLogits/.*", None),
                (_LOGITS + "weights", "classif/linear"),
                (_LOGITS + "biases", "classif/biases"),
            ]
            + [
                (_ROOT + rf"{old}_{number + 1}/(.*)", rf"{new}/{number}/\1")
                for old, new in _REPEATS
                for number in range(20)
            ]
            + blocks_to_torch(_ROOT)
            + [
                (r"(mixed_6a)/Branch_0/\w+/(.*)", r"\1/branch0/\2"),
                (r"(mixed_5b)/Branch_3/\w+/(.*)", r"\1/branch3/1/\2"),
                (r"(mixed_6a|mixed_7a)/Branch_(\d)/Conv2d_1a_3x3/(.*)", r"\1/branch\2/last/\3"),
                (r"(mixed_6a/branch1|mixed_7a/branch2)/last/(.*)", r"\1/2/\2"),
                (r"(mixed_7a/branch[01])/last/(.*)", r"\1/1/\2"),
            ]
            + BRANCHES_TO_TORCH,
            leaves=SLIM_TO_TORCH,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            settings={"num_classes": Size(_LOGITS + "biases", 0)},
        ),
    ],
)
