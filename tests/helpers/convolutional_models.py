"""Converted networks, loaded by Keras and by timm: their logits."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tfgraphtools import checkpoints

#: In a process of its own: Keras needs eager execution, which other tests switch off.
KERAS = """
import sys, numpy as np, keras
from tfgraphtools import checkpoints
source, folder = sys.argv[1:]
plan = checkpoints.to_application(source, folder + "/new.keras")
assert [n for n in plan.dropped if "AuxLogits" not in n] == ["global_step"], plan.dropped
model = keras.models.load_model(folder + "/new.keras")
images = np.load(folder + "/pixels.npy")
np.save(folder + "/logits.npy", np.asarray(model(images, training=False)))
"""


def pixels(architecture, images):
    """Returns the input of a model of Keras: EfficientNet's normalises pixels from 0 to 255."""
    if not architecture.startswith("EfficientNet"):
        return images
    return (images * np.array([0.229, 0.224, 0.225]) + np.array([0.485, 0.456, 0.406])) * 255


def keras_logits(source, folder, images, architecture):
    np.save(str(folder / "pixels.npy"), pixels(architecture, images).astype(np.float32))
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    environment.pop("TF2_BEHAVIOR", None)
    command = [sys.executable, "-c", KERAS, str(source), str(folder)]
    subprocess.run(command, check=True, env=environment)
    return np.load(str(folder / "logits.npy"))


def timm_logits(source, folder, images):
    torch = pytest.importorskip("torch")
    timm = timm_beside_any_torch(torch)
    if timm is None:
        return None
    checkpoints.to_timm(str(source), folder / "new", overwrite=True)
    model = timm.create_model(f"local-dir:{folder / 'new'}", pretrained=True).eval()
    with torch.no_grad():
        return model(torch.from_numpy(np.moveaxis(images, -1, 1).copy())).numpy()


def timm_beside_any_torch(torch):
    """timm, or None; its torchvision may be one for another build of PyTorch, without its ops."""
    library = torch.library.Library("torchvision", "FRAGMENT")
    for name in ("nms", "qnms"):
        if not hasattr(torch.ops.torchvision, name):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    try:
        import timm
    except ImportError:
        return None
    return timm
