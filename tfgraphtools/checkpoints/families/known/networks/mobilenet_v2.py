"""MobileNet v2 of tensorflow/models, of every depth multiplier that the libraries have."""

from tfgraphtools.checkpoints.families.family import (
    SLIM_TO_KERAS,
    SLIM_TO_TORCH,
    Family,
    Target,
)
from tfgraphtools.checkpoints.families.settings import Choice, Size

_LOGITS = "MobilenetV2/Logits/Conv2d_1c_1x1/"
_BLOCK = r"MobilenetV2/expanded_conv_(\d+)/"
_LAST = "MobilenetV2/expanded_conv_16/project/weights"
_WIDTHS = {112: 0.35, 160: 0.5, 240: 0.75, 320: 1.0, 416: 1.3, 448: 1.4}
_HEADS = {112: 1280, 160: 1280, 240: 1280, 320: 1280, 416: 1664, 448: 1792}
_TIMM = {
    112: "mobilenetv2_035",
    160: "mobilenetv2_050",
    240: "mobilenetv2_075",
    320: "mobilenetv2_100",
    448: "mobilenetv2_140",
}
#: timm counts the 17 blocks by stages; the first block does not expand.
_STAGES = [
    (stage, block) for stage, count in enumerate((1, 2, 3, 4, 3, 3, 1)) for block in range(count)
]
_REQUIRES = [("MobilenetV2/Conv_1/weights", -1, Choice(_LAST, -1, _HEADS))]

FAMILY = Family(
    name="MobileNet v2",
    marks=["MobilenetV2/expanded_conv/depthwise/depthwise_weights", _LAST],
    targets=[
        Target(
            to="keras",
            heads=[(_LOGITS + "weights", "MobileNetV2")],
            renames=[
                (_LOGITS + "weights", "predictions/linear"),
                (_LOGITS + "biases", "predictions/biases"),
                (r"MobilenetV2/Conv/BatchNorm/(.*)", r"bn_Conv1/\1"),
                (r"MobilenetV2/Conv/(.*)", r"Conv1/\1"),
                (r"MobilenetV2/Conv_1/BatchNorm/(.*)", r"Conv_1_bn/\1"),
                (r"MobilenetV2/Conv_1/(.*)", r"Conv_1/\1"),
                (r"MobilenetV2/expanded_conv/(\w+)/BatchNorm/(.*)", r"expanded_conv_\1_BN/\2"),
                (r"MobilenetV2/expanded_conv/(\w+)/(.*)", r"expanded_conv_\1/\2"),
                (_BLOCK + r"(\w+)/BatchNorm/(.*)", r"block_\1_\2_BN/\3"),
                (_BLOCK + r"(\w+)/(.*)", r"block_\1_\2/\3"),
            ],
            leaves=SLIM_TO_KERAS,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            requires=_REQUIRES,
            settings={
                "classes": Size(_LOGITS + "biases", 0),
                "alpha": Choice(_LAST, -1, _WIDTHS),
            },
            # Keras pads for the sizes that it was built for; "same" does for all.
            changes=[
                (r"block_\d+_pad", {"padding": ((0, 0), (0, 0))}),
                (r".*_depthwise", {"padding": "same"}),
            ],
        )
    ]
    + [
        Target(
            to="timm",
            heads=[(_LOGITS + "weights", Choice(_LAST, -1, _TIMM))],
            renames=[
                (_LOGITS + "weights", "classifier/linear"),
                (_LOGITS + "biases", "classifier/biases"),
                (r"MobilenetV2/Conv/BatchNorm/(.*)", r"bn1/\1"),
                (r"MobilenetV2/Conv/(.*)", r"conv_stem/\1"),
                (r"MobilenetV2/Conv_1/BatchNorm/(.*)", r"bn2/\1"),
                (r"MobilenetV2/Conv_1/(.*)", r"conv_head/\1"),
                (r"MobilenetV2/expanded_conv/(.*)", r"MobilenetV2/first/\1"),
                (r"MobilenetV2/first/depthwise/BatchNorm/(.*)", r"blocks/0/0/bn1/\1"),
                (r"MobilenetV2/first/depthwise/(.*)", r"blocks/0/0/conv_dw/\1"),
                (r"MobilenetV2/first/project/BatchNorm/(.*)", r"blocks/0/0/bn2/\1"),
                (r"MobilenetV2/first/project/(.*)", r"blocks/0/0/conv_pw/\1"),
            ]
            + [
                (
                    rf"MobilenetV2/expanded_conv_{number}/(.*)",
                    rf"blocks/{_STAGES[number][0]}/{_STAGES[number][1]}/\1",
                )
                for number in range(1, 17)
            ]
            + [
                (rf"(blocks/.*)/{old}/(.*)", rf"\1/{new}/\2")
                for old, new in (
                    ("expand/BatchNorm", "bn1"),
                    ("depthwise/BatchNorm", "bn2"),
                    ("project/BatchNorm", "bn3"),
                    ("expand", "conv_pw"),
                    ("depthwise", "conv_dw"),
                    ("project", "conv_pwl"),
                )
            ],
            leaves=SLIM_TO_TORCH,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            requires=_REQUIRES,
            settings={
                "num_classes": Size(_LOGITS + "biases", 0),
                "model_args": {"pad_type": "same", "bn_eps": 1e-3},
            },
        )
    ],
)
