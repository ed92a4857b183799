"""The files that are archives, by their names or by how they begin."""

import os
import re

#: What the names of such files end in.
ENDINGS = (".npz", ".safetensors", ".keras", ".h5", ".pb")
#: How a zip file and an HDF5 file begin.
ZIP, HDF5 = (b"PK\3\4", b"PK\5\6"), b"\x89HDF\r\n\x1a\n"

#: The files of GPT-1's arrays: their shapes, and their values in pieces.
GPT_SHAPES, GPT_VALUES = "params_shapes.json", re.compile(r"params_(\d+)\.npy")


def gpt_folder(path):
    """Returns the folder of GPT-1's arrays that a path names: it, or a file in it; or None."""
    folder, name = os.path.split(path)
    if os.path.isdir(path):
        folder = path
    elif name != GPT_SHAPES and not GPT_VALUES.fullmatch(name):
        return None
    return folder if os.path.isfile(os.path.join(folder, GPT_SHAPES)) else None


def has_ending(path):
    """Tells whether a path is that of a file with an ending of an archive."""
    return path.endswith(ENDINGS) and os.path.isfile(path)


def looks_like_one(path):
    """Tells whether a file begins as an archive does, whatever its name is."""
    try:
        with open(path, "rb") as file:
            size, head = os.fstat(file.fileno()).st_size, file.read(9)
    except OSError:
        return False
    if head[:4] in ZIP or head[:8] == HDF5:
        return True
    return len(head) == 9 and head[8:] == b"{" and int.from_bytes(head[:8], "little") <= size - 8
