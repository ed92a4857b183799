"""Small modules that ``upgrade --no-runtime`` writes beside the files that need them.

Each stands for one of the runtime, imports nothing of this package, and belongs to its user as
soon as it is written. A new one is a file, here or where `run` uses it, and a line in `_OF`.
"""

import functools
import os
import pathlib
import re

from tfgraphtools.upgrade.targets import Target

_PACKAGE = pathlib.Path(__file__).resolve().parents[2]

#: module that is written -> its file
_FILES = {
    "mnist_input_data": "compat/datasets/mnist_input_data.py",
    "scipy_misc_images": "compat/fixes/scipy/scipy_images.py",
    "tf1_batch_norm": "upgrade/copies/tf1_batch_norm.py",
}

#: Modules of contrib of which one function is copied: the rest is tf_slim's.
_OWNERS_OF_BATCH_NORM = ("layers", "layers.python.layers", "slim")

#: module of old code -> (the module that is written, what of it stands for names there)
_OF = {
    "tensorflow.examples.tutorials.mnist.input_data": "mnist_input_data",
    "tensorflow.contrib.learn.python.learn.datasets.mnist": "mnist_input_data",
    **{f"tensorflow.contrib.{owner}": "tf1_batch_norm" for owner in _OWNERS_OF_BATCH_NORM},
    "scipy.misc": "scipy_misc_images",
    "scipy.ndimage": "scipy_misc_images",
}

#: Copies of a few functions of a module that is there, and means what it meant for the others.
_PARTS = ("scipy_misc_images", "tf1_batch_norm")

#: The modules that are written; also under these names by code that was upgraded before.
MODULES = frozenset(_OF.values())

_IMAGES_HEAD = '''"""The image functions that ``scipy.misc`` had up to SciPy 1.1, on Pillow.

Written by ``tfgraphtools upgrade --no-runtime``. It is yours to edit.

'''


@functools.lru_cache(maxsize=None)
def source(module):
    """Returns the source of a module that is written."""
    text = (_PACKAGE / _FILES[module]).read_text(encoding="utf-8")
    return _IMAGES_HEAD + text.partition("\n\n")[2] if module == "scipy_misc_images" else text


@functools.lru_cache(maxsize=None)
def _names(module):
    """Returns what a module defines for others."""
    return frozenset(re.findall(r"^(?:def |class )?([A-Za-z]\w*)(?:\(| =)", source(module), re.M))


def of(name, fix, role):
    """Returns the `Target` of a name of old code in a module that is written; None: none has it.

    Args:
      name: the dotted name of old code.
      fix: the fix that is about it.
      role: the `roles.Role` of the file that uses it.

    Example:
      >>> of("scipy.misc.imsave", "scipy.misc.imsave", role).to
      'scipy_misc_images.imsave'
    """
    owner, _, leaf = name.rpartition(".")
    if name in _OF and _OF[name] not in _PARTS:
        module, inner_name = _OF[name], ""
    elif owner in _OF and leaf in _names(_OF[owner]):
        module, inner_name = _OF[owner], "." + leaf
    else:
        return None
    if not _is_free(os.path.dirname(role.path), module):
        return None
    return Target((role.package + "." if role.package else "") + module + inner_name, fix)


def _is_free(folder, module):
    """Tells whether a module may be written in a folder, or is there already."""
    path = pathlib.Path(folder, module + ".py")
    return not path.exists() or path.read_bytes() == source(module).encode("utf-8")


def imported(code):
    """Returns the modules of `MODULES` that source imports."""
    lines = re.findall(r"^[ \t]*(?:import|from)\b.*", code, re.M)
    return {module for module in MODULES for line in lines if re.search(rf"\b{module}\b", line)}
