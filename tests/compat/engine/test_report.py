"""What ``run --report`` counts: a function that is still there only when it is called as of old.

Each case calls one function as modern code does, and then as old code did: its row
must not be in the report after the first, and must be in it after the second.
"""

import importlib.util
import json

import calls_of_cells
import pytest

from tfgraphtools import compat
from tfgraphtools.compat import legacy
from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.numpy import fourier_transforms
from tfgraphtools.compat.fixes.pictures import seaborn

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

_DEBUG = "tensorflow.python.debug"
_WATCH = "debug.watch_graph(tf.RunOptions(), session.graph, debug_urls='file:///none', {}='a')"
_FREEZE = """
try:
    freeze_graph.freeze_graph('none', '', False, 'none', *'abcdef', {}='')
except (OSError, ValueError):  # there is no such file
    pass
"""
_FREEZE_PROTOS = _FREEZE.replace("freeze_graph(", "freeze_graph_with_def_protos(").replace(
    "'none', '', False", "None, None"
)


def _renamed(call, old, new):
    """Returns a call with the new name of an argument, and with the old one."""
    return call.format(new), call.format(old)


_SKIMAGE = "__import__('skimage.transform').transform"

_LISTS = ("node_name_regex_whitelist", "node_name_regex_allowlist")
_NAMES = ("variable_names_blacklist", "variable_names_denylist")

_LOCKED = """
import asyncio
async def locked(lock):
    {}: pass
asyncio.run(locked(asyncio.Lock()))
"""

#: row -> (the modern call, the old one), with the names of `_DRIVER`.
CASES = {
    f"{_DEBUG}.watch_graph": _renamed(_WATCH, *_LISTS),
    f"{_DEBUG}.lib.debug_utils.watch_graph": _renamed("debug_utils" + _WATCH[5:], *_LISTS),
    f"{_DEBUG}.WatchOptions": _renamed("debug.WatchOptions({}='a')", *_LISTS),
    f"{_DEBUG}.wrappers.framework.WatchOptions": _renamed(
        "framework.WatchOptions({}='a')", *_LISTS
    ),
    **{
        f"skimage.transform.{name}": (
            f"{_SKIMAGE}.{name}(np.ones([4, 4]), {argument})",
            f"{_SKIMAGE}.{name}(np.ones([4, 4], bool), {argument})",
        )
        for name, argument in (("resize", (2, 2)), ("rotate", 30), ("warp", "np.eye(3), order=1"))
    },
    "tensorflow.python.tools.freeze_graph.freeze_graph": _renamed(_FREEZE, *_NAMES),
    "tensorflow.python.tools.freeze_graph.freeze_graph_with_def_protos": _renamed(
        _FREEZE_PROTOS, *_NAMES
    ),
    "tensorflow.image.non_max_suppression_padded": (
        "tf.image.non_max_suppression_padded(table[:, :1] * [[0.0, 0.0, 1.0, 1.0]], x, 2, "
        "pad_to_max_output_size=True, tile_size=8)",
        "tf.image.non_max_suppression_padded([[0.0, 0.0, 1.0, 1.0]], [2.0], 2)",
    ),
    "collections.namedtuple": (
        "collections.namedtuple('Pair', 'a b')(1, 2)._replace(a=3)",
        "collections.namedtuple('Pair', 'a b')(1, 2)._asdict()",
    ),
    "tensorflow.concat": ("tf.concat([x, x], 0)", "tf.concat(0, [x, x])"),
    "tensorflow.split": ("tf.split(x, 2, 0)", "tf.split(split_dim=0, num_split=2, value=x)"),
    "pytest.warns": ("pytest.warns(UserWarning)", "pytest.warns(None)"),
    "pytest.raises": (
        "pytest.raises(ValueError, int, 'x')",
        "pytest.raises(ValueError, message='none')",
    ),
    "pytest.fixture": ("pytest.fixture(scope='module')", "pytest.fixture('module')"),
    **{
        f"pytest.{name}": (
            f"try:\n    pytest.{name}('no')\nexcept BaseException: pass",
            f"try:\n    pytest.{name}(msg='no')\nexcept BaseException: pass",
        )
        for name in ("skip", "fail", "exit")
    },
    **{
        f"tensorflow.{name}": (f"tf.{name}([2])", f"tf.{name}([2], name='z')")
        for name in ("random_uniform", "random.uniform")
    },
    **{
        f"tensorflow.{name}": (
            f"tf.{name}([[1.0]], [[1.0]], 1)",
            f"tf.{name}([[1.0]], [[1.0]], 1, 't')",
        )
        for name in ("tensordot", "linalg.tensordot")
    },
    **{
        f"tensorflow.{name}": (f"tf.{name}([0.0], [1.0], 5)", f"tf.{name}(0.0, 1.0, 5)")
        for name in ("linspace", "lin_space")
    },
    "tensorflow.reverse": ("tf.reverse(x, [0])", "tf.reverse(x, [True])"),
    "tensorflow.image.resize_images": (
        "tf.image.resize_images(pictures, [4, 4])",
        "tf.image.resize_images(pictures, 4, 4)",
    ),
    "tensorflow.cond": (
        "tf.cond(tf.constant(True), lambda: x, lambda: x)",
        "tf.cond(True, lambda: x, lambda: x)",
    ),
    "tensorflow.python.util.tf_inspect.getfullargspec": (
        "from tensorflow.python.util import tf_inspect\ntf_inspect.getfullargspec(shown)",
        "from tensorflow.python.util import tf_inspect\ntf_inspect.getfullargspec(tf.shape)",
    ),
    "tensorflow.type": ("type(1), type(session.run(x))", "type(x) is tf.Tensor"),
    "python.stop_iteration": (
        "def f():\n    yield 1\n    return",
        "def f():\n    yield 1\n    raise StopIteration",
    ),
    "asyncio.Lock": (
        _LOCKED.format("async with lock"),
        _LOCKED.format("with await lock"),
    ),
    "re.split": ("re.split(',', 'a,b')", "re.split(',*', 'ab,c')"),
    "pickle.load": (
        "pickle.load(open('new.pkl', 'rb'))",
        "pickle.load(open('new.pkl'))",
    ),
    "pickle.loads": ("pickle.loads(pickle.dumps(1))", r"pickle.loads(b'U\x01\xe9.')"),
    "pickle.dump": (
        "pickle.dump(1, open('a.pkl', 'wb'))",
        "pickle.dump(1, open('b.pkl', 'w'))",
    ),
    "numpy.array": ("np.array([[1], [2]])", "np.array([[1], [2, 3]])"),
    "numpy.asarray": ("np.asarray([[1], [2]])", "np.asarray([[1], [2, 3]])"),
    "numpy.asanyarray": ("np.asanyarray([[1], [2]])", "np.asanyarray([[1], [2, 3]])"),
    "numpy.save": ("np.save('a', [1, 2])", "np.save('a', [[1], [2, 3]])"),
    "numpy.savez": ("np.savez('a', b=[1, 2])", "np.savez('a', b=[[1], [2, 3]])"),
    "numpy.savez_compressed": (
        "np.savez_compressed('a', [1, 2])",
        "np.savez_compressed('a', [[1], [2, 3]])",
    ),
    "numpy.reshape": ("np.reshape(two, (2, 1))", "np.reshape(two, newshape=(2, 1))"),
    "numpy.unravel_index": (
        "np.unravel_index(1, shape=(2, 2))",
        "np.unravel_index(1, dims=(2, 2))",
    ),
    "numpy.fromstring": ("np.fromstring('1 2', sep=' ')", "np.fromstring(b'12345678', np.uint8)"),
    "numpy.linalg.solve": (
        "np.linalg.solve(np.eye(2), two)",
        "np.linalg.solve(np.stack([np.eye(2)] * 2), np.ones((2, 2)))",
    ),
    "numpy.genfromtxt": (
        "np.genfromtxt('t.csv', names=True), np.genfromtxt('t.csv', dtype=None, encoding='ascii')",
        "np.genfromtxt('t.csv', dtype=None)",
    ),
    "numpy.loadtxt": (
        "np.loadtxt(['1 2'], np.int8), np.loadtxt(['.5'])",
        "np.loadtxt(['.5'], np.int8)",
    ),
    "numpy.load": (
        "np.load('plain.npy'), np.load('both.npz')['plain'], "
        "np.load('objects.npy', allow_pickle=True)",
        "np.load(open('plain.npy'))",
    ),
    "numpy.sum": ("np.sum([1, 2])", "np.sum(i for i in range(3))"),
    "numpy.prod": ("np.prod([1, 2])", "np.prod([x, x])"),
    **{
        f"numpy.{name}": (f"np.{name}([1, 2]), np.{name}(frame, axis=0)", f"np.{name}(frame)")
        for name in ("mean", "std", "var", "max", "min", "amax", "amin")
    },
    **{
        f"numpy.{name}": (f"np.{name}({before}, 1)", f"np.{name}({before}, 300)")
        for name, before in (
            ("fill_diagonal", "np.zeros((2, 2), np.uint8)"),
            ("insert", "np.zeros(2, np.uint8), 0"),
            ("put", "np.zeros(2, np.uint8), [0]"),
            ("putmask", "np.zeros(2, np.uint8), [True, False]"),
            ("place", "np.zeros(2, np.uint8), [True, False]"),
        )
    },
    "numpy.cumsum": ("np.cumsum([1, 2])", "np.cumsum([x, x])"),
    "numpy.cumprod": ("np.cumprod([1, 2])", "np.cumprod([x, x])"),
    "numpy.ravel": ("np.ravel([1, 2])", "np.ravel([x, x])"),
    "numpy.transpose": ("np.transpose([1, 2])", "np.transpose([x, x])"),
    "numpy.r_": ("np.r_[np.ones(2), 3]", "np.r_[np.float16(1), 0.5]"),
    "numpy.c_": ("np.c_[two, two]", "np.c_[np.float16(1), 0.5]"),
    "numpy.result_type": ("np.result_type('f4', 3)", "np.result_type(np.uint8(1), 300)"),
    "numpy.full_like": ("np.full_like(two, 7)", "np.full_like(np.uint8([1]), 300)"),
    "numpy.full": ("np.full(2, 7, np.uint8)", "np.full(2, 300, np.uint8)"),
    "numpy.issubdtype": (
        "np.issubdtype(np.float32, np.floating), np.issubdtype(np.float64, float)",
        "np.issubdtype(np.float32, float)",
    ),
    "numpy.clip": ("np.clip(two, 0, 1)", None),
    "numpy.can_cast": ("np.can_cast(np.int8, np.int16)", "np.can_cast(3, np.int8)"),
    "numpy.histogram2d": (
        "np.histogram2d([1, 2], [1, 2], 2)",
        "np.histogram2d([1, 2], [1, 2], 2, normed=True)",
    ),
    "numpy.histogramdd": (
        "np.histogramdd([[1, 2]], 2)",
        "np.histogramdd([[1, 2]], 2, normed=True)",
    ),
    "numpy.histogram": (
        "np.histogram([1, 2], 2, (0, 3), True)",
        "np.histogram([1, 2], normed=True)",
    ),
    "pandas.read_csv": ("pd.read_csv('t.csv')", "pd.read_csv('t.csv', squeeze=True)"),
    "pandas.read_table": ("pd.read_table('t.csv')", "pd.read_table('t.csv', squeeze=True)"),
    "h5py.File": ("h5py.File('a.h5', 'w').close()", "h5py.File('a.h5').close()"),
    "mock.patch": ("mock.patch('os.getcwd')", "mock.patch('tensorflow.mul')"),
    "unittest.mock.patch": (
        "unittest.mock.patch('os.getcwd')",
        "unittest.mock.patch('tensorflow.mul')",
    ),
    "tensorflow.test.mock.patch": (
        "tf.test.mock.patch('os.getcwd')",
        "tf.test.mock.patch('tensorflow.mul')",
    ),
    "yaml.load": ("yaml.load('a: 1', yaml.FullLoader)", "yaml.load('a: 1')"),
    "matplotlib.use": ("matplotlib.use('Agg')", "matplotlib.use('Agg', warn=False)"),
    "matplotlib.pyplot.switch_backend": (
        "plt.switch_backend('agg')",
        "plt.switch_backend('TkAgg')",
    ),
    "matplotlib.pyplot.show": ("shown(True)", "shown(None)"),
    "matplotlib.pyplot.hist": ("plt.hist([1, 2])", "plt.hist([1, 2], normed=True)"),
    "matplotlib.pyplot.scatter": (
        "plt.scatter([1], [2])",
        "plt.scatter(np.matrix([[1]]), np.matrix([[2]]))",
    ),
    "matplotlib.style.use": ("style.use('ggplot')", "style.use('seaborn-dark')"),
    "sklearn.manifold.TSNE": (
        "manifold.TSNE(max_iter=250, init='pca', learning_rate='auto')",
        "manifold.TSNE(n_iter=250, init='pca', learning_rate=9.0)",
    ),
    "sklearn.preprocessing.OneHotEncoder": (
        "preprocessing.OneHotEncoder()",
        "preprocessing.OneHotEncoder(sparse=False)",
    ),
    "builtins.reduce": ("from functools import reduce\nreduce", "reduce"),
    "builtins.file": ("file = 1\nfile", "file"),
    "collections.Sequence": ("import UserDict, commands, urllib2\nUserDict.UserDict", None),
    "python2.sort_by_cmp": ("sorted(two), np.sort(two, 0)", "sorted([2, 1], cmp)"),
    "python2.print_formatted": ("print('%d' % 1, end='')", "print('%d') % 1"),
    "python2.print_to_file": ("open('p', 'w')", "print >>open('p', 'w'), 1"),
}
for _name in ("add", "math.add"):
    CASES["tensorflow." + _name] = (
        f"tf.{_name}(x, x)",
        "with tf.get_default_graph().gradient_override_map({'Add': 'Identity'}):\n"
        f"    tf.{_name}(x, x)",
    )
for _name, _labels in (("softmax_", "x"), ("sparse_softmax_", "tf.constant(1)"), ("sigmoid_", "x")):
    _name = f"nn.{_name}cross_entropy_with_logits"
    CASES["tensorflow." + _name] = (
        f"tf.{_name}(labels={_labels}, logits=x)",
        f"tf.{_name}(x, {_labels})",
    )
for _name in ("nn.nce_loss", "nn.sampled_softmax_loss"):
    CASES["tensorflow." + _name] = (
        f"tf.{_name}(table, x, labels, inputs, 1, 2)",
        f"tf.{_name}(table, x, inputs, labels, 1, 2)",
    )
for _name in (
    "flip_left_right flip_up_down random_flip_left_right random_flip_up_down rot90 transpose "
    "transpose_image"
).split():
    CASES["tensorflow.image." + _name] = (
        f"tf.image.{_name}(pictures)",
        f"tf.image.{_name}(tf.placeholder(tf.float32))",
    )
for _name, _more in (
    ("encode_png", ""),
    ("random_jpeg_quality", ", 20, 30"),
    ("adjust_jpeg_quality", ", 20"),
):
    CASES["tensorflow.image." + _name] = (
        f"tf.image.{_name}(tf.zeros([4, 4, 3], tf.uint8){_more})",
        f"tf.image.{_name}(tf.placeholder(tf.uint8){_more})",
    )
for _name in ("divide", "math.divide"):
    CASES["tensorflow." + _name] = (f"tf.{_name}(x, 2.0)", f"tf.{_name}(3, 2)")
_LINEAR = (
    "from scipy import integrate, linalg, sparse\nfrom scipy.sparse import linalg as solvers\n"
)
for _name in ("toeplitz", "hankel", "circulant"):
    CASES["scipy.linalg." + _name] = (
        f"{_LINEAR}linalg.{_name}([1, 2])",
        f"{_LINEAR}linalg.{_name}([[1, 2], [3, 4]])",
    )
CASES.update(calls_of_cells.of_scikit_image())
CASES.update(calls_of_cells.of_librosa())
for _name in ("bessel_i0", "bessel_i1"):
    CASES["tensorflow.math." + _name] = (f"tf.math.{_name}e(x)", f"tf.math.{_name}(x)")
CASES["tensorflow.image.per_image_standardization"] = (
    "tf.image.per_image_standardization(pictures[0])",
    "tf.image.per_image_standardization(tf.cast(pictures[0], tf.uint8))",
)
for _module in ("tf.compat", "tf.python.compat.compat"):
    _row = _module.replace("tf", "tensorflow", 1) + ".forward_compat"
    CASES[_row + "ible"] = (
        f"{_module}.forward_compatible(2018, 1, 1)",
        f"{_module}.forward_compatible(2020, 1, 1)",
    )
for _name in "compile match fullmatch search sub subn findall finditer".split():
    _rest = {"compile": "", "sub": ", 'b', 'a'", "subn": ", 'b', 'a'"}.get(_name, ", 'a'")
    CASES["re." + _name] = (
        f"import re\nre.{_name}('(?i)a'{_rest})",
        f"import re\nre.{_name}('a(?i)'{_rest})",
    )
for _name in "bicg bicgstab cg cgs gmres lgmres minres qmr".split():
    _solve = f"from scipy.sparse import linalg\nlinalg.{_name}(np.eye(2), np.ones(2), {{}}=1e-3)"
    CASES["scipy.sparse.linalg." + _name] = (_solve.format("rtol"), _solve.format("tol"))
for _name in ("librosa.get_duration", "librosa.core.get_duration"):
    CASES[_name] = (
        f"import librosa\n{_name}(y=np.zeros(10), sr=10)",
        f"import librosa\n{_name}(np.zeros(10), 10)",
    )
CASES["tensorflow.get_collection_ref"] = (
    "tf.get_collection_ref('of_users')",
    "from tensorflow.python.ops import variable_scope\n"
    "tf.get_collection_ref(variable_scope._VARSCOPE_KEY)",
)
CASES["tensorflow.function"] = (
    "tf.function(lambda: tf.ones([2]))()",
    "v = tf.get_variable('of_function', [1], use_resource=True)\n"
    "def f(): v.assign([1.0])\n"
    "tf.function(f)()",
)
CASES["tensorflow.nn.conv2d"] = (
    "tf.nn.conv2d(tf.ones([1, 1, 1, 1]), tf.ones([1, 1, 1, 1]), 1, 'SAME')",
    "tf.nn.conv2d([[[[1.0]]]], tf.ones([1, 1, 1, 1]), 1, 'SAME')",
)
CASES["scipy.stats.linregress"] = (
    "import scipy.stats\nscipy.stats.linregress(two, two)",
    "import scipy.stats\nscipy.stats.linregress([two, two])",
)
CASES.update(
    (
        f"scipy.optimize.{name}",
        (
            f"import scipy.optimize\nscipy.optimize.{name}({function}, [1.0]{rest})",
            f"import scipy.optimize\nscipy.optimize.{name}({function}, two[:1].astype('f'){rest})",
        ),
    )
    for name, function, rest in [
        ("basinhopping", "lambda x: x @ x", ", 1"),
        ("fmin", "lambda x: x @ x", ", disp=0"),
        ("fmin_bfgs", "lambda x: x @ x", ", disp=0"),
        ("fmin_cg", "lambda x: x @ x", ", disp=0"),
        ("fmin_cobyla", "lambda x: x @ x", ", []"),
        ("fmin_l_bfgs_b", "lambda x: (x @ x, 2 * x)", ""),
        ("fmin_ncg", "lambda x: x @ x", ", lambda x: 2 * x, disp=0"),
        ("fmin_powell", "lambda x: x @ x", ", disp=0"),
        ("fmin_slsqp", "lambda x: x @ x", ", disp=0"),
        ("fmin_tnc", "lambda x: (x @ x, 2 * x)", ", disp=0"),
        ("minimize", "lambda x: x @ x", ""),
    ]
)
for _name, _call in {
    "reduce_logsumexp": "reduce_logsumexp(x{0})",
    "math.reduce_logsumexp": "math.reduce_logsumexp(x{0})",
}.items():
    CASES["tensorflow." + _name] = tuple("tf." + _call.format(one) for one in ("", ", name='n'"))
for _name, _rest in (
    ("nn.top_k", "x, 1, True"),
    ("math.top_k", "x, 1, True"),
):
    CASES["tensorflow." + _name] = (f"tf.{_name}({_rest}, name='n')", f"tf.{_name}({_rest}, 'n')")
CASES["matplotlib.pyplot.gca"] = (
    "import matplotlib.pyplot\nmatplotlib.pyplot.gca()",
    "import matplotlib.pyplot\nmatplotlib.pyplot.gca(projection='polar')",
)
for _name, _rest in (
    *((_one, "") for _one in ("copy", "ndim", "shape", "size", "squeeze")),
    *((_one, ", 0") for _one in ("delete", "expand_dims", "repeat", "take")),
    ("array_split", ", 2"),
):
    CASES["numpy." + _name] = (
        f"np.{_name}(two{_rest})",
        f"np.{_name}([[1], [2, 3]]{_rest})",
    )
for _name in ("linspace", "logspace", "geomspace"):
    CASES["numpy." + _name] = (f"np.{_name}(1, 2, 3)", f"np.{_name}(1, 2, 3.0)")
for _row in fourier_transforms.TABLE.rows:
    _call = _row.name.replace("numpy", "np")
    CASES[_row.name] = (f"{_call}(np.ones((2, 2)))", f"{_call}(np.ones((2, 2), np.float32))")
for _name in (
    "divmod gcd lcm left_shift right_shift bitwise_and bitwise_or bitwise_xor less less_equal "
    "greater greater_equal equal not_equal"
).split():
    CASES["numpy." + _name] = (f"np.{_name}(2, 1)", None)
for _name in ("percentile", "nanpercentile", "quantile", "nanquantile"):
    CASES["numpy." + _name] = (
        f"np.{_name}(two, 0.5, method='lower')",
        f"np.{_name}(two, 0.5, interpolation='lower')",
    )
for _name, _rest in (("argsort", ""), ("argpartition", ", 1"), ("partition", ", 1")):
    CASES["numpy." + _name] = (f"np.{_name}(two > 1{_rest})", f"np.{_name}(two{_rest})")
CASES["numpy.order_of_equals"] = ("two.argsort(kind='stable')", "two.argsort()")
for _name in ("stack", "vstack", "hstack", "dstack", "column_stack", "concatenate"):
    CASES["numpy." + _name] = (f"np.{_name}([two, two])", f"np.{_name}(iter([two, two]))")
for _name in ("dump", "load"):
    _file = ", open('j', 'w')" if _name == "dump" else ""
    _value = "1" if _name == "dump" else "open('1.json')"
    CASES["json." + _name] = (
        f"json.{_name}({_value}{_file})",
        f"json.{_name}({_value}{_file}, encoding='utf-8')",
    )
    CASES[f"json.{_name}s"] = (f"json.{_name}s('1')", f"json.{_name}s('1', encoding='utf-8')")
for _order, _names in seaborn.ORDERS.items():
    for _name in _names.split():
        _y = "None" if _name == "countplot" else "'b'"
        _rest = "frame" if _order.split()[2] == "data" else "None, frame"
        CASES["seaborn." + _name] = (
            f"seaborn.{_name}(data=frame, x='a', y={_y})",
            f"seaborn.{_name}('a', {_y}, {_rest})",
        )

for _name in ("open", "io.open", "codecs.open"):
    CASES[_name if "." in _name else "builtins." + _name] = (
        f"import codecs, io\n{_name}('t.csv', 'r')",
        f"import codecs, io\n{_name}('t.csv', 'rU')",
    )
CASES["os.fdopen"] = tuple(
    f"import os\nos.fdopen(os.open('t.csv', os.O_RDONLY), {mode!r})" for mode in ("r", "rU")
)
for _base, _type in (("Enum", "str, enum.Enum"), ("IntEnum", "enum.IntEnum")):
    _made = f"import enum\nclass A({_type}):\n    B = 1\n"
    _calls = [_made + call for call in ("str(A.B)", "'{}'.format(A.B)")]
    CASES["enum." + _base] = tuple(_calls if _base == "Enum" else reversed(_calls))
for _place, _name in (
    ("contrib.distribute", "AllReduceCrossDeviceOps"),
    ("python.distribute.cross_device_ops", "AllReduceCrossDeviceOps"),
    ("python.distribute.cross_device_ops", "AllReduceCrossTowerOps"),
):
    CASES[f"tensorflow.{_place}.{_name}"] = tuple(
        f"import tensorflow.{_place} as place\nplace.{_name}({values})"
        for values in ("'nccl', 2", "'nccl', 2, 0, 0")
    )
_DRIVER = """
import collections, itertools, json, operator, pickle, pytest, re, sys, traceback
import unittest.mock, warnings
import h5py, matplotlib, mock, numpy as np, pandas as pd, seaborn, tensorflow as tf, yaml
import matplotlib.pyplot as plt
from matplotlib import style
from sklearn import manifold, preprocessing
from tensorflow.python import debug
from tensorflow.python.debug.lib import debug_utils
from tensorflow.python.debug.wrappers import framework
from tensorflow.python.tools import freeze_graph
from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import source
from tfgraphtools.compat.fixes.pictures import matplotlib as windows

warnings.simplefilter("ignore")


def shown(whether):
    windows.show_plots(whether)
    plt.show()
    windows.show_plots(None)


session = tf.Session()
x = tf.constant([1.0, 2.0])
fed = tf.placeholder(tf.float32)
pictures = tf.zeros([1, 2, 2, 1])
table, inputs, labels = tf.ones([2, 2]), tf.ones([1, 2]), tf.constant([[1]])
two = np.array([1, 2])
frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
open("1.json", "w").write("1")
open("t.csv", "w").write("a\\n1\\n")
pickle.dump(1, open("new.pkl", "wb"))
objects = np.array([None, 1])
np.save("plain", two)
np.save("objects", objects)
np.savez("both", plain=two, objects=objects)

found = {}
for row, calls in json.load(open("cases.json")).items():
    found[row] = []
    for call in calls:
        rows.forget_used()
        try:
            names = dict(globals())
            exec(source.code_of(call.encode(), "call.py") if call else "", names)
        except Exception:
            found[row].append(traceback.format_exc())
        else:
            found[row].append(row in [used.name for used in rows.report()])
json.dump(found, open("found.json", "w"))
"""


NEEDED = {row.name for table in rows.tables() for row in table.rows if rows.is_needed(row)}


@pytest.fixture(scope="module")
def found(tmp_path_factory, tf1_run_in):
    """What was reported: {row: [after the modern call, after the old one]}."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "cases.json").write_text(json.dumps(CASES))
    (folder / "driver.py").write_text(_DRIVER)
    done = tf1_run_in(folder, "driver.py", environment={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "found.json").read_text())


@pytest.mark.slow
@pytest.mark.parametrize("row", CASES)
def test_only_the_old_way_is_reported(row, found):
    """An older Python or NumPy, which still takes the old way by itself, reports nothing."""
    if row.startswith("librosa.") and importlib.util.find_spec("librosa") is None:
        pytest.skip("needs librosa")
    if row.startswith("skimage.") and "unexpected keyword" in str(found[row][0]):
        pytest.skip("the modern call is one of a later scikit-image")  # Python 3.10 has 0.25
    assert found[row] == [False, CASES[row][1] is not None and row in NEEDED]


#: Rows whose effect has a cell (`test_rows`, `test_removed`), but of which nobody has written yet
#: when they are reported. The list may only become shorter.
WITHOUT_A_CASE = set(
    """
    numpy.add numpy.arctan2
    numpy.atleast_1d numpy.atleast_2d numpy.atleast_3d numpy.broadcast_arrays numpy.ceil
    numpy.copysign numpy.count_nonzero numpy.divide numpy.fix numpy.floor numpy.floor_divide
    numpy.fmax numpy.fmin numpy.fmod numpy.gradient numpy.heaviside numpy.hypot numpy.logaddexp
    numpy.logaddexp2 numpy.maximum
    numpy.meshgrid numpy.minimum numpy.mod numpy.multiply numpy.nextafter numpy.nonzero
    numpy.power numpy.remainder numpy.subtract numpy.true_divide numpy.trunc numpy.unique
    numpy.where random.betavariate random.gammavariate
    random.randint random.randrange random.sample random.seed random.shuffle
    scipy.stats.mode
    tensorflow.python.framework.test_util.run_in_graph_and_eager_modes
    """.split()
)


def test_every_call_that_is_still_there_has_a_case():
    every = {row.name for table in rows.tables() if table.kind == "calls" for row in table.rows}
    assert sorted(every - set(CASES)) == sorted(WITHOUT_A_CASE)


@pytest.mark.slow
def test_what_contribs_own_modules_use_is_not_reported(plain_python, tmp_path):
    if legacy.find() is None:
        pytest.skip("needs contrib")
    (tmp_path / "script.py").write_text(
        "import tensorflow as tf\n"
        "from tfgraphtools.compat.engine import rows\n"
        "tf.contrib.rnn\n"
        "print([row.name for row in rows.report()])\n"
        "from tensorflow.python.ops import rnn_cell\n"
        "print(rnn_cell.LSTMCell is tf.nn.rnn_cell.LSTMCell)\n"
        "print([row.name for row in rows.report()])\n"
    )
    # A new process: the server of forks has loaded pandas, with tf_keras.
    done = plain_python("-m", "tfgraphtools", "run", "script.py")
    wanted = "[]\nTrue\n['tensorflow.python.ops.rnn_cell.LSTMCell']\n"
    assert done.stdout == wanted, done.stderr
