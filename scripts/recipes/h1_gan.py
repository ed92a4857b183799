"""H1: a GAN (generative adversarial network): two optimizers, `reuse` and UPDATE_OPS.

The discriminator is built twice, the second time with `reuse=True`. Call `minimize` after these
scopes: inside, the optimizer cannot make its slots. Each optimizer gets its own `var_list`, and
each run takes the step of one player. The generator's step depends on the UPDATE_OPS, so that
its batch normalisation has the averages when it generates samples (`is_training=False`).
"""

import _show
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1

STEPS, BATCH, RATE, DECAY = 1500, 64, 0.1, 0.005
MEAN, DEVIATION = 3.0, 0.5  # of the data


def generator(noise, is_training):
    with tf1.variable_scope("generator", reuse=tf1.AUTO_REUSE):
        gain = tf1.get_variable("gain", initializer=1.0)
        shift = tf1.get_variable("shift", initializer=0.0)
        moving = tf1.get_variable("moving", initializer=[0.0, 1.0], trainable=False)
    mean, variance = tf.nn.moments(noise, [0]) if is_training else tf.unstack(moving)
    if is_training:
        update = tf1.assign(moving, 0.9 * moving + 0.1 * tf.stack([mean, variance]))
        tf1.add_to_collection(tf1.GraphKeys.UPDATE_OPS, update)
    return gain * (noise - mean) / tf.sqrt(variance) + shift


def discriminator(samples, reuse=False):
    with tf1.variable_scope("discriminator", reuse=reuse):
        w = tf1.get_variable("w", [3], initializer=tf1.zeros_initializer())
    return w[0] + w[1] * samples + w[2] * samples**2


def main(steps=STEPS):
    random = np.random.RandomState(0)
    with tf1.Graph().as_default(), tf1.Session() as session:
        real, noise = tf1.placeholder(tf.float32, [None]), tf1.placeholder(tf.float32, [None])
        fake = generator(noise, is_training=True)
        of_real, of_fake = discriminator(real), discriminator(fake, reuse=True)
        d_variables, g_variables = map(tf1.trainable_variables, ["discriminator/", "generator/"])
        d_loss = tf.reduce_mean(tf.nn.softplus(-of_real) + tf.nn.softplus(of_fake))
        d_loss += DECAY * tf.reduce_sum(d_variables[0] ** 2)  # without it the players circle
        g_loss = tf.reduce_mean(tf.nn.softplus(-of_fake))
        d_step = tf1.train.GradientDescentOptimizer(RATE).minimize(d_loss, var_list=d_variables)
        with tf.control_dependencies(tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)):
            g_step = tf1.train.GradientDescentOptimizer(RATE).minimize(g_loss, var_list=g_variables)
        samples = generator(noise, is_training=False)
        session.run(tf1.global_variables_initializer())
        state = {v.op.name: v for v in tf1.global_variables()}
        path = [session.run(state)]
        for _ in range(steps):
            batch = {real: random.normal(MEAN, DEVIATION, BATCH), noise: random.normal(1, 2, BATCH)}
            for step in (d_step, g_step):
                session.run(step, batch)
                path.append(session.run(state))
        values = session.run(samples, {noise: random.normal(1, 2, 2000)})
    rows = [["data", MEAN, DEVIATION], ["generator", f"{values.mean():.2f}", f"{values.std():.2f}"]]
    _show.table(f"after {steps} steps of each player", ["samples", "mean", "deviation"], rows)
    return {"path": path, "samples": values}


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
