"""The line of Python that loads what `ckpt convert` wrote."""

import os
from typing import Optional

from tfgraphtools import checkpoints

_LINES = {
    "npz": "arrays = tfgraphtools.checkpoints.open_checkpoint({})",
    "safetensors": "arrays = tfgraphtools.checkpoints.open_checkpoint({})",
    "tf1": "tf.compat.v1.train.Saver().restore(session, {})",
    "saved_model": "model = tf.saved_model.load({})",
    "frozen": "graph_def = tf.compat.v1.GraphDef.FromString(open({}, 'rb').read())",
    "hf": "model = transformers.AutoModel.from_pretrained({})",
}


def line_for(to: str, path: str) -> Optional[str]:
    """Returns the line for a file or folder of a format; None for one that no single line loads.

    Args:
      to: the format, as ``--to`` names it.
      path: what was written. That of an object-based checkpoint is read: it names the objects.

    Example:
      >>> line_for("tf1", "model.ckpt-9")
      "tf.compat.v1.train.Saver().restore(session, 'model.ckpt-9')"
    """
    of_format = {"torch": _of_torch, "keras": _of_keras, "object": _of_objects}.get(to)
    if of_format:
        return of_format(path)
    return _LINES[to].format(repr(path)) if to in _LINES else None


def _of_torch(path):
    if os.path.isdir(path):
        return None  # no function of torch loads shards
    if path.endswith(".safetensors"):
        return f"model.load_state_dict(safetensors.torch.load_file({path!r}))"
    return f"model.load_state_dict(torch.load({path!r}))"


def _of_keras(path):
    if path.endswith(".keras"):
        return f"model = keras.models.load_model({path!r})"
    return f"model.load_weights({path!r})"


def _of_objects(path):
    with checkpoints.open_checkpoint(path) as ckpt:
        roots = {name.partition("/")[0] for name in ckpt if "/.ATTRIBUTES/" in name}
    names = sorted(name for name in roots - {"save_counter"} if name.isidentifier())
    objects = ", ".join(f"{name}={name}" for name in names)
    return f"tf.train.Checkpoint({objects}).read({path!r}).expect_partial()"
