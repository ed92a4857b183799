"""MobileNet v3 of slim, large and small, also the minimalistic ones, into timm and Keras."""

from tfgraphtools.checkpoints.families.family import (
    SLIM_TO_KERAS,
    SLIM_TO_TORCH,
    Family,
    Target,
)
from tfgraphtools.checkpoints.families.settings import Choice, If, Size

_ROOT = "MobilenetV3/"
_LOGITS = _ROOT + "Logits/Conv2d_1c_1x1/"
_BLOCK = _ROOT + r"(expanded_conv(?:_\d+)?)/"
_NORM = "{weight,bias,running_mean,running_var}"

#: name: (blocks of each stage, {channels of the last block: width})
_SIZES = {
    "large": ((1, 2, 3, 4, 2, 3), {160: 1.0, 120: 0.75}),
    "small": ((1, 2, 3, 2, 3), {96: 1.0, 72: 0.75}),
}
#: What is required of the last convolution, which no multiplier below 1 narrows: slim's
#: finegrain_classification_mode, as the released models have it.
_LAST_CONVOLUTION = {
    size: [(_ROOT + "Conv_2/weights", -1, width)]
    for size, width in {"large": 1280, "small": 1024}.items()
}
#: The blocks that gate their channels, of the models that are not minimalistic.
_GATED = {"large": (3, 4, 5, 10, 11, 12, 13, 14), "small": (0, 3, 4, 5, 6, 7, 8, 9, 10)}
_STAGES = {
    size: [(stage, place) for stage, count in enumerate(counts) for place in range(count)]
    for size, (counts, _) in _SIZES.items()
}
_SCOPES = {
    size: [_ROOT + "expanded_conv" + f"_{n}" * (n > 0) + "/" for n in range(len(stages))]
    for size, stages in _STAGES.items()
}
_LAST = {size: scopes[-1] + "project/weights" for size, scopes in _SCOPES.items()}
_GATE = {size: scopes[-1] + "squeeze_excite/Conv/weights" for size, scopes in _SCOPES.items()}

_FIRST = (
    ("depthwise/BatchNorm", "bn1"),
    ("depthwise", "conv_dw"),
    ("project/BatchNorm", "bn2"),
    ("project", "conv_pw"),
)
_OTHERS = (
    ("expand/BatchNorm", "bn1"),
    ("expand", "conv_pw"),
    ("depthwise/BatchNorm", "bn2"),
    ("depthwise", "conv_dw"),
    ("project/BatchNorm", "bn3"),
    ("project", "conv_pwl"),
)
_SQUEEZE = (
    ("squeeze_excite/Conv", "se/conv_reduce"),
    ("squeeze_excite/Conv_1", "se/conv_expand"),
)
_ENTRIES = {
    size: [
        "{conv_stem,conv_head,classifier}.weight",
        "{conv_head,classifier}.bias",
        "bn1." + _NORM,
        f"blocks.{len(_SIZES[size][0])}.0.conv.weight",
        f"blocks.{len(_SIZES[size][0])}.0.bn1." + _NORM,
    ]
    + [
        f"blocks.{stage}.{place}." + part
        for stage, place in stages
        for part in (
            ["{conv_pw,conv_dw,conv_pwl}.weight", "{bn1,bn2,bn3}." + _NORM]
            if stage
            else ["{conv_dw,conv_pw}.weight", "{bn1,bn2}." + _NORM]
        )
    ]
    for size, stages in _STAGES.items()
}
_GATES = {
    size: [
        "blocks.{}.{}.se.{{conv_reduce,conv_expand}}.{{weight,bias}}".format(*stages[number])
        for number in _GATED[size]
    ]
    for size, stages in _STAGES.items()
}

#: Of the models with gates.
_NOTES = [
    "TF1's gates are multiplied by 0.16667, the library's by 1/6: outputs differ by about 1e-4"
]

FAMILY = Family(
    name="MobileNet v3",
    marks=[_ROOT + "expanded_conv/depthwise/depthwise_weights", _ROOT + "Conv_1/weights"],
    targets=[
        Target(
            to="timm",
            heads=[
                (
                    _GATE[size],
                    Choice(
                        _LAST[size],
                        -1,
                        {
                            channels: f"tf_mobilenetv3_{size}_{width * 100:03.0f}"
                            for channels, width in widths.items()
                        },
                    ),
                ),
                (
                    _LAST[size],
                    Choice(_LAST[size], -1, {max(widths): f"tf_mobilenetv3_{size}_minimal_100"}),
                ),
            ],
            renames=[
                (_ROOT + "Conv/BatchNorm/(.*)", r"bn1/\1"),
                (_ROOT + "Conv/(.*)", r"conv_stem/\1"),
                (_ROOT + "Conv_1/BatchNorm/(.*)", rf"blocks/{len(counts)}/0/bn1/\1"),
                (_ROOT + "Conv_1/(.*)", rf"blocks/{len(counts)}/0/conv/\1"),
                (_ROOT + "Conv_2/(.*)", r"conv_head/\1"),
                (_LOGITS + "weights", "classifier/linear"),
                (_LOGITS + "biases", "classifier/biases"),
            ]
            + [
                (scope + old + "/(.*)", rf"blocks/{stage}/{place}/{new}/\1")
                for scope, (stage, place) in zip(_SCOPES[size], _STAGES[size])
                for old, new in (_OTHERS if stage else _FIRST) + _SQUEEZE
            ],
            leaves=SLIM_TO_TORCH,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            entries=dict(
                {
                    f"tf_mobilenetv3_{size}_{width * 100:03.0f}": _ENTRIES[size] + _GATES[size]
                    for width in widths.values()
                },
                **{f"tf_mobilenetv3_{size}_minimal_100": _ENTRIES[size]},
            ),
            requires=_LAST_CONVOLUTION[size],
            settings={"num_classes": Size(_LOGITS + "biases", 0)},
            notes=_NOTES,
        )
        for size, (counts, widths) in _SIZES.items()
    ]
    + [
        Target(
            to="keras",
            heads=[(_LAST[size], "MobileNetV3" + size.title())],
            renames=[
                (_ROOT + "Conv/BatchNorm/(.*)", r"conv_bn/\1"),
                (_ROOT + "Conv/(.*)", r"conv/\1"),
                (_ROOT + r"Conv_(\d)/BatchNorm/(.*)", r"conv_\1_bn/\2"),
                (_ROOT + r"Conv_(\d)/(.*)", r"conv_\1/\2"),
                (_LOGITS + "(.*)", r"logits/\1"),
                (_BLOCK + "squeeze_excite/Conv/(.*)", r"\1_squeeze_excite_conv/\2"),
                (_BLOCK + "squeeze_excite/Conv_1/(.*)", r"\1_squeeze_excite_conv_1/\2"),
                (_BLOCK + r"(\w+)/BatchNorm/(.*)", r"\1_\2_bn/\3"),
                (_BLOCK + r"(\w+)/(.*)", r"\1_\2/\3"),
            ],
            leaves=SLIM_TO_KERAS,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            requires=_LAST_CONVOLUTION[size],
            settings={
                "classes": Size(_LOGITS + "biases", 0),
                "alpha": Choice(_LAST[size], -1, widths),
                "minimalistic": If(_GATE[size], False, True),
                "include_preprocessing": False,
            },
            # Keras pads for the sizes that it was built for; "same" does for all.
            changes=[
                (r".*_pad", {"padding": ((0, 0), (0, 0))}),
                (r".*_depthwise", {"padding": "same"}),
            ],
            notes=_NOTES,
        )
        for size, (_, widths) in _SIZES.items()
    ],
)
