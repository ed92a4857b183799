"""All-reduces of distribution strategies: their arguments of 1.x, and their names until TF 1.12."""

import importlib
import inspect
import types

from tfgraphtools.compat.engine.rows import Row, Table

CROSS_TOWER_OPS = "tensorflow.contrib.distribute.python.cross_tower_ops"

#: Names of 1.12's module -> those of ``tensorflow.python.distribute.cross_device_ops``.
_RENAMED = {
    "AllReduceCrossTowerOps": "AllReduceCrossDeviceOps",
    "CrossTowerOps": "CrossDeviceOps",
    "ReductionToOneDeviceCrossTowerOps": "ReductionToOneDevice",
}


def _all_reduce(real, used):
    """The class with the arguments of 1.x. They choose how values are packed, not their sum."""
    found = _today().AllReduceCrossDeviceOps

    def __init__(self, *arguments, **options):
        given = _SIGNATURE.bind(self, *arguments, **options).arguments
        if given.keys() & {"agg_small_grads_max_bytes", "agg_small_grads_max_group"}:
            used()
        found.__init__(self, given.get("all_reduce_alg", "nccl"), given.get("num_packs", 1))

    __init__.__signature__ = _SIGNATURE
    return type(found.__name__, (found,), {"__init__": __init__})


def _of_1x(
    self,
    all_reduce_alg="nccl",
    num_packs=1,
    agg_small_grads_max_bytes=0,
    agg_small_grads_max_group=10,
):
    """What 1.x takes."""


_SIGNATURE = inspect.signature(_of_1x)


def _today():
    return importlib.import_module("tensorflow.python.distribute.cross_device_ops")


def cross_tower_ops():
    """The module of 1.9 to 1.12 that user code gets."""
    made = types.ModuleType(CROSS_TOWER_OPS, __doc__)
    for old, new in _RENAMED.items():
        setattr(made, old, getattr(_today(), new))
    made.AllReduceCrossTowerOps = _all_reduce(None, used=lambda: None)
    return made


TABLE = Table(
    "all-reduces that took more arguments in 1.x",
    "calls",
    [
        Row(
            place + "AllReduceCrossDeviceOps",
            "TF 2.0",
            "takes agg_small_grads_max_bytes and agg_small_grads_max_group, too",
            _all_reduce,
        )
        for place in (
            "tensorflow.contrib.distribute.",
            "tensorflow.python.distribute.cross_device_ops.",
        )
    ],
)
