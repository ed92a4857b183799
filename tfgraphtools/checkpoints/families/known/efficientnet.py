"""EfficientNet b0 to b8 and l2 of tensorflow/tpu, into timm and Keras."""

import math

from tfgraphtools.checkpoints.families.family import Family, Target
from tfgraphtools.checkpoints.families.settings import Size

#: name: (depth coefficient, channels of the last convolution)
_SIZES = {
    "b0": (1.0, 1280),
    "b1": (1.1, 1280),
    "b2": (1.2, 1408),
    "b3": (1.4, 1536),
    "b4": (1.8, 1792),
    "b5": (2.2, 2048),
    "b6": (2.6, 2304),
    "b7": (3.1, 2560),
    "b8": (3.6, 2816),
    "l2": (5.3, 5504),
}
_REPEATS = (1, 2, 2, 3, 3, 4, 1)

#: {size: [(stage, place within it) of each block]}
_STAGES = {
    size: [
        (stage, place)
        for stage, count in enumerate(_REPEATS)
        for place in range(math.ceil(depth * count))
    ]
    for size, (depth, _) in _SIZES.items()
}
_ROOT = "efficientnet-(?:b[0-8]|l2)/"
_NORM = "(?:tpu_)?batch_normalization"
_DENSE = "efficientnet-{}/head/dense/"

#: The parts of a block in TF1; those of the first stage do not expand.
_FIRST = (
    ("depthwise_conv2d", "depthwise"),
    (_NORM, "depthwise_norm"),
    ("conv2d", "project"),
    (_NORM + "_1", "project_norm"),
)
_OTHERS = (
    ("conv2d", "expand"),
    (_NORM, "expand_norm"),
    ("depthwise_conv2d", "depthwise"),
    (_NORM + "_1", "depthwise_norm"),
    ("conv2d_1", "project"),
    (_NORM + "_2", "project_norm"),
)
_SQUEEZE = (("se/conv2d", "reduce"), ("se/conv2d_1", "gate"))

#: The same in the libraries: {part: name}.
_TIMM_FIRST = {
    "depthwise": "conv_dw",
    "depthwise_norm": "bn1",
    "reduce": "se.conv_reduce",
    "gate": "se.conv_expand",
    "project": "conv_pw",
    "project_norm": "bn2",
}
_TIMM_OTHERS = {
    "expand": "conv_pw",
    "expand_norm": "bn1",
    "depthwise": "conv_dw",
    "depthwise_norm": "bn2",
    "reduce": "se.conv_reduce",
    "gate": "se.conv_expand",
    "project": "conv_pwl",
    "project_norm": "bn3",
}
_KERAS = {
    "expand": "expand_conv",
    "expand_norm": "expand_bn",
    "depthwise": "dwconv",
    "depthwise_norm": "bn",
    "reduce": "se_reduce",
    "gate": "se_expand",
    "project": "project_conv",
    "project_norm": "project_bn",
}
_BLOCKS = {
    size: [
        (f"{_ROOT}blocks_{number}/{old}/(.*)", stage, place, new)
        for number, (stage, place) in enumerate(stages)
        for old, new in (_OTHERS if stage else _FIRST) + _SQUEEZE
    ]
    for size, stages in _STAGES.items()
}

_NORM_LEAVES = "{weight,bias,running_mean,running_var}"
_TIMM_PARTS = {
    False: [
        "{conv_dw,conv_pw}.weight",
        "{bn1,bn2}." + _NORM_LEAVES,
        "se.{conv_reduce,conv_expand}.{weight,bias}",
    ],
    True: [
        "{conv_pw,conv_dw,conv_pwl}.weight",
        "{bn1,bn2,bn3}." + _NORM_LEAVES,
        "se.{conv_reduce,conv_expand}.{weight,bias}",
    ],
}

#: What images are normalised with, for pixels from 0 to 1.
_MEAN, _DEVIATION = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
_NOTES = [
    "the pixels are normalised with ImageNet's mean and deviation; models trained with AdvProp "
    "take pixels from -1 to 1"
]

FAMILY = Family(
    name="EfficientNet",
    marks=[
        _ROOT + "blocks_0/depthwise_conv2d/depthwise_kernel",
        _ROOT + "head/conv2d/kernel",
    ],
    targets=[
        Target(
            to="timm",
            heads=[(_DENSE.format(size) + "kernel", "tf_efficientnet_" + size)],
            renames=[
                (_ROOT + "stem/conv2d/(.*)", r"conv_stem/\1"),
                (_ROOT + f"stem/{_NORM}/(.*)", r"bn1/\1"),
                (_ROOT + "head/conv2d/(.*)", r"conv_head/\1"),
                (_ROOT + f"head/{_NORM}/(.*)", r"bn2/\1"),
                (_ROOT + "head/dense/kernel", "classifier/linear"),
                (_ROOT + "head/dense/bias", "classifier/bias"),
            ]
            + [
                (
                    old,
                    r"blocks/{}/{}/{}/\1".format(
                        stage, place, (_TIMM_OTHERS if stage else _TIMM_FIRST)[new]
                    ).replace(".", "/"),
                )
                for old, stage, place, new in _BLOCKS[size]
            ],
            leaves={
                "kernel": ("weight", "conv"),
                "depthwise_kernel": ("weight", "depthwise"),
                "linear": ("weight", "transposed"),
                "bias": ("bias", "same"),
                "gamma": ("weight", "same"),
                "beta": ("bias", "same"),
                "moving_mean": ("running_mean", "same"),
                "moving_variance": ("running_var", "same"),
            },
            entries={
                "tf_efficientnet_" + size: [
                    "{conv_stem,conv_head}.weight",
                    "{bn1,bn2}." + _NORM_LEAVES,
                    "classifier.{weight,bias}",
                ]
                + [
                    f"blocks.{stage}.{place}.{part}"
                    for stage, place in _STAGES[size]
                    for part in _TIMM_PARTS[stage > 0]
                ]
            },
            requires=[(_ROOT + "head/conv2d/kernel", -1, width)],
            settings={
                "num_classes": Size(_DENSE.format(size) + "bias", 0),
                "mean": _MEAN,
                "std": _DEVIATION,
            },
            notes=_NOTES,
        )
        for size, (_, width) in _SIZES.items()
    ]
    + [
        Target(
            to="keras",
            heads=[(_DENSE.format(size) + "kernel", "EfficientNet" + size.upper())],
            renames=[
                (_ROOT + "stem/conv2d/(.*)", r"stem_conv/\1"),
                (_ROOT + f"stem/{_NORM}/(.*)", r"stem_bn/\1"),
                (_ROOT + "head/conv2d/(.*)", r"top_conv/\1"),
                (_ROOT + f"head/{_NORM}/(.*)", r"top_bn/\1"),
                (_ROOT + "head/dense/(.*)", r"predictions/\1"),
            ]
            + [
                (old, r"block{}{}_{}/\1".format(stage + 1, chr(ord("a") + place), _KERAS[new]))
                for old, stage, place, new in _BLOCKS[size]
            ],
            leaves={
                "kernel": ("kernel", "same"),
                "depthwise_kernel": ("kernel", "same"),
                "bias": ("bias", "same"),
                "gamma": ("gamma", "same"),
                "beta": ("beta", "same"),
                "moving_mean": ("moving_mean", "same"),
                "moving_variance": ("moving_variance", "same"),
            },
            requires=[(_ROOT + "head/conv2d/kernel", -1, width)],
            settings={"classes": Size(_DENSE.format(size) + "bias", 0)},
            changes=[
                # Keras pads for the sizes that it was built for; "same" does for all.
                (r".*_pad", {"padding": ((0, 0), (0, 0))}),
                (r"stem_conv|.*_dwconv", {"padding": "same"}),
                (r"normalization(_\d+)?", {"mean": _MEAN, "variance": [d * d for d in _DEVIATION]}),
            ],
            notes=["the model takes pixels from 0 to 255 and normalises them itself"] + _NOTES,
        )
        for size, (_, width) in _SIZES.items()
        if size not in ("b8", "l2")
    ],
)
