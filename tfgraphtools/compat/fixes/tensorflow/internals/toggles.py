"""``tensorflow.python.tf2``: whether the behavior of TF 2 is on, by a call or the environment.

1.15 asked ``TF2_BEHAVIOR`` each time, unless it had been enabled or disabled by a call, which
``tf2._force_enable`` kept. 2.x asks it once, in C++.
"""

import functools
import os

from tfgraphtools.compat.engine.rows import Row, Table


def _enabled(real):
    if os.environ.get("TF2_BEHAVIOR") == "1":  # which 2.x writes when it is imported
        del os.environ["TF2_BEHAVIOR"]

    def enabled():
        if "_force_enable" not in vars(real):  # nobody has called, or assigned, anything
            return _asks_environment() or real.enabled() and _is_enabled_in_all()
        forced = real._force_enable
        return _asks_environment() if forced is None else forced

    return enabled


def _asks_environment():
    return os.getenv("TF2_BEHAVIOR", "0") != "0"


def _is_enabled_in_all():
    """Whether ``tf.enable_v2_behavior`` was called; 2.x itself says yes from the start."""
    from tfgraphtools._tf import v1

    return v1.executing_eagerly_outside_functions() and v1.control_flow_v2_enabled()


def _setting(name, whether):
    def provide(real):
        plain = getattr(real, name)

        @functools.wraps(plain)
        def toggle():
            real._force_enable = whether
            plain()

        return toggle

    return provide


TABLE = Table(
    "whether TF 2's behavior is on",
    "names",
    [
        Row(
            "tensorflow.python.tf2.enabled",
            "TF 2.4",
            "reads TF2_BEHAVIOR from the environment at each call, unless enable() or disable() "
            "was called",
            _enabled,
        ),
        Row(
            "tensorflow.python.tf2.enable",
            "TF 2.4",
            "takes precedence over TF2_BEHAVIOR",
            _setting("enable", True),
        ),
        Row(
            "tensorflow.python.tf2.disable",
            "TF 2.4",
            "takes precedence over TF2_BEHAVIOR",
            _setting("disable", False),
        ),
    ],
)
