"""Calls that libraries took in TF 1's time: each upgraded call runs, and gives what it gave."""

import ast
import json
import os
import subprocess
import sys

import pytest

HEAD = """import pickle, random
import h5py, matplotlib, scipy.stats, skimage.measure, skimage.transform, yaml
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf
from mpl_toolkits.mplot3d import Axes3D
from scipy import stats
tf.Session()
fig = plt.figure()
"""

#: Call -> what it is to give, by the documentation of the libraries of that time.
RUNS = {
    "yaml.load('a: [1]')": "{'a': [1]}",
    "random.sample({7}, 1)": "[7]",
    "random.sample(set([7]), 1)": "[7]",
    "random.shuffle([1], random.random)": "None",
    "random.shuffle([1], random=lambda: 0.5)": "None",
    "np.fromstring(b'abc', dtype=np.uint8).tolist()": "[97, 98, 99]",
    "np.issubdtype(np.float32, float)": "True",
    "np.vstack([i, i] for i in range(2)).tolist()": "[[0, 0], [1, 1]]",
    "np.stack((i for i in range(2)), axis=0).tolist()": "[0, 1]",
    "np.hstack(([i] for i in range(2))).tolist()": "[0, 1]",
    "np.dstack(map(list, [[1], [2]])).tolist()": "[[[1, 2]]]",
    "int(np.sum(map(int, '12')))": "3",
    "int(np.sum(int(i) for i in '12'))": "3",
    "np.sum(np.ones(2) for _ in range(3)).tolist()": "[3.0, 3.0]",
    "np.vstack(np.float(i) for i in range(2)).tolist()": "[[0.0], [1.0]]",
    "np.linspace(0, 1, np.float(4) / 2).tolist()": "[0.0, 1.0]",
    "float(np.min(1e-2, np.sqrt(0.5)))": "0.01",
    "stats.mode([1, 1, 2])[0][0].item()": "1",
    "scipy.stats.mode([[1, 2], [1, 3]]).mode.tolist()": "[[1, 2]]",
    "skimage.transform.rescale(np.ones((2, 2, 3)), 2, multichannel=True).shape": "(4, 4, 3)",
    "skimage.measure.label(np.eye(2), neighbors=8).max().item()": "1",
    "skimage.measure.label(np.eye(2), neighbors=4).max().item()": "2",
    "plt.gca(projection='3d').name": "'3d'",
    "Axes3D(fig) in fig.axes": "True",
    "matplotlib.RcParams({'pgf.preamble': ['a', 'b']})['pgf.preamble']": "'a\\nb'",
    "tf.image.resize_images(tf.zeros([1, 2, 2, 1]), 4, 6).shape.as_list()": "[1, 4, 6, 1]",
    "tf.nn.top_k([1.0, 2.0], 1, True, 'best').values.op.name": "'best'",
}

#: Calls of today, which stay.
STAYS = [
    "yaml.load('a', Loader=yaml.SafeLoader)",
    "h5py.File('a', 'r')",
    "random.sample([7], 1)",
    "random.shuffle([1])",
    "np.fromstring('1 2', sep=' ')",
    "np.issubdtype(x, np.floating)",
    "np.vstack([x for x in y])",
    "np.sum(x, 0)",
    "np.min(x, axis)",
    "stats.mode([1], keepdims=True)",
    "skimage.transform.rescale(x, 2, channel_axis=-1)",
    "plt.gca()",
    "fig.gca()",
    "plt.scatter(x, y)",
    "fig.add_axes(Axes3D(fig))",
    "matplotlib.rcParams.update({'pgf.preamble': 'a', 'font.serif': []})",
    "tf.image.resize_images(x, [3, 4])",
    "tf.image.resize_images(x, size, tf.image.ResizeMethod.BILINEAR)",
    "tf.nn.nce_loss(w, b, labels, inputs, 3, 4)",
]

#: Calls that are listed, as the source cannot say what was meant.
LEFT = ["fig.gca(projection='3d')", "Axes3D(plt.figure())"]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    from tfgraphtools import upgrade

    for module in ("h5py", "matplotlib", "scipy", "skimage", "yaml"):
        pytest.importorskip(module)
    path = tmp_path_factory.mktemp("calls") / "main.py"
    lines = "".join(f"def f{number}():\n    return {call}\n" for number, call in enumerate(RUNS))
    path.write_text(HEAD + lines)
    report = upgrade.examine([str(path)])
    assert report.left == 0
    ending = f"""
import json
def result(function):
    try:
        return repr(function())
    except Exception as error:
        return repr(error)
print("\\n" + json.dumps([result(globals()["f%d" % number]) for number in range({len(RUNS)})]))
"""
    path.write_text(report.files[0].new + ending)
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3")
    out = subprocess.check_output([sys.executable, str(path)], env=environment, text=True)
    return dict(zip(RUNS, json.loads(out.splitlines()[-1])))


@pytest.mark.parametrize("call", RUNS)
def test_it_gives_what_it_gave(call, results):
    assert results[call] == RUNS[call]


@pytest.mark.parametrize("call", RUNS)
def test_it_is_changed_once(call, upgraded):
    new = upgraded(HEAD + call + "\n")
    ast.parse(new)
    assert new.splitlines()[-1] != call
    assert upgraded(new) == new


@pytest.mark.parametrize("call", STAYS)
def test_calls_of_today_stay(call, upgraded):
    assert upgraded(HEAD + call + "\n").splitlines()[-1] == call
    assert upgraded.report.left == 0


@pytest.mark.parametrize("call", LEFT)
def test_what_is_left(call, upgraded):
    assert upgraded(HEAD + call + "\n").splitlines()[-1] == call
    assert [finding.line for _, finding in upgraded.report.unresolved()] == [HEAD.count("\n") + 1]


def test_the_lines_of_a_preamble_are_joined_where_it_is_set(upgraded):
    line = "matplotlib.rcParams['text.latex.preamble'] = ['a', 'b']"
    new = upgraded(HEAD + line + "\n")
    assert new.splitlines()[-1] == line.replace("['a', 'b']", "\"\\n\".join(['a', 'b'])")
    assert upgraded(new) == new


def test_columns_of_matrices_are_plotted(upgraded):
    """The matrix is made in another file."""
    sources = {"data.py": "import numpy as np\nx = np.matrix('1 2')\n", "main.py": HEAD + SCATTER}
    assert "libraries.matplotlib.pyplot.scatter(x[:, 0])" in upgraded(sources)["main.py"]


SCATTER = "from data import x\nplt.scatter(x[:, 0])\n"
