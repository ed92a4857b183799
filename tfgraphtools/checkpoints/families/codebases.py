"""Models of codebases that no library has whole: their name, and how far a conversion goes."""

import collections
import re

#: A model of a codebase. ``name`` says what it is, ``reach`` what can be converted of it.
Codebase = collections.namedtuple("Codebase", "name reach")

_BACKBONES = re.compile(r"(?:FeatureExtractor|FirstStageFeatureExtractor)/(\w+)/")
_HEADS = (
    ("Faster R-CNN", re.compile(r"SecondStageBoxPredictor/.+")),
    ("R-FCN or the first stage of Faster R-CNN", re.compile(r"FirstStageBoxPredictor/.+")),
    ("RetinaNet", re.compile(r"WeightSharedConvolutionalBoxPredictor/.+")),
    ("SSD", re.compile(r"BoxPredictor_\d+/(BoxEncodingPredictor|ClassPredictor)\w*/.+")),
    ("CenterNet", re.compile(r"CenterNet\w*/.+")),
)
_MASKS = re.compile(r"SecondStageBoxPredictor/Conv.*mask|.*/MaskPredictor/.+")
_DEEPLAB = re.compile(r"(aspp\d+|image_pooling|concat_projection)(_\w+)?/.+")
_DEEPLAB_BACKBONE = re.compile(r"(\w+?)(?:_beta)?/.+/(?:depthwise_)?weights")
_T2T = re.compile(r"(\w+)/body/(?:\w+/)*(?:encoder|decoder|parallel_0|model)\w*/.+")
_MODALITY = re.compile(r"(\w+)/(?:\w+_modality|symbol_modality)_\d+_\d+/.+")


def find(names):
    """Returns the `Codebase` of tensors by their names, or None."""
    readers = (_detector, _deeplab, _tensor2tensor)
    return next(filter(None, (read(names) for read in readers)), None)


def _detector(names):
    backbones = collections.Counter(m.group(1) for m in map(_BACKBONES.match, names) if m)
    head = next((h for h, mark in _HEADS if any(map(mark.fullmatch, names))), None)
    if head is None or not backbones:
        return None
    if head == "Faster R-CNN" and any(map(_MASKS.match, names)):
        head = "Mask R-CNN"
    backbone = backbones.most_common(1)[0][0]
    scope = next(n[: m.end()] for n, m in ((n, _BACKBONES.match(n)) for n in names) if m)
    inner = scope[: -len(backbone) - 1]
    return Codebase(
        f"a detector of the Object Detection API: {head} with {backbone}",
        "no library has the detector: serve its graph (--to saved_model, --to frozen), or convert "
        "to a module of your own (--to torch --write-draft). Its backbone is below "
        f"{scope!r}: ckpt split --match '{inner}.*', then ckpt rename --rule '{inner}(.*)' '\\1'.",
    )


def _deeplab(names):
    if not any(map(_DEEPLAB.fullmatch, names)):
        return None
    scopes = collections.Counter(m.group(1) for m in map(_DEEPLAB_BACKBONE.fullmatch, names) if m)
    backbone = next((s for s, _ in scopes.most_common() if not _DEEPLAB.fullmatch(s + "/w")), None)
    if backbone is None:
        return None
    return Codebase(
        f"a model of DeepLab with {backbone}",
        "no library has the model, nor this backbone without its last layers: serve its graph "
        "(--to saved_model, --to frozen), or convert to a module of your own (--to torch "
        "--write-draft).",
    )


def _tensor2tensor(names):
    models = collections.Counter(m.group(1) for m in map(_T2T.match, names) if m)
    modal = {m.group(1) for m in map(_MODALITY.match, names) if m}
    models = [model for model, _ in models.most_common() if model in modal]
    if not models:
        return None
    return Codebase(
        f"a model of tensor2tensor: {models[0]}",
        "no library has a model that computes the same (its layer normalisation, positions and "
        "shards of embeddings are its own): serve its graph (--to saved_model, --to frozen), or "
        "convert to a module of your own (--to torch --write-draft).",
    )
