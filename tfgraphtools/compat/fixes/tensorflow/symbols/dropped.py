"""``tf.config.experimental_list_devices``, which TF 2.1 dropped."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides


@provides(
    "tensorflow.config.experimental_list_devices",
    "TF 2.1",
    "the names of the devices of list_logical_devices",
)
def _list_devices(real):
    def experimental_list_devices():
        return [device.name for device in real.experimental.list_logical_devices()]

    return experimental_list_devices


TABLE = Table("devices of TF 1.15", "names", [_list_devices])
