"""NASNet-A of slim, large and mobile, into Keras; timm's averages over the padding."""

from tfgraphtools.checkpoints.families.family import SLIM_TO_KERAS, Family, Target
from tfgraphtools.checkpoints.families.settings import Choice, Size

_LOGITS = "final_layer/FC/"
_CELL = r"(normal|reduction)/(\w+)/"

#: {model: (features of the classifier, normal cells of a stage, channels of the first layer)}
_SIZES = {"NASNetLarge": (4032, 6, 96), "NASNetMobile": (1056, 4, 32)}
#: {model: [(scope of a cell, its kind and name in Keras)]}; Keras skips one number.
_CELLS = {
    model: [("cell_stem_0", "reduction/stem_1"), ("cell_stem_1", "reduction/stem_2")]
    + [(f"reduction_cell_{n}", f"reduction/reduce_{(n + 1) * count}") for n in range(2)]
    + [(f"cell_{n}", f"normal/{n + (n >= count)}") for n in range(3 * count)]
    for model, (_, count, _) in _SIZES.items()
}

FAMILY = Family(
    name="NASNet-A",
    marks=[
        r"reduction_cell_0/beginning_bn/gamma",
        r"cell_stem_0/comb_iter_0/left/separable_5x5_1/depthwise_weights",
    ],
    targets=[
        Target(
            to="keras",
            heads=[(_LOGITS + "weights", Choice(_LOGITS + "weights", 0, {features: model}))],
            renames=[
                (r"aux_\d+/.*", None),
                (_LOGITS + "(.*)", r"predictions/\1"),
                (r"conv0/(.*)", r"stem_conv1/\1"),
                (r"conv0_bn/(.*)", r"stem_bn1/\1"),
            ]
            + [(scope + "/(.*)", rf"{cell}/\1") for scope, cell in _CELLS[model]]
            + [
                (_CELL + r"1x1/(.*)", r"\1_conv_1_\2/\3"),
                (_CELL + r"beginning_bn/(.*)", r"\1_bn_1_\2/\3"),
                (_CELL + r"prev_1x1/(.*)", r"adjust_conv_projection_\2/\3"),
                (_CELL + r"path(\d)_conv/(.*)", r"adjust_conv_\3_\2/\4"),
                (_CELL + r"(?:prev|final_path)_bn/(.*)", r"adjust_bn_\2/\3"),
                # Keras counts the pairs of a cell from 1, and calls the last of a reduction 4.
                (r"(reduction/\w+)/comb_iter_4/(.*)", r"\1/comb_iter_3/\2"),
            ]
            + [
                rule
                for pair in range(5)
                for rule in (
                    (
                        _CELL + rf"comb_iter_{pair}/(left|right)/separable_\dx\d_(\d)/(.*)",
                        rf"separable_conv_\4_\1_\g<3>{pair + 1}_\2/\5",
                    ),
                    (
                        _CELL + rf"comb_iter_{pair}/(left|right)/bn_sep_\dx\d_(\d)/(.*)",
                        rf"separable_conv_\4_bn_\1_\g<3>{pair + 1}_\2/\5",
                    ),
                )
            ],
            leaves=dict(
                SLIM_TO_KERAS,
                depthwise_weights=("depthwise_kernel", "same"),
                pointwise_weights=("pointwise_kernel", "same"),
            ),
            requires=[("conv0/weights", -1, stem)],
            settings={"classes": Size(_LOGITS + "biases", 0)},
            changes=[
                # Keras pads for the sizes that it was built for, its pools with zeros.
                (r"(separable_conv_1|reduction)_pad_.*", {"padding": ((0, 0), (0, 0))}),
                (r"separable_conv_1_(?!pad_|bn_).*", {"padding": "same"}),
                (r"reduction_(left2|left3|right5)_.*", {"padding": "same"}),
            ],
            notes=[
                "relu is its activation: a model that was built with use_bounded_activation=True, "
                "which no tensor says, has relu6"
            ],
        )
        for model, (features, _, stem) in _SIZES.items()
    ],
)
