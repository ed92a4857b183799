"""The traps of running old scripts: what each must do, by its number in the project's list."""

import textwrap

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: name -> (files beside the script, the script, what it prints).
_TRAPS = {
    "7-version-compared": (
        {},
        """
        import tensorflow as tf
        print(tf.__version__ >= "1.0", int(tf.__version__.split(".")[1]) >= 4, tf.VERSION)
        """,
        "True True 1.15.5\n",
    ),
    "9-internals": (
        {},
        """
        import tensorflow as tf
        from tensorflow.python.ops import rnn_cell
        from tensorflow.python.ops.rnn_cell import BasicLSTMCell
        import tensorflow.python.ops.rnn_cell as again
        print(rnn_cell is again, BasicLSTMCell is tf.nn.rnn_cell.BasicLSTMCell)
        """,
        "True True\n",
    ),
    "10-libraries-see-the-real-one": (
        {},
        """
        import tensorflow as tf
        import tf_keras
        from tf_keras.src import backend
        print(tf.__version__, backend.tf.__version__[:2])
        print(hasattr(backend.tf, "mul"), hasattr(tf, "mul"))
        """,
        "1.15.5 2.\nFalse True\n",
    ),
    "17-positional-cross-entropies": (
        {},
        """
        import tensorflow as tf
        session = tf.Session()
        print(session.run(tf.nn.softmax_cross_entropy_with_logits([[2.,1,0]], [[0.,0,1]]))[0])
        print(session.run(tf.nn.sigmoid_cross_entropy_with_logits(2.0, 0.0)))
        """,
        "2.407606\n2.126928\n",
    ),
    "18-override-of-add": (
        {},
        """
        import tensorflow as tf
        @tf.RegisterGradient("Z")
        def zero(op, grad):
            return 0 * grad, 0 * grad
        x = tf.constant([1.0, 2.0])
        with tf.get_default_graph().gradient_override_map({"Add": "Z"}):
            y = tf.add(x, x)
        print(tf.Session().run(tf.gradients(y, x))[0].tolist())
        """,
        "[0.0, 0.0]\n",
    ),
    "19-type-of-a-tensor": (
        {},
        """
        import tensorflow as tf
        print(type(tf.constant(1)) is tf.Tensor, type(tf.constant(1)) == tf.Tensor)
        """,
        "True True\n",
    ),
    "own-modules-before-stand-ins": (
        {"keras.py": "WHO = 'mine'\n", "deep/__init__.py": "", "deep/utils.py": "WHO = 'deep'\n"},
        """
        import tensorflow as tf
        import keras
        from deep import utils
        print(keras.WHO, utils.WHO)
        """,
        "mine deep\n",
    ),
    "switches-are-those-of-1.x": (
        {},
        """
        import tensorflow as tf
        print(tf.executing_eagerly(), tf.resource_variables_enabled(), tf.control_flow_v2_enabled())
        x = tf.placeholder(tf.float32, [None, 3])
        print(x, x.get_shape()[0].value, tf.constant(1) == tf.constant(1), tf.Variable(1.0))
        """,
        'False False False\nTensor("Placeholder:0", shape=(?, 3), dtype=float32) None False '
        "<tf.Variable 'Variable:0' shape=() dtype=float32_ref>\n",
    ),
}


@pytest.mark.parametrize("trap", _TRAPS)
def test_trap(trap, tf1_run, tmp_path):
    files, script, wanted = _TRAPS[trap]
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    done = tf1_run("script.py")
    assert done.stdout == wanted, done.stderr


_APP = """
    import tensorflow as tf
    flags = tf.app.flags
    flags.DEFINE_integer("steps", 1, "")
    flags.DEFINE_boolean("plot", True, "")
    FLAGS = flags.FLAGS
    print(FLAGS.steps, FLAGS.plot)
    def main(words):
        print(FLAGS.steps, words[1:])
        return 3
    if __name__ == "__main__":
        tf.app.run()
"""


@pytest.mark.parametrize(
    "words, printed, code",
    [
        (["--steps=4", "--plot", "False"], "4 False\n4 []\n", 3),  # traps 3, 6 and 24
        (["--steps", "4", "--noplot", "file"], "4 False\n4 ['file']\n", 3),
        (["--unknown", "x", "--steps=2"], "2 True\n2 ['--unknown', 'x']\n", 3),
        (["--plot"], "1 True\n1 []\n", 3),
    ],
    ids=["equals-and-word", "no-and-file", "unknown", "alone"],
)
def test_flags_before_app_run(words, printed, code, tf1_run, tmp_path):
    (tmp_path / "app.py").write_text(textwrap.dedent(_APP))
    done = tf1_run("app.py", *words)
    assert (done.stdout, done.returncode) == (printed, code), done.stderr


def test_gone_names_say_why(tf1_run, tmp_path):
    """Every row of what is gone raises its reason, as an AttributeError of the user's line."""
    (tmp_path / "asks.py").write_text(
        textwrap.dedent("""
        from tfgraphtools.compat import gone
        import tensorflow as tf
        for row in gone.ROWS:
            value = tf
            try:
                for part in row.name.split(".")[1:]:
                    value = getattr(value, part)
            except AttributeError as error:
                assert str(error) == row.name + ": " + row.why, error
            else:
                raise SystemExit(row.name + " is there")
        print(hasattr(tf.data.experimental, "StatsOptions"))
        """)
    )
    done = tf1_run("asks.py")
    assert done.stdout == "False\n", done.stderr


def test_the_estimator_says_what_to_install(tf1_run, tmp_path):
    (tmp_path / "asks.py").write_text("import tensorflow as tf\ntf.estimator.Estimator\n")
    done = tf1_run("asks.py", environment={"TFGRAPHTOOLS_CACHE": str(tmp_path / "none")})
    assert done.returncode == 1
    assert "legacy install" in done.stderr.splitlines()[-1]
    assert "tfgraphtools/" not in done.stderr, "frames of ours"
