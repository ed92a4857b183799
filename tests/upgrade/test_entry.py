"""How an upgraded program starts, and what is only written where it is asked for."""

import pytest

pytestmark = pytest.mark.quick

SOURCE = "import numpy as np\nimport tensorflow as tf\n\nprint(tf.Session().run(np.ones(2)))\n"


@pytest.mark.parametrize(
    "row, calls",
    [
        ("seeds", ["seeds.reproduce()"]),
        ("seeds.default", ["seeds.reproduce()"]),
        ("numpy.scalar_printing", ['np.set_printoptions(legacy="1.25")']),
    ],
)
def test_calls_that_are_asked_for(row, calls, upgraded):
    """Once per program, behind its imports, whatever else is selected."""
    assert not any(call in upgraded(SOURCE) for call in calls)
    for select in ([row], ["tensorflow", row]):
        new = upgraded(SOURCE, select=select)
        lines = [line.partition("  #")[0] for line in new.splitlines()]
        assert [line for line in lines if line in calls] == calls
        assert ("import tensorflow.compat.v1 as tf" in new) is (len(select) > 1)
        assert upgraded(new, select=select) == new
        compile(new, "", "exec")


def test_it_starts_before_what_follows_on_the_line(upgraded):
    """A seed that is set before belongs to eager execution, and the graph has none."""
    rest = "import numpy as np\n\nprint(tf.Session().run(np.ones(2)))\n"
    new = upgraded("import tensorflow as tf; tf.set_random_seed(1)\n" + rest)
    first = "import tensorflow.compat.v1 as tf; tf.disable_v2_behavior(); tf.set_random_seed(1)\n"
    assert new == first + rest
    assert upgraded(new) == new


def test_calls_are_asked_for_after_the_upgrade(upgraded):
    """What was upgraded before knows of today's TensorFlow, and is no code for TF 2."""
    before = upgraded(SOURCE)
    new = upgraded(before, select=["seeds"])
    assert new != before and "\nseeds.reproduce()\n" in new
    assert upgraded(new, select=["seeds"]) == new


#: What a program prints -> whether a list, tuple or dictionary of numbers of a run is in it.
PRINTED = {
    "print(s.run([x, y]))": True,
    "print('loss', s.run((x, y)))": True,
    "print(s.run({'a': x}))": True,
    "v = s.run([x, y])\nprint(v)": True,
    "v = s.run([x, y])\nprint('values: %s' % v)": True,
    "v = s.run([x, y])\nprint(f'values: {v}')": True,
    "v = s.run([x, y])\nprint('values: ' + str(v))": True,
    "v = s.run([x, y])\nprint('{} {}'.format(1, v))": True,
    "a, b = s.run([x, y])\nprint([a, b])": True,
    "a = x.eval()\nprint({'a': a})": True,
    "losses = []\nlosses.append(s.run(x))\nprint(losses)": True,
    "result = estimator.evaluate(f)\nprint(result)": True,
    "result = estimator.evaluate(f)\nprint(sorted(result.items()), 'of all')": True,
    "print(list(estimator.evaluate(f).values()))": True,
    "print(list(names), sorted(names.items()))": False,
    "print(model.train_on_batch(x, y))": True,
    "loss = model.test_on_batch(x, y)\nprint('loss: {}'.format(loss))": True,
    "loss = model.train_on_batch(x, y)\nprint(loss[0])": False,
    "fitted = model.fit(x, y)\nprint(fitted.history)": True,
    "fitted = model.fit(x, y)\nprint(fitted.history['loss'])": True,
    "fitted = model.fit(x, y)\nprint(fitted.history['loss'][-1])": False,
    "a = s.run(x)\nprint('%r' % a)": True,
    "a = s.run(x)\nprint(f'{a!r}', 1)": True,
    "a = s.run(x)\nprint('%s' % a, f'{a!s}')": False,
    "losses = []\nlosses.append(np.mean(v))\nprint(losses)": True,
    "counts = []\ncounts.append(v.sum())\nprint('{}'.format(counts))": True,
    "sums = []\nsums.append(np.sum(v, 0))\nsums.append(v.sum(axis=1))\nprint(sums)": False,
    "ops = []\nops.append(tf.argmax(x))\nprint(ops)": False,
    "print(s.run(x))": False,
    "a, b = s.run([x, y])\nprint(a, b, '%s %s' % (a, b))": False,
    "v = s.run([x, y])\nprint(v[0], len(v), np.mean(v))": False,
    "v = s.run([x, y])\nlog(v)": False,
    "print([1, 2], (n, 'a'))": False,
}


def test_numbers_in_lists_are_printed_as_numpy_1_printed_them(upgraded):
    """Where a program prints such a list: nowhere else is the call written."""
    head = "import tensorflow as tf\nx = tf.placeholder('float')\n"
    sources = {f"m{n:02}.py": head + text + "\nf()\n" for n, text in enumerate(PRINTED)}
    new = upgraded(sources)
    call = '\nnumpy.set_printoptions(legacy="1.25")  # [0.5], not [np.float32(0.5)]\n'
    found = {text: call in new[f"m{n:02}.py"] for n, text in enumerate(PRINTED)}
    assert found == PRINTED
    assert upgraded(new) == new
    assert "set_printoptions" not in str(upgraded(sources, skip=["numpy.scalar_printing"]))


def test_a_call_uses_no_import_that_comes_later(upgraded):
    source = "import tensorflow as tf\nx = tf.Session()\nimport numpy as np\nprint(x.run(np.x))\n"
    new = upgraded(source, select=["tensorflow", "numpy.scalar_printing"])
    imported = new.index("import numpy")
    assert imported < new.index("numpy.set_printoptions") < new.index("tf.Session")
    assert upgraded(new, select=["tensorflow", "numpy.scalar_printing"]) == new


def test_the_runtime_is_asked_for(upgraded):
    assert "seeds" not in upgraded(SOURCE, select=["tensorflow", "seeds"], runtime=False)


def test_a_library_starts_nothing(upgraded):
    source = "import tensorflow as tf\n\ndef f():\n    return tf.Session()\n"
    assert "seeds" not in upgraded(source, select=["tensorflow", "seeds"])


@pytest.mark.parametrize(
    "statement",
    [
        "try:\n    tf.Session().run(x)\nexcept TypeError:\n    pass\n",
        'print("%s") % tf.Session().run(x)\n',
        "[tf.Session().run(x) for x in y]\n",
    ],
    ids=["try", "print", "comprehension"],
)
def test_a_script_is_a_program(statement, upgraded):
    assert "tf.disable_v2_behavior()" in upgraded("import tensorflow as tf\n\n" + statement)


def test_the_variable_goes_above_a_comment_of_the_import(upgraded):
    source = "import sys\n# The data\nfrom tensorflow import layers\n\nlayers.dense(x, 1)\n"
    new = upgraded(source)
    assert new.index("environ") < new.index("# The data\nfrom")
    header = (
        "# A licence\n# in two lines\nimport tensorflow as tf\ntf.layers.dense(tf.Session(), 1)\n"
    )
    assert upgraded(header).startswith("# A licence\n# in two lines\nimport os\n")


def test_what_a_file_takes_from_another_stays_an_import_of_it(upgraded):
    sources = {
        "config.py": "import tensorflow as tf\n\nflags = tf.app.flags\n"
        "flags.DEFINE_string('dir', '.', '')\nFLAGS = flags.FLAGS\n",
        "main.py": "from config import FLAGS\n\nprint(FLAGS.dir)\n",
    }
    new = upgraded(sources)
    assert new["main.py"].startswith("from config import FLAGS\n")
    assert "FLAGS.dir" in new["main.py"]


@pytest.mark.parametrize(
    "line, lenient",
    [
        ("FLAGS.rate = 0.5", False),  # it is defined
        ("FLAGS.other = 0.5", True),
        ("FLAGS._parse_flags()", True),
        ("print(FLAGS.rate)", False),
    ],
)
def test_which_flags_need_the_runtime(line, lenient, upgraded):
    source = (
        "import tensorflow as tf\n\ntf.app.flags.DEFINE_float('rate', 0.1, '')\n"
        f"FLAGS = tf.app.flags.FLAGS\n{line}\ntf.Session()\n"
    )
    assert ("from tfgraphtools.tf1 import flags" in upgraded(source)) is lenient


def test_flags_are_one_for_the_files_of_a_program(upgraded):
    """Those that are shown in one file are defined in another."""
    sources = {
        "main.py": "import show\nimport tensorflow as tf\n\n"
        "tf.app.flags.DEFINE_float('rate', 0.1, '')\nshow.show(tf.app.flags.FLAGS)\n",
        "show.py": "import tensorflow as tf\n\ndef show(flags):\n"
        "    print(flags.__dict__['__flags'], tf.Session)\n",
        "other.py": "import tensorflow as tf\n\nFLAGS = tf.app.flags.FLAGS\ntf.Session()\n",
    }
    new = upgraded(sources)
    assert "flags.DEFINE_float" in new["main.py"] and "tf1 import flags" in new["main.py"]
    assert "tfgraphtools" not in new["other.py"]


def test_a_program_that_imports_tensorflow_in_a_function(upgraded):
    """It starts behind its imports, and not at its end, where it is over."""
    source = "import os\n\ndef f():\n    import tensorflow\n    tensorflow.Session()\n"
    source += "\nfor x in os.environ:\n    from graphs import tf\n    f()\n"
    graphs = "import tensorflow as tf\ntf.placeholder('float')\n"
    lines = upgraded({"main.py": source, "graphs.py": graphs})["main.py"].splitlines()
    assert lines[1].startswith("import tensorflow.compat.v1 as tf")
    assert lines[2].endswith(".disable_v2_behavior()")


def test_a_program_that_only_reads_data_starts_nothing(upgraded):
    """A program of PyTorch, say: it needs no TensorFlow."""
    source = (
        "import torch\nfrom tensorflow.examples.tutorials.mnist import input_data\n\n"
        "print(input_data.read_data_sets('.').train.next_batch(2))\n"
    )
    new = upgraded(source)
    assert "disable_v2_behavior" not in new and "compat.v1" not in new
    assert new.splitlines()[1] == "from tfgraphtools.tf1.examples.tutorials.mnist import input_data"
    assert "disable_v2_behavior" in upgraded(source + "import tensorflow as tf\ntf.Session()\n")


_SETTING = 'os.environ["TF_USE_LEGACY_KERAS"] = "1"'
_DENSE = "print(tf.layers.dense(tf.placeholder(tf.float32, [None, 3]), 2))\n"


@pytest.mark.parametrize(
    "start, first",
    {
        "os-by-another-name": (
            "import os.path as osp\nimport tensorflow as tf\n",
            f"import os.path as osp\nimport os\n\n{_SETTING}",
        ),
        "os-on-the-line": (
            "import sys; import os; import tensorflow as tf\n",
            f"import sys; import os; {_SETTING}; import tensorflow",
        ),
        "future-on-the-line": (
            "from __future__ import division; import tensorflow as tf\n",
            f"from __future__ import division; import os; {_SETTING}; import tensorflow",
        ),
        "text-above": (
            'import os\nUSAGE = """\n# usage"""\nimport tensorflow as tf\n',
            f'import os\nUSAGE = """\n# usage"""\n\n{_SETTING}',
        ),
    }.values(),
)
def test_the_variable_is_set_where_os_is_known(start, first, upgraded):
    new = upgraded(start + _DENSE)
    assert new.startswith(first)
    compile(new, "", "exec")


def test_a_block_that_imports_tensorflow_starts_in_it(upgraded):
    new = upgraded(
        "import sys\n"
        'if __name__ == "__main__":\n'
        "    import tensorflow as tf\n"
        "    print(tf.contrib.layers.flatten(tf.placeholder(tf.float32, [None, 3])))\n"
    )
    assert new == (
        "import sys\n"
        'if __name__ == "__main__":\n'
        "    import tensorflow.compat.v1 as tf\n"
        "    from tfgraphtools.tf1 import contrib\n"
        "    tf.disable_v2_behavior()\n"
        "    print(contrib.layers.flatten(tf.placeholder(tf.float32, [None, 3])))\n"
    )
