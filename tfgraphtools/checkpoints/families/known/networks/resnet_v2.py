"""ResNet v2 50, 101 and 152 of slim, into Keras: timm strides in another block."""

from tfgraphtools.checkpoints.families.family import SLIM_TO_KERAS, Family, Target
from tfgraphtools.checkpoints.families.settings import Size

_UNIT = r"resnet_v2_\d+/block(\d)/unit_(\d+)/bottleneck_v2/"

FAMILY = Family(
    name="ResNet v2",
    marks=[r"resnet_v2_\d+/block1/unit_1/bottleneck_v2/conv1/weights"],
    targets=[
        Target(
            to="keras",
            heads=[(rf"resnet_v2_{depth}/logits/weights", f"ResNet{depth}V2")],
            renames=[
                (r"resnet_v2_\d+/logits/weights", "predictions/linear"),
                (r"resnet_v2_\d+/logits/biases", "predictions/biases"),
                (r"resnet_v2_\d+/postnorm/(.*)", r"post_bn/\1"),
                (r"resnet_v2_\d+/conv1/(.*)", r"conv1_conv/\1"),
                (r"(.*)/block4/(.*)", r"\1/block5/\2"),
                (r"(.*)/block3/(.*)", r"\1/block4/\2"),
                (r"(.*)/block2/(.*)", r"\1/block3/\2"),
                (r"(.*)/block1/(.*)", r"\1/block2/\2"),
                (_UNIT + r"preact/(.*)", r"conv\1_block\2_preact_bn/\3"),
                (_UNIT + r"shortcut/(.*)", r"conv\1_block\2_0_conv/\3"),
                (_UNIT + r"conv(\d)/BatchNorm/(.*)", r"conv\1_block\2_\3_bn/\4"),
                (_UNIT + r"conv(\d)/(.*)", r"conv\1_block\2_\3_conv/\4"),
            ],
            leaves=SLIM_TO_KERAS,
            settings={"classes": Size(r"resnet_v2_\d+/logits/biases", 0)},
            changes=[
                (r".*_bn", {"epsilon": 1e-5}),
                (r"pool1_pad", {"padding": ((0, 0), (0, 0))}),
                (r"pool1_pool", {"padding": "same"}),
            ],
        )
        for depth in (50, 101, 152)
    ],
)
