"""``--no-runtime``: small modules of plain source are written in place of the runtime."""

import os

import pytest

from tfgraphtools import upgrade
from tfgraphtools.upgrade import copies

pytestmark = pytest.mark.quick

MNIST = "from tensorflow.examples.tutorials.mnist import input_data\n"
SCRIPT = (
    MNIST + "import tensorflow as tf\nimport scipy.misc\n"
    "mnist = input_data.read_data_sets('MNIST', one_hot=True)\n"
    "x = tf.placeholder(tf.float32)\nscipy.misc.imsave('a.png', mnist.train.images[0])\n"
)
UPGRADED = (
    "import mnist_input_data as input_data\nimport scipy_misc_images\n"
    "import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n\n"
    "mnist = input_data.read_data_sets('MNIST', one_hot=True)\n"
    "x = tf.placeholder(tf.float32)\nscipy_misc_images.imsave('a.png', mnist.train.images[0])\n"
)


def test_beside_a_script(upgraded, tmp_path):
    new = upgraded({"a/main.py": SCRIPT}, runtime=False)
    assert new["a/main.py"] == UPGRADED
    assert sorted(new) == ["a/main.py", "a/mnist_input_data.py", "a/scipy_misc_images.py"]
    assert "--- /dev/null" in list(upgraded.report.diff())
    assert not os.path.exists(str(tmp_path / "a" / "mnist_input_data.py"))  # before write()
    upgraded.report.write(force=True)
    again = upgrade.examine([str(tmp_path)], runtime=False)
    assert again.changed == [] and again.unresolved() == []


@pytest.mark.parametrize("start", ["", "from . import other\n"], ids=["imported", "relative"])
def test_in_a_package(start, upgraded):
    """It is imported by the name of the package, as the files of a package are."""
    sources = {
        "main.py": "import pk.sub.data\n" if not start else "",
        "pk/__init__.py": "",
        "pk/sub/__init__.py": "",
        "pk/sub/other.py": "",
        "pk/sub/data.py": start + MNIST + "import tensorflow as tf\ntf.Session()\n"
        "input_data.read_data_sets('x')\n",
    }
    new = upgraded(sources, runtime=False)
    assert "from pk.sub import mnist_input_data as input_data\n" in new["pk/sub/data.py"]
    assert "pk/sub/mnist_input_data.py" in new


def test_one_function_of_a_module(upgraded):
    """The others are tf_slim's."""
    source = (
        "import tensorflow as tf\nimport tensorflow.contrib.slim as slim\n"
        "slim.conv2d(x, 3, [1, 1], normalizer_fn=slim.batch_norm)\n"
        "tf.contrib.layers.batch_norm(x)\n"
    )
    new = upgraded({"main.py": source}, runtime=False)["main.py"]
    assert "import tf_slim as slim\n" in new and "import tf1_batch_norm\n" in new
    assert new.count("tf1_batch_norm.batch_norm") == 2
    assert "slim.conv2d(x, 3, [1, 1], normalizer_fn=tf1_batch_norm.batch_norm)" in new


def test_not_without_being_asked(upgraded):
    assert list(upgraded({"main.py": SCRIPT}, runtime=False, copies=False)) == ["main.py"]
    assert "mnist_input_data" not in upgraded({"main.py": SCRIPT})["main.py"]


def test_a_file_of_that_name_is_there(upgraded):
    """It is the user's: nothing is written over it, and the names are reported."""
    new = upgraded({"main.py": SCRIPT, "mnist_input_data.py": "x = 1\n"}, runtime=False)
    assert new["mnist_input_data.py"] == "x = 1\n"
    assert MNIST in new["main.py"]
    assert {one.line for _, one in upgraded.report.unresolved()} == {1, 4}


def test_written_meanwhile(upgraded, tmp_path):
    upgraded({"main.py": SCRIPT}, runtime=False)
    (tmp_path / "mnist_input_data.py").write_text("mine\n")
    with pytest.raises(ValueError, match="unchanged since it was examined"):
        upgraded.report.write(force=True)
    assert (tmp_path / "main.py").read_text() == SCRIPT


@pytest.mark.parametrize("module", sorted(copies.MODULES))
def test_a_copy_is_plain_source(module, upgraded):
    """It compiles, needs nothing of this package, and is what an upgrade leaves alone."""
    source = copies.source(module)
    compile(source, module, "exec")
    assert "import tfgraphtools" not in source and "from tfgraphtools" not in source
    assert (
        upgraded({"main.py": "import tensorflow as tf\ntf.Session()\n", module + ".py": source})[
            module + ".py"
        ]
        == source
    )
