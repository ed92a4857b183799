"""Xception 41, 65 and 71 of DeepLab, trained on ImageNet or as its backbone, into timm."""

from tfgraphtools.checkpoints.families.family import SLIM_TO_TORCH, Family, Target
from tfgraphtools.checkpoints.families.settings import Size

#: {name: blocks of the entry flow, units of the middle flow}
_SIZES = {"41": (3, 8), "65": (3, 16), "71": (5, 16)}
_BLOCKS = {
    size: [f"entry_flow/block{n + 1}/unit_1" for n in range(entry)]
    + [f"middle_flow/block1/unit_{n + 1}" for n in range(middle)]
    + ["exit_flow/block1/unit_1", "exit_flow/block2/unit_1"]
    for size, (entry, middle) in _SIZES.items()
}
_NORM = "{weight,bias,running_mean,running_var}"
_ENTRIES = {
    size: ["stem.{0,1}.conv.weight", "stem.{0,1}.bn." + _NORM]
    + [
        f"blocks.{number}.stack.{{conv1,conv2,conv3}}.{part}"
        for number in range(len(blocks))
        for part in ("{conv_dw,conv_pw}.weight", "{bn_dw,bn_pw}." + _NORM)
    ]
    + [
        f"blocks.{number}.shortcut.{part}"
        for number in (*range(_SIZES[size][0]), len(blocks) - 2)
        for part in ("conv.weight", "bn." + _NORM)
    ]
    for size, blocks in _BLOCKS.items()
}
_RENAMES = {
    size: [
        (f"xception_{size}/entry_flow/conv1_([12])/(.*)", r"stem/\1/\2"),
        (r"stem/1/(.*)", r"stem/0/\1"),
        (r"stem/2/(.*)", r"stem/1/\1"),
        (f"xception_{size}/logits/weights", "head/fc/linear"),
        (f"xception_{size}/logits/biases", "head/fc/biases"),
    ]
    + [
        (f"xception_{size}/{scope}/xception_module/(.*)", rf"blocks/{number}/\1")
        for number, scope in enumerate(blocks)
    ]
    + [
        (r"(blocks/\d+)/separable_conv(\d)_(\w+)/(.*)", r"\1/stack/conv\2/\3/\4"),
        (r"(.*)/depthwise/BatchNorm/(.*)", r"\1/bn_dw/\2"),
        (r"(.*)/pointwise/BatchNorm/(.*)", r"\1/bn_pw/\2"),
        (r"(.*)/depthwise/(depthwise_weights)", r"\1/conv_dw/\2"),
        (r"(.*)/pointwise/(weights)", r"\1/conv_pw/\2"),
        (r"(.*)/BatchNorm/(.*)", r"\1/bn/\2"),
        (r"(stem/\d|blocks/\d+/shortcut)/(weights)", r"\1/conv/\2"),
    ]
    for size, blocks in _BLOCKS.items()
}
#: What DeepLab computes of its backbone.
_HEAD = (r"(aspp\d+|image_pooling|concat_projection|decoder|logits)(_\w+)?/.*", None)
_FEATURES = (
    "the backbone alone: what DeepLab computes of it is dropped. Build it with the stride that "
    "DeepLab had: timm.create_model(..., output_stride=16)"
)

FAMILY = Family(
    name="Xception of DeepLab",
    marks=[r"xception_(41|65|71)/entry_flow/conv1_1/weights"],
    targets=[
        Target(
            to="timm",
            heads=[(f"xception_{size}/logits/weights", "xception" + size)],
            renames=_RENAMES[size],
            leaves=SLIM_TO_TORCH,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            entries={"xception" + size: _ENTRIES[size] + ["head.fc.{weight,bias}"]},
            settings={"num_classes": Size(f"xception_{size}/logits/biases", 0)},
        )
        for size in _SIZES
    ]
    + [
        Target(
            to="timm",
            heads=[(f"xception_{size}/entry_flow/conv1_1/weights", "xception" + size)],
            renames=[_HEAD] + _RENAMES[size],
            leaves=SLIM_TO_TORCH,
            constants=[(r"(.*/BatchNorm)/beta", r"\1/gamma", 1)],
            entries={"xception" + size: _ENTRIES[size]},
            settings={"num_classes": 0},
            notes=[_FEATURES],
        )
        for size in _SIZES
    ],
)
