"""Whole programs: what they print under plain Python once they are upgraded, and what is left."""

import pytest

from tfgraphtools.compat import legacy

TF = "import tensorflow as tf\n"
V1 = "import tensorflow.compat.v1 as tf\n"
INPUT = (
    "def data():\n"
    "    return tf.data.Dataset.from_tensors(({'x': [[1.0], [2.0]]}, [[2.0], [4.0]])).repeat(9)\n"
)
#: A model w * x that learns 2 * x: one step of rate 0.1 from 0 is 0.1 * mean(2 * x * 2x) = 1.
MODEL = (
    "def model(features, labels, mode):\n"
    "    w = tf.compat.v1.get_variable('w', [], initializer=tf.compat.v1.zeros_initializer())\n"
    "    loss = tf.reduce_mean(tf.square(features['x'] * w - labels))\n"
    "    rate = tf.compat.v1.train.GradientDescentOptimizer(0.1)\n"
    "    train = rate.minimize(loss, tf.compat.v1.train.get_global_step())\n"
    "    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)\n"
    "e = tf.estimator.Estimator(model, 'm')\n"
    "e.train(data, steps=1)\n"
    "print(float(e.get_variable_value('w')), tf.executing_eagerly())\n"
)

#: id -> (source, what it prints)
RUN = {
    "estimator-of-code-for-tf2": (
        TF
        + "@tf.function\ndef double(x):\n    return 2 * x\n"
        + INPUT
        + MODEL
        # eager before and after the estimator was loaded
        + "print(double(tf.constant(2)).numpy())\n",
        "1.0 True\n4\n",
    ),
    "estimator-beside-compat-v1": (TF + INPUT + MODEL, "1.0 True\n"),
    "texts-of-hdf5": (
        "import h5py, json\nf = h5py.File('a.h5', 'w')\n"
        "f.attrs['names'] = [b'a', b'b']\nf.attrs['version'] = '2.2.4'\n"
        "f.attrs['config'] = json.dumps({'c': 1}).encode()\n"
        "def names(group):\n    texts = group.attrs['names']\n"
        "    return [n.decode('utf8') for n in texts]\n"
        "config = f.attrs.get('config')\nconfig = json.loads(config.decode('utf-8'))\n"
        "version = f.attrs['version']\nif hasattr(version, 'decode'):\n"
        "    version = version.decode('utf8')\n"
        "keys = ['version']\nprint(f.attrs[keys.pop()].decode('utf8'))\n"
        "print(names(f), f.attrs['version'].decode('utf8'), config, version)\n",
        "2.2.4\n['a', 'b'] 2.2.4 {'c': 1} 2.2.4\n",
    ),
    "compat-v1-of-an-alias-of-it": (
        TF + "tf.compat.v1.disable_eager_execution()\n"
        "x = tf.compat.v1.placeholder(tf.float32, [None, 2])\n"
        "y = tf.compat.v1.layers.dense(x, 1, kernel_initializer=tf.ones_initializer())\n"
        "with tf.compat.v1.Session() as session:\n"
        "    session.run(tf.compat.v1.global_variables_initializer())\n"
        "    print(session.run(y, {x: [[1, 2]]}).tolist())\n",
        "[[3.0]]\n",
    ),
}


@pytest.mark.parametrize("case", RUN)
def test_nothing_is_left_and_it_runs(case, upgraded, tmp_path, this_server):
    source, printed = RUN[case]
    if "estimator" in source and legacy.find() is None:
        pytest.skip("needs the legacy installation")
    new = upgraded(source)
    assert upgraded.report.left == 0
    (tmp_path / "main.py").write_text(new)
    assert this_server.run(tmp_path, "main.py").checked() == printed
    assert upgraded(new) == new


#: id -> (source, the lines that are left, a part of the remedy)
LEFT = {
    "estimator-of-either": (TF + INPUT + "tf.estimator.DNNRegressor\n", [4], "of TF 1: from tf"),
    "a-model-as-yaml": (
        TF + "m = tf.keras.Sequential()\ntf.Session()\nm.to_yaml()\n",
        [4],
        "write to_json()",
    ),
    "of-tf1-or-tf2": (
        TF + "x = tf.compat.v1.placeholder(tf.float32)\ntf.image.resize(x, [2, 2])\n"
        "tf.nn.dropout(x, 0.5)\ntf.nn.dropout(x, rate=0.5)\ntf.losses.mean_squared_error(x, x)\n"
        "tf.compat.v1.image.resize(x, [2, 2])\n",
        [3, 4, 6],
        "write tf.compat.v1.",
    ),
    "of-tf1-by-a-name": (
        TF + "x = tf.compat.v1.placeholder(tf.float32)\ntf.image.resize(x, [2, 2])\ntf.Session\n",
        [],
        "",
    ),
    "batch-of-a-transposed-convolution": (
        TF + "x = tf.placeholder(tf.float32, [None, 4, 4, 3])\nn = tf.shape(x)[0]\nm = 8\n"
        "def deconv(x, shape):\n"
        "    return tf.nn.conv2d_transpose(x, w, shape, [1, 2, 2, 1])\n"
        "tf.nn.conv2d_transpose(x, w, [m, 8, 8, 5], [1, 2, 2, 1])\n"
        "tf.nn.conv2d_transpose(x, w, tf.stack([8, 8, 8, 5]), [1, 2, 2, 1])\n"
        "tf.nn.conv2d_transpose(x, w, output_shape=[n, 8, 8, 5], strides=[1, 2, 2, 1])\n"
        "tf.nn.conv2d_transpose(x, w, tf.stack([tf.shape(x)[0], 8, 8, 5]), [1, 2, 2, 1])\n"
        "y = tf.nn.conv2d_transpose(x, w, [8, 8, 8, 5], [1, 2, 2, 1])\ny.set_shape([8, 8, 8, 5])\n",
        [6, 7, 8],
        "call set_shape(output_shape)",
    ),
    "images-of-bool": (
        TF + "import numpy as np\nfrom skimage import transform\ntf.Session()\n"
        "mask = np.zeros((5, 5), bool)\nimage = np.zeros((5, 5))\n"
        "transform.resize(mask, (3, 3))\ntransform.resize(image, (3, 3))\n"
        "transform.rescale(~(image > 2) & mask, 2)\ntransform.rotate(image.astype(np.bool), 3)\n"
        "transform.warp(mask.astype(float), m)\n"
        "def small(masks, shape, photo):\n"
        "    m = photo.copy()\n"
        "    transform.resize(m, shape)\n"
        "    m = masks[0].astype(bool)\n"
        "    m = m[2:]\n"
        "    m = transform.resize(m, shape, order=1)\n"
        "    transform.resize(m, shape)\n"
        "    transform.resize(masks[:, :, 1], shape)\n"
        "    masks = masks[:3]\n"
        "    transform.resize(masks[0], shape)\n"
        "    mask = photo.copy()\n"
        "    transform.resize(mask, shape)\n",
        [7, 9, 10, 17, 19, 21],
        "anti_aliasing=False",
    ),
    "boosted-trees": (
        TF + "tf.function\ntf.estimator.BoostedTreesClassifier\ntf.estimator.DNNClassifier\n",
        [3],
        "",
    ),
}


@pytest.mark.parametrize("case", LEFT)
def test_what_is_left(case, upgraded):
    source, lines, remedy = LEFT[case]
    upgraded(source)
    unresolved = [finding for _, finding in upgraded.report.unresolved()]
    assert [finding.line for finding in unresolved] == lines
    assert all(remedy in finding.reason for finding in unresolved)


def test_an_installed_package_of_tf1_is_left(upgraded, tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    for name, source in (("old_lib", "tf.placeholder"), ("new_lib", "tf.function")):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(TF + f"x = {source}\n")
    monkeypatch.syspath_prepend(str(folder))
    upgraded({"src/main.py": "import new_lib\nimport old_lib\nold_lib.x, new_lib.x\n"})
    finding = next(one for path, one in upgraded.report.unresolved() if path.endswith("main.py"))
    assert (finding.line, finding.name, finding.fix) == (2, "old_lib", "packages.tf1")


def test_what_an_installed_package_of_tf1_gives_is_left_once(upgraded, tmp_path, monkeypatch):
    """It takes its names from TensorFlow; one of its files imports what only TF 1 had."""
    folder = tmp_path / "site-packages" / "star_lib"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from tensorflow import *\n")
    (folder / "digits.py").write_text(
        "from tensorflow.examples.tutorials.mnist import input_data\n"
    )
    monkeypatch.syspath_prepend(str(folder.parent))
    upgraded({"src/main.py": "import star_lib as tf\ntf.Session()\ntf.train.Saver()\n"})
    (finding,) = (one for path, one in upgraded.report.unresolved() if path.endswith("main.py"))
    assert (finding.line, finding.name, finding.fix) == (1, "star_lib", "packages.tf1")
    assert "star_lib/digits.py needs tensorflow.examples.tutorials.mnist" in finding.reason


def test_an_installed_package_that_this_python_refuses_is_left(upgraded, tmp_path, monkeypatch):
    folder = tmp_path / "site-packages" / "past_lib"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from collections import Mapping\n")
    monkeypatch.syspath_prepend(str(folder.parent))
    upgraded({"src/main.py": TF + "tf.placeholder(tf.float32)\nimport past_lib\n"})
    (finding,) = (one for path, one in upgraded.report.unresolved() if path.endswith("main.py"))
    assert (finding.line, finding.name) == (3, "past_lib")
    assert "collections.Mapping" in finding.reason and "--v1-package" in finding.remedy


def test_a_guarded_estimator_of_code_for_tf2_stays(upgraded):
    source = TF + "tf.function\nif hasattr(tf, 'estimator'):\n    tf.estimator.Estimator\n"
    assert upgraded(source) == source and upgraded.report.left == 0


def test_code_for_tf2_beside_the_estimator_stays(upgraded):
    sources = {
        "main.py": TF + "import numpy as np\ntf.function\nnp.product\n",
        "lib.py": TF + "import numpy as np\ntf.estimator.Estimator\nnp.product\n",
    }
    new = upgraded(sources)
    assert new["main.py"] == sources["main.py"]
    assert "from tfgraphtools.tf1.compat.v2 import estimator\n" in new["lib.py"]
    assert new["lib.py"].endswith("estimator.Estimator\nnp.product\n")


#: How a program starts -> whether upgrade says how TensorFlow is to behave.
STARTS = {
    "@ex.automain\ndef main():\n    tf.Session()\n": True,
    "@ex.main\ndef main():\n    tf.Session()\n": False,
    "def main():\n    tf.Session()\nfire.Fire(main)\n": True,
    "def main():\n    tf.Session()\nsys.exit(main())\n": True,
}


@pytest.mark.parametrize("source", STARTS)
def test_programs_of_other_frameworks_are_programs(source, upgraded):
    new = upgraded(TF + "import sys, fire\nfrom sacred import Experiment as ex\n" + source)
    assert ("disable_v2_behavior()" in new) is STARTS[source]
