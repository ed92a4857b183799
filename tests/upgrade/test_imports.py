"""Import statements: replaced in place, merged, added, removed; the call of a program's start."""

import pytest

from tfgraphtools.errors import ArgumentError

pytestmark = pytest.mark.quick

#: id -> (source, the whole result)
CASES = {
    "renamed-module": (
        "import cPickle\nimport tensorflow as tf\ntf.Session(cPickle.dumps(1))\n",
        "import pickle\nimport tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n\n"
        "tf.Session(pickle.dumps(1))\n",
    ),
    "removed-because-of-us": (
        "from itertools import izip\nimport tensorflow as tf\n\ntf.Session(izip(a, b))\n",
        "import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n\ntf.Session(zip(a, b))\n",
    ),
    "blanks-around-dots": (
        "import tensorflow as tf\nfrom tensorflow . contrib . layers import *\n"
        "from tensorflow . contrib . layers import flatten\n\ntf.Session(flatten(1))\n",
        "import tensorflow.compat.v1 as tf\nfrom tensorflow . contrib . layers import *\n"
        "from tfgraphtools.tf1.contrib.layers import flatten\n\n"
        "tf.disable_v2_behavior()\n\ntf.Session(flatten(1))\n",
    ),
    "unused-before": (
        "import os\nimport tensorflow as tf\n\ntf.Session()\n",
        "import os\nimport tensorflow.compat.v1 as tf\n\n"
        "tf.disable_v2_behavior()\n\ntf.Session()\n",
    ),
    "one-of-several": (
        "from itertools import chain, izip\nimport tensorflow as tf\n\n"
        "tf.Session(izip(chain(a)))\n",
        "from itertools import chain\nimport tensorflow.compat.v1 as tf\n\n"
        "tf.disable_v2_behavior()\n\ntf.Session(zip(chain(a)))\n",
    ),
    "contrib": (
        "import tensorflow as tf\n\ntf.Session(tf.contrib.layers.flatten(x))\n",
        "import tensorflow.compat.v1 as tf\nfrom tfgraphtools.tf1 import contrib\n\n"
        "tf.disable_v2_behavior()\n\ntf.Session(contrib.layers.flatten(x))\n",
    ),
    "contrib-name-taken": (
        "import tensorflow as tf\n\n"
        "contrib = tf.Session(tf.contrib.layers.flatten(x))\ntf.app.run()\n",
        "import tensorflow.compat.v1 as tf\nfrom tfgraphtools import tf1\n\n"
        "tf.disable_v2_behavior()\n\ncontrib = tf.Session(tf1.contrib.layers.flatten(x))\n"
        "tf.app.run()\n",
    ),
    "contrib-module": (
        "import tensorflow.contrib.slim as slim\n\nslim.conv2d(x)\n",
        "from tfgraphtools.tf1.contrib import slim\nimport tensorflow.compat.v1 as tf\n\n"
        "tf.disable_v2_behavior()\n\nslim.conv2d(x)\n",
    ),
    "parentheses-and-comments": (
        "from tensorflow.contrib.layers import (  # all of it\n    conv2d,  # one\n"
        "    flatten,\n)\n",
        "from tfgraphtools.tf1.contrib.layers import (  # all of it\n    conv2d,  # one\n"
        "    flatten,\n)\n",
    ),
    "last-import-goes": (
        "import cPickle\nfrom itertools import izip\n\nizip(cPickle.dumps(tf1))\n",
        "import pickle\n\nzip(pickle.dumps(tf1))\n",
    ),
    "the-last-import-goes": (
        "import tensorflow as tf\nfrom itertools import izip\n\ntf.Session(izip(a))\n",
        "import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n\ntf.Session(zip(a))\n",
    ),
    "imports-only": (
        "import tensorflow as tf\ntf.Session()",
        "import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n\ntf.Session()",
    ),
    "unused-and-not-there": (
        "from itertools import chain, izip\nchain(a)\n",
        "from itertools import chain\nchain(a)\n",
    ),
    "own-entry": (
        "import tensorflow as tf\ntf.disable_eager_execution()\ntf.Session().run(x)\n",
        "import tensorflow.compat.v1 as tf\ntf.disable_eager_execution()\ntf.Session().run(x)\n",
    ),
    "future-and-docstring": (
        '"""Doc."""\nfrom __future__ import print_function\n\nimport sys\n\n'
        "import tensorflow as tf\n\nFLAGS = tf.app.flags.FLAGS\n\n"
        "if __name__ == '__main__':\n    tf.app.run()\n",
        '"""Doc."""\nfrom __future__ import print_function\n\nimport sys\n\n'
        "import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n\n"
        "FLAGS = tf.app.flags.FLAGS\n\nif __name__ == '__main__':\n    tf.app.run()\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_imports(name, upgraded):
    source, expected = CASES[name]
    assert upgraded(source) == expected
    assert upgraded(expected) == expected


@pytest.mark.parametrize(
    "library, program, expected",
    [
        (
            "import tensorflow as tf\ndef net():\n    return tf.placeholder(tf.float32)\n",
            "import tensorflow as tf\nimport lib\nif __name__ == '__main__':\n    lib.net()\n",
            "import tensorflow.compat.v1 as tf\nimport lib\n\ntf.disable_v2_behavior()\n\n"
            "if __name__ == '__main__':\n    lib.net()\n",
        ),
        (
            "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n",
            "import tensorflow as tf\nimport lib\nif __name__ == '__main__':\n    lib.net()\n",
            "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nimport lib\n"
            "if __name__ == '__main__':\n    lib.net()\n",
        ),
        (
            "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n",
            "import sys\nimport lib\nif __name__ == '__main__':\n    lib.net()\n",
            "import sys\nimport tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nimport lib\n"
            "if __name__ == '__main__':\n    lib.net()\n",
        ),
    ],
    ids=["in-functions", "while-imported", "without-an-import"],
)
def test_where_a_program_starts(library, program, expected, upgraded):
    new = upgraded({"lib.py": library, "main.py": program})
    assert new["main.py"] == expected
    assert "disable_v2_behavior" not in new["lib.py"]


def test_a_library_alone_says_so(upgraded):
    upgraded("import tensorflow as tf\ndef f():\n    return tf.placeholder(tf.float32)\n")
    assert "disable_v2_behavior" in upgraded.report.notes[0]


def test_no_runtime(upgraded):
    source = "import tensorflow as tf\ntf.contrib.crf.crf_decode(tf.Session())\n"
    new = upgraded(source, runtime=False, skip=["tensorflow.entry"])
    assert new == source.replace("import tensorflow as", "import tensorflow.compat.v1 as")
    ((_, finding),) = upgraded.report.unresolved()
    assert finding.line == 2 and "--no-runtime" in finding.detail


@pytest.mark.parametrize(
    "old, new",
    [
        ("tf.contrib.layers.l2_regularizer(x)", "tf_slim.l2_regularizer(x)"),
        ("tf.contrib.framework.arg_scope(x)", "tf_slim.arg_scope(x)"),
        ("tf.contrib.slim.conv2d(x)", "tf_slim.conv2d(x)"),
        (
            "from tensorflow.contrib.layers.python.layers import layers, regularizers",
            "from tf_slim.layers import layers, regularizers",
        ),
        (
            "from tensorflow.contrib.framework.python.ops import arg_scope",
            "from tf_slim import arg_scope",
        ),
    ],
)
def test_no_runtime_but_tf_slim(old, new, upgraded):
    """The names in ``tf_slim.layers`` are read from tf_slim: the attribute is another module."""
    found = upgraded(f"import tensorflow as tf\n{old}\ntf.Session()\n", runtime=False)
    if old.startswith("from"):
        assert new in found
    else:
        assert new.partition(".")[2] in found and "tf_slim.layers" not in found, found


@pytest.mark.parametrize(
    "before, after",
    [
        ("import os\n", '\nos.environ["TF_USE_LEGACY_KERAS"] = "1"'),
        ("", 'import os\n\nos.environ["TF_USE_LEGACY_KERAS"] = "1"'),
    ],
    ids=["with-os", "without"],
)
def test_layers_come_from_tf_keras(before, after, upgraded):
    new = upgraded(before + "import tensorflow as tf\ntf.layers.dense(tf.zeros([2, 2]), 2)\n")
    assert new.startswith(before + after)
    assert new.index("environ") < new.index("import tensorflow")
    assert upgraded(new) == new


@pytest.mark.parametrize(
    "after, kept",
    [
        ("import os\n", ""),
        ("import os, sys  # why\n", "import sys  # why\n"),
        ("import os.path\n", "import os.path\n"),
        ("import os as o\n", "import os as o\n"),
        ("try:\n    import os\nexcept ImportError:\n    os = None\n", None),
    ],
    ids=["alone", "among-others", "submodule", "alias", "conditional"],
)
def test_os_is_imported_once(after, kept, upgraded):
    """The variable needs ``os`` above TensorFlow: a second import further down goes."""
    call = "tf.layers.dense(tf.zeros([2, 2]), 2)\n"
    new = upgraded("import tensorflow as tf\n" + after + call)
    head = new.partition("import tensorflow")[0]
    assert head.startswith("import os\n")
    rest = new[len(head) :].partition("\n")[2]
    assert rest == (after if kept is None else kept) + "\ntf.disable_v2_behavior()\n\n" + call
    assert upgraded(new) == new


@pytest.mark.parametrize("name", ["python2.divison", "tensorflow.entri", "blak", "seed"])
def test_a_fix_that_is_misspelt(name, upgraded):
    with pytest.raises(ArgumentError, match="a name that no fix has"):
        upgraded("x = 1\n", skip=["python2.print", "tensorflow.contrib", "tensorflow.entry", name])


def test_select_and_skip(upgraded):
    source = "import numpy as np\nimport tensorflow as tf\ntf.mul(np.float(1), tf.Session())\n"
    assert upgraded(source, select=["numpy"]) == source.replace("np.float", "float").replace(
        "import numpy as np\n", ""
    )
    assert "np.float(1)" in upgraded(source, skip=["numpy.float"])


def test_what_is_used_before_tensorflow_is_imported(upgraded):
    source = "import numpy as np\nx = np.asscalar(np.y)\nimport tensorflow as tf\n"
    new = upgraded(source + "tf.contrib.a(tf.Session)\n")
    imported = "from tfgraphtools.tf1 import contrib, libraries"
    assert new.splitlines()[:2] == ["import numpy as np", imported]


def test_programs_choose_keras(upgraded):
    new = upgraded(
        {
            "net.py": "import tensorflow as tf\n\ndef net(x):\n    return tf.layers.dense(x, 1)\n",
            "main.py": "import net\nimport tensorflow as tf\n\nif __name__ == '__main__':\n"
            "    tf.app.run()\n",
            "other.py": "import tensorflow as tf\n\nif __name__ == '__main__':\n    tf.app.run()\n",
        }
    )
    assert "TF_USE_LEGACY_KERAS" not in new["net.py"] + new["other.py"]
    assert new["main.py"].startswith('import os\n\nos.environ["TF_USE_LEGACY_KERAS"] = "1"')
    assert new["main.py"].index("environ") < new["main.py"].index("import net")


def test_cells_are_not_taken_from_a_folder_of_stale_ones(upgraded):
    new = upgraded(
        "import tensorflow as tf\nfrom tensorflow.contrib.rnn import GRUCell, static_rnn\n"
        "static_rnn(GRUCell(4), tf.Session())\n"
    )
    assert "static_rnn(tf.nn.rnn_cell.GRUCell(4), tf.Session())" in new
    assert "from tensorflow.compat.v1.nn import static_rnn\n" in new and "contrib" not in new


def test_names_that_others_may_ask_for_stay(upgraded):
    """By ``from main import *``, and as an attribute of a class."""
    start = "import tensorflow as tf\ntf.Session()\n"
    new = upgraded(start + 'import cPickle\n__all__ = ["cPickle"]\nf = cPickle.load\n')
    assert "\nimport pickle as cPickle\n" in new
    new = upgraded(start + "class C:\n    import numpy as np\n    x = np.float(3)\n")
    assert new.endswith("    import numpy as np\n    x = float(3)\n")


def test_comments_in_an_import_stay(upgraded):
    new = upgraded(
        "import tensorflow as tf\ntf.Session()\n"
        "from tensorflow import (mul,  # a product\n    contrib)  # and more\nmul, contrib\n"
    )
    assert "# a product\n" in new and "  # and more\n" in new
    compile(new, "", "exec")


def test_an_import_on_the_line_of_an_if_stays_under_it(upgraded):
    start = "import tensorflow as tf\nif tf.Session(): "
    new = upgraded(start + "from tensorflow import mul, contrib\nmul, contrib\n")
    assert (
        "if tf.Session(): from tensorflow.compat.v1 import multiply; "
        "from tfgraphtools.tf1 import contrib\n"
    ) in new


@pytest.mark.parametrize(
    "layers",
    [
        "if x:\n    from tensorflow.contrib import layers\n",
        "f(x)\nfrom tensorflow.contrib import layers\n",
        "def g():\n    global layers\n    from tensorflow.contrib import layers\n",
    ],
    ids=["condition", "later", "function"],
)
def test_an_import_that_may_not_have_run_is_not_relied_on(layers, upgraded):
    new = upgraded(
        "import tensorflow as tf\nx = tf.Session()\n"
        "def f(x):\n    return tf.contrib.layers.flatten(x)\n" + layers
    )
    assert "import tensorflow.compat.v1 as tf\nfrom tfgraphtools.tf1 import contrib\n" in new
    assert "return contrib.layers.flatten(x)" in new
