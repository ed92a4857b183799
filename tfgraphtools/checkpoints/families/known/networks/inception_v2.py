"""Inception v2 of slim: no library has it, with its first convolution that is separable."""

from tfgraphtools.checkpoints.families.family import Family

FAMILY = Family(
    name="Inception v2",
    marks=[r"InceptionV2/(?:InceptionV2/)?Conv2d_1a_7x7/depthwise_weights"],
    targets=[],
)
