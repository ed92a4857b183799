"""Code of Keras 1: what Keras 2.2.4 refuses, `doctor` names; what it accepts, `doctor` accepts.

The oracle is Keras 2.2.4 itself, which `run` provides.
"""

import json

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.fixes.keras import keras1, standalone

if compat.is_tf1() or standalone.folder() is None:
    pytest.skip("Keras 2.2.4 is not installed", allow_module_level=True)

HEAD = """\
import numpy as np
from keras import backend as K
from keras.models import Model, Sequential
from keras.layers import *
from keras.layers import Merge, merge
from keras.callbacks import Callback
from keras.engine.topology import Layer
import keras
x, y = np.ones((4, 3)), np.ones((4, 1))
image = K.variable(np.ones((1, 8, 8, 3)))
model = Sequential([Dense(1, input_dim=3)])
model.compile('sgd', 'mse')
"""

#: (what Keras 1 took, the name that doctor gives to it)
REFUSED = [
    (f"import {name.rpartition('.')[0]} as m\nm.{name.rpartition('.')[2]}", name)
    for name in sorted(keras1.NAMES)
] + [
    (f"from {name.rpartition('.')[0]} import {name.rpartition('.')[2]}", name)
    for name in ("keras.regularizers.l1l2", "keras.initializations", "keras.layers.core.Merge")
]
REFUSED += [
    ("import keras.initializations as i\ni.get('uniform')", "keras.initializations"),
    (
        "K.conv2d(image, K.variable(np.ones((3, 3, 3, 2))), border_mode='same')",
        "keras.backend.conv2d(border_mode=)",
    ),
    ("K.pool2d(image, (2, 2), dim_ordering='tf')", "keras.backend.pool2d(dim_ordering=)"),
    ("K.expand_dims(image, dim=1)", "keras.backend.expand_dims(dim=)"),
    ("K.random_normal((2, 3), std=1.0)", "keras.backend.random_normal(std=)"),
    (
        "keras.utils.np_utils.to_categorical([0, 1], nb_classes=2)",
        "keras.utils.np_utils.to_categorical(nb_classes=)",
    ),
    (
        "from keras.preprocessing.image import ImageDataGenerator as G\nG(dim_ordering='tf')",
        "keras.preprocessing.image.ImageDataGenerator(dim_ordering=)",
    ),
    (
        "keras.preprocessing.image.img_to_array(None, dim_ordering='tf')",
        "keras.preprocessing.image.img_to_array(dim_ordering=)",
    ),
    (
        "keras.layers.Reshape(dims=(3, 1), target_shape=(3, 1))",
        "keras.layers.Reshape(dims=)",
    ),
    ("keras.layers.BatchNormalization(mode=2)", "keras.layers.BatchNormalization(mode=)"),
    ("Merge([model, model], mode='concat')", "keras.layers.Merge"),
    ("Merge(mode='concat', layers=[model, model])", "keras.layers.Merge"),
    ("TimeDistributedMerge()", "keras.layers.TimeDistributedMerge"),
    ("model.fit(x, y, show_accuracy=True)", "keras.models.Model.fit(show_accuracy=)"),
    ("model.evaluate(x, y, show_accuracy=True)", "keras.models.Model.evaluate(show_accuracy=)"),
    (
        "model.train_on_batch(x, y, show_accuracy=True)",
        "keras.models.Model.train_on_batch(show_accuracy=)",
    ),
    (
        "model.compile('sgd', 'mse', class_mode='binary')\nmodel.fit(x, y, verbose=0)",
        "keras.models.Model.compile(class_mode=)",
    ),
    ("model.compile('sgd', 'mse', metrics=['precision'])", "keras.metrics.precision"),
    (
        "class C(Callback):\n  def on_epoch_end(self, e, logs):\n    self.params['nb_epoch']\n"
        "model.fit(x, y, callbacks=[C()], verbose=0)",
        "keras.callbacks.Callback.params['nb_epoch']",
    ),
    (
        "class L(Layer):\n  def call(self, x):\n    return K.concatenate([x, x])\n"
        "  def get_output_shape_for(self, s):\n    return s[0], 2 * s[1]\n"
        "Sequential([L(input_shape=(3,)), Dense(1)])",
        "keras.engine.topology.Layer.get_output_shape_for",
    ),
    (
        "class L(LSTM):\n  def build(self, s):\n    super(L, self).build(s)\n"
        "    self.w = self.inner_init((2, 2))\nL(2)(Input((3, 2)))",
        "keras.layers.LSTM.inner_init",
    ),
]

#: Keras 1 called this method; Keras 2 ignores it without a word.
UNCALLED = "class L(GRU):\n  def step(self, x, states):\n    raise ValueError\nL(2)(Input((3, 2)))"

ACCEPTED = {
    "names": "from keras.objectives import mse\nfrom keras.constraints import maxnorm, nonneg\n"
    "from keras.regularizers import l1_l2\nfrom keras.layers.convolutional import Convolution2D\n"
    "from keras.layers import MaxoutDense, Highway, AtrousConvolution2D, Deconvolution2D\n"
    "from keras.engine.topology import Container\nK.image_dim_ordering()",
    "layers": "Convolution2D(4, 3, 3, border_mode='same', dim_ordering='tf', init='uniform')\n"
    "keras.layers.Dense(output_dim=4, W_regularizer='l2', bias=False)\n"
    "keras.layers.LSTM(output_dim=4, inner_init='orthogonal', dropout_W=0.1)\n"
    "keras.layers.BatchNormalization(mode=0, beta_init='zero')\nkeras.layers.Dropout(p=0.5)\n"
    "keras.layers.Reshape(target_shape=(3, 1), input_shape=(3,))",
    "models": "a = Input((3,))\nModel(input=a, output=merge([a, a], mode='concat'))\n"
    "model.fit(x, y, nb_epoch=1, verbose=0)\nMerge(mode='sum')([a, a])",
    "functions": "K.random_normal((2, 3), stddev=1.0)\nK.conv2d(image, "
    "K.variable(np.ones((3, 3, 3, 2))), padding='same')\nkeras.utils.to_categorical([0], "
    "num_classes=2)\nkeras.preprocessing.text.Tokenizer(nb_words=3)",
    "classes": "class C(Callback):\n  def on_epoch_end(self, e, logs):\n    self.params['epochs']\n"
    "class L(Layer):\n  get_config = None\n  def compute_output_shape(self, s):\n    return s\n"
    "  def get_output_shape_for(self, s):\n    return s\n"
    "class R(keras.layers.LSTM):\n  def __init__(self, n):\n    self.output_dim = n\n"
    "    super(R, self).__init__(n)\n  def call(self, x):\n    return self.step(x, [])\n"
    "  def step(self, x, states):\n    return x[:, 0, :self.output_dim]\nR(2)(Input((3, 2)))",
    "what others have": "class Own:\n  def fit(self, nb_epoch, border_mode): pass\n"
    "Own().fit(nb_epoch=3, border_mode=1)\nparams = {'nb_epoch': 3}\nparams['nb_epoch']\n"
    "def to_categorical(nb_classes): pass\nto_categorical(nb_classes=2)",
}


@pytest.fixture(scope="module")
def outcomes(compat_server, tmp_path_factory):
    """[(whether it ran, the error)] of all programs, and the names of all modules of Keras."""
    folder = tmp_path_factory.mktemp("keras1")
    programs = [text for text, _ in REFUSED] + [*ACCEPTED.values(), UNCALLED]
    (folder / "programs.json").write_text(json.dumps([HEAD, programs]))
    (folder / "main.py").write_text(
        "import importlib, json, pkgutil\n"
        "import numpy\n"
        "head, programs = json.load(open('programs.json'))\n"
        "found = []\n"
        "for text in programs:\n"
        "    space = {'__name__': 'program'}\n"
        "    try:\n"
        "        exec(head + text, space)\n"
        "        found.append('')\n"
        "    except Exception as error:\n"
        "        found.append(type(error).__name__ + ': ' + str(error))\n"
        "names = []\n"
        "import keras\n"
        "for _, module, _ in pkgutil.walk_packages(keras.__path__, 'keras.'):\n"
        "    if any(part in module for part in ('theano', 'cntk', 'legacy.models')):\n"
        "        continue\n"
        "    names += [module + '.' + leaf for leaf in dir(importlib.import_module(module))]\n"
        "json.dump([found, names], open('found.json', 'w'))\n"
    )
    done = compat_server.start(folder, ["main.py"], outputs=folder, seconds=300)()
    assert done.code == 0, done.err
    found, names = json.loads((folder / "found.json").read_text())
    return dict(zip(programs, found)), names


def examined(folder, programs):
    """{program: {name: (why, lines)}} of what doctor calls missing in each."""
    from tfgraphtools.compat import doctor

    for number, text in enumerate(programs):
        (folder / f"program{number}.py").write_text(HEAD + text)
    found = {f"program{number}.py": {} for number in range(len(programs))}
    for one in doctor.examine(str(folder)).entries:
        for place in one.places if one.status.status == "missing" else ():
            why, lines = found[place.path].setdefault(one.status.name, (one.status.why, []))
            lines.append(place.line)
    return dict(zip(programs, found.values()))


@pytest.fixture(scope="module")
def missing(tmp_path_factory):
    programs = [text for text, _ in REFUSED] + [*ACCEPTED.values(), UNCALLED]
    return examined(tmp_path_factory.mktemp("doctor"), programs)


@pytest.mark.parametrize("text, name", REFUSED, ids=[name for _, name in REFUSED])
def test_refused(text, name, outcomes, missing):
    assert outcomes[0][text] != ""
    assert set(missing[text]) == {name}
    assert missing[text][name][0].startswith("of Keras 1: ")


@pytest.mark.parametrize("kind", ACCEPTED)
def test_accepted(kind, outcomes, missing):
    assert outcomes[0][ACCEPTED[kind]] == ""
    assert missing[ACCEPTED[kind]] == {}


def test_a_step_that_keras_2_does_not_call_is_named(outcomes, missing):
    assert outcomes[0][UNCALLED] == ""
    assert set(missing[UNCALLED]) == {"keras.layers.GRU.step"}


def test_the_line_is_named(missing):
    found = missing["K.expand_dims(image, dim=1)"]
    line = HEAD.count("\n") + 1
    assert found == {"keras.backend.expand_dims(dim=)": ("of Keras 1: it is axis=", [line])}


def test_no_name_of_keras_is_missing(outcomes):
    from tfgraphtools.compat.doctor import statuses

    names = outcomes[1]
    assert len(names) > 2000
    with compat.activate(running_code=False):
        assert [name for name in names if statuses.of(name) is not None] == []


def test_advice_of_an_error(outcomes):
    for text, name in REFUSED[: len(keras1.NAMES)]:
        assert keras1.advice_on(outcomes[0][text]), name
    error = outcomes[0]["K.expand_dims(image, dim=1)"]
    assert keras1.advice_on(error) is None or "axis=" in keras1.advice_on(error)
    assert keras1.advice_on("TypeError: f() got an unexpected keyword argument 'color'") is None


def test_another_keras_is_not_judged(tmp_path, monkeypatch):
    monkeypatch.setattr(standalone, "folder", lambda: None)
    (found,) = examined(tmp_path, ["K.expand_dims(image, dim=1)"]).values()
    assert not [why for why, _ in found.values() if "Keras 1" in why]
