"""Inception v4 of slim, into timm."""

from tfgraphtools.checkpoints.families.family import SLIM_TO_TORCH, Family, Target
from tfgraphtools.checkpoints.families.settings import Size

_LOGITS = "InceptionV4/Logits/Logits/"
_BLOCKS = ["3a", "4a", "5a", *("5" + c for c in "bcde"), "6a", *("6" + c for c in "bcdefgh")]
_BLOCKS += ["7a", "7b", "7c", "7d"]
_C = r"(features/(?:19|20|21))/"

FAMILY = Family(
    name="Inception v4",
    marks=["InceptionV4/Mixed_7d/Branch_0/Conv2d_0a_1x1/weights", _LOGITS + "weights"],
    targets=[
        Target(
            to="timm",
            heads=[(_LOGITS + "weights", "inception_v4")],
            renames=[
                (r"InceptionV4/AuxLogits/.*", None),
                (_LOGITS + "weights", "last_linear/linear"),
                (_LOGITS + "biases", "last_linear/biases"),
                (r"InceptionV4/Conv2d_1a_3x3/(.*)", r"features/0/\1"),
                (r"InceptionV4/Conv2d_2a_3x3/(.*)", r"features/1/\1"),
                (r"InceptionV4/Conv2d_2b_3x3/(.*)", r"features/2/\1"),
                # Two blocks are a convolution beside a pool.
                (r"InceptionV4/Mixed_3a/Branch_1/Conv2d_0a_3x3/(.*)", r"features/3/conv/\1"),
                (r"InceptionV4/Mixed_5a/Branch_0/Conv2d_1a_3x3/(.*)", r"features/5/conv/\1"),
            ]
            + [
                (rf"InceptionV4/Mixed_{block}/(.*)", rf"features/{number + 3}/\1")
                for number, block in enumerate(_BLOCKS)
            ]
            + [
                # The last three blocks name the convolutions that end in parallel.
                (_C + r"Branch_1/Conv2d_0a_1x1/(.*)", r"\1/branch1_0/\2"),
                (_C + r"Branch_1/Conv2d_0b_1x3/(.*)", r"\1/branch1_1a/\2"),
                (_C + r"Branch_1/Conv2d_0c_3x1/(.*)", r"\1/branch1_1b/\2"),
                (_C + r"Branch_2/Conv2d_0a_1x1/(.*)", r"\1/branch2_0/\2"),
                (_C + r"Branch_2/Conv2d_0b_3x1/(.*)", r"\1/branch2_1/\2"),
                (_C + r"Branch_2/Conv2d_0c_1x3/(.*)", r"\1/branch2_2/\2"),
                (_C + r"Branch_2/Conv2d_0d_1x3/(.*)", r"\1/branch2_3a/\2"),
                (_C + r"Branch_2/Conv2d_0e_3x1/(.*)", r"\1/branch2_3b/\2"),
                # A branch of one convolution is not a sequence, a pool is a sequence's first.
                (
                    r"(features/(?:6|7|8|9|10|11|12|13|14|15|16|17|19|20|21))/Branch_0/\w+/(.*)",
                    r"\1/branch0/\2",
                ),
                (r"(features/\d+)/Branch_3/\w+/(.*)", r"\1/branch3/1/\2"),
                # In the reductions the convolution with the stride is called 1a and comes last.
                (r"(features/4|features/18)/Branch_0/Conv2d_1a_\w+/(.*)", r"\1/branch0/1/\2"),
                (r"(features/4|features/18)/Branch_1/Conv2d_1a_\w+/(.*)", r"\1/branch1/3/\2"),
                (r"(features/10)/Branch_1/Conv2d_1a_\w+/(.*)", r"\1/branch1/2/\2"),
            ]
            + [
                (rf"(.*)/Branch_(\d)/Conv2d_0{letter}_\w+/(.*)", rf"\1/branch\2/{number}/\3")
                for number, letter in enumerate("abcde")
            ]
            + [
                (r"(features/.*)/BatchNorm/(.*)", r"\1/bn/\2"),
                (r"(features/.*)/weights", r"\1/conv/weights"),
            ],
            leaves=SLIM_TO_TORCH,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            settings={"num_classes": Size(_LOGITS + "biases", 0)},
        )
    ],
)
