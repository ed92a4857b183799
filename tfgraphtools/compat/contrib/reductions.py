"""All-reduces of distribution strategies: their arguments of 1.x, and their name until TF 1.12."""

import importlib

from tfgraphtools.compat.engine.rows import Fix, Table

_MODULE = "tensorflow.python.distribute.cross_device_ops"


def _all_reduce(real, used):
    """Returns the class with the arguments of 1.x: they choose how values are packed."""
    original = importlib.import_module(_MODULE).AllReduceCrossDeviceOps

    def __init__(
        self,
        all_reduce_alg="nccl",
        num_packs=1,
        agg_small_grads_max_bytes=None,
        agg_small_grads_max_group=None,
    ):
        if agg_small_grads_max_bytes is not None or agg_small_grads_max_group is not None:
            used()
        original.__init__(self, all_reduce_alg, num_packs)

    return type(original.__name__, (original,), {"__init__": __init__})


TABLE = Table(
    "all-reduces that took more arguments in 1.x",
    "calls",
    [
        Fix(
            name,
            "TF 2.0",
            "takes agg_small_grads_max_bytes and agg_small_grads_max_group, too",
            _all_reduce,
        )
        for name in (
            "tensorflow.contrib.distribute.AllReduceCrossDeviceOps",
            _MODULE + ".AllReduceCrossDeviceOps",
            _MODULE + ".AllReduceCrossTowerOps",
        )
    ],
)
