"""MobileNet v1 of tensorflow/models, of every depth multiplier that the libraries have."""

from tfgraphtools.checkpoints.families.family import (
    SLIM_TO_KERAS,
    SLIM_TO_TORCH,
    Family,
    Target,
)
from tfgraphtools.checkpoints.families.settings import Choice, Ratio, Size

_LOGITS = "MobilenetV1/Logits/Conv2d_1c_1x1/"
_BODY = "MobilenetV1/(?:MobilenetV1/)?"
_LAST = _BODY + "Conv2d_13_pointwise/weights"
_TIMM = {1024: "mobilenetv1_100", 1280: "mobilenetv1_125"}
#: timm counts the 13 pairs of convolutions by stages.
_STAGES = [(stage, block) for stage, count in enumerate((1, 2, 2, 6, 2)) for block in range(count)]

FAMILY = Family(
    name="MobileNet v1",
    marks=[_BODY + "Conv2d_1_depthwise/depthwise_weights", _LAST],
    targets=[
        Target(
            to="keras",
            heads=[(_LOGITS + "weights", "MobileNet")],
            renames=[
                (_LOGITS + r"(.*)", r"conv_preds/\1"),
                (_BODY + r"Conv2d_0/BatchNorm/(.*)", r"conv1_bn/\1"),
                (_BODY + r"Conv2d_0/(.*)", r"conv1/\1"),
                (_BODY + r"Conv2d_(\d+)_depthwise/BatchNorm/(.*)", r"conv_dw_\1_bn/\2"),
                (_BODY + r"Conv2d_(\d+)_depthwise/(.*)", r"conv_dw_\1/\2"),
                (_BODY + r"Conv2d_(\d+)_pointwise/BatchNorm/(.*)", r"conv_pw_\1_bn/\2"),
                (_BODY + r"Conv2d_(\d+)_pointwise/(.*)", r"conv_pw_\1/\2"),
            ],
            leaves=SLIM_TO_KERAS,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            settings={
                "classes": Size(_LOGITS + "biases", 0),
                "alpha": Ratio(_LAST, -1, 1024),
            },
            # Keras pads by (0, 1) before a stride of 2, which is SAME for even sizes alone.
            changes=[
                (r"conv_pad_\d+", {"padding": ((0, 0), (0, 0))}),
                (r"conv_dw_\d+", {"padding": "same"}),
            ],
        ),
        Target(
            to="timm",
            heads=[(_LOGITS + "weights", Choice(_LAST, -1, _TIMM))],
            renames=[
                (_LOGITS + "weights", "classifier/linear"),
                (_LOGITS + "biases", "classifier/biases"),
                (_BODY + r"Conv2d_0/BatchNorm/(.*)", r"bn1/\1"),
                (_BODY + r"Conv2d_0/(.*)", r"conv_stem/\1"),
            ]
            + [
                (
                    _BODY + rf"Conv2d_{number + 1}_{kind}/{old}(\w+)",
                    rf"blocks/{stage}/{block}/{new}/\1",
                )
                for number, (stage, block) in enumerate(_STAGES)
                for kind, old, new in (
                    ("depthwise", "BatchNorm/", "bn1"),
                    ("depthwise", "", "conv_dw"),
                    ("pointwise", "BatchNorm/", "bn2"),
                    ("pointwise", "", "conv_pw"),
                )
            ],
            leaves=SLIM_TO_TORCH,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            settings={
                "num_classes": Size(_LOGITS + "biases", 0),
                "model_args": {"pad_type": "same", "bn_eps": 1e-3},
            },
        ),
    ],
)
