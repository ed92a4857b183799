"""ResNet v1 50, 101 and 152 of slim, into Keras: timm and torchvision stride in another block."""

from tfgraphtools.checkpoints.families.family import SLIM_TO_KERAS, Family, Target
from tfgraphtools.checkpoints.families.settings import Size

_SHORTCUT = r"resnet_v1_\d+/block(\d)/unit_1/bottleneck_v1/shortcut/"
_CONV = r"resnet_v1_\d+/block(\d)/unit_(\d+)/bottleneck_v1/conv(\d)/"

FAMILY = Family(
    name="ResNet v1",
    marks=[r"resnet_v1_\d+/block1/unit_1/bottleneck_v1/conv1/weights"],
    targets=[
        Target(
            to="keras",
            heads=[(rf"resnet_v1_{depth}/logits/weights", f"ResNet{depth}")],
            renames=[
                (r"resnet_v1_\d+/logits/weights", "predictions/linear"),
                (r"resnet_v1_\d+/logits/biases", "predictions/biases"),
                (r"resnet_v1_\d+/conv1/BatchNorm/(.*)", r"conv1_bn/\1"),
                (r"resnet_v1_\d+/conv1/(.*)", r"conv1_conv/\1"),
                # slim counts its blocks from 1, Keras the same ones from 2.
                (r"(.*)/block4/(.*)", r"\1/block5/\2"),
                (r"(.*)/block3/(.*)", r"\1/block4/\2"),
                (r"(.*)/block2/(.*)", r"\1/block3/\2"),
                (r"(.*)/block1/(.*)", r"\1/block2/\2"),
                (_SHORTCUT + r"BatchNorm/(.*)", r"conv\1_block1_0_bn/\2"),
                (_SHORTCUT + r"(.*)", r"conv\1_block1_0_conv/\2"),
                (_CONV + r"BatchNorm/(.*)", r"conv\1_block\2_\3_bn/\4"),
                (_CONV + r"(.*)", r"conv\1_block\2_\3_conv/\4"),
            ],
            leaves=SLIM_TO_KERAS,
            settings={"classes": Size(r"resnet_v1_\d+/logits/biases", 0)},
            changes=[
                (r"conv.*_conv", {"use_bias": False}),
                (r".*_bn", {"epsilon": 1e-5}),
                (r"pool1_pad", {"padding": ((0, 0), (0, 0))}),
                (r"pool1_pool", {"padding": "same"}),
                # slim strides in the second convolution of a block's last unit.
                (r"conv[345]_block1_[01]_conv", {"strides": (1, 1)}),
                (rf"({last})_2_conv", {"strides": (2, 2), "padding": "valid"}),
            ],
            inserted=[
                (rf"({last})_2_conv", 0, "ZeroPadding2D", {"padding": 1}),
                (rf"({last})_add", 0, "MaxPooling2D", {"pool_size": 1, "strides": 2}),
            ],
        )
        for depth, last in (
            (50, "conv2_block3|conv3_block4|conv4_block6"),
            (101, "conv2_block3|conv3_block4|conv4_block23"),
            (152, "conv2_block3|conv3_block8|conv4_block36"),
        )
    ],
)
