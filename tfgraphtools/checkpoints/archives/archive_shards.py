"""Several ``.safetensors`` files with one index, as Hugging Face's libraries name them.

model-00001-of-00003.safetensors
model.safetensors.index.json    {"metadata": {"total_size": bytes}, "weight_map": {key: file}}
"""

import collections
import json
import os

#: The file that a folder has, or the index of its files.
WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"


def write(folder, items, size_of, most, write_file):
    """Writes ``model.safetensors`` into a folder, or several files and their index.

    Args:
      folder: one that is not yet in its place: the files are not moved in together.
      items: what is written, with a ``name`` or, if they have one, a ``key``.
      size_of: function of an item that gives its bytes.
      most: bytes of a file; an item that is larger gets a file of its own. None: one file.
      write_file: function of (path, items).
    """
    groups = _groups(items, size_of, most)
    if len(groups) < 2:
        write_file(os.path.join(folder, WEIGHTS), items)
        return
    weight_map, stem = collections.OrderedDict(), WEIGHTS[: -len(".safetensors")]
    for number, group in enumerate(groups):
        name = f"{stem}-{number + 1:05d}-of-{len(groups):05d}.safetensors"
        write_file(os.path.join(folder, name), group)
        weight_map.update((getattr(item, "key", item.name), name) for item in group)
    total = sum(map(size_of, items))
    with open(os.path.join(folder, INDEX), "w", encoding="utf-8") as file:
        json.dump({"metadata": {"total_size": total}, "weight_map": weight_map}, file, indent=2)
        file.write("\n")


def _groups(items, size_of, most):
    """Returns the items in groups of at most that many bytes, or of one."""
    if most is None:
        return [items]
    groups, size = [[]], 0
    for item in items:
        own = size_of(item)
        if groups[-1] and size + own > most:
            groups.append([])
            size = 0
        groups[-1].append(item)
        size += own
    return groups
