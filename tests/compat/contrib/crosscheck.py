"""A TF1 script that uses much of tf.contrib: the same file under TF 1.15 and under compat.

    crosscheck.py save FOLDER     initialise, save a checkpoint and every output (TF 1.15)
    crosscheck.py load FOLDER     restore the checkpoint by name, save every output

Outputs go to FOLDER/save.npz or FOLDER/load.npz, keyed "case/number"; a case that
fails in load is printed with its error and leaves no output.
"""

import os
import sys
import traceback

import numpy as np
import tensorflow as tf
from tensorflow.contrib import crf, layers, legacy_seq2seq, lookup, rnn, seq2seq, slim
from tensorflow.contrib.framework.python.ops import arg_scope
from tensorflow.contrib.rnn.python.ops import rnn_cell as cells

CASES = []


def case(function):
    """Adds a function to the table of cases; it returns the tensors to compare."""
    CASES.append(function)
    return function


def values(*shape):
    """Some numbers of this shape, always the same."""
    return np.random.RandomState(sum(shape)).randn(*shape).astype(np.float32)


def steps(batch=2, time=4, size=3):
    return tf.constant(values(batch, time, size))


# layers and slim ----------------------------------------------------------------


@case
def slim_convolutions():
    net = tf.constant(values(2, 8, 8, 3))
    with arg_scope(
        [slim.conv2d], activation_fn=tf.nn.relu, weights_regularizer=slim.l2_regularizer(0.01)
    ):
        a = slim.conv2d(net, 4, [3, 3], scope="conv1")
        b = slim.conv2d(a, 5, [3, 3], stride=2, normalizer_fn=slim.batch_norm, scope="conv2")
        c = slim.repeat(b, 2, slim.conv2d, 6, [3, 3], scope="conv3")
    d = slim.max_pool2d(c, [2, 2], scope="pool")
    e = slim.fully_connected(slim.flatten(d), 7, scope="fc")
    return [a, b, c, d, e, slim.losses.get_regularization_losses()[0]]


@case
def slim_batch_norm():
    net = tf.constant(values(4, 5, 5, 3))
    params = {"decay": 0.9, "epsilon": 0.001, "scale": True}
    train = slim.batch_norm(net, is_training=True, scope="bn_train", **params)
    infer = slim.batch_norm(net, is_training=False, scope="bn_infer", **params)
    plain = slim.batch_norm(net, is_training=True, fused=False, scope="bn_plain", **params)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(updates):
        return [tf.identity(train), infer, plain] + updates[:2]


@case
def slim_separable():
    net = tf.constant(values(2, 8, 8, 3))
    a = slim.separable_conv2d(net, 6, [3, 3], depth_multiplier=2, scope="sep")
    b = slim.separable_conv2d(net, None, [3, 3], depth_multiplier=1, stride=2, scope="depthwise")
    return [a, b]


@case
def slim_transpose_and_3d():
    a = slim.conv2d_transpose(tf.constant(values(2, 4, 4, 3)), 5, [3, 3], stride=2, scope="deconv")
    b = layers.conv3d(tf.constant(values(1, 4, 4, 4, 2)), 3, [3, 3, 3], scope="conv3d")
    c = layers.conv2d_in_plane(tf.constant(values(2, 8, 8, 3)), [1, 3], scope="in_plane")
    return [a, b, c]


@case
def layers_norms():
    net = tf.constant(values(2, 5, 5, 4))
    return [
        layers.layer_norm(net, scope="layer_norm"),
        layers.instance_norm(net, scope="instance_norm"),
        layers.group_norm(net, groups=2, scope="group_norm"),
        layers.bias_add(net, scope="bias"),
        layers.unit_norm(tf.constant(values(3, 4)), 1),
        layers.maxout(net, 2),
        layers.spatial_softmax(net, temperature=1.0),
    ]


@case
def layers_dense():
    net = tf.constant(values(3, 6))
    a = layers.fully_connected(net, 5, normalizer_fn=layers.layer_norm, scope="fc")
    b = layers.stack(net, layers.fully_connected, [5, 4], scope="stack")
    c = layers.linear(net, 2, scope="linear")
    d = layers.relu(net, 3, scope="relu")
    total = layers.apply_regularization(layers.l1_l2_regularizer(0.1, 0.2), [c, d])
    return [a, b, c, d, total, tf.reduce_sum(c)]


@case
def layers_embeddings():
    ids = tf.constant([[1, 2, 3], [3, 0, 1]])
    a = layers.embed_sequence(ids, vocab_size=5, embed_dim=4, scope="embed")
    b = layers.bow_encoder(ids, vocab_size=5, embed_dim=4, scope="bow")
    c = layers.one_hot_encoding(tf.constant([1, 0, 2]), 3)
    return [a, b, c]


@case
def layers_feature_columns():
    column = layers.real_valued_column("x", dimension=2)
    buckets = layers.bucketized_column(layers.real_valued_column("y"), [0.0, 1.0])
    words = layers.sparse_column_with_hash_bucket("w", hash_bucket_size=10)
    features = {
        "x": tf.constant(values(3, 2)),
        "y": tf.constant([[-1.0], [0.5], [2.0]]),
        "w": tf.SparseTensor([[0, 0], [1, 0], [2, 0]], ["a", "b", "c"], [3, 1]),
    }
    columns = [column, buckets, layers.embedding_column(words, 3, combiner="mean")]
    return [layers.input_from_feature_columns(features, columns, scope="columns")]


@case
def optimize_loss():
    x = layers.fully_connected(tf.constant(values(3, 6)), 1, scope="fc")
    loss = tf.reduce_mean(tf.square(x))
    train = layers.optimize_loss(loss, None, learning_rate=0.1, optimizer="SGD", clip_gradients=1.0)
    return [train]


# rnn ----------------------------------------------------------------------------


def _cell_case(name, make):
    def build():
        outputs, state = tf.nn.dynamic_rnn(make(), steps(), dtype=tf.float32)
        return [outputs] + tf.contrib.framework.nest.flatten(state)

    build.__name__ = "cell_" + name
    case(build)


for _name, _make in [
    ("basic_rnn", lambda: rnn.BasicRNNCell(4)),
    ("basic_lstm", lambda: rnn.BasicLSTMCell(4)),
    ("lstm", lambda: rnn.LSTMCell(4, use_peepholes=True, num_proj=3)),
    ("gru", lambda: rnn.GRUCell(4)),
    ("lstm_block", lambda: rnn.LSTMBlockCell(4, use_peephole=True)),
    ("gru_block", lambda: rnn.GRUBlockCellV2(4)),
    ("layer_norm_lstm", lambda: rnn.LayerNormBasicLSTMCell(4)),
    ("ugrnn", lambda: rnn.UGRNNCell(4)),
    ("nas", lambda: rnn.NASCell(4)),
    ("coupled", lambda: rnn.CoupledInputForgetGateLSTMCell(4, use_peepholes=True)),
    (
        "grid",
        lambda: rnn.GridLSTMCell(4, feature_size=1, frequency_skip=1, num_frequency_blocks=[3]),
    ),
    ("intersection", lambda: rnn.IntersectionRNNCell(4, num_in_proj=4)),
    ("glstm", lambda: rnn.GLSTMCell(4, number_of_groups=1)),
    ("sru", lambda: rnn.SRUCell(3)),
    ("indrnn", lambda: rnn.IndRNNCell(4)),
    ("indygru", lambda: rnn.IndyGRUCell(4)),
    ("indylstm", lambda: rnn.IndyLSTMCell(4)),
    ("minimal", lambda: cells.MinimalRNNCell(3)),
    ("cfn", lambda: cells.CFNCell(4)),
    ("highway", lambda: rnn.HighwayWrapper(rnn.GRUCell(3))),
    ("attention", lambda: rnn.AttentionCellWrapper(rnn.BasicLSTMCell(4), 2, state_is_tuple=True)),
    ("weight_norm", lambda: cells.WeightNormLSTMCell(4)),
    ("layer_norm_lstm2", lambda: cells.LayerNormLSTMCell(4, use_peepholes=True)),
    ("input_projection", lambda: rnn.InputProjectionWrapper(rnn.GRUCell(4), 2)),
    ("output_projection", lambda: rnn.OutputProjectionWrapper(rnn.GRUCell(4), 2)),
    ("multi", lambda: rnn.MultiRNNCell([rnn.BasicLSTMCell(4), rnn.GRUCell(3)])),
    ("residual", lambda: rnn.ResidualWrapper(rnn.GRUCell(3))),
    ("dropout", lambda: rnn.DropoutWrapper(rnn.GRUCell(3), 1.0, 1.0)),
]:
    _cell_case(_name, _make)


@case
def fused_lstm():
    inputs = tf.transpose(steps(), [1, 0, 2])
    outputs, state = rnn.LSTMBlockFusedCell(4, use_peephole=True)(inputs, dtype=tf.float32)
    return [outputs, state.c, state.h]


@case
def fused_adaptor_and_bidirectional():
    inputs = tf.unstack(tf.transpose(steps(), [1, 0, 2]))
    out, fw, bw = rnn.stack_bidirectional_rnn(
        [rnn.GRUCell(3)], [rnn.GRUCell(3)], inputs, dtype=tf.float32
    )
    dynamic, _, _ = rnn.stack_bidirectional_dynamic_rnn(
        [rnn.LSTMCell(3)], [rnn.LSTMCell(3)], steps(), dtype=tf.float32, sequence_length=[2, 4]
    )
    static, _ = rnn.static_rnn(rnn.BasicLSTMCell(3), inputs, dtype=tf.float32, scope="static")
    return list(out) + [dynamic] + list(static)


@case
def block_cell_gradients():
    outputs, _ = tf.nn.dynamic_rnn(rnn.LSTMBlockCell(4), steps(), dtype=tf.float32)
    other, _ = tf.nn.dynamic_rnn(rnn.GRUBlockCellV2(4), steps(), dtype=tf.float32, scope="gru")
    loss = tf.reduce_sum(tf.square(outputs)) + tf.reduce_sum(tf.square(other))
    scope = tf.get_variable_scope().name
    return tf.gradients(loss, tf.trainable_variables(scope))


# seq2seq, crf ---------------------------------------------------------------------


def _attention_decoder(mechanism, decoder_of):
    memory = tf.layers.dense(steps(2, 5, 4), 4, name="memory")
    cell = seq2seq.AttentionWrapper(
        rnn.BasicLSTMCell(4), mechanism(4, memory), attention_layer_size=3
    )
    outputs, state, lengths = seq2seq.dynamic_decode(decoder_of(cell), maximum_iterations=4)
    return outputs, state, lengths


@case
def attention_training():
    results = []
    for mechanism in (seq2seq.LuongAttention, seq2seq.BahdanauAttention):
        with tf.variable_scope(mechanism.__name__):
            helper = seq2seq.TrainingHelper(steps(2, 4, 3), [3, 4])
            outputs, _, lengths = _attention_decoder(
                mechanism,
                lambda cell, helper=helper: seq2seq.BasicDecoder(
                    cell, helper, cell.zero_state(2, tf.float32), tf.layers.Dense(6)
                ),
            )
        results += [outputs.rnn_output, outputs.sample_id, lengths]
    return results


@case
def greedy_decoding():
    embedding = tf.get_variable("embedding", [6, 3])
    helper = seq2seq.GreedyEmbeddingHelper(embedding, tf.constant([1, 1]), 2)
    outputs, _, lengths = _attention_decoder(
        seq2seq.LuongAttention,
        lambda cell: seq2seq.BasicDecoder(
            cell, helper, cell.zero_state(2, tf.float32), tf.layers.Dense(6)
        ),
    )
    return [outputs.rnn_output, outputs.sample_id, lengths]


@case
def beam_search():
    embedding = tf.get_variable("embedding", [6, 3])
    memory = seq2seq.tile_batch(tf.layers.dense(steps(2, 5, 4), 4, name="memory"), 3)
    cell = seq2seq.AttentionWrapper(
        rnn.BasicLSTMCell(4), seq2seq.LuongAttention(4, memory), attention_layer_size=3
    )
    decoder = seq2seq.BeamSearchDecoder(
        cell,
        embedding,
        tf.constant([1, 1]),
        2,
        cell.zero_state(6, tf.float32),
        beam_width=3,
        output_layer=tf.layers.Dense(6),
        length_penalty_weight=0.6,
    )
    outputs, state, lengths = seq2seq.dynamic_decode(decoder, maximum_iterations=6)
    return [
        outputs.predicted_ids,
        outputs.beam_search_decoder_output.scores,
        state.log_probs,
        lengths,
    ]


@case
def gather_tree():
    ids = np.random.RandomState(1).randint(0, 5, (5, 3, 4)).astype(np.int32)
    parents = np.random.RandomState(2).randint(0, 4, (5, 3, 4)).astype(np.int32)
    return [
        seq2seq.gather_tree(ids, parents, max_sequence_lengths=[5, 3, 0], end_token=2),
        seq2seq.gather_tree(ids, parents, max_sequence_lengths=[5, 5, 5], end_token=9),
        seq2seq.gather_tree(ids, parents, max_sequence_lengths=[9, 5, 1], end_token=0),
    ]


@case
def sequence_loss():
    logits = tf.constant(values(2, 4, 6))
    targets = tf.constant([[1, 2, 3, 0], [5, 4, 0, 0]])
    weights = tf.constant([[1.0, 1, 1, 0], [1, 1, 0, 0]])
    return [
        seq2seq.sequence_loss(logits, targets, weights),
        legacy_seq2seq.sequence_loss(
            tf.unstack(logits, axis=1), tf.unstack(targets, axis=1), tf.unstack(weights, axis=1)
        ),
    ]


@case
def legacy_decoders():
    ids = [tf.constant([1, 2]), tf.constant([3, 4])]
    a, _ = legacy_seq2seq.embedding_attention_seq2seq(
        ids, ids, rnn.GRUCell(4), 6, 6, 5, feed_previous=False
    )
    b, _ = legacy_seq2seq.basic_rnn_seq2seq(
        [tf.constant(values(2, 3))] * 2, [tf.constant(values(2, 3))] * 2, rnn.BasicLSTMCell(4)
    )
    c, _ = legacy_seq2seq.embedding_tied_rnn_seq2seq(
        ids, ids, rnn.BasicLSTMCell(4), 6, 5, feed_previous=True
    )
    return a + b + c


@case
def crf_losses():
    unary = tf.constant(values(2, 5, 3))
    tags = tf.constant([[0, 1, 2, 0, 1], [2, 2, 1, 0, 0]])
    lengths = tf.constant([5, 3])
    likelihood, transitions = crf.crf_log_likelihood(unary, tags, lengths)
    decoded, score = crf.crf_decode(unary, transitions, lengths)
    gradient = tf.gradients(-tf.reduce_mean(likelihood), transitions)[0]
    norm = crf.crf_log_norm(unary, lengths, transitions)
    return [likelihood, decoded, score, gradient, norm]


# others ---------------------------------------------------------------------------


@case
def lookup_tables():
    table = lookup.HashTable(lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    index = lookup.index_table_from_tensor(["x", "y"], num_oov_buckets=2)
    back = lookup.index_to_string_table_from_tensor(["x", "y"], default_value="?")
    mutable = lookup.MutableHashTable(tf.string, tf.int64, -5)
    with tf.control_dependencies([mutable.insert(tf.constant(["m"]), tf.constant([9], tf.int64))]):
        found = mutable.lookup(tf.constant(["m", "n"]))
    return [
        table.lookup(tf.constant(["b", "a", "c"])),
        index.lookup(tf.constant(["y", "x", "zz", "q"])),
        back.lookup(tf.constant([1, 0, 5], tf.int64)),
        found,
    ]


@case
def metrics():
    labels, predictions = tf.constant([0, 1, 1, 0]), tf.constant([0, 1, 0, 1])
    scores = tf.constant([0.1, 0.9, 0.4, 0.6])
    m = tf.contrib.metrics
    updates = [
        m.streaming_accuracy(predictions, labels)[1],
        m.streaming_precision(predictions, labels)[1],
        m.streaming_recall(predictions, labels)[1],
        m.streaming_auc(scores, labels)[1],
        m.streaming_mean(scores)[1],
        m.streaming_mean_squared_error(scores, tf.cast(labels, tf.float32))[1],
        m.streaming_mean_iou(predictions, labels, 2)[1],
        m.streaming_pearson_correlation(scores, tf.cast(labels, tf.float32))[1],
        m.streaming_sparse_recall_at_k(
            tf.constant(values(4, 3)), tf.cast(labels[:, None], tf.int64), 2
        )[1],
        m.streaming_false_positives(predictions, labels)[1],
        m.streaming_covariance(scores, tf.cast(labels, tf.float32))[1],
        m.accuracy(predictions, labels),
        m.confusion_matrix(labels, predictions),
        m.f1_score(labels, scores)[1],
        m.cohen_kappa(labels, predictions, 2)[1],
    ]
    return updates


@case
def losses():
    c = tf.contrib.losses
    logits, labels = tf.constant(values(3, 4)), tf.one_hot([1, 2, 0], 4)
    anchor, positive = tf.constant(values(4, 3)), tf.constant(values(4, 4))[:, :3]
    m = c.metric_learning
    return [
        c.softmax_cross_entropy(logits, labels),
        c.sigmoid_cross_entropy(logits, labels),
        c.mean_squared_error(logits, labels),
        c.get_total_loss(),
        m.npairs_loss(tf.constant([0, 1, 0, 1]), anchor, positive),
        m.triplet_semihard_loss(tf.constant([0, 1, 0, 1]), anchor),
        m.contrastive_loss(tf.constant([0, 1, 0, 1]), anchor, positive),
        m.lifted_struct_loss(tf.constant([0, 1, 0, 1]), anchor),
    ]


@case
def resampler():
    data = tf.constant(values(2, 5, 6, 3))
    warp = tf.constant(np.random.RandomState(5).uniform(-2, 7, (2, 9, 2)).astype(np.float32))
    sampled = tf.contrib.resampler.resampler(data, warp)
    return [sampled] + tf.gradients(tf.reduce_sum(tf.square(sampled)), [data, warp])


@case
def images():
    image = tf.constant(np.random.RandomState(3).uniform(0, 1, (2, 7, 6, 3)).astype(np.float32))
    i = tf.contrib.image
    return [
        i.rotate(image, [0.3, -0.5]),
        i.rotate(image, 0.3, interpolation="BILINEAR"),
        i.translate(image, [1.0, -1.5], interpolation="BILINEAR"),
        i.transform(image, [1, 0.1, -1, 0.2, 1, 0.5, 0, 0.001]),
        i.dense_image_warp(image, tf.constant(values(2, 7, 6, 2))),
        i.sparse_image_warp(
            image,
            tf.constant([[[1.0, 1], [3, 4], [5, 2]]] * 2),
            tf.constant([[[1.0, 2], [3, 3], [5, 1]]] * 2),
        )[0],
        i.connected_components(tf.constant([[1, 1, 0], [0, 0, 1], [1, 0, 1]])),
        i.interpolate_spline(
            tf.constant(values(1, 4, 2)),
            tf.constant(values(1, 4, 1)),
            tf.constant(values(1, 3, 2)),
            2,
        ),
    ]


@case
def optimizers():
    results = []
    o = tf.contrib.opt
    for make in (
        lambda: o.NadamOptimizer(0.1),
        lambda: o.AdaMaxOptimizer(0.1),
        lambda: o.LazyAdamOptimizer(0.1),
        lambda: o.PowerSignOptimizer(0.1),
        lambda: o.AddSignOptimizer(0.1),
        lambda: o.GGTOptimizer(0.1),
        lambda: o.ShampooOptimizer(tf.train.get_or_create_global_step(), learning_rate=0.1),
        lambda: o.AdamWOptimizer(0.01, 0.1),
        lambda: o.MomentumWOptimizer(0.01, 0.1, 0.9),
        lambda: o.LARSOptimizer(0.1),
        lambda: o.RegAdagradOptimizer(0.1),
        lambda: o.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(0.1), {}, 1.0),
        lambda: o.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.1)),
        lambda: tf.contrib.optimizer_v2.AdamOptimizer(0.1),
        lambda: tf.contrib.optimizer_v2.MomentumOptimizer(0.1, 0.9),
    ):
        name = f"v{len(results)}"
        variable = tf.get_variable(name, initializer=tf.constant(values(3, 2)))
        loss = tf.reduce_sum(tf.square(variable) * variable)
        step = make().minimize(loss, var_list=[variable])
        with tf.control_dependencies([step]):
            results.append(variable.read_value())
    return results


@case
def training_helpers():
    t = tf.contrib.training
    table = t.HParams(a=1, b=[1.5, 2.0], c="x")
    table.parse("a=3,b=[2.5,1]")
    x = tf.constant(values(4, 3))
    weighted = t.bucket([tf.constant([1, 2])], tf.constant(1), 2, 2) is not None
    return [tf.constant([table.a] + [int(weighted)]), tf.constant(table.b), x]


@case
def distributions():
    d = tf.contrib.distributions
    normal = d.Normal(loc=0.5, scale=2.0)
    mvn = d.MultivariateNormalDiag(loc=[1.0, -1.0], scale_diag=[1.0, 2.0])
    mixture = d.MixtureSameFamily(
        mixture_distribution=d.Categorical(probs=[0.3, 0.7]),
        components_distribution=d.Normal(loc=[-1.0, 1.0], scale=[0.1, 0.5]),
    )
    flow = d.TransformedDistribution(d.Normal(0.0, 1.0), d.bijectors.Exp())
    return [
        normal.log_prob([0.1, 0.2]),
        mvn.log_prob([[0.0, 0.0]]),
        mixture.log_prob([0.3]),
        flow.log_prob([0.5, 2.0]),
        d.kl_divergence(normal, d.Normal(loc=0.0, scale=1.0)),
        d.Poisson(3.0).log_prob([1.0, 2.0]),
        d.Bernoulli(probs=0.3).log_prob([0, 1]),
        d.bijectors.Affine(shift=[1.0], scale_diag=[2.0]).forward([[3.0]]),
        d.RelaxedOneHotCategorical(0.5, probs=[0.2, 0.8]).log_prob([0.3, 0.7]),
        d.Gamma(2.0, 3.0).cdf([0.5]),
        d.fill_triangular(tf.constant(values(6))),
    ]


@case
def odds_and_ends():
    sparsemax = tf.contrib.sparsemax.sparsemax(tf.constant(values(3, 4)))
    loss = tf.contrib.sparsemax.sparsemax_loss(
        tf.constant(values(3, 4)), sparsemax, tf.one_hot([0, 1, 2], 4)
    )
    ode = tf.contrib.integrate.odeint(
        lambda y, t: -y, tf.constant([1.0]), tf.constant([0.0, 0.5, 1.0])
    )
    stft = tf.contrib.signal.stft(tf.constant(values(1, 32)), 16, 8)
    dense = tf.contrib.nn.alpha_dropout(tf.constant(values(2, 2)), 1.0)
    cross = tf.contrib.layers.crossed_column(
        [
            layers.sparse_column_with_hash_bucket("a", 5),
            layers.sparse_column_with_hash_bucket("b", 5),
        ],
        hash_bucket_size=11,
        hash_key=layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY,
    )
    features = {
        name: tf.SparseTensor([[0, 0], [1, 0]], [name + "1", name + "2"], [2, 1]) for name in "ab"
    }
    crossed = layers.transform_features(features, [cross])[cross]
    return [sparsemax, loss, ode, tf.abs(stft), dense, crossed.values]


def main(action, folder):
    tf.set_random_seed(7)
    results, failed = {}, {}
    for build in CASES:
        try:
            with tf.variable_scope(build.__name__):
                results[build.__name__] = build()
        except Exception:
            failed[build.__name__] = traceback.format_exc()
    checkpoint = os.path.join(folder, "variables")
    saved = {}
    variables = tf.global_variables()
    if action == "load":
        known = dict(tf.train.list_variables(checkpoint))
        for variable in variables:
            if variable.op.name not in known:
                print("NOT IN THE CHECKPOINT", variable.op.name)
        variables = [v for v in variables if v.op.name in known]
    config = tf.ConfigProto()
    if action == "save":  # 1.15 spends half of its time on rewriting graphs; its numbers stay
        config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Session(config=config) as session:
        session.run(
            [
                tf.global_variables_initializer(),
                tf.local_variables_initializer(),
                tf.tables_initializer(),
            ]
        )
        if action == "save":
            tf.train.Saver(variables).save(session, checkpoint, write_meta_graph=False)
        else:
            tf.train.Saver(variables).restore(session, checkpoint)
        for name, tensors in results.items():
            try:
                for number, value in enumerate(session.run(list(tensors))):
                    saved[f"{name}/{number}"] = value
            except Exception:
                failed[name] = traceback.format_exc()
    np.savez(os.path.join(folder, action + ".npz"), **saved)
    for name, text in failed.items():
        print("FAILED", name, text)
    print(len(tf.global_variables()), "variables,", len(saved), "outputs,", len(failed), "failed")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
