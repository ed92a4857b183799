"""Names of 1.15 that TF 2.x dropped, though what they named is still there."""

from tfgraphtools.compat.engine.rows import Row, Table

_SINCE = "TF 2.0"


def _module(name):
    def provide(real):
        from tfgraphtools.compat.engine import views

        return views.module(name)

    return provide


def _list_devices(real):
    def experimental_list_devices():
        return [device.name for device in real.experimental.list_logical_devices()]

    return experimental_list_devices


TABLE = Table(
    "names of 1.15 that were dropped",
    "names",
    [
        Row(
            "tensorflow.pywrap_tensorflow",
            _SINCE,
            "the module tensorflow.python.pywrap_tensorflow",
            _module("tensorflow.python.pywrap_tensorflow"),
        ),
        Row(
            "tensorflow.config.experimental_list_devices",
            "TF 2.1",
            "the names of the devices of list_logical_devices",
            _list_devices,
        ),
    ]
    + [
        Row(
            "tensorflow." + name,
            "TF 0.12",
            "the internal module tensorflow.python.ops." + name,
            _module("tensorflow.python.ops." + name),
        )
        for name in ("array_ops", "control_flow_ops", "math_ops", "nn_ops")
    ],
)
