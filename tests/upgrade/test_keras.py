"""Files that import Keras and no TensorFlow: Keras 1 and 2 become tf_keras, Keras 3 stays."""

import pytest

pytestmark = pytest.mark.quick

#: id -> (source, what is in the result)
OLD = {
    "inner-module": (
        "from keras.layers.core import Dense\nfrom keras.models import Sequential\n\n"
        "Sequential([Dense(1)])\n",
        "from tf_keras.layers import Dense\nfrom tf_keras.models import Sequential\n\n"
        "Sequential([Dense(1)])\n",
    ),
    "learning-rate": (
        "from keras.optimizers import SGD\n\nSGD(lr=0.1, momentum=0.9)\n",
        "from tf_keras.optimizers.legacy import SGD\n\nSGD(learning_rate=0.1, momentum=0.9)\n",
    ),
    "utilities": (
        "from keras.utils import np_utils\n\ny = np_utils.to_categorical(y)\n",
        "from tf_keras import utils\n\ny = utils.to_categorical(y)\n",
    ),
    "module": (
        "import keras\n\nmodel = keras.models.Sequential()\nmodel.fit_generator(batches)\n",
        "import tf_keras\n\nmodel = tf_keras.models.Sequential()\nmodel.fit_generator(batches)\n",
    ),
    "alias": (
        "from keras import backend as K\n\nK.set_session(K.get_session())\n",
        "from tf_keras",
    ),
}

NEW = {
    "either": "from keras.layers import Dense\nfrom keras.models import Sequential\n"
    "Sequential([Dense(1)])\n",
    "keras-3": "import keras\nx = keras.ops.zeros([2])\nkeras.optimizers.SGD(learning_rate=0.1)\n",
    "another-rate": "import keras\nschedule(lr=0.1)\n",
}


@pytest.mark.parametrize("name", OLD)
def test_old_keras(name, upgraded):
    source, expected = OLD[name]
    new = upgraded(source)
    assert expected in new and "import keras" not in new, new
    assert upgraded(new) == new


@pytest.mark.parametrize("name", NEW)
def test_keras_of_today(name, upgraded):
    assert upgraded(NEW[name]) == NEW[name]


def test_beside_code_of_tf1(upgraded):
    """What could be either is Keras 2, where the code beside it is TF 1's."""
    sources = {"a.py": NEW["either"], "b.py": "import tensorflow as tf\ntf.Session()\n"}
    assert "from tf_keras.layers import Dense" in upgraded(sources)["a.py"]
