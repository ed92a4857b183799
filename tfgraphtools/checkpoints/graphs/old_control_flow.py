"""Loops and branches of nodes, as TF 1 builds them, whatever this process is set to."""

import contextlib


@contextlib.contextmanager
def built_of_nodes(v1):
    """Builds loops of nodes, not of functions, and gradients of TensorArrays to match, while open.

    Args:
      v1: ``tf.compat.v1``.
    """
    is_v2 = v1.control_flow_v2_enabled()
    v1.disable_control_flow_v2()
    try:
        yield
    finally:
        if is_v2:
            v1.enable_control_flow_v2()
