"""Inception-ResNet v1 of facenet, into facenet-pytorch."""

from tfgraphtools.checkpoints.families.family import SLIM_TO_TORCH, Family, Target
from tfgraphtools.checkpoints.families.known.networks.inception_resnet_v2 import (
    BRANCHES_TO_TORCH,
    blocks_to_torch,
)
from tfgraphtools.checkpoints.families.settings import ABSENT, If, Size

_ROOT = "InceptionResnetV1/"
_BOTTLENECK = _ROOT + "Bottleneck/"
#: (scope, name in PyTorch, blocks)
_REPEATS = [("Repeat/block35", "repeat_1", 5), ("Repeat_1/block17", "repeat_2", 10)]
_REPEATS += [("Repeat_2/block8", "repeat_3", 5)]

_NORM = "{weight,bias,running_mean,running_var}"
#: The convolutions, each with a normalisation: of the stem, the reductions and the blocks.
_CONVOLUTIONS = ["conv2d_{1a,2a,2b,3b,4a,4b}"]
_CONVOLUTIONS += ["mixed_6a.{branch0,branch1.0,branch1.1,branch1.2}"]
_CONVOLUTIONS += ["mixed_7a.{branch0,branch1,branch2}.{0,1}", "mixed_7a.branch2.2"]
_CONVOLUTIONS += [f"repeat_1.{n}.{{branch0,branch1.0,branch1.1}}" for n in range(5)]
_CONVOLUTIONS += [f"repeat_1.{n}.branch2.{{0,1,2}}" for n in range(5)]
_CONVOLUTIONS += [f"repeat_2.{n}.{{branch0,branch1.0,branch1.1,branch1.2}}" for n in range(10)]
_CONVOLUTIONS += [f"repeat_3.{n}.{{branch0,branch1.0,branch1.1,branch1.2}}" for n in range(5)]
_CONVOLUTIONS += ["block8.{branch0,branch1.0,branch1.1,branch1.2}"]

FAMILY = Family(
    name="Inception-ResNet v1 of facenet",
    marks=[_ROOT + "Repeat/block35_1/Conv2d_1x1/weights", _BOTTLENECK + "weights"],
    targets=[
        Target(
            to="torch",
            heads=[(_BOTTLENECK + "weights", "facenet_pytorch.InceptionResnetV1")],
            renames=[
                ("Logits/weights", "logits/linear"),
                ("Logits/biases", "logits/biases"),
                (_BOTTLENECK + "weights", "last_linear/linear"),
                (_BOTTLENECK + "BatchNorm/(.*)", r"last_bn/\1"),
            ]
            + [
                (_ROOT + rf"{old}_{number + 1}/(.*)", rf"{new}/{number}/\1")
                for old, new, count in _REPEATS
                for number in range(count)
            ]
            + blocks_to_torch(_ROOT)
            + [
                (r"mixed_6a/Branch_0/\w+/(.*)", r"mixed_6a/branch0/\1"),
                # In the reductions the convolution with the stride is called 1a and comes last.
                (r"(mixed_6a)/Branch_1/Conv2d_1a_3x3/(.*)", r"\1/branch1/2/\2"),
                (r"(mixed_7a)/Branch_2/Conv2d_1a_3x3/(.*)", r"\1/branch2/2/\2"),
                (r"(mixed_7a)/Branch_([01])/Conv2d_1a_3x3/(.*)", r"\1/branch\2/1/\3"),
            ]
            + BRANCHES_TO_TORCH,
            leaves=SLIM_TO_TORCH,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            requires=[(_BOTTLENECK + "weights", -1, 512)],
            entries={
                "facenet_pytorch.InceptionResnetV1": [
                    f"{scope}.{part}"
                    for scope in _CONVOLUTIONS
                    for part in ("conv.weight", "bn." + _NORM)
                ]
                + ["{repeat_1,repeat_2,repeat_3}.#.conv2d.{weight,bias}"]
                + ["block8.conv2d.{weight,bias}", "last_linear.weight", "last_bn." + _NORM]
                + [If(r"logits\.weight", "logits.{weight,bias}", ABSENT)]
            },
            settings={"num_classes": Size("Logits/biases", 0, 1, True)},
            notes=[
                "it computes the embeddings, of length 1; with the layer Logits, build it with "
                "classify=True and num_classes"
            ],
        )
    ],
)
