"""Ops of contrib expressed in ops that TF still has: one function per op, by its wrapper's name.

Each takes the arguments of the generated wrapper that it stands for and gives what
TF 1.15's kernel gives; gradients come from the ops that it is made of.
"""

import importlib

from tfgraphtools.compat.engine.rows import Row, Table

_HERE = "tfgraphtools.compat.contrib.living."

#: the wrapper's name -> (the module of this package, what old code uses it as).
OPS = {
    "adjust_hsv_in_yiq": ("images", "contrib.image.adjust_hsv_in_yiq"),
    "bipartite_match": ("matching", "contrib.image.bipartite_match"),
    "gather_tree": ("beams", "contrib.seq2seq.gather_tree"),
    "image_connected_components": ("images", "contrib.image.connected_components"),
    "image_projective_transform": ("images", "contrib.image.transform"),
    "image_projective_transform_v2": ("images", "contrib.image.rotate"),
    "masked_matmul": ("matching", "contrib.factorization.masked_matmul"),
    "reduce_slice_max": ("slices", "contrib.reduce_slice_ops.reduce_slice_max"),
    "reduce_slice_min": ("slices", "contrib.reduce_slice_ops.reduce_slice_min"),
    "reduce_slice_prod": ("slices", "contrib.reduce_slice_ops.reduce_slice_prod"),
    "reduce_slice_sum": ("slices", "contrib.reduce_slice_ops.reduce_slice_sum"),
    "resampler": ("resampling", "contrib.resampler.resampler"),
    "sparse_feature_cross": ("crossing", "contrib.layers.sparse_feature_cross"),
    "sparse_feature_cross_v2": ("crossing", "contrib.layers.crossed_column"),
    "zero_initializer": ("zeros", "contrib.framework.zero_initializer"),
    "zero_var_initializer": (
        "zeros",
        "contrib.framework.python.ops.gen_variable_ops.zero_var_initializer",
    ),
}


def _provider(module, name):
    return lambda: getattr(importlib.import_module(_HERE + module), name)


_BY_NAME = {
    name: Row(
        "tensorflow." + used_as,
        "TF 2.0",
        "a C++ op of TF 1.15, computed with ops that TF still has",
        _provider(module, name),
    )
    for name, (module, used_as) in OPS.items()
}

TABLE = Table("C++ ops of contrib that are replaced", "listed", _BY_NAME.values())


def row(name):
    """The row of an op by the name of its wrapper; None when the op is gone."""
    return _BY_NAME.get(name)
