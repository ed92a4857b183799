"""Training graphs of TF 1.15, saved with their .meta, and what the inference graph predicts.

    python training_graphs.py FOLDER

writes FOLDER/CASE.ckpt with its .meta (of the training graph) and FOLDER/predictions.npz.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402


def inputs(case):
    random = np.random.RandomState(len(case))
    shape = (6, 5) if case in FLAT else (6, 3, 4) if "lstm" in case else (6, 4, 4, 3)
    return random.normal(size=shape).astype(np.float32) + 0.5


#: Cases whose input is a matrix.
FLAT = ("unfused", "dropout", "placeholder unfused", "rate", "noise", "no averages", "layer norm")
FLAT += ("two flags", "gaussian noise")


def body(tf, case, x, training):
    """The network of a case; ``training`` is a bool or a tensor."""
    layers, slim = tf.layers, tf.contrib.slim
    if case in ("fused", "placeholder", "default"):
        x = layers.conv2d(x, 4, 3, name="conv")
        x = tf.nn.relu(layers.batch_normalization(x, training=training, name="bn"))
        x = layers.batch_normalization(x, training=training, scale=False, name="bn2")
    elif case == "slim":
        with slim.arg_scope([slim.batch_norm], is_training=training, decay=0.9):
            x = slim.conv2d(x, 4, 3, normalizer_fn=slim.batch_norm, scope="conv")
            x = slim.dropout(x, 0.6, is_training=training, scope="dropped")
    elif case in ("zero debias", "forced", "forced fused"):
        given = {"is_training": training, "decay": 0.9, "fused": case == "forced fused"}
        given.update(
            {"zero_debias_moving_mean": True}
            if case == "zero debias"
            else {"updates_collections": None}
        )
        x = slim.conv2d(x, 4, 3, normalizer_fn=slim.batch_norm, normalizer_params=given)
    elif case == "two flags":
        x = layers.batch_normalization(layers.dense(x, 4), training=training, name="bn")
        x = layers.dropout(x, 0.4, training=training)
    elif case == "gaussian noise":
        x = tf.keras.layers.GaussianNoise(0.5)(x, training=training)
        x = layers.dense(x, 4, name="dense")
    elif case == "renorm":
        x = layers.batch_normalization(x, training=training, renorm=True, name="bn")
    elif case in ("unfused", "placeholder unfused"):
        x = layers.dense(x, 4, name="dense")
        x = tf.nn.relu(layers.batch_normalization(x, training=training, name="bn"))
    elif case == "dropout":
        x = layers.dense(x, 8, name="dense")
        x = layers.dropout(x, 0.4, training=training)
        x = layers.dense(tf.nn.dropout(x, rate=0.3) if training else x, 8, name="dense2")
    elif case == "rate":
        rate = tf.placeholder(tf.float32, [], name="keep_prob") if training else 1.0
        x = tf.nn.dropout(layers.dense(x, 8, name="dense"), keep_prob=rate)
    elif case == "noise":
        x = layers.dense(x, 4, name="dense")
        x = x + tf.random_normal(tf.shape(x), stddev=0.0, name="noise")
    elif case == "no averages":
        mean, variance = tf.nn.moments(x, [0])
        x = tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3)
        x = layers.dense(x, 4, name="dense")
    elif case == "layer norm":
        x = tf.contrib.layers.layer_norm(layers.dense(x, 4, name="dense"))
    elif "lstm" in case:
        cell = tf.nn.rnn_cell.BasicLSTMCell(4)
        if training:
            options = {}
            if case == "variational lstm":  # one mask for all steps
                options = {"variational_recurrent": True, "input_size": 4, "dtype": tf.float32}
            cell = tf.nn.rnn_cell.DropoutWrapper(cell, 0.8, 0.7, 0.9, **options)
        x, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    return tf.identity(x, name="logits")


#: {case: how the graph is told that it trains}; see `build`.
CASES = {
    "fused": "constant",
    "slim": "constant",
    "unfused": "constant",
    "dropout": "constant",
    "placeholder": "placeholder",
    "placeholder unfused": "placeholder",
    "default": "default",
    "rate": "constant",
    "layer norm": "constant",
    "lstm": "constant",
    "variational lstm": "constant",
    "noise": "constant",
    "no averages": "constant",
    "renorm": "constant",
    "zero debias": "constant",
    "forced": "constant",
    "forced fused": "constant",
    "two flags": "bn_training",
    "gaussian noise": "constant",
}
#: What each must be refused for.
REFUSED = {"no averages": "moments", "renorm": "bn", "gaussian noise": "gaussian_noise"}


def build(tf, case, training):
    x = tf.placeholder(tf.float32, [None, *inputs(case).shape[1:]], name="x")
    return x, body(tf, case, x, training)


def main(folder):
    import tensorflow

    tf = tensorflow
    predictions = {}
    for case, way in CASES.items():
        path = os.path.join(folder, case + ".ckpt")
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1)
            told = True
            if way == "placeholder":
                told = tf.placeholder(tf.bool, [], name="is_training")
            elif way == "bn_training":
                told = tf.placeholder_with_default(True, [], name=way)
            elif way == "default":
                told = tf.placeholder_with_default(True, [], name="is_training")
            x, logits = build(tf, case, told)
            loss = tf.reduce_mean((logits - 1.0) ** 2)
            with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
                train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
            session.run(tf.global_variables_initializer())
            feed = {x: inputs(case)}
            if way == "placeholder":
                feed[told] = True
            if case == "rate":
                feed["keep_prob:0"] = 0.7
            for _ in range(5):
                session.run(train, feed)
            tf.train.Saver().save(session, path)
        with tf.Graph().as_default(), tf.Session() as session:
            x, logits = build(tf, case, False)
            tf.train.Saver().restore(session, path)
            predictions[case] = session.run(logits, {x: inputs(case)})
    np.savez(os.path.join(folder, "predictions.npz"), **predictions)


if __name__ == "__main__":
    main(sys.argv[1])
