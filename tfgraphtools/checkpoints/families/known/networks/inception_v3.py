"""Inception v3 of slim, into Keras: timm and torchvision average over the padding."""

from tfgraphtools.checkpoints.families.family import SLIM_TO_KERAS, Family, Target
from tfgraphtools.checkpoints.families.settings import Size

_LOGITS = "InceptionV3/Logits/Conv2d_1c_1x1/"

FAMILY = Family(
    name="Inception v3",
    marks=["InceptionV3/Mixed_5b/Branch_0/Conv2d_0a_1x1/weights", _LOGITS + "weights"],
    targets=[
        Target(
            to="keras",
            heads=[(_LOGITS + "weights", "InceptionV3")],
            renames=[
                (r"InceptionV3/AuxLogits/.*", None),
                (_LOGITS + "weights", "predictions/linear"),
                (_LOGITS + "biases", "predictions/biases"),
                (r"InceptionV3/.*/BatchNorm/(.*)", r"batch_normalization_#/\1"),
                (r"InceptionV3/.*/(weights)", r"conv2d_#/\1"),
            ],
            numbered=[r"InceptionV3/Conv2d_\w+", r"InceptionV3/Mixed_\w+/Branch_\d/Conv\w+"],
            leaves=SLIM_TO_KERAS,
            settings={"classes": Size(_LOGITS + "biases", 0)},
        )
    ],
)
