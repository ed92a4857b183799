"""``tensorflow.python.tf2``: whether the behavior of TF 2 is on, by a call or the environment."""

import os

from tfgraphtools.compat.engine.rows import Fix, Table


def _enabled(real):
    if os.environ.get("TF2_BEHAVIOR") == "1":  # which 2.x writes when it is imported
        del os.environ["TF2_BEHAVIOR"]

    def enabled():
        """Asks ``TF2_BEHAVIOR`` at each call, as 1.15 did; 2.x asks once, in C++."""
        from tfgraphtools._tf import v1

        if os.getenv("TF2_BEHAVIOR", "0") != "0":
            return True
        # ``tf.enable_v2_behavior`` was called; 2.x itself says yes from the start.
        is_v2 = v1.executing_eagerly_outside_functions() and v1.control_flow_v2_enabled()
        return real.enabled() and is_v2

    return enabled


TABLES = (
    Table(
        "whether TF 2's behavior is on",
        "names",
        [
            Fix(
                "tensorflow.python.tf2.enabled",
                "TF 2.4",
                "reads TF2_BEHAVIOR from the environment at each call",
                _enabled,
            )
        ],
    ),
)
