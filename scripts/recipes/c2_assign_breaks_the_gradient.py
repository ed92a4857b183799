"""C2: a loss built by assigning into a variable; its gradient is None.

An assign changes a state; what reads that state later is not computed from what
was assigned, as far as gradients go. `explain_gradient` names the assign. The
answer is a loss that is a pure function of both tensors.
"""

import _show
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1


def by_assigning(w):
    """The usual attempt: a running total kept in a variable."""
    total = tf1.get_variable("total", initializer=0.0, trainable=False)
    after = total
    for k in (1.0, 2.0, 3.0):
        with tf1.control_dependencies([tf1.assign(total, after + k * w * w)]):
            after = total.read_value()
    return after


def by_a_pure_function(w):
    """The answer: the total is a tensor."""
    total = tf1.constant(0.0)
    for k in (1.0, 2.0, 3.0):
        total = total + k * w * w
    return total


def main():
    figures = {}
    for title, build in [("assigned", by_assigning), ("pure", by_a_pure_function)]:
        with tf1.Graph().as_default(), tf1.Session() as session:
            w = tf1.get_variable("w", initializer=2.0)
            loss = tf1.identity(build(w), name="loss")
            explanation = gradients.explain_gradient(loss, w)
            print(f"\n{explanation}")
            gradient = tf1.gradients(loss, w)[0]
            session.run(tf1.global_variables_initializer())
            value, slope = session.run([loss, tf1.constant(0.0) if gradient is None else gradient])
            figures[title] = {
                "loss": float(value),
                "gradient": None if gradient is None else float(slope),
                "causes": [blocker.cause for blocker in explanation.blockers(w)],
                "ops": [blocker.op_type for blocker in explanation.blockers(w)],
            }
    _show.table(
        "w^2 + 2 w^2 + 3 w^2 at w = 2",
        ["", "loss", "gradient"],
        [[title, row["loss"], row["gradient"]] for title, row in figures.items()],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
