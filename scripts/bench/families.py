#!/usr/bin/env python
"""Slim's networks under TF 1.15 against what they become in Keras and timm: a table of differences.

    python scripts/bench/families.py [NAME...]       default: all of tests/.../tf1_convnets.py

TFGRAPHTOOLS_TF1_PYTHON is TF 1.15's Python; TFGRAPHTOOLS_SLIM is research/slim of
tensorflow/models, for the networks that the package tf-slim does not have. Each network gets random
weights. Every difference is the largest one, relative to the largest logit:

    float32   the converted model against TF 1.15
    exact     the converted model against TF 1.15's own graph, both in float64: how far layouts,
              epsilons and paddings are right
    noise     TF 1.15 in float32 against its own graph in float64
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))
MAKER = ROOT / "tests" / "checkpoints" / "families" / "tf1_convnets.py"


def difference(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


def keras_logits(ckpt, images, folder):
    """(in float32, in float64) of the model of keras.applications."""
    import keras

    from tfgraphtools import checkpoints

    model = checkpoints.plan_application(ckpt).build()

    def in_float64(layer):
        return layer.__class__.from_config(dict(layer.get_config(), dtype="float64"))

    wide = keras.models.clone_model(
        model,
        clone_function=in_float64,
        input_tensors=keras.Input(model.input_shape[1:], dtype="float64"),
    )
    wide.set_weights([weight.astype("float64") for weight in model.get_weights()])
    both = model(images, training=False), wide(images.astype("float64"), training=False)
    return [np.asarray(logits) for logits in both]


def timm_logits(ckpt, images, folder):
    """The same of timm's model."""
    import timm
    import torch

    from tfgraphtools import checkpoints

    checkpoints.to_timm(ckpt, os.path.join(folder, "timm"), overwrite=True)
    model = timm.create_model(f"local-dir:{folder}/timm", pretrained=True).eval()
    pixels = torch.from_numpy(np.moveaxis(images, -1, 1).copy())
    with torch.no_grad():
        return [model(pixels).numpy(), model.double()(pixels.double()).numpy()]


def rows(folder, name):
    """Yields one line of the table for each library that has the network."""
    from tfgraphtools import checkpoints
    from tfgraphtools.errors import PlanError

    source = os.path.join(folder, name)
    with np.load(os.path.join(source, "arrays.npz")) as arrays:
        images, logits, exact = (arrays[key] for key in ("images", "logits", "exact"))
    noise = difference(logits, exact)
    with checkpoints.open_checkpoint(source) as ckpt:
        family, models = checkpoints.models_of(ckpt)
        for to, compute in {"keras": keras_logits, "timm": timm_logits}.items():
            if to not in models:
                continue
            try:
                found, wide = compute(ckpt, images, folder)
            except (ImportError, PlanError) as error:
                print(f"{name}: {error}", file=sys.stderr)
                continue
            yield (
                f"| {name} | {to} | {models[to]} | {difference(found, logits):.1e} "
                f"| {difference(wide, exact):.1e} | {noise:.1e} |"
            )
        if not models:
            yield f"| {name} | | {family}: no library has it | | | {noise:.1e} |"


def made(folder, name):
    """Whether TF 1.15 has made the network, with its logits."""
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    environment.update(PYTHONPATH=os.environ.get("TFGRAPHTOOLS_SLIM", ""))
    environment.pop("TF2_BEHAVIOR", None)
    python = os.environ.get("TFGRAPHTOOLS_TF1_PYTHON", "python3.7")
    command = [python, str(MAKER), folder, "--exact", name]
    subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)
    return os.path.exists(os.path.join(folder, name))


def main(names):
    if not names:
        names = subprocess.run(
            [os.environ.get("TFGRAPHTOOLS_TF1_PYTHON", "python3.7"), str(MAKER), "--names"],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        names = names.stdout.decode().split()
    print("| network | library | model | float32 | exact | noise |\n|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            if not made(folder, name):
                print(f"{name}: its code is not installed beside TF 1.15", file=sys.stderr)
                continue
            for row in rows(folder, name):
                print(row, flush=True)


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    main(sys.argv[1:])
