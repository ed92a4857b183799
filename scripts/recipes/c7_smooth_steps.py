"""C7: a smooth stand-in for a step: sigmoid, straight ramp, staircase, low-pass filter.

Each has a sharpness, which is the slope at the jump, and becomes the hard function
as the sharpness grows. The gradients are true ones: `check_gradients` finds them
right.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1

POINTS = np.float64([-1.3, -0.2, 0.1, 0.45, 1.7])
SOFT = {
    "soft_step": (gradients.soft_step, lambda x: (x > 0).astype(float)),
    "linear_ramp": (gradients.linear_ramp, lambda x: (x > 0).astype(float)),
    "soft_floor": (gradients.soft_floor, np.floor),
    "smooth": (gradients.smooth, lambda x: x),
}


def main():
    figures = {}
    for name, (soft, hard) in SOFT.items():
        for sharpness in (2.0, 20.0, 2000.0):
            with tf1.Graph().as_default(), tf1.Session() as session:
                x = tf1.constant(POINTS)
                y = soft(x, sharpness)
                distance = np.abs(session.run(y) - hard(POINTS)).max()
                report = gradients.check_gradients(y, x, session=session)
                figures[name, sharpness] = float(distance), report.verdict(x), report.ok
    _show.table(
        f"at x = {POINTS.tolist()}",
        ["stand-in", "sharpness", "largest distance from the hard one", "gradient"],
        [[name, k, f"{row[0]:.6f}", row[1]] for (name, k), row in figures.items()],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
