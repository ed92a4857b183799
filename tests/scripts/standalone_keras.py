# %% keras.standalone tensorflow.python.framework.ops._TensorLike [needs: keras-2.2.4]
import numpy as np
from keras import backend as K
from keras.engine import Layer
from keras.engine.topology import InputSpec
from keras.layers import GRU, LSTM, Dense, Input
from keras.models import Model, Sequential
from keras.optimizers import SGD, Adadelta, Adam, RMSprop
import keras
import tensorflow as tf
print(keras.__version__, K.backend(), K.get_session() is not None)
x = np.sin(np.arange(64 * 8)).reshape(64, 8)
y = (x[:, :1] > 0).astype("float32")
print([round(float(K.get_value(Adam(lr=0.01).lr)), 6), Adam(lr=0.01).get_config()["amsgrad"]])  # its steps race with themselves in Keras 2.2.4
for optimizer in (SGD(lr=0.1, momentum=0.9, nesterov=True), RMSprop(lr=0.01), Adadelta(), "adagrad"):
    model = Sequential([Dense(1, input_dim=8, activation="sigmoid", init="one")])
    model.compile(loss="binary_crossentropy", optimizer=optimizer, metrics=["accuracy"])
    history = model.fit(x, y, nb_epoch=2, batch_size=16, verbose=0, shuffle=False).history
    print(sorted(history), [round(float(value), 5) for value in history["loss"]], model.get_weights()[0].ravel()[:3])
    print(model.predict_classes(x[:5]).ravel(), model.predict_proba(x[:2]).ravel())
steps = np.sin(np.arange(4 * 5 * 3)).reshape(4, 5, 3)
for cell in (LSTM, GRU):
    given = Input((5, 3))
    made = cell(4, kernel_initializer="ones", recurrent_initializer="ones", return_sequences=True)(given)
    print(cell.__name__, Model(given, made).predict(steps)[0, :, 0])

class Mine(Layer):
    def build(self, shape):
        self.w = self.add_weight(name="w", shape=(shape[1], 2), initializer="ones", trainable=True)
        super(Mine, self).build(shape)
    def call(self, x):
        return K.dot(x, self.w)
    def compute_output_shape(self, shape):
        return (shape[0], 2)

model = Sequential([Mine(input_shape=(3,))])
model.compile("sgd", "mse")
print(model.predict(np.ones((2, 3))), len(model.get_config()), isinstance(model.layers[0].w, tf.Variable))

# %% h5py.strings keras.standalone [needs: keras-2.2.4]
import h5py
import numpy as np
import keras
from keras.callbacks import EarlyStopping, ModelCheckpoint
from keras.layers import BatchNormalization, Conv2D, Dense, Dropout, Flatten, MaxPooling2D
from keras.preprocessing.image import ImageDataGenerator
from keras.preprocessing.sequence import pad_sequences
from keras.preprocessing.text import Tokenizer
from keras.utils import np_utils, to_categorical
model = keras.models.Sequential([Conv2D(4, (3, 3), input_shape=(8, 8, 1), kernel_initializer="ones"), MaxPooling2D(), Flatten(), Dropout(0.5), Dense(3, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
images = np.ones((8, 8, 8, 1))
model.fit(images, np_utils.to_categorical([0, 1, 2, 0, 1, 2, 0, 1]), verbose=0)
model.save("m.h5")
with h5py.File("m.h5", "r") as file:
    print(file.attrs["keras_version"].decode("utf8"), [name.decode() for name in file["model_weights"].attrs["layer_names"]])
again = keras.models.load_model("m.h5")
print(np.allclose(model.predict(images), again.predict(images)), len(again.to_json()))
model.save_weights("w.h5")
again.load_weights("w.h5")
frozen = keras.models.Sequential([BatchNormalization(trainable=False, input_shape=(2,))])
frozen.compile("sgd", "mse")
frozen.fit(np.array([[1.0, 2.0], [3.0, 5.0]]), np.zeros((2, 2)), verbose=0)
print([w.tolist() for w in frozen.get_weights()])
def batches():
    while True:
        yield np.ones((4, 2)), np.ones((4, 1))
linear = keras.models.Sequential([Dense(1, input_dim=2, kernel_initializer="ones")])
linear.compile("sgd", "mse")
history = linear.fit_generator(batches(), 3, epochs=2, verbose=0, callbacks=[EarlyStopping("loss"), ModelCheckpoint("c.h5", monitor="loss")])
print([round(value, 5) for value in history.history["loss"]])
words = Tokenizer(num_words=5)
words.fit_on_texts(["a net", "a loss"])
print(words.texts_to_sequences(["a loss"]), pad_sequences([[1], [1, 2]]).tolist())
print(next(ImageDataGenerator(horizontal_flip=True).flow(images, np.arange(8), batch_size=2))[0].shape, to_categorical([0, 2]).tolist())

# %% h5py.strings [fails-not: str for bytes, and bytes for str]
import h5py
import numpy as np
text = h5py.special_dtype(vlen=str)
with h5py.File("x.h5", "w") as file:
    file.attrs["bytes"], file.attrs["text"], file.attrs["number"] = b"one", "two", 3
    file.attrs["list"] = [b"x", b"yy"]
    file.attrs["fixed"] = np.array([b"q"])
    file.create_dataset("texts", data=np.array(["a", "bc"], dtype=object), dtype=text)
    file.create_dataset("bytes", data=np.array([b"a", b"bc"], dtype=object), dtype=h5py.special_dtype(vlen=bytes))
    file.create_dataset("one", data="scalar")
    file["listed"] = [b"a", b"bc"]
with h5py.File("x.h5", "r") as file:
    for name in sorted(file.attrs):
        value = file.attrs[name]
        print(name, type(value).__name__, getattr(value, "dtype", None), np.asarray(value).tolist())
    print(dict(file.attrs.items())["bytes"], file.attrs.get("none"))
    for name in sorted(file):
        data = file[name]
        print(name, data.dtype, np.array(data).tolist(), [one for one in data.value.tolist()] if data.shape else data.value)

# %% keras.names_before_2.2 [needs: keras-2.2.4] [not-on-1.15: Keras 2.2 dropped them]
import numpy as np
import tensorflow as tf
from keras.engine.topology import Container, load_weights_from_hdf5_group_by_name
from keras.layers import Dense, Input, Merge, merge
from keras.layers.merge import concatenate
from keras.models import Model
from keras.utils.conv_utils import normalize_data_format
a, b = Input((2,)), Input((2,))
x = np.array([[1.0, 2.0]]), np.array([[3.0, 5.0]])
for mode in ("sum", "mul", "ave", "max", "concat"):
    layer = Merge(mode=mode)
    print(layer.name, Model([a, b], layer([a, b])).predict(list(x)).tolist())
print(Model([a, b], merge([a, b], mode="concat", concat_axis=1, name="both")).layers[-1].name)
print(Model([a, b], merge([a, b], mode=lambda t: t[0] - t[1], output_shape=(2,))).predict(list(x)).tolist())
c, d = Input((2, 3)), Input((2, 3))
y = np.arange(6.).reshape(1, 2, 3), np.arange(6.).reshape(1, 2, 3) + 1
print(Model([a, b], merge([a, b], mode="dot", dot_axes=1)).predict(list(x)).tolist())
print(Model([c, d], merge([c, d], mode="dot", dot_axes=2)).predict(list(y)).tolist())
print(isinstance(Model(a, a), Container), normalize_data_format(None))
#> merge_1 [[4.0, 7.0]]
#> merge_2 [[3.0, 10.0]]
#> merge_3 [[2.0, 3.5]]
#> merge_4 [[3.0, 5.0]]
#> merge_5 [[1.0, 2.0, 3.0, 5.0]]
#> both
#> [[-2.0, -3.0]]
#> [[13.0]]
#> [[[8.0, 17.0], [26.0, 62.0]]]
#> True channels_last

# %% keras.standalone [needs: keras-2.2.4 sklearn]
import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import SGD
from keras.wrappers.scikit_learn import KerasClassifier, KerasRegressor
from sklearn.base import is_classifier, is_regressor
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

def network():
    model = Sequential([Dense(1, input_dim=2, kernel_initializer="ones")])
    model.compile(SGD(lr=0.0), "mse", metrics=["accuracy"])
    return model

x = np.arange(18.0).reshape(9, 2) / 18 - 0.5
y = np.repeat([0, 1], [5, 4])
classifier = KerasClassifier(build_fn=network, epochs=1, verbose=0)
print(is_classifier(classifier), is_regressor(classifier), cross_val_score(classifier, x, y, cv=3))
regressor = Pipeline([("scale", StandardScaler()), ("net", KerasRegressor(build_fn=network, epochs=1, verbose=0))])
print(regressor.fit(x, y).predict(x)[:4])

# %% keras.names_before_2.2 [needs: keras-2.2.4] [not-on-1.15: Keras 2 dropped them]
import numpy as np
from keras.engine.training import slice_X
from keras.layers.core import Dense, TimeDistributedDense
from keras.layers import TimeDistributedDense as again
from keras.models import Sequential
from keras.utils.visualize_util import model_to_dot, plot
import keras.utils.visualize_util as visualize
from keras.utils import vis_utils
x, y = np.arange(12.).reshape(6, 2), np.arange(6)
print(slice_X(x, 4).tolist(), [part.tolist() for part in slice_X([x, y], 1, 2)], slice_X(y, [0, 3]).tolist())
print(plot is vis_utils.plot_model is visualize.plot, model_to_dot is vis_utils.model_to_dot)
model = Sequential([TimeDistributedDense(2, "one", input_dim=3, input_length=4), again(1, init="one", activation="relu")])
print(model.output_shape, model.predict(np.ones((2, 4, 3))).ravel().tolist())
model.compile("sgd", "mse")
model.fit(np.ones((2, 4, 3)), np.zeros((2, 4, 1)), nb_epoch=1, verbose=0)
print(Sequential.from_config(model.get_config()).output_shape)
#> [[8.0, 9.0], [10.0, 11.0]] [[[2.0, 3.0]], [1]] [0, 3]
#> True True
#> (None, 4, 1) [6.0, 6.0, 6.0, 6.0, 6.0, 6.0, 6.0, 6.0]
#> (None, 4, 1)
