"""A script of TF 1's days trains under ``run``, whichever TensorFlow is installed.

`scripts/matrix` has it in its quick suite: a fix that imports what an older TensorFlow lacks
would stop every script there.
"""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

SCRIPT = """
import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_float("rate", 0.5, "step size")

def batches():
    data = tf.data.Dataset.from_tensor_slices((np.eye(2, dtype=np.float32), [[1.0], [3.0]]))
    return data.batch(2).repeat().make_one_shot_iterator().get_next()

def main(_):
    images, labels = batches()
    zeros = tf.zeros_initializer()
    with tf.variable_scope("net"):
        output = tf.layers.dense(images, 1, kernel_initializer=zeros, name="out")
        output = tf.nn.dropout(output, keep_prob=1.0)
    loss = tf.losses.mean_squared_error(labels, output)
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(flags.FLAGS.rate).minimize(loss, global_step=step)
    tf.summary.scalar("loss", loss)
    merged, writer = tf.summary.merge_all(), tf.summary.FileWriter("log", tf.get_default_graph())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            _, value, text = session.run([train, loss, merged])
            writer.add_summary(text)
            print("%.4f" % value)
        print(tf.train.Saver().save(session, "./model", global_step=step))
        print([v.name for v in tf.trainable_variables()], session.run(step))
    cell = tf.nn.rnn_cell.BasicLSTMCell(2)
    outputs, _ = tf.nn.dynamic_rnn(cell, tf.zeros([1, 3, 2]), dtype=tf.float32)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile("sgd", "mse")
    print(outputs.shape, model.output_shape)

if __name__ == "__main__":
    tf.app.run()
"""

#: What TF 1.15 prints.
PRINTED = """\
5.0000
1.2500
0.3125
./model-3
['net/out/kernel:0', 'net/out/bias:0'] 3
(1, 3, 2) (None, 1)
"""


@pytest.mark.quick
def test_a_script_trains(compat_server, tmp_path):
    (tmp_path / "train.py").write_text(SCRIPT)
    assert compat_server.run(tmp_path, "train.py").checked() == PRINTED


def test_that_is_what_tf1_prints(tf1_server, tmp_path):
    (tmp_path / "train.py").write_text(SCRIPT)
    assert tf1_server.run(tmp_path, "train.py").checked() == PRINTED
