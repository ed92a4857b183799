"""Replacements for contrib's C++ ops, built from current TensorFlow ops: one function per op.

Each has the name and the arguments of the generated wrapper that it replaces, and returns what
TF 1.15's kernel returns; gradients come from the ops that it is made of.
"""

import importlib

from tfgraphtools.compat.engine.rows import Fix, Table

_HERE = "tfgraphtools.compat.contrib.ops."

#: the wrapper's name -> (the module of this package, what old code uses it as).
OPS = {
    "gather_tree": ("gather_tree", "contrib.seq2seq.gather_tree"),
    "image_connected_components": ("image_transforms", "contrib.image.connected_components"),
    "image_projective_transform": ("image_transforms", "contrib.image.transform"),
    "image_projective_transform_v2": ("image_transforms", "contrib.image.rotate"),
    "resampler": ("resampler", "contrib.resampler.resampler"),
    "sparse_feature_cross": ("feature_cross", "contrib.layers.sparse_feature_cross"),
    "sparse_feature_cross_v2": ("feature_cross", "contrib.layers.crossed_column"),
    "zero_initializer": ("zero_initializer", "contrib.framework.zero_initializer"),
    "zero_var_initializer": (
        "zero_initializer",
        "contrib.framework.python.ops.gen_variable_ops.zero_var_initializer",
    ),
}


def _provider(module, name):
    return lambda: getattr(importlib.import_module(_HERE + module), name)


_BY_NAME = {
    name: Fix(
        "tensorflow." + used_as,
        "TF 2.0",
        "a C++ op of TF 1.15, computed with ops that TF still has",
        _provider(module, name),
    )
    for name, (module, used_as) in OPS.items()
}

TABLE = Table("C++ ops of contrib that are replaced", "listed", _BY_NAME.values())


def row(name):
    """Returns the row of an op by the name of its wrapper; None if the op has no replacement."""
    return _BY_NAME.get(name)
