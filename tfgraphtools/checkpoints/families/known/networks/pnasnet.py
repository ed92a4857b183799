"""PNASNet-5 of slim, into timm: the large model."""

from tfgraphtools.checkpoints.families.family import SLIM_TO_TORCH, Family, Target
from tfgraphtools.checkpoints.families.settings import Choice, Size

_LOGITS = "final_layer/FC/"
_CELL = r"(cell_(?:stem_)?\d+)/"
_BRANCH = _CELL + r"comb_iter_(\d)/(left|right)/"
_NORM = "{weight,bias,running_mean,running_var}"

#: The cells after the first; those whose older input is twice as large; those that stride.
_CELLS = ["stem_1", *map(str, range(12))]
_REDUCED, _STRIDED = ("stem_1", "0", "5", "9"), ("stem_1", "4", "8")
_SEPARABLE = [
    f"cell_{cell}.comb_iter_{branch}.{part}"
    for cell in ["stem_0", *_CELLS]
    for branch in ("0_left", "1_left", "2_left", "2_right", "3_left", "4_left")
    for part in (
        "{separable_1,separable_2}.{depthwise_conv2d,pointwise_conv2d}.weight",
        "{bn_sep_1,bn_sep_2}." + _NORM,
    )
]
_CONVOLUTIONS = (
    ["conv_0", "cell_stem_0.conv_1x1"]
    + ["cell_stem_0.comb_iter_0_right", "cell_stem_0.comb_iter_4_right"]
    + [f"cell_{cell}.conv_1x1" for cell in _CELLS]
    + [f"cell_{cell}.conv_prev_1x1" for cell in _CELLS if cell not in _REDUCED]
    + [f"cell_{cell}.comb_iter_4_right" for cell in _STRIDED]
)
_REDUCTIONS = [
    f"cell_{cell}.conv_prev_1x1.{part}"
    for cell in _REDUCED
    for part in ("{path_1,path_2}.conv.weight", "final_path_bn." + _NORM)
]

FAMILY = Family(
    name="PNASNet",
    marks=[
        r"cell_stem_0/comb_iter_4/right/1x1/weights",
        r"cell_stem_0/comb_iter_0/left/separable_5x5_1/depthwise_weights",
    ],
    targets=[
        Target(
            to="timm",
            heads=[(_LOGITS + "weights", Choice(_LOGITS + "weights", 0, {4320: "pnasnet5large"}))],
            renames=[
                (r"aux_\d+/.*", None),
                (_LOGITS + "weights", "last_linear/linear"),
                (_LOGITS + "biases", "last_linear/biases"),
                (r"conv0/(.*)", r"conv_0/conv/\1"),
                (r"conv0_bn/(.*)", r"conv_0/bn/\1"),
                (_CELL + r"1x1/(.*)", r"\1/conv_1x1/conv/\2"),
                (_CELL + r"beginning_bn/(.*)", r"\1/conv_1x1/bn/\2"),
                (_CELL + r"prev_1x1/(.*)", r"\1/conv_prev_1x1/conv/\2"),
                (_CELL + r"prev_bn/(.*)", r"\1/conv_prev_1x1/bn/\2"),
                (_CELL + r"path(\d)_conv/(.*)", r"\1/conv_prev_1x1/path_\2/conv/\3"),
                (_CELL + r"final_path_bn/(.*)", r"\1/conv_prev_1x1/final_path_bn/\2"),
                (_BRANCH + r"1x1/(.*)", r"\1/comb_iter_\2_\3/conv/\4"),
                (_BRANCH + r"bn_1/(.*)", r"\1/comb_iter_\2_\3/bn/\4"),
                (_BRANCH + r"bn_sep_\dx\d_(\d)/(.*)", r"\1/comb_iter_\2_\3/bn_sep_\4/\5"),
                (
                    _BRANCH + r"separable_\dx\d_(\d)/(depth|point)wise_(weights)",
                    r"\1/comb_iter_\2_\3/separable_\4/\5wise_conv2d/\5wise_\6",
                ),
            ],
            leaves=dict(SLIM_TO_TORCH, pointwise_weights=("weight", "conv")),
            entries={
                "pnasnet5large": _SEPARABLE
                + _REDUCTIONS
                + [
                    f"{scope}.{part}"
                    for scope in _CONVOLUTIONS
                    for part in ("conv.weight", "bn." + _NORM)
                ]
                + ["last_linear.{weight,bias}"]
            },
            requires=[("conv0/weights", -1, 96)],
            settings={"num_classes": Size(_LOGITS + "biases", 0)},
            notes=[
                "relu is its activation: a model that was built with use_bounded_activation=True, "
                "which no tensor says, has relu6"
            ],
        )
    ],
)
