"""Inception v1 of slim: no library has it; torchvision's GoogLeNet pads and convolves otherwise."""

from tfgraphtools.checkpoints.families.family import Family

FAMILY = Family(
    name="Inception v1",
    marks=[r"InceptionV1/(?:InceptionV1/)?Conv2d_1a_7x7/weights"],
    targets=[],
)
