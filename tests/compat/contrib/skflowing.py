"""A script of TF 0.8 to 0.10: what the estimators of skflow do, as lines of (name, JSON)."""

import json
import os

import numpy as np
import tensorflow as tf
from tensorflow.contrib import learn

RANDOM = np.random.RandomState(0)
X = RANDOM.randn(60, 4)
Y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)


def told(name, value):
    """Tells the test."""
    print("told", name, json.dumps(value))


def refused(function, *args, **kwargs):
    """The type of the error, and what it says."""
    try:
        function(*args, **kwargs)
    except Exception as error:
        return [type(error).__name__, isinstance(error, ValueError), str(error)]
    return None


def linear(batch_size=32, **arguments):
    arguments = dict(dict(steps=10, verbose=0), **arguments)
    return learn.TensorFlowLinearClassifier(3, batch_size, **arguments)


def steps_of(estimator):
    return int(estimator.get_tensor_value("global_step:0"))


def fitting():
    once, twice = linear(60, steps=20), linear(60, continue_training=True)
    once.fit(X, Y)
    twice.fit(X, Y).fit(X, Y)
    alike = bool(np.allclose(once.weights_, twice.weights_, atol=1e-5))
    told("continue_training", [steps_of(twice), alike])
    anew = linear()
    first = anew.fit(X, Y).weights_
    told("begins_anew", [steps_of(anew.fit(X, Y)), bool((anew.weights_ == first).all())])
    told("partial_fit", steps_of(anew.partial_fit(X, Y)))
    told("steps_of_fit", steps_of(linear().fit(X, Y, steps=3)))
    linear().fit(X, Y, logdir="logs")
    told("logdir_goes_on", steps_of(linear().fit(X, Y, logdir="logs")))
    told("model_dir", steps_of(linear(model_dir="logs").fit(X, Y)))
    column = linear().fit(X, Y.reshape(-1, 1))
    score = column.score(X, Y.reshape(-1, 1))
    told("column_of_labels", [bool((column.weights_ == first).all()), score == column.score(X, Y)])
    two = linear(steps=2, learning_rate=0.5).fit(X, Y, batch_size=60).weights_
    told(
        "batch_size_of_fit",
        bool((two == linear(60, steps=2, learning_rate=0.5).fit(X, Y).weights_).all()),
    )
    told("string_for_steps", refused(linear().fit, X, Y, "logs"))


def seeds():
    def values(**arguments):
        wide = learn.TensorFlowDNNClassifier([50], 3, steps=1, verbose=0, **arguments)
        return wide.fit(X, Y).weights_[0]

    told(
        "clipping",
        bool((linear().fit(X, Y).weights_ == linear(clip_gradients=5).fit(X, Y).weights_).all()),
    )
    told("seed_is_42", bool((values() == values(config=learn.RunConfig(tf_random_seed=42))).all()))
    other = values(config=learn.RunConfig(tf_random_seed=43, num_cores=1))
    told("seed_of_config", bool((values() == other).all()))
    plain = learn.TensorFlowDNNRegressor([4], activation_fn=None, steps=2, verbose=0).fit(X, Y)
    by_hand = (X.dot(plain.weights_[0]) + plain.bias_[0]).dot(plain.weights_[1]) + plain.bias_[1]
    told("activation_fn", bool(np.allclose(plain.predict(X), by_hand.ravel(), atol=1e-5)))
    told("uniform_by_fan_in", bool(0.7 < abs(values()).max() < (3 / 4) ** 0.5 + 0.11))


def feeding():
    def forever(values):
        while True:
            yield from values

    streamed = linear(steps=30).fit(forever(X), forever(Y))
    told("iterators", [list(streamed.predict(iter(X)).shape), streamed.score(X, Y) > 0.7])
    told("lists", list(linear().fit(X.tolist(), Y.tolist()).predict(X.tolist()).shape))
    import pandas

    framed = linear().fit(pandas.DataFrame(X), pandas.Series(Y))
    told("frames", list(framed.predict(pandas.DataFrame(X)).shape))
    told("batches", bool(np.allclose(framed.predict_proba(X, 7), framed.predict_proba(X, 60))))


def monitors():
    config = learn.RunConfig(save_checkpoints_steps=5)
    watched = linear(steps=500, learning_rate=0.0, config=config)
    monitor = learn.monitors.ValidationMonitor(
        X, Y, every_n_steps=5, early_stopping_rounds=20, check_interval_secs=None
    )
    watched.fit(X, Y, monitors=[monitor])
    told("early_stopping", [monitor.early_stopped, steps_of(watched) < 60])
    seen = []

    class Seeing(learn.monitors.BaseMonitor):
        def step_end(self, step, output):
            super().step_end(step, output)
            seen.append(int(step))

    linear(steps=3).fit(X, Y, monitor=Seeing())
    told("monitor_of_08", seen)
    accuracy = tf.contrib.metrics.streaming_accuracy
    metrics = {"right": lambda p, y: accuracy(tf.argmax(p, 1), tf.argmax(y, 1))}
    found = watched.evaluate(X, Y, metrics=metrics)
    told("metrics", [sorted(found), bool(abs(found["right"] - watched.score(X, Y)) < 1e-6)])


def noisy(x, y):
    table = tf.contrib.lookup.index_table_from_tensor(tf.constant(["a", "b"]))
    one = tf.cast(table.lookup(tf.constant("b")), tf.float32)
    hidden = learn.ops.dnn(x * one, [6, 5], activation=tf.tanh, dropout=0.5)
    return learn.models.logistic_regression(hidden, y)


def failed_save(estimator, folder):
    """(Whether what was in the folder is whole, whether nothing was left elsewhere.)"""

    def content():
        return {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}

    def broken():
        raise OSError("no space left")

    before, beside = content(), sorted(os.listdir("."))
    estimator.get_params = broken  # it is asked after the checkpoint and the graph are written
    try:
        estimator.save(folder)
    except OSError:
        return [content() == before, sorted(os.listdir(".")) == beside]


def saving():
    rate = lambda step: tf.train.exponential_decay(0.1, step, 10, 0.9)  # noqa: E731
    fitted = learn.TensorFlowEstimator(
        noisy, 3, steps=5, optimizer=tf.train.AdamOptimizer, learning_rate=rate, verbose=0
    ).fit(X, Y)
    told(
        "dropout_only_trains",
        bool(np.allclose(fitted.predict_proba(X, 7), fitted.predict_proba(X))),
    )
    fitted.save("saved")
    back = learn.TensorFlowEstimator.restore("saved")
    told("restored_predicts", bool((back.predict_proba(X) == fitted.predict_proba(X)).all()))
    told("restored_tensor", str(back.get_tensor("input:0").shape))
    told("restored_lacks_code", refused(back.fit, X, Y))
    back.save("again")
    again = learn.TensorFlowEstimator.restore("again")
    told("saved_again", bool((again.predict(X) == fitted.predict(X)).all()))
    again.set_params(model_fn=noisy, optimizer=tf.train.AdamOptimizer)
    told("still_lacks_code", "without learning_rate:" in refused(again.partial_fit, X, Y)[2])
    told("trains_on", steps_of(again.set_params(learning_rate=rate).partial_fit(X, Y)))
    told("saved_stays", steps_of(learn.TensorFlowEstimator.restore("saved")))
    plain = learn.TensorFlowDNNClassifier([np.int64(4)], 3, steps=5, verbose=0).fit(X, Y)
    plain.save("plain")
    os.rename("plain", "moved")
    restored = learn.TensorFlowLinearClassifier.restore("moved")  # of whatever class it is
    told("restored_class", type(restored).__name__)
    told("restored_arguments", restored.get_params() == plain.get_params())
    told("restored_weights", bool((restored.weights_[0] == plain.weights_[0]).all()))
    told("restored_evaluates", bool(restored.evaluate(X, Y) == plain.evaluate(X, Y)))
    told("failed_save", failed_save(fitted, "moved"))
    told("no_such_folder", refused(learn.TensorFlowEstimator.restore, "nowhere"))
    os.rename("moved/checkpoint", "moved/elsewhere")
    told("no_checkpoint", refused(learn.TensorFlowEstimator.restore, "moved"))
    os.remove("moved/predict.meta")
    told("saved_by_tf_0", refused(learn.TensorFlowEstimator.restore, "moved"))


def asking():
    told("not_fitted", [refused(getattr(linear(), name), X)[:2] for name in ("predict", "save")])
    told("unknown_optimizer", refused(linear, optimizer="Adan"))
    told("unknown_argument", refused(linear().set_params, step=3))
    told("no_variable", refused(linear().fit(X, Y).get_tensor_value, "input:0")[0])
    dropping = learn.TensorFlowEstimator(noisy, 3)
    told("dropout_where_nobody_trains", refused(noisy, tf.zeros([2, 4]), tf.zeros([2, 3])))
    told("names", sorted(dropping.get_params())[:4])
    from sklearn.base import clone, is_classifier
    from sklearn.model_selection import GridSearchCV

    told("clone", [is_classifier(linear()), clone(dropping).get_params() == dropping.get_params()])
    search = GridSearchCV(linear(), {"steps": [1, 60]}, scoring="accuracy", cv=2).fit(X, Y)
    told("grid_search", search.best_params_)


def sequences():
    def model(x, y):
        words = learn.ops.categorical_variable(x, n_classes=7, embedding_size=5, name="words")
        in_x, in_y, out_y = learn.ops.seq2seq_inputs(words, y, 3, 3)
        cell = tf.nn.rnn_cell.GRUCell(4)
        decoder = tf.nn.rnn_cell.OutputProjectionWrapper(tf.nn.rnn_cell.GRUCell(4), 7)
        outputs, _, sampled, _ = learn.ops.rnn_seq2seq(in_x, in_y, cell, decoder_cell=decoder)
        return learn.ops.sequence_classifier(outputs, out_y, sampled)

    words = RANDOM.randint(0, 7, (30, 3))
    translator = learn.TensorFlowEstimator(model, 7, steps=5, optimizer="Adam", verbose=0)
    translator.fit(words, words, logdir="translator").save("translator")
    told("sequences", list(translator.predict(words, axis=2).shape))
    back = learn.TensorFlowEstimator.restore("translator")
    told("saved_into_its_folder", bool((back.predict(words) == translator.predict(words)).all()))


for part in (fitting, seeds, feeding, monitors, saving, asking, sequences):
    part()
