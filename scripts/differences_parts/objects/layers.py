"""Layers and models, built and unbuilt: name -> function that makes it."""

import tensorflow as tf

keras = tf.keras
_layers = keras.layers


def _called(make, shape):
    """A layer after its call."""

    def made():
        layer = make()
        layer(tf.zeros(shape))
        return layer

    return made


class Subclassed(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = _layers.Dense(2)
        self.more = [_layers.Dense(3)]

    def call(self, inputs):
        return self.more[0](self.dense(inputs))


class Own(_layers.Layer):
    def build(self, shape):
        self.kernel = self.add_weight("kernel", [int(shape[-1]), 2])
        self.built = True

    def call(self, inputs):
        return tf.matmul(inputs, self.kernel)


def _sequential():
    return keras.Sequential([_layers.Dense(4, input_shape=(3,)), _layers.Dropout(0.5)])


def _unbuilt():
    return keras.Sequential([_layers.Dense(4), _layers.Dense(2)])


def _functional():
    inputs = keras.Input((3,), name="x")
    one = _layers.Dense(4, activation="relu", name="one")(inputs)
    return keras.Model(inputs, [one, _layers.Dense(2, name="two")(one)])


def _compiled():
    model = _sequential()
    model.compile(keras.optimizers.SGD(0.1), "mse", ["mae"])
    return model


def _fitted():
    model = _compiled()
    history = model.fit(tf.zeros([4, 3]), tf.zeros([4, 4]), steps_per_epoch=1, verbose=0)
    return model, history


def _unfitted_subclassed():
    model = Subclassed()
    model.compile("adam", "mse")
    return model


def _keras_optimizer(name):
    def made():
        model = _sequential()
        optimizer = getattr(keras.optimizers, name)()
        model.compile(optimizer, "mse")
        model._make_train_function()
        return optimizer

    return made


_BUILT = {
    "Dense": (lambda: tf.layers.Dense(2, activation=tf.nn.relu), [2, 3]),
    "Conv2D": (lambda: tf.layers.Conv2D(2, 3), [2, 5, 5, 1]),
    "Conv2DTranspose": (lambda: tf.layers.Conv2DTranspose(2, 3), [2, 5, 5, 1]),
    "BatchNormalization": (tf.layers.BatchNormalization, [2, 3]),
    "Dropout": (tf.layers.Dropout, [2, 3]),
    "MaxPooling2D": (lambda: tf.layers.MaxPooling2D(2, 2), [2, 4, 4, 1]),
    "Flatten": (tf.layers.Flatten, [2, 3, 4]),
}

_KERAS = {
    "Dense": (lambda: _layers.Dense(2, kernel_regularizer=keras.regularizers.l2(0.1)), [2, 3]),
    "Conv1D": (lambda: _layers.Conv1D(2, 3), [2, 5, 1]),
    "Conv2D": (lambda: _layers.Conv2D(2, 3), [2, 5, 5, 1]),
    "SeparableConv2D": (lambda: _layers.SeparableConv2D(2, 3), [2, 5, 5, 1]),
    "DepthwiseConv2D": (lambda: _layers.DepthwiseConv2D(3), [2, 5, 5, 1]),
    "BatchNormalization": (_layers.BatchNormalization, [2, 3]),
    "LayerNormalization": (_layers.LayerNormalization, [2, 3]),
    "Activation": (lambda: _layers.Activation("relu"), [2, 3]),
    "LeakyReLU": (_layers.LeakyReLU, [2, 3]),
    "Dropout": (lambda: _layers.Dropout(0.5), [2, 3]),
    "Lambda": (lambda: _layers.Lambda(lambda x: x + 1.0), [2, 3]),
    "Embedding": (lambda: _layers.Embedding(5, 2), [2, 3]),
    "LSTM": (lambda: _layers.LSTM(2, return_state=True), [2, 4, 3]),
    "GRU": (lambda: _layers.GRU(2), [2, 4, 3]),
    "SimpleRNN": (lambda: _layers.SimpleRNN(2), [2, 4, 3]),
    "RNN": (lambda: _layers.RNN(_layers.LSTMCell(2)), [2, 4, 3]),
    "Bidirectional": (lambda: _layers.Bidirectional(_layers.LSTM(2)), [2, 4, 3]),
    "TimeDistributed": (lambda: _layers.TimeDistributed(_layers.Dense(2)), [2, 4, 3]),
    "ConvLSTM2D": (lambda: _layers.ConvLSTM2D(2, 3), [2, 3, 5, 5, 1]),
    "GlobalAveragePooling2D": (_layers.GlobalAveragePooling2D, [2, 4, 4, 1]),
    "UpSampling2D": (_layers.UpSampling2D, [2, 4, 4, 1]),
    "ZeroPadding2D": (_layers.ZeroPadding2D, [2, 4, 4, 1]),
    "Reshape": (lambda: _layers.Reshape([3, 1]), [2, 3]),
}

MADE = {
    "Layer of one's own": _called(Own, [2, 3]),
    "Layer of one's own, unbuilt": Own,
    "Layer of tf.layers, unbuilt": lambda: tf.layers.Dense(2),
    "Layer of tf.keras, unbuilt": lambda: _layers.Dense(2, input_shape=(3,)),
    "LSTM, unbuilt": lambda: _layers.LSTM(2),
    "LSTMCell of tf.keras": lambda: _layers.LSTMCell(2),
    "InputLayer": lambda: _layers.InputLayer((3,)),
    "Input": lambda: keras.Input((3,), name="x"),
    "InputSpec": lambda: tf.layers.InputSpec(ndim=2, axes={-1: 3}),
    "Sequential": _sequential,
    "Sequential, unbuilt": _unbuilt,
    "Sequential, empty": keras.Sequential,
    "Sequential, compiled": _compiled,
    "Sequential, fitted": lambda: _fitted()[0],
    "Model, functional": _functional,
    "Model, subclassed": _called(Subclassed, [2, 3]),
    "Model, subclassed and unbuilt": Subclassed,
    "Model, subclassed and compiled": _unfitted_subclassed,
    "Node": lambda: _functional().layers[1]._inbound_nodes[0],
    "_keras_history": lambda: _functional().outputs[0]._keras_history,
    "History": lambda: _fitted()[1],
    "Callback": keras.callbacks.Callback,
    "ModelCheckpoint": lambda: keras.callbacks.ModelCheckpoint("/tmp/m"),
    "EarlyStopping": keras.callbacks.EarlyStopping,
    "TensorBoard": lambda: keras.callbacks.TensorBoard("/tmp/m"),
    "keras SGD": _keras_optimizer("SGD"),
    "keras Adam": _keras_optimizer("Adam"),
    "keras RMSprop": _keras_optimizer("RMSprop"),
    "keras Adam, unused": lambda: keras.optimizers.Adam(0.01),
    "keras Mean": keras.metrics.Mean,
    "keras Accuracy": keras.metrics.BinaryAccuracy,
    "keras loss": keras.losses.MeanSquaredError,
    "keras initializer": lambda: keras.initializers.RandomNormal(seed=1),
    "keras he_normal": keras.initializers.he_normal,
    "keras regularizer": lambda: keras.regularizers.l1_l2(0.1, 0.2),
    "keras constraint": keras.constraints.MaxNorm,
    "keras Tokenizer": keras.preprocessing.text.Tokenizer,
    "keras ImageDataGenerator": keras.preprocessing.image.ImageDataGenerator,
    "module tf.keras.experimental": lambda: tf.keras.experimental,
    "module tf.keras.backend": lambda: tf.keras.backend,
}
MADE.update({f"layers.{name}": _called(*how) for name, how in _BUILT.items()})
MADE.update({f"keras.{name}": _called(*how) for name, how in _KERAS.items()})
