"""B1: of a 2 x 2 variable train only the elements [0,0] and [1,1].

``trainable=False`` is all or nothing; a constant mask is not. A mask of any rank
broadcasts to the variable by NumPy's rules: shapes align at the last dimension.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

MASKS = {  # True where frozen
    "all but [0,0] and [1,1]": ~np.eye(2, dtype=bool),
    "the first row, shape (2, 1)": [[True], [False]],
    "the first column, shape (2,)": [True, False],
    "everything, a scalar": True,
}


def after_one_step(mask):
    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.get_variable("x", initializer=np.full([2, 2], 2, np.float32))
        optimizer = training.FreezeOptimizer(tf1.train.GradientDescentOptimizer(0.25), {"x": mask})
        train = optimizer.minimize(tf1.reduce_sum(x**2))
        session.run(tf1.global_variables_initializer())
        session.run(train)
        return session.run(x).tolist()


def main():
    figures = {name: after_one_step(mask) for name, mask in MASKS.items()}
    _show.table(
        "x = [[2, 2], [2, 2]] after one step (trained: 2 -> 1)", ["frozen", "x"], figures.items()
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
