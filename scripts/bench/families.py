#!/usr/bin/env python
"""Models of TF 1.15's own packages against what they become: a table of differences.

    python scripts/bench/families.py [NAME...]   slim's networks in Keras and timm; all by default
    python scripts/bench/families.py --hf        language models in Transformers

TFGRAPHTOOLS_TF1_PYTHON is TF 1.15's Python; TFGRAPHTOOLS_SLIM is research/slim of
tensorflow/models, for the networks that the package tf-slim does not have. Each network gets random
weights. Every difference is the largest one, relative to the largest logit:

    float32   the converted model against TF 1.15
    exact     the converted model against TF 1.15's own graph, both in float64: how far layouts,
              epsilons and paddings are right
    noise     TF 1.15 in float32 against its own graph in float64

Language models are small ones with random weights; their differences are relative to the largest
number of each output.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MAKER = ROOT / "tests" / "checkpoints" / "families" / "tf1_convnets.py"
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers"), str(MAKER.parent)]
sys.path.insert(0, str(ROOT / "scripts" / "bench"))

from processes import checked  # noqa: E402


def difference(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


def keras_logits(ckpt, images, folder):
    """(in float32, in float64) of the model of keras.applications."""
    import keras
    from convolutional_models import pixels

    from tfgraphtools import checkpoints

    plan = checkpoints.plan_application(ckpt)
    model, images = plan.build(), pixels(plan.architecture, images)

    def in_float64(layer):
        if not isinstance(layer, keras.Layer):  # an operation, which has no type of its own
            return layer.__class__.from_config(layer.get_config())
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
    import convolutional_models
    import torch

    from tfgraphtools import checkpoints

    timm = convolutional_models.beside_any_torch(torch, "timm")
    if timm is None:
        raise ImportError("timm is not installed")
    checkpoints.to_timm(ckpt, os.path.join(folder, "timm"), overwrite=True)
    model = timm.create_model(f"local-dir:{folder}/timm", pretrained=True).eval()
    return both(torch, model, images)


def facenet_embeddings(ckpt, images, folder):
    """The same of facenet-pytorch's model."""
    import convolutional_models
    import torch

    model = convolutional_models.facenet(torch, ckpt, folder)
    if model is None:
        raise ImportError("facenet-pytorch is not installed")
    return both(torch, model, images)


def both(torch, model, images):
    """What a module computes (in float32, in float64)."""
    pixels = torch.from_numpy(np.moveaxis(images, -1, 1).copy())
    with torch.no_grad():
        return [model(pixels).numpy(), model.double()(pixels.double()).numpy()]


LIBRARIES = {"keras": keras_logits, "timm": timm_logits, "torch": facenet_embeddings}


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
        for to, compute in LIBRARIES.items():
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


def language_models(folder):
    """Yields a line for each model of tests/.../tf1_families.py that TF 1.15 can build."""
    import language_models as of
    import transformers

    from tfgraphtools import checkpoints

    run_tf1([str(MAKER.with_name("tf1_families.py")), folder])
    for name, (family, architecture, _) in of.MODELS.items():
        source = pathlib.Path(folder) / name
        if not source.exists():
            print(f"{name}: its package is not installed beside TF 1.15", file=sys.stderr)
            continue
        with np.load(str(source / "arrays.npz")) as arrays:
            arrays = dict(arrays)
        made = source / "converted"
        checkpoints.to_hugging_face(str(source), made, architecture=architecture)
        found, _ = of.outputs(transformers, made, architecture, arrays)
        worst = max(difference(*pair) for pair in of.pairs(name, found, arrays))
        yield f"| {name} | {family} | {architecture} | {worst:.1e} |"


def run_tf1(arguments):
    """What a script prints under TF 1.15."""
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    environment.update(PYTHONPATH=os.environ.get("TFGRAPHTOOLS_SLIM", ""))
    environment.pop("TF2_BEHAVIOR", None)
    python = os.environ.get("TFGRAPHTOOLS_TF1_PYTHON", "python3.7")
    done = checked([python, *arguments], env=environment, stdout=subprocess.PIPE)
    return done.stdout.decode()


def made(folder, name):
    """Whether TF 1.15 has made the network, with its logits."""
    run_tf1([str(MAKER), folder, "--exact", name])
    return os.path.exists(os.path.join(folder, name))


def main(names):
    if names == ["--hf"]:
        print("| model | family | class | difference |\n|---|---|---|---|")
        with tempfile.TemporaryDirectory() as folder:
            for row in language_models(folder):
                print(row, flush=True)
        return
    names = names or run_tf1([str(MAKER), "--names"]).split()
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
