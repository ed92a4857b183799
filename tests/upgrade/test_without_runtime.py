"""``--no-runtime``: what another public function says, and what is reported instead."""

import pytest

from tfgraphtools.upgrade.findings import CANNOT

pytestmark = pytest.mark.quick

START = "import tensorflow as tf\ntf.Session()\n"

LINES = [
    ("tf.contrib.losses.log_loss(p, y)", "tf.losses.log_loss(predictions=p, labels=y)"),
    (
        "tf.contrib.losses.mean_squared_error(p, targets=y, weight=2)",
        "tf.losses.mean_squared_error(predictions=p, labels=y, weights=2)",
    ),
    ("tf.contrib.metrics.streaming_auc(p, y)", "tf.metrics.auc(predictions=p, labels=y)"),
    ("tf.contrib.data.unbatch()", "tf.data.experimental.unbatch()"),
    ("tf.contrib.eager.Iterator(d)", "iter(d)"),
    ("plt.cm.Paired", "plt.cm.Paired"),
    ("plt.cm.get_cmap('x', 3)", "plt.get_cmap('x', 3)"),
    ("plt.cm.spectral", "plt.cm.nipy_spectral"),
    ("plt.style.use('seaborn-paper')", 'plt.style.use("seaborn-v0_8-paper")'),
    ("plt.style.use('ggplot')", "plt.style.use('ggplot')"),
    ("plt.style.use(style)", "plt.style.use(style)"),
    ('sns.lmplot("x", "y", data=d, size=6)', 'sns.lmplot(x="x", y="y", data=d, height=6)'),
    ("sns.boxplot('x', 'y', 'h', d)", "sns.boxplot(x='x', y='y', hue='h', data=d)"),
    ("sns.boxplot(d)", "sns.boxplot(d)"),
    ("np.dtype(np.uint32).newbyteorder('>')", "np.dtype(np.uint32).newbyteorder('>')"),
    ("x.dtype.newbyteorder('>')", "x.dtype.newbyteorder('>')"),
    ("nx.adjacency_matrix(g)", "csr_matrix(nx.adjacency_matrix(g))"),
    ("csr_matrix(nx.adjacency_matrix(g))", "csr_matrix(nx.adjacency_matrix(g))"),
]
IMPORTS = (
    "import matplotlib.pyplot as plt, networkx as nx, numpy as np, seaborn as sns\n"
    "from scipy.sparse import csr_matrix\n"
)


@pytest.mark.parametrize("line, expected", LINES, ids=[line for line, _ in LINES])
def test_another_function(line, expected, upgraded):
    new = upgraded(START + IMPORTS + line + "\n", runtime=False)
    assert new.splitlines()[-1] == expected
    assert "tfgraphtools" not in new
    assert upgraded.report.unresolved() == []
    assert upgraded(new, runtime=False) == new


FLAGS = [
    ('flags.DEFINE_integer("a", 1e5, "")', 'flags.DEFINE_float("a", 1e5, "")'),
    ('flags.DEFINE_integer("a", default=0.5)', 'flags.DEFINE_float("a", default=0.5)'),
    ('flags.DEFINE_integer("a", np.inf, "")', 'flags.DEFINE_float("a", np.inf, "")'),
    ('flags.DEFINE_integer("a", np.power(2, 9))', 'flags.DEFINE_integer("a", int(np.power(2, 9)))'),
    ('flags.DEFINE_integer("a", -1, "")', 'flags.DEFINE_integer("a", -1, "")'),
    ('flags.DEFINE_integer("a", 60 * 60)', 'flags.DEFINE_integer("a", 60 * 60)'),
    (
        'flags.DEFINE_string("log_dir", "x")',
        'flags.DEFINE_string("log_dir", "x", allow_override=True)',
    ),
    ("print(FLAGS.__flags)", "print(FLAGS.flag_values_dict())"),
    ("print(FLAGS.__dict__['__flags'])", "print(FLAGS.flag_values_dict())"),
    ("FLAGS._parse_flags()", "FLAGS(sys.argv)"),
]


@pytest.mark.parametrize("line, expected", FLAGS, ids=[line for line, _ in FLAGS])
def test_flags(line, expected, upgraded):
    head = START + "import sys\nimport numpy as np\nflags = tf.app.flags\nFLAGS = flags.FLAGS\n"
    new = upgraded(head + line + "\n", runtime=False)
    assert new.splitlines()[-1] == expected
    assert "tfgraphtools" not in new
    assert upgraded(new, runtime=False) == new


def test_a_flag_that_nothing_defines(upgraded):
    source = START + "FLAGS = tf.app.flags.FLAGS\nFLAGS.rate = 3\n"
    upgraded(source, runtime=False)
    (_, finding), *others = upgraded.report.unresolved()
    assert (finding.line, finding.name, others) == (4, "FLAGS.rate", [])
    assert "define it" in finding.detail


IMPORTED = {
    "all uses have another name": ("from tensorflow.contrib import rnn\nrnn.BasicLSTMCell(3)\n", 0),
    "tf_slim lacks it": ("from tensorflow.contrib.layers import embed_sequence as e\ne(x)\n", 2),
    "never used": ("from tensorflow.contrib import crf\n", 0),
    "one use has none": (
        "from tensorflow.contrib import rnn\nrnn.BasicLSTMCell(3)\nrnn.NASCell(3)\n",
        2,
    ),
    "in a try that is no question of versions": (
        "from tensorflow.contrib import rnn\ntry:\n    rnn.static_rnn(c, x)\n"
        "except Exception:\n    rnn.static_rnn(c, x)\n",
        0,
    ),
}


@pytest.mark.parametrize("name", IMPORTED)
def test_an_import_is_refused_where_it_is_needed(name, upgraded):
    source, refused = IMPORTED[name]
    new = upgraded(START + source, runtime=False)
    unresolved = upgraded.report.unresolved()
    assert [one.status for _, one in unresolved] == [CANNOT] * refused
    assert ("tensorflow.contrib" in new) == bool(refused)


READS = "def _read32(f):\n    return np.frombuffer(f.read(4), dtype=t){}\n"


@pytest.mark.parametrize("runtime", [True, False])
def test_the_number_that_the_first_input_data_reads(runtime, upgraded):
    """NumPy 2 takes no array of one element for a size."""
    start = START + "import numpy as np\n"
    new = upgraded(start + READS.format(""), runtime=runtime)
    assert new.endswith(READS.format("[0]"))
    assert upgraded(new, runtime=runtime) == new
    other = "def read(f):\n    return np.frombuffer(f.read(4), dtype=t)\n"
    assert upgraded(start + other, runtime=runtime).endswith(other)


@pytest.mark.parametrize(
    "first, second, new",
    [
        ("from tensorflow.python.ops.x import _c as c", "c = tf.concat_v2", "c = tf.concat"),
        ("tf.global_variables_initializer()", "tf.initialize_all_variables()", None),
        ("from a import urlopen", "from urllib2 import urlopen", None),
    ],
)
def test_behind_except(first, second, new, upgraded):
    """Where both are old spellings, the second has to work today; else nothing changes."""
    source = START + "try:\n    {}\nexcept Exception:\n    {}\n"
    result = upgraded(source.format(first, second))
    assert result.splitlines()[-3:] == [
        "    " + first,
        "except Exception:",
        "    " + (new or second),
    ]


def test_a_module_that_calls_its_own_test_is_a_program(upgraded):
    """Others import it, and its graph is built then, too."""
    model = "import tensorflow as tf\ndef test():\n    tf.placeholder(tf.float32)\ntest()\n"
    new = upgraded({"model.py": model, "train.py": "import model\nif __name__ == 'x':\n    1\n"})
    assert "tf.disable_v2_behavior()" in new["model.py"]
