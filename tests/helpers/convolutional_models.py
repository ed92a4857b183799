"""Converted networks, loaded by Keras and by timm: their logits."""

import importlib
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
    timm = beside_any_torch(torch, "timm")
    if timm is None:
        return None
    checkpoints.to_timm(str(source), folder / "new", overwrite=True)
    model = timm.create_model(f"local-dir:{folder / 'new'}", pretrained=True).eval()
    return torch_outputs(torch, model, images)


def facenet_embeddings(source, folder, images):
    torch = pytest.importorskip("torch")
    model = facenet(torch, source, folder)
    return None if model is None else torch_outputs(torch, model, images)


def facenet(torch, source, folder):
    """facenet-pytorch's model with the weights of a checkpoint, or None without the package."""
    package = beside_any_torch(torch, "facenet_pytorch")
    if package is None:
        return None
    checkpoints.to_state_dict(source, os.path.join(str(folder), "new.pt"), overwrite=True)
    model = package.InceptionResnetV1().eval()
    model.load_state_dict(torch.load(os.path.join(str(folder), "new.pt"), weights_only=True))
    return model


def torch_outputs(torch, model, images):
    with torch.no_grad():
        return model(torch.from_numpy(np.moveaxis(images, -1, 1).copy())).numpy()


def beside_any_torch(torch, name):
    """A package, or None; its torchvision may be one for another build of PyTorch, without ops."""
    library = torch.library.Library("torchvision", "FRAGMENT")
    for operation in ("nms", "qnms"):
        if not hasattr(torch.ops.torchvision, operation):
            arguments = "Tensor dets, Tensor scores, float iou_threshold"
            library.define(f"{operation}({arguments}) -> Tensor")
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


#: {library: function of (checkpoint, folder, images) that gives what PyTorch's model computes}
TORCH = {"timm": timm_logits, "torch": facenet_embeddings}
