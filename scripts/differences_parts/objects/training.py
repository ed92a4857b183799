"""What a script that trains holds: name -> function that makes it."""

import os
import tempfile

import tensorflow as tf


def _loss():
    x = tf.constant([[1.0, 2.0]])
    weights = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
    return tf.reduce_mean(tf.square(tf.matmul(x, weights)))


def _optimizer(make):
    """An optimizer after `apply_gradients`."""

    def made():
        optimizer = make()
        optimizer.apply_gradients(optimizer.compute_gradients(_loss()))
        return optimizer

    return made


def _slots():
    optimizer = tf.train.AdamOptimizer(0.1)
    optimizer.minimize(_loss())
    return {
        name: [optimizer.get_slot(variable, name) for variable in tf.trainable_variables()]
        for name in optimizer.get_slot_names()
    }


def _saver():
    _loss()
    return tf.train.Saver(max_to_keep=3)


def _saved():
    saver = _saver()
    folder = tempfile.mkdtemp(dir=os.getcwd())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saver.save(session, os.path.join(folder, "model"), global_step=1)
    return folder


def _checkpoint_state():
    return tf.train.get_checkpoint_state(_saved())


def _reader():
    return tf.train.NewCheckpointReader(tf.train.latest_checkpoint(_saved()))


def _scaffold():
    _loss()
    return tf.train.Scaffold().finalize()


def _monitored():
    _loss()
    tf.train.get_or_create_global_step()
    return tf.train.MonitoredTrainingSession()


def _queue_runner():
    queue = tf.FIFOQueue(10, tf.float32, shapes=[[]])
    runner = tf.train.QueueRunner(queue, [queue.enqueue(1.0)])
    tf.train.add_queue_runner(runner)
    return runner


def _interactive():
    session = tf.InteractiveSession()
    session.close()  # so that the next objects do not find it
    return session


def _coordinator():
    coordinator = tf.train.Coordinator()
    coordinator.request_stop()
    coordinator.join([])
    return coordinator


def _model_fn(features, labels, mode, params):
    weights = tf.get_variable("w", [2, 1])
    found = tf.matmul(tf.cast(features["x"], tf.float32), weights)
    loss = tf.reduce_mean(tf.square(found - labels))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, {"found": found}, loss, train)


def _spec():
    tf.train.create_global_step()
    features = {"x": tf.constant([[1.0, 2.0]])}
    return _model_fn(features, tf.constant([[1.0]]), tf.estimator.ModeKeys.TRAIN, None)


def _estimator():
    return tf.estimator.Estimator(_model_fn, "/tmp/model", params={"a": 1})


def _classifier():
    columns = [tf.feature_column.numeric_column("x", [2])]
    return tf.estimator.DNNClassifier([4], columns, "/tmp/model", n_classes=3)


def _server():
    return tf.train.Server.create_local_server(start=False)


def _hook(make):
    def made():
        _loss()
        tf.train.get_or_create_global_step()
        return make()

    return made


def _summary():
    tf.summary.scalar("loss", _loss())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return tf.Summary.FromString(session.run(tf.summary.merge_all()))


def _flags():
    flags = tf.flags
    for name in list(flags.FLAGS):
        delattr(flags.FLAGS, name)
    flags.DEFINE_integer("number", 3, "A number.")
    flags.DEFINE_string("text", "a", "A text.")
    flags.DEFINE_boolean("yes", True, "Whether.")
    flags.FLAGS(["program"])
    return flags.FLAGS


def _file():
    path = os.path.join(tempfile.mkdtemp(dir=os.getcwd()), "file")
    with tf.gfile.GFile(path, "w") as file:
        file.write("text")
    return tf.gfile.GFile(path)


def _columns():
    column = tf.feature_column
    words = column.categorical_column_with_vocabulary_list("word", ["a", "b"])
    return {
        "numeric": column.numeric_column("n", [2]),
        "bucketized": column.bucketized_column(column.numeric_column("n"), [0.0, 1.0]),
        "words": words,
        "hashed": column.categorical_column_with_hash_bucket("h", 10),
        "identity": column.categorical_column_with_identity("i", 3),
        "crossed": column.crossed_column(["a", "b"], 10),
        "embedding": column.embedding_column(words, 4),
        "indicator": column.indicator_column(words),
        "weighted": column.weighted_categorical_column(words, "weight"),
    }


def _one_column(name):
    return lambda: _columns()[name]


def _profile():
    options, metadata = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), tf.RunMetadata()
    with tf.Session() as session:
        session.run(tf.constant(1.0), options=options, run_metadata=metadata)
    return options


MADE = {
    "Session": tf.Session,
    "Session, configured": lambda: tf.Session(
        config=tf.ConfigProto(allow_soft_placement=True, gpu_options={"allow_growth": True})),
    "InteractiveSession": _interactive,
    "MonitoredSession": _monitored,
    "ConfigProto": lambda: tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 0}),
    "GPUOptions": lambda: tf.GPUOptions(per_process_gpu_memory_fraction=0.5),
    "RunOptions": _profile,
    "RunMetadata": tf.RunMetadata,
    "GradientDescentOptimizer": _optimizer(lambda: tf.train.GradientDescentOptimizer(0.1)),
    "MomentumOptimizer": _optimizer(lambda: tf.train.MomentumOptimizer(0.1, 0.9)),
    "AdamOptimizer": _optimizer(lambda: tf.train.AdamOptimizer(0.1)),
    "AdamOptimizer, unused": lambda: tf.train.AdamOptimizer(0.1),
    "AdagradOptimizer": _optimizer(lambda: tf.train.AdagradOptimizer(0.1)),
    "AdadeltaOptimizer": _optimizer(lambda: tf.train.AdadeltaOptimizer(0.1)),
    "RMSPropOptimizer": _optimizer(lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.9)),
    "FtrlOptimizer": _optimizer(lambda: tf.train.FtrlOptimizer(0.1)),
    "ProximalAdagradOptimizer": _optimizer(lambda: tf.train.ProximalAdagradOptimizer(0.1)),
    "SyncReplicasOptimizer": lambda: tf.train.SyncReplicasOptimizer(
        tf.train.AdamOptimizer(0.1), 2),
    "slots": _slots,
    "ExponentialMovingAverage": lambda: tf.train.ExponentialMovingAverage(0.9, name="average"),
    "Saver": _saver,
    "SaverDef": lambda: _saver().as_saver_def(),
    "CheckpointState": _checkpoint_state,
    "CheckpointReader": _reader,
    "Checkpoint": lambda: tf.train.Checkpoint(v=tf.Variable(1.0)),
    "Scaffold": _scaffold,
    "Supervisor": _hook(lambda: tf.train.Supervisor(logdir=None)),
    "SessionManager": _hook(tf.train.SessionManager),
    "Coordinator": _coordinator,
    "LooperThread": lambda: tf.train.LooperThread(tf.train.Coordinator(), 0.1),
    "QueueRunner": _queue_runner,
    "FIFOQueue": lambda: tf.FIFOQueue(3, [tf.float32], shapes=[[2]], names=["a"]),
    "RandomShuffleQueue": lambda: tf.RandomShuffleQueue(3, 1, tf.int32, seed=1),
    "PaddingFIFOQueue": lambda: tf.PaddingFIFOQueue(3, [tf.float32], [[None]]),
    "PriorityQueue": lambda: tf.PriorityQueue(3, tf.float32, [[]]),
    "StagingArea": lambda: tf.contrib.staging.StagingArea([tf.float32], [[2]]),
    "ConditionalAccumulator": lambda: tf.ConditionalAccumulator(tf.float32, [2]),
    "TFRecordReader": tf.TFRecordReader,
    "TextLineReader": tf.TextLineReader,
    "ClusterSpec": lambda: tf.train.ClusterSpec({"ps": ["a:1"], "worker": ["b:1", "c:1"]}),
    "Server": _server,
    "ServerDef": lambda: _server().server_def,
    "EstimatorSpec": _spec,
    "Estimator": _estimator,
    "DNNClassifier": _classifier,
    "RunConfig": lambda: tf.estimator.RunConfig("/tmp/model", save_checkpoints_steps=3),
    "TrainSpec": lambda: tf.estimator.TrainSpec(lambda: None, 3),
    "EvalSpec": lambda: tf.estimator.EvalSpec(lambda: None),
    "LoggingTensorHook": _hook(lambda: tf.train.LoggingTensorHook(["x:0"], every_n_iter=3)),
    "StopAtStepHook": _hook(lambda: tf.train.StopAtStepHook(last_step=3)),
    "CheckpointSaverHook": _hook(lambda: tf.train.CheckpointSaverHook("/tmp/m", save_steps=3)),
    "StepCounterHook": _hook(lambda: tf.train.StepCounterHook(output_dir="/tmp/m")),
    "SummarySaverHook": _hook(
        lambda: tf.train.SummarySaverHook(3, output_dir="/tmp/m", scaffold=tf.train.Scaffold())),
    "NanTensorHook": _hook(lambda: tf.train.NanTensorHook("x:0")),
    "SessionRunArgs": lambda: tf.train.SessionRunArgs(["x:0"]),
    "SecondOrStepTimer": lambda: tf.train.SecondOrStepTimer(every_steps=3),
    "FileWriter": lambda: tf.summary.FileWriter(tempfile.mkdtemp(dir=os.getcwd())),
    "Summary": _summary,
    "Event": lambda: tf.Event(step=3, summary=_summary()),
    "FLAGS": _flags,
    "a flag": lambda: _flags()["number"],
    "GFile": _file,
    "columns": _columns,
    "column, numeric": _one_column("numeric"),
    "column, vocabulary": _one_column("words"),
    "column, embedding": _one_column("embedding"),
    "column, indicator": _one_column("indicator"),
    "column, crossed": _one_column("crossed"),
    "column, bucketized": _one_column("bucketized"),
    "MirroredStrategy": lambda: tf.distribute.MirroredStrategy(["/cpu:0"]),
    "HParams": lambda: tf.contrib.training.HParams(a=1, b=[2.0], c="text"),
    "slim item handler": lambda: tf.contrib.slim.tfexample_decoder.Tensor("image", shape=[2]),
    "learn.Estimator's config": lambda: tf.contrib.learn.RunConfig(save_checkpoints_steps=3),
    "contrib LazyAdamOptimizer": _optimizer(lambda: tf.contrib.opt.LazyAdamOptimizer(0.1)),
    "contrib LayerNormBasicLSTMCell": lambda: tf.contrib.rnn.LayerNormBasicLSTMCell(3),
    "contrib AttentionMechanism": lambda: tf.contrib.seq2seq.BahdanauAttention(
        3, tf.zeros([2, 4, 3]), tf.constant([2, 3])),
    "contrib AttentionWrapper": lambda: tf.contrib.seq2seq.AttentionWrapper(
        tf.nn.rnn_cell.LSTMCell(3),
        tf.contrib.seq2seq.LuongAttention(3, tf.zeros([2, 4, 3]))),
    "contrib BasicDecoder": lambda: tf.contrib.seq2seq.BasicDecoder(
        tf.nn.rnn_cell.GRUCell(3),
        tf.contrib.seq2seq.TrainingHelper(tf.zeros([2, 4, 3]), [4, 4]), tf.zeros([2, 3])),
    "contrib regularizer": lambda: tf.contrib.layers.l2_regularizer(0.1),
}  # fmt: skip
