"""Standalone Keras: Keras 1 and 2 become Keras 2.2.4 or tf_keras, Keras 3 stays."""

import json

import numpy as np
import pytest

from tfgraphtools import errors
from tfgraphtools.compat.fixes.keras import standalone

pytestmark = pytest.mark.quick

#: id -> (source, what is in the result with Keras 2.2.4, what is in it with tf_keras)
OLD = {
    "inner-module": (
        "from keras.layers.core import Dense\nfrom keras.models import Sequential\n\n"
        "Sequential([Dense(1)])\n",
        "from tfgraphtools.tf1.libraries.keras.layers.core import Dense\n"
        "from tfgraphtools.tf1.libraries.keras.models import Sequential\n\n"
        "Sequential([Dense(1)])\n",
        "from tf_keras.layers import Dense\nfrom tf_keras.models import Sequential\n\n"
        "Sequential([Dense(1)])\n",
    ),
    "learning-rate": (
        "from keras.optimizers import SGD\n\nSGD(lr=0.1, momentum=0.9)\n",
        "from tfgraphtools.tf1.libraries.keras.optimizers import SGD\n\n"
        "SGD(lr=0.1, momentum=0.9)\n",
        "from tf_keras.optimizers.legacy import SGD\n\nSGD(learning_rate=0.1, momentum=0.9)\n",
    ),
    "utilities": (
        "from keras.utils import np_utils\n\ny = np_utils.to_categorical(y)\n",
        "from tfgraphtools.tf1.libraries.keras.utils import np_utils\n\n"
        "y = np_utils.to_categorical(y)\n",
        "from tf_keras import utils\n\ny = utils.to_categorical(y)\n",
    ),
    "module": (
        "import keras\n\nmodel = keras.models.Sequential()\nmodel.fit_generator(batches)\n",
        "from tfgraphtools.tf1.libraries import keras\n\n"
        "model = keras.models.Sequential()\nmodel.fit_generator(batches)\n",
        "import tf_keras\n\nmodel = tf_keras.models.Sequential()\nmodel.fit_generator(batches)\n",
    ),
    "alias": (
        "from keras import backend as K\n\nK.set_session(K.get_session())\n",
        "from tfgraphtools.tf1.libraries.keras import backend as K\n\n"
        "K.set_session(K.get_session())\n",
        "from tf_keras",
    ),
    "star": (
        "from keras.objectives import mse\nfrom keras.layers import *\nDense(1)\n",
        "from tfgraphtools.tf1.libraries.keras.layers import *\nDense(1)\n",
        "Dense(1)",
    ),
    "beside-an-unused-tensorflow": (
        "import tensorflow as tf\nfrom keras.layers.core import Dense\nDense(1)\n",
        "from tfgraphtools.tf1.libraries.keras.layers.core import Dense\n",
        "from tf_keras.layers import Dense\n",
    ),
    "shapes-of-nodes": (
        "from keras.models import Model\nModel(x, y).get_output_shape_at(-1)\n",
        "from tfgraphtools.tf1.libraries.keras.models import Model\n",
        "from tf_keras.models import Model\n",
    ),
    "multi-gpu": (
        "from keras.layers.core import Dense\nfrom keras.utils import multi_gpu_model\n",
        "from tfgraphtools.tf1.libraries.keras.utils import multi_gpu_model\n",
        "from tfgraphtools.tf1.keras.utils import multi_gpu_model\n",
    ),
}

NEW = {
    "either": "from keras.layers import Dense\nfrom keras.models import Sequential\n"
    "Sequential([Dense(1)])\n",
    "keras-3": "import keras\nx = keras.ops.zeros([2])\nkeras.optimizers.SGD(learning_rate=0.1)\n",
    "another-rate": "import keras\nschedule(lr=0.1)\n",
}


@pytest.mark.parametrize("keras", ["legacy", "tf_keras"])
@pytest.mark.parametrize("name", OLD)
def test_old_keras(name, keras, upgraded):
    source, *expected = OLD[name]
    new = upgraded(source, keras=keras)
    assert expected[keras == "tf_keras"] in new and "\nimport keras" not in "\n" + new, new
    assert upgraded(new, keras=keras) == new


def test_the_choice_is_explained(upgraded):
    source = OLD["inner-module"][0]
    notes = {}
    for keras, runtime in ((None, True), (None, False), ("tf_keras", True)):
        upgraded(source, keras=keras, runtime=runtime)
        notes[keras, runtime] = upgraded.report.notes
    assert "--keras tf_keras" in notes[None, True][0]
    assert "--keras legacy" in notes[None, False][0]
    assert notes["tf_keras", True] == notes[None, False]


def test_what_may_be_keras_2_or_3(upgraded):
    assert upgraded(NEW["either"]) == NEW["either"]
    assert "--keras legacy says that it is Keras 2" in upgraded.report.notes[0]
    assert "tf1.libraries.keras" in upgraded(NEW["either"], keras="legacy")
    assert "from tf_keras.layers import Dense" in upgraded(NEW["either"], keras="tf_keras")


#: (options of `examine`, what the error says).
MISTAKES = [
    ({"keras": "keras2"}, "'legacy' or 'tf_keras'"),
    ({"keras": "legacy", "runtime": False}, "--no-runtime"),
]


@pytest.mark.parametrize("options, said", MISTAKES)
def test_mistakes(options, said, upgraded):
    with pytest.raises(errors.ArgumentError, match=said):
        upgraded("import keras\n", **options)


@pytest.mark.parametrize("name", NEW)
def test_keras_of_today(name, upgraded):
    assert upgraded(NEW[name]) == NEW[name]


def test_beside_code_of_tf1(upgraded):
    """What could be either is Keras 2, where the code beside it is TF 1's."""
    sources = {"a.py": NEW["either"], "b.py": "import tensorflow as tf\ntf.Session()\n"}
    assert "from tf_keras.layers import Dense" in upgraded(sources, keras="tf_keras")["a.py"]
    assert "libraries.keras.layers import Dense" in upgraded(sources)["a.py"]


def test_a_module_that_code_of_keras_2_imports(upgraded):
    """It is of the same years, and names neither Keras nor TensorFlow."""
    style = "import matplotlib as mpl\n\nmpl.style.use('seaborn-paper')\n"
    train = "from keras.utils import np_utils\n\nimport plots\n"
    sources = {"train.py": train, "plots.py": style, "alone.py": style}
    new = upgraded(sources)
    assert 'use("seaborn-v0_8-paper")' in new["plots.py"] and new["alone.py"] == style


#: What is left of each line, after the upgrade to Keras 2.2.4.
LEFT = {
    "from keras.layers import Dense, LSTM, Input": [],
    "keras.backend.tensorflow_backend.set_session(None)": [],
    "keras.wrappers.scikit_learn.KerasClassifier": [],
    "from keras.engine.topology import Layer, Container": [],
    "from keras.layers import Convolution2D": [],
    "keras.layers.Dens": ["tfgraphtools.tf1.libraries.keras.layers.Dens"],
    "keras.backend.nothing": ["tfgraphtools.tf1.libraries.keras.backend.nothing"],
    "from keras.utils import visualize_utils": [
        "tfgraphtools.tf1.libraries.keras.utils.visualize_utils"
    ],
    "from keras.utils import visualize_util": [],
    "from keras.backend import theano_backend": [
        "tfgraphtools.tf1.libraries.keras.backend.theano_backend"
    ],
    "m.fit(x, nb_epoch=3, show_accuracy=True)": ["keras.models.Model.fit(show_accuracy=)"],
    "keras.models.Sequential().compile('sgd', metrics=['precision'])": ["keras.metrics.precision"],
    "keras.callbacks.EarlyStopping(patienc=1)": ["keras.callbacks.EarlyStopping(patienc=)"],
}


@pytest.mark.parametrize("line", LEFT)
def test_what_keras_2_2_4_has_not_is_left(line, upgraded):
    if standalone.folder() is None:
        pytest.skip("Keras 2.2.4 is not installed: tfgraphtools legacy install")
    upgraded(f"import keras\nfrom keras.layers.core import Dense\nm, x = f()\n{line}\n")
    assert [finding.name for _, finding in upgraded.report.unresolved()] == LEFT[line]


@pytest.mark.slow
def test_a_module_of_keras_1_alone_is_there(upgraded, this_server, tmp_path):
    if standalone.folder() is None:
        pytest.skip("Keras 2.2.4 is not installed: tfgraphtools legacy install")
    style = "from keras.layers.core import Dense\n"
    text = upgraded("import keras\n" + style + "from keras.utils import visualize_util\n")
    text += "from tfgraphtools.tf1.libraries.keras.utils.visualize_util import plot\n"
    text += "print(visualize_util.plot is plot, plot.__name__)\n"
    (tmp_path / "t.py").write_text(text)
    assert this_server.run(tmp_path, "t.py").checked() == "True plot_model\n"


def test_keras_that_is_not_installed_was_not_looked_at(upgraded, monkeypatch, tmp_path):
    monkeypatch.setenv("TFGRAPHTOOLS_CACHE", str(tmp_path))
    upgraded(OLD["inner-module"][0])
    (finding,) = [finding for _, finding in upgraded.report.unresolved()]
    assert finding.status == "not looked at" and "legacy install" in finding.remedy


PROGRAM = """\
import json
import keras
import numpy as np
from keras import backend as K
from keras.layers.core import Dense
from keras.layers import *
from keras.models import Sequential

x = np.linspace(-3, 3, 6).reshape(1, 3, 2)
facts = {}
for cell in (LSTM, GRU):
    model = Sequential([cell(1, input_shape=(3, 2), name="cell")])
    model.set_weights([np.full(one.shape, 0.5) for one in model.get_weights()])
    shapes = [list(one.shape) for one in model.get_weights()]
    facts[cell.__name__] = [shapes, model.predict(x).item()]
for name in ("Adadelta", "Adagrad", "Adamax", "Nadam"):
    facts[name] = float(K.get_value(getattr(keras.optimizers, name)().lr))
K.clear_session()
model = Sequential([Dense(1, input_dim=2, W_regularizer=keras.regularizers.l2(0.1)), Dense(1)])
model.compile("sgd", "mse", metrics=["accuracy"])
facts["layers"] = [layer.name for layer in model.layers]
ones = np.ones((2, 2))
facts["history"] = sorted(model.fit(ones, np.ones((2, 1)), nb_epoch=1, verbose=0).history)
model.save("model.h5")
again = keras.models.load_model("model.h5")
facts["loaded"] = bool(np.array_equal(again.predict(ones), model.predict(ones)))
import keras.wrappers.scikit_learn
facts["wrapper"] = keras.wrappers.scikit_learn.KerasClassifier.__name__
facts["name"] = keras.__name__
print(json.dumps(facts))
"""


def _hard_sigmoid(x):
    return np.clip(0.2 * x + 0.5, 0, 1)


def _lstm(inputs, state, memory):
    gate = _hard_sigmoid(0.5 * (inputs.sum() + state + 1))
    memory = gate * memory + gate * np.tanh(0.5 * (inputs.sum() + state + 1))
    return gate * np.tanh(memory), memory


def _gru(inputs, state, _):
    gate = _hard_sigmoid(0.5 * (inputs.sum() + state + 1))
    new = np.tanh(0.5 * (inputs.sum() + gate * state + 1))
    return gate * state + (1 - gate) * new, None


def test_numbers_and_names_of_keras_2_2_4(upgraded, tmp_path, compat_server):
    """Expected: the equations of the cells in NumPy, and the documentation of Keras 2.2.4."""
    if standalone.folder() is None:
        pytest.skip("Keras 2.2.4 is not installed: tfgraphtools legacy install")
    new = upgraded(PROGRAM)
    assert not upgraded.report.unresolved()
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "main.py").write_text(new)
    facts = json.loads(compat_server.run_python(folder, "main.py").checked())
    for name, step, gates in (("LSTM", _lstm, 4), ("GRU", _gru, 3)):
        state = memory = 0.0
        for inputs in np.linspace(-3, 3, 6).reshape(3, 2):
            state, memory = step(inputs, state, memory)
        shapes, output = facts[name]
        assert shapes == [[2, gates], [1, gates], [gates]]
        np.testing.assert_allclose(output, state, rtol=1e-5, err_msg=name)
    rates = [facts[name] for name in ("Adadelta", "Adagrad", "Adamax", "Nadam")]
    np.testing.assert_allclose(rates, [1.0, 0.01, 0.002, 0.002], rtol=1e-6)
    assert facts["layers"] == ["dense_1", "dense_2"] and facts["history"] == ["acc", "loss"]
    assert facts["loaded"] and facts["wrapper"] == "KerasClassifier"
    assert facts["name"] == "keras"
