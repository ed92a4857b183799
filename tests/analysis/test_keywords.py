"""Keyword arguments that nothing takes today: the oracle for small libraries is the call itself."""

import ast
import importlib
import importlib.util

import pytest

from tfgraphtools.analysis import installed, keywords, library_sources

pytestmark = pytest.mark.quick

#: Call -> the keywords that are refused; None for what may take any.
CALLED = {
    "numpy.zeros(3, shap=1)": ["shap"],
    "numpy.zeros(3, dtype=int)": [],
    "numpy.mean([1.0], axs=0)": ["axs"],
    "numpy.mean([1.0], axis=0, keepdims=True)": [],
    "numpy.add(1, 2, dtype=int)": [],
    "numpy.unravel_index(3, dims=3)": ["dims"],
    "numpy.array([1], copy=True)": [],
    "pandas.DataFrame(data=[1], nope=2)": ["nope"],
    "pandas.DataFrame(data=[1], columns=['a'])": [],
    "pandas.concat(objs=[pandas.Series([1])], join_axes=3)": ["join_axes"],
    "collections.namedtuple('a', 'b', verbose=True)": ["verbose"],
    "collections.OrderedDict(a=1)": [],
    "json.dumps(1, indent=1)": [],
    "datetime.datetime(2020, 1, day=1)": [],
    "subprocess.list2cmdline(seq=[])": [],
    "scipy.stats.norm.cdf(0, loc=2)": [],
    "scipy.sparse.linalg.LinearOperator((1, 1), matvec=abs)": [],
}

#: The same, of libraries that take seconds to import.
READ = {
    "tensorflow.compat.v1.zeros(shape=[2], dtyp=1)": [],
    "tensorflow.compat.v1.placeholder(dtype=1, nam=3)": ["nam"],
    "tensorflow.compat.v1.concat(concat_dim=1, values=2)": ["concat_dim"],
    "tensorflow.compat.v1.nn.dropout(x, keep_prob=1, rate=2, rat=3)": ["rat"],
    "tensorflow.compat.v1.Variable(1, experimental_enable_variable_lifting=True)": [],
    "tensorflow.compat.v1.train.AdamOptimizer(learning_rate=1, lr=2)": ["lr"],
    "tensorflow.compat.v1.train.Saver(max_to_keep=3, nope=1)": ["nope"],
    "tensorflow.compat.v1.layers.dense(x, units=3, nope=3)": ["nope"],
    "tf_keras.layers.Dense(units=3, output_dim=3, input_shape=[3], name='a')": ["output_dim"],
    "tf_keras.layers.Conv2D(3, 3, border_mode='same', weights=[])": ["border_mode"],
    "tf_keras.optimizers.Adam(lr=1)": [],
    "tf_keras.callbacks.CallbackList(verbose=1, epochs=2)": [],
    "keras.layers.Dense(units=3, output_dim=3, input_shape=[3])": ["output_dim"],
    "keras.layers.Dense(3, batch_input_shape=[3], weights=[], activity_regularizer='l2')": [
        "batch_input_shape",
        "weights",
    ],
    "not_installed.function(a=1)": [],
}


#: Call -> how many arguments by position are taken where it passes more; None where it may.
BY_POSITION = {
    "numpy.zeros(1, int, 'C')": None,
    "numpy.mean([1.0], 0, None, None, False)": None,
    "numpy.add(1, 2, None)": None,
    "numpy.linspace(0, 1, 3, True, False, None, 0)": None,
    "pandas.concat([pandas.Series([1])], 0)": 1,
    "pandas.DataFrame([1], None, ['a'], None, None)": None,
    "json.dumps(1, True)": 1,
    "glob.glob('x', 3)": 1,
    "textwrap.TextWrapper(70, '', '', True, True, True, False, True, True, True, 8)": 10,
    "itertools.chain([], [], [])": None,
    "collections.namedtuple('a', 'b', False)": 2,
}

#: The same, of libraries that take seconds to import.
READ_BY_POSITION = {
    "tensorflow.compat.v1.placeholder(1, 2, 'a')": None,
    "tensorflow.compat.v1.placeholder(1, 2, 'a', 3)": 3,
    "tensorflow.compat.v1.placeholder(*x)": None,
    "tensorflow.compat.v1.train.GradientDescentOptimizer(1, True, 'sgd')": None,
    "tensorflow.compat.v1.train.GradientDescentOptimizer(1, True, 'sgd', 4)": 3,
    "tf_keras.layers.Dense(3, 'relu')": None,
    "tf_keras.callbacks.History(1)": 0,
    "librosa.load('x', 16000, True)": 1,
    "librosa.power_to_db(x, 1.0)": 1,
    "not_installed.function(1, 2)": None,
}


def _asked(function, source):
    call = ast.parse(source, mode="eval").body
    libraries = installed.Libraries(True, ["scipy.sparse.linalg", "scipy.stats"])
    return function(call, ast.unparse(call.func), libraries)


def _refused(source):
    return _asked(keywords.refused, source)


@pytest.mark.parametrize("source", BY_POSITION)
def test_places_as_python_counts_them(source):
    pytest.importorskip(source.partition(".")[0])
    root = source.partition(".")[0]
    names = {root: importlib.import_module(root)}
    assert _asked(keywords.places_taken, source) == BY_POSITION[source]
    if BY_POSITION[source] is None:
        eval(source, names)
    else:
        with pytest.raises(TypeError, match="positional"):
            eval(source, names)


@pytest.mark.parametrize("source", READ_BY_POSITION)
def test_places_read_from_the_source(source):
    root = source.partition(".")[0]
    if root != "not_installed" and importlib.util.find_spec(root) is None:
        pytest.skip(f"needs {root}")
    assert _asked(keywords.places_taken, source) == READ_BY_POSITION[source]


@pytest.mark.parametrize("source", CALLED)
def test_as_python_refuses(source):
    root = source.partition(".")[0]
    if importlib.util.find_spec(root) is None:
        pytest.skip(f"needs {root}")
    assert _refused(source) == CALLED[source]
    names = {root: importlib.import_module(root)}
    for module in ("scipy.sparse.linalg", "scipy.stats"):
        if root == "scipy":
            importlib.import_module(module)
    if CALLED[source]:
        with pytest.raises(TypeError, match=CALLED[source][0]):
            eval(source, names)
    else:
        eval(source, names)


@pytest.mark.parametrize("source", READ)
def test_read_from_the_source(source):
    root = source.partition(".")[0]
    if root != "not_installed" and importlib.util.find_spec(root) is None:
        pytest.skip(f"needs {root}")
    assert _refused(source) == READ[source]


WARNING = """
import functools

def deprecate_positional_args(function):
    @functools.wraps(function)
    def called(*args, **kwargs):
        return function(**dict(zip("yz", args), **kwargs))
    return called

@deprecate_positional_args
def old(*, y, z=1):
    return y, z

class Old:
    @deprecate_positional_args
    def __init__(self, *, y): pass

def new(*, y):
    return y
"""


def test_arguments_that_are_taken_with_a_warning(tmp_path, monkeypatch):
    """librosa 0.9 and scikit-learn 0.23 warn of arguments by position, and take them."""
    (tmp_path / "warning_lib.py").write_text(WARNING)
    monkeypatch.syspath_prepend(str(tmp_path))
    library_sources.forget()
    assert importlib.import_module("warning_lib").old(3) == (3, 1)
    assert _asked(keywords.places_taken, "warning_lib.old(3)") is None
    assert _asked(keywords.places_taken, "warning_lib.Old(3)") is None
    assert _asked(keywords.places_taken, "warning_lib.new(3)") == 0
    assert _asked(keywords.refused, "warning_lib.old(w=3)") == ["w"]
