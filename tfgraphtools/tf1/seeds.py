"""TF 1.15's default random numbers, on today's TF: what ``run --seeds=tf1`` does.

    from tfgraphtools.tf1 import seeds
    seeds.reproduce()

TF 1.15 derived the seed of an op from the number of ops before it. `reproduce` has TensorFlow
count as TF 1.15 does, in this process, from now on; it changes TensorFlow itself, as
``tf.disable_v2_behavior()`` does, so call it once, where the program starts.
"""

import os

from tfgraphtools.tf1 import _serving


def reproduce() -> None:
    """Derives random seeds as TF 1.15 did; a second call does nothing.

    Set ``TF_ENABLE_ONEDNN_OPTS=0`` before TensorFlow is imported for the same rounding as well.
    """
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    _serving.reproduce_seeds()
