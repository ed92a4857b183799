"""Calls: keywords renamed, arguments reordered and left out; nothing guessed."""

import pytest

from tfgraphtools.compat import rewrites

pytestmark = pytest.mark.quick

START = "import tensorflow as tf\ntf.Session()\n"

#: A function whose arguments changed in every way.
CALL = rewrites.Call(
    "tensorflow.compat.v1.new", {"old": "now", "gone": None}, ("first", None, "third"), None
)


@pytest.fixture
def call(upgraded, monkeypatch):
    known = rewrites.rewrite_of
    monkeypatch.setattr(
        rewrites, "rewrite_of", lambda name: CALL if name == "tensorflow.f" else known(name)
    )
    return lambda source: upgraded(START + source + "\n", skip=["tensorflow.entry"]).split("\n")[2]


@pytest.mark.parametrize(
    "source, expected",
    [
        ("tf.f(1)", "tf.new(first=1)"),
        ("tf.f(1, 2, 3)", "tf.new(first=1, third=3)"),
        ("tf.f(1, 2)", "tf.new(first=1)"),
        ("tf.f((1), old = 2)", "tf.new(first=(1), now = 2)"),
        ("tf.f(old=f(old=1))", "tf.new(now=f(old=1))"),
        ("tf.f(gone=1, x=2)", "tf.new(x=2)"),
        ("tf.f(x=2, gone=(1, 2))", "tf.new(x=2)"),
        ("tf.f(tf.f(1, old=2))", "tf.new(first=tf.new(first=1, now=2))"),
        ("g = tf.f", "g = tf.new"),
        ("tf.f(*a)", "tf.f(*a)"),
        ("tf.f(1, **k)", "tf.f(1, **k)"),
        ("tf.f(1, 2, 3, 4)", "tf.f(1, 2, 3, 4)"),
        ("tf.concat(1, [a, b])", "tf.concat([a, b], 1)"),
        ("tf.concat(concat_dim=1, values=x)", "tf.concat(axis=1, values=x)"),
        ("tf.concat([a, b], 1)", "tf.concat([a, b], 1)"),
        ("tf.concat(-1, f(x))", "tf.concat(f(x), -1)"),
        ("tf.concat(a, b)", "tf.concat(a, b)"),
        ("tf.split(0, n, (x + 1))", "tf.split((x + 1), n, 0)"),
        ("f(tf.concat(1, [g('a(b')]))", "f(tf.concat([g('a(b')], 1))"),
        ("tf.concat((1), [a, b])", "tf.concat([a, b], (1))"),
        ("tf.reverse(x, [True, False, True])", "tf.reverse(x, [0, 2])"),
        (
            "tf.nn.softmax_cross_entropy_with_logits(_sentinel=None, labels=a, logits=b)",
            "tf.nn.softmax_cross_entropy_with_logits(labels=a, logits=b)",
        ),
        ("tf.reverse(x, [0])", "tf.reverse(x, [0])"),
        ("tf.split(x, 3, 0)", "tf.split(x, 3, 0)"),
        (
            "tf.split(split_dim=0, num_split=3, value=x)",
            "tf.split(axis=0, num_or_size_splits=3, value=x)",
        ),
        (
            "tf.nn.softmax_cross_entropy_with_logits(a, b)",
            "tf.nn.softmax_cross_entropy_with_logits(logits=a, labels=b)",
        ),
        (
            "tf.mul(tf.mul(1, 2), tf.concat(0, [tf.mul(1, 2)]))",
            "tf.multiply(tf.multiply(1, 2), tf.concat([tf.multiply(1, 2)], 0))",
        ),
    ],
)
def test_arguments(source, expected, call):
    assert call(source) == expected


def test_comments_of_arguments_stay(upgraded):
    old = "tf.nn.softmax_cross_entropy_with_logits({}labels=a,  # of the batch\n    logits=b)\n"
    new = upgraded(START + old.format("_sentinel=None,  # none\n    "))
    assert new.endswith(old.format("# none\n    "))


def test_attributes_that_are_gone(upgraded):
    source = (
        "import numpy as np\nimport pandas as pd\nimport xml.etree.ElementTree as ET\n"
        "print(f.ix[1], (x + y).ptp(), np.ptp(x), x.tostring(), ET.tostring(e), v.append(3))\n"
        "print(pd.DataFrame(x).as_matrix(['a']).ptp())\n"
    )
    new = upgraded(source)
    assert new.splitlines()[3:] == [
        "from tfgraphtools.tf1 import attribute",
        'print(attribute(f, "ix")[1], attribute((x + y), "ptp")(), np.ptp(x), x.tobytes(), '
        "ET.tostring(e), v.append(3))",
        'print(attribute(attribute(pd.DataFrame(x), "as_matrix")([\'a\']), "ptp")())',
    ]
    assert upgraded(new) == new
    assert upgraded("import six\nfor k, v in d.iteritems():\n    six.iteritems(v)\n") == (
        "import six\nfor k, v in d.items():\n    six.iteritems(v)\n"
    )


_RNN = """\
import tensorflow as tf
{seed}
cell = tf.nn.rnn_cell.{cell}
x = tf.nn.dynamic_rnn(
    {arguments}
)
"""
_DROPOUT = "DropoutWrapper(other, 0.5)"


@pytest.mark.parametrize(
    "seed, cell, arguments, new",
    [
        ("tf.set_random_seed(1)", _DROPOUT, "cell, y", "cell, y, parallel_iterations=1"),
        (
            "tf.set_random_seed(1)",
            _DROPOUT,
            "cell,\n    y,  # why",
            "cell,\n    y,  # why\n    parallel_iterations=1,",
        ),
        ("", _DROPOUT, "cell, y", "cell, y"),
        ("tf.set_random_seed(1)", "GRUCell(2)", "cell, y", "cell, y"),
        ("tf.set_random_seed(1)", _DROPOUT, "cell, *y", "cell, *y"),
        ("tf.set_random_seed(1)", _DROPOUT, "cell, y, **options", "cell, y, **options"),
        ("tf.set_random_seed(1)", _DROPOUT, "cell, y, None, z, t, 8", "cell, y, None, z, t, 8"),
    ],
    ids="call line no-seed no-dropout starred doubled given".split(),
)
def test_loops_that_draw_with_a_seed_run_one_iteration_at_a_time(
    seed, cell, arguments, new, upgraded
):
    """Otherwise a seeded program prints other numbers each time (tests/compat/seeded_programs)."""
    found = upgraded(_RNN.format(seed=seed, cell=cell, arguments=arguments))
    assert found.endswith(f"dynamic_rnn(\n    {new}\n)\n"), found
    assert upgraded(found) == found


def test_what_a_loop_draws_itself(upgraded):
    source = "import tensorflow as tf\ntf.set_random_seed(1)\ntf.map_fn(lambda i: {}, y)\n"
    one = ", y, parallel_iterations=1)\n"
    assert upgraded(source.format("i + tf.random_normal([])")).endswith(one)
    assert upgraded(source.format("i + 1")).endswith(", y)\n")


def test_a_loop_of_an_inner_module(upgraded):
    source = (
        "import tensorflow as tf\nfrom tensorflow.python.ops import control_flow_ops\n"
        "tf.set_random_seed(1)\ntf.random_normal([])\ncontrol_flow_ops.while_loop(a, b, c)\n"
    )
    new = upgraded(source)
    assert new.endswith("while_loop(a, b, c, parallel_iterations=1)\n")
    assert upgraded(new) == new


@pytest.mark.parametrize(
    "old, new",
    [
        ("a = frame.append(b)", 'a = attribute(frame, "append")(b)'),
        ("frame.append(b, ignore_index=True)", 'attribute(frame, "append")(b, ignore_index=True)'),
        ("frame.sort('a')", "attribute(frame, \"sort\")('a')"),
        ("frame.drop('a', 1)", "frame.drop('a', axis=1)"),
        ("frame.as_matrix()", "frame.to_numpy()"),
        ("frame.as_matrix(['a'])", "attribute(frame, \"as_matrix\")(['a'])"),
        ("pd.get_dummies(a)", 'pd.get_dummies(a, dtype="uint8")'),
        ("pd.get_dummies(a, dtype=int)", None),
        ("x.append(1)", None),
        ("[x.append(y) for y in z]", None),
        ("x.sort()", None),
        ("x.sort(reverse=True)", None),
        ("x.drop('a', z)", None),
    ],
)
def test_methods_of_pandas(old, new, upgraded):
    """Where the call shows that it is no list's."""
    source = f"import tensorflow as tf\nimport pandas as pd\n\ntf.Session()\n{old}\n"
    found = upgraded(source)
    assert found.splitlines()[-1] == (new or old)
    assert upgraded(found) == found
    without = upgraded(source.replace("import pandas as pd", "import pd"))
    assert without.splitlines()[-1] == old
