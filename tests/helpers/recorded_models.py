"""Models that TF 1.15 computed once from weights that their names give: recorded, and made again.

The code of these models is not installed beside TF 1.15. ``recorded/NAME.npz`` has the shapes of
the variables, the inputs and the outputs, which `tf1_convnets.py` and `tf1_families.py` write with
``--record`` where that code is on the path. The weights are drawn again from the names.
"""

import json
import pathlib
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "checkpoints" / "families" / "recorded"
SHAPES, SETTINGS = "shapes", "settings"


def value(name, shape):
    """Returns weights with which the signal neither dies out nor explodes."""
    random = np.random.RandomState(zlib.crc32(name.encode()))
    leaf = name.rpartition("/")[2]
    if leaf in ("moving_variance", "gamma", "g"):
        return random.uniform(0.8, 1.2, shape).astype(np.float32)
    if len(shape) < 2:
        return (random.standard_normal(shape) * 0.1).astype(np.float32)
    fan_in = np.prod(shape[:2] if "depthwise" in leaf else shape[:-1])
    if "embeddings" in name or leaf in ("we", "pe"):
        fan_in = shape[-1]
    return (random.standard_normal(shape) * (2.0 / fan_in) ** 0.5).astype(np.float32)


def images(size):
    """Returns the pixels that networks are given, [2, size, size, 3], from -1 to 1."""
    return np.random.RandomState(7).uniform(-1, 1, (2, size, size, 3)).astype(np.float32)


def record(name, shapes, arrays, settings=None):
    """Writes what a model computes, and the shapes of its variables."""
    FOLDER.mkdir(exist_ok=True)
    arrays = dict(arrays)
    if "images" in arrays:  # which are made again
        arrays["images"] = len(arrays["images"][0])
    texts = {SHAPES: json.dumps(shapes), SETTINGS: json.dumps(settings or {})}
    np.savez_compressed(str(FOLDER / (name + ".npz")), **arrays, **texts)


def made(name, folder):
    """Writes a recorded model's checkpoint into a folder; returns (its path, {name: array})."""
    from tfgraphtools import checkpoints

    with np.load(str(FOLDER / (name + ".npz"))) as file:
        arrays = dict(file)
    shapes, settings = (json.loads(str(arrays.pop(key))) for key in (SHAPES, SETTINGS))
    if "images" in arrays:
        arrays["images"] = images(int(arrays["images"]))
    folder = pathlib.Path(str(folder))
    if settings:
        (folder / settings.pop("file")).write_text(json.dumps(settings))
    weights = {variable: value(variable, shape) for variable, shape in shapes.items()}
    weights["global_step"] = np.int64(0)
    np.savez(str(folder / "weights.npz"), **weights)
    checkpoints.from_npz(str(folder / "weights.npz"), str(folder / "model.ckpt"), overwrite=True)
    return str(folder / "model.ckpt"), arrays
