"""Run by the Python with TF 1.15: networks of cuDNN, which no CPU can run, and what they compute.

    python tf1_cudnn.py FOLDER

writes CuDNNLSTM and CuDNNGRU of Keras as FOLDER/<case>.h5, .weights.h5, .ckpt and -object, with
what TF 1.15's LSTM and GRU compute that load their weights; and frozen graphs of tf.contrib's
networks, whose parameters are one array, FOLDER/<case>.pb, with what NumPy computes. All in
outputs.npz.
"""

import sys

import numpy as np

UNITS, INPUTS = 4, 3
#: {case: (gates, layers, directions)} of the networks in one array.
NETWORKS = {
    f"{mode}-{layers}-{directions}": (gates, layers, directions)
    for mode, gates in (("lstm", 4), ("gru", 3))
    for layers in (1, 2)
    for directions in (1, 2)
}
#: {case: (mode, is bidirectional)} of Keras's layers.
LAYERS = {
    "keras-lstm": ("LSTM", False),
    "keras-gru": ("GRU", False),
    "keras-lstm-both": ("LSTM", True),
    "keras-gru-both": ("GRU", True),
}


def inputs():
    """The input of every case: [batch, steps, inputs]."""
    return np.random.RandomState(1).randn(2, 5, INPUTS).astype(np.float32)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(x, matrices, recurrent, biases):
    """cuDNN's LSTM of gates i, f, c, o, each [units, inputs], in float64."""
    h = c = np.zeros((len(x), UNITS))
    outputs = []
    for step in range(x.shape[1]):
        i, f, new, o = (
            x[:, step] @ matrices[k].T + h @ recurrent[k].T + biases[0][k] + biases[1][k]
            for k in range(4)
        )
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(new)
        h = sigmoid(o) * np.tanh(c)
        outputs.append(h)
    return np.stack(outputs, 1)


def gru(x, matrices, recurrent, biases):
    """cuDNN's GRU of gates r, z, h."""
    h = np.zeros((len(x), UNITS))
    outputs = []
    for step in range(x.shape[1]):
        of_input = [x[:, step] @ matrices[k].T + biases[0][k] for k in range(3)]
        of_state = [h @ recurrent[k].T + biases[1][k] for k in range(3)]
        r, z = sigmoid(of_input[0] + of_state[0]), sigmoid(of_input[1] + of_state[1])
        h = (1 - z) * np.tanh(of_input[2] + r * of_state[2]) + z * h
        outputs.append(h)
    return np.stack(outputs, 1)


def network(gates, layers, directions):
    """(the parameters in one array, what the network computes of `inputs`)"""
    random = np.random.RandomState(gates + 10 * layers + 100 * directions)
    matrices, biases, x = [], [], inputs().astype(np.float64)
    for _ in range(layers):
        outputs = []
        for direction in range(directions):
            of_input = 0.5 * random.randn(gates, UNITS, x.shape[2])
            of_state = 0.5 * random.randn(gates, UNITS, UNITS)
            bias = 0.5 * random.randn(2, gates, UNITS)
            matrices += [of_input, of_state]
            biases.append(bias)
            turn = slice(None, None, -1 if direction else 1)
            cell = lstm if gates == 4 else gru
            outputs.append(cell(x[:, turn], of_input, of_state, bias)[:, turn])
        x = np.concatenate(outputs, -1)
    parameters = np.concatenate([array.ravel() for array in matrices + biases])
    return parameters.astype(np.float32), x.astype(np.float32)


def session(tf):
    """A Session that places what it runs alone: no op of cuDNN."""
    options = tf.GraphOptions(place_pruned_graph=True)
    return tf.Session(config=tf.ConfigProto(graph_options=options))


def freeze(tf, path, mode, parameters, layers, directions, is_batch_known=True, state="zeros"):
    """Writes the frozen graph of a network of tf.contrib.cudnn_rnn."""
    from tensorflow.python.ops import gen_cudnn_rnn_ops

    with tf.Graph().as_default() as graph, session(tf) as running:
        x = tf.placeholder(tf.float32, [5, 2 if is_batch_known else None, INPUTS], name="x")
        with tf.variable_scope("cudnn"):
            variable = tf.get_variable("opaque_kernel", initializer=tf.constant(parameters))
        batch = 2 if is_batch_known else tf.shape(x)[1]
        zeros = tf.zeros([layers * directions, batch, UNITS])
        zeros = zeros if state == "zeros" else tf.tanh(zeros)
        direction = "bidirectional" if directions == 2 else "unidirectional"
        output = gen_cudnn_rnn_ops.cudnn_rnn(
            x, zeros, zeros, variable, rnn_mode=mode, direction=direction
        )[0]
        tf.identity(output, name="output")
        running.run(tf.global_variables_initializer())
        frozen = tf.graph_util.convert_variables_to_constants(
            running, graph.as_graph_def(), ["output"]
        )
        with open(path, "wb") as file:
            file.write(frozen.SerializeToString())


def save_layers(tf, folder, case):
    """Writes a layer of Keras in all formats; returns what TF 1.15's other layer computes."""
    keras, (mode, is_bidirectional) = tf.keras, LAYERS[case]

    def model(layer):
        layer = keras.layers.Bidirectional(layer) if is_bidirectional else layer
        return keras.Sequential([keras.layers.InputLayer((5, INPUTS)), layer])

    with tf.Graph().as_default(), session(tf) as running:
        keras.backend.set_session(running)
        of_cudnn = model(getattr(keras.layers, "CuDNN" + mode)(UNITS, return_sequences=True))
        random = np.random.RandomState(5)
        of_cudnn.set_weights([0.5 * random.randn(*w.shape) for w in of_cudnn.get_weights()])
        of_cudnn.save(f"{folder}/{case}.h5")
        of_cudnn.save_weights(f"{folder}/{case}.weights.h5")
        of_cudnn.save_weights(f"{folder}/{case}-object", save_format="tf")
        tf.train.Saver().save(running, f"{folder}/{case}.ckpt")
    with tf.Graph().as_default(), session(tf) as running:
        keras.backend.set_session(running)
        options = {"reset_after": True} if mode == "GRU" else {}
        layer = getattr(keras.layers, mode)(
            UNITS, return_sequences=True, recurrent_activation="sigmoid", **options
        )
        of_cpu = model(layer)
        of_cpu.load_weights(f"{folder}/{case}.weights.h5")
        return of_cpu.predict(inputs())


def main(folder):
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    outputs = {case: save_layers(tf, folder, case) for case in LAYERS}
    for case, (gates, layers, directions) in NETWORKS.items():
        mode = case.partition("-")[0]
        parameters, outputs[case] = network(gates, layers, directions)
        path = f"{folder}/{case}.pb"
        freeze(tf, path, mode, parameters, layers, directions, is_batch_known=layers == 1)
    parameters, _ = network(4, 1, 1)
    freeze(tf, f"{folder}/computed-state.pb", "lstm", parameters, 1, 1, state="computed")
    freeze(tf, f"{folder}/another-size.pb", "lstm", parameters[:-1], 1, 1)
    freeze(tf, f"{folder}/another-mode.pb", "rnn_tanh", parameters, 1, 1)
    np.savez(folder + "/outputs.npz", **outputs)


if __name__ == "__main__":
    main(sys.argv[1])
