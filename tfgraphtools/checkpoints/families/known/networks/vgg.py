"""VGG 11, 16 and 19 of slim (vgg_a, vgg_16, vgg_19), without batch normalisation."""

from tfgraphtools.checkpoints.families.family import (
    SLIM_TO_KERAS,
    SLIM_TO_TORCH,
    Family,
    Target,
)
from tfgraphtools.checkpoints.families.settings import Size

#: slim's scope: (timm's model, Keras's, convolutions in each block)
_MODELS = {
    "vgg_a": ("vgg11", None, (1, 1, 2, 2, 2)),
    "vgg_16": ("vgg16", "VGG16", (2, 2, 3, 3, 3)),
    "vgg_19": ("vgg19", "VGG19", (2, 2, 4, 4, 4)),
}
#: The place of a convolution among timm's ``features``: each is followed by a relu, each block by
#: a pool.
_PLACES = {
    scope: [
        (
            rf"{scope}/conv{block + 1}/conv{block + 1}_{layer + 1}/(.*)",
            rf"features/{2 * (sum(counts[:block]) + layer) + block}/\1",
        )
        for block in range(5)
        for layer in range(counts[block])
    ]
    for scope, (_, _, counts) in _MODELS.items()
}
#: Slim's vgg_preprocessing.py trains on pixels from 0 to 255 less these, in RGB; timm's pixels are
#: from 0 to 1.
_PIXELS = (123.68, 116.78, 103.94)
_MEAN, _DEVIATION = [pixel / 255 for pixel in _PIXELS], [1 / 255] * 3
_CLASSES = r"vgg_\w+/fc8/biases"
_ALIKE = [(r"vgg_\w+/fc6/weights", 0, 7)]  # the features of 224 x 224 pixels

FAMILY = Family(
    name="VGG",
    marks=[r"vgg_\w+/conv1/conv1_1/weights", r"vgg_\w+/fc8/weights"],
    targets=[
        Target(
            to="timm",
            heads=[(rf"{scope}/fc8/weights", timm)],
            renames=_PLACES[scope]
            + [
                (r"vgg_\w+/fc8/weights", "head/fc/linear"),
                (r"vgg_\w+/fc8/biases", "head/fc/biases"),
                (r"vgg_\w+/fc6/(.*)", r"pre_logits/fc1/\1"),
                (r"vgg_\w+/fc7/(.*)", r"pre_logits/fc2/\1"),
            ],
            leaves=SLIM_TO_TORCH,
            settings={"num_classes": Size(_CLASSES, 0), "mean": _MEAN, "std": _DEVIATION},
            requires=_ALIKE,
        )
        for scope, (timm, _, _) in _MODELS.items()
    ]
    + [
        Target(
            to="keras",
            heads=[(rf"{scope}/fc8/weights", keras)],
            renames=[
                (r"vgg_\w+/conv(\d)/conv\d_(\d)/(.*)", r"block\1_conv\2/\3"),
                (r"vgg_\w+/fc8/(.*)", r"predictions/\1"),
                (r"vgg_\w+/fc6/(.*)", r"fc1/\1"),
                (r"vgg_\w+/fc7/(.*)", r"fc2/\1"),
                (r"(fc1|fc2|predictions)/weights", r"\1/linear"),
            ],
            leaves=SLIM_TO_KERAS,
            settings={"classes": Size(_CLASSES, 0), "input_shape": (224, 224, 3)},
            requires=_ALIKE,
        )
        for scope, (_, keras, _) in _MODELS.items()
        if keras
    ],
)
