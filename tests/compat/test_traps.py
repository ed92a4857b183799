"""The 25 traps of running old scripts: what each must do.

 1  a script's own utils, input_data or keras       test_trap[1-...]
 2  __name__, __file__, sys.argv, sys.path[0]       test_trap[2-...]; test_runner.py in full
 3  tf.app.run exits with main's value              test_flags_before_app_run
 4  5 / 2 by the module's own Python                test_traps_python.py, trap_4_and_25
 5  a syntax error of Python 3                      test_traps_python.py, trap_5
 6  FLAGS read early, and unknown ones              test_flags_before_app_run
 7  tf.__version__ compared                         test_trap[7-...]
 8  three ways to one contrib.slim                  test_trap[8-...]
 9  tensorflow.python.ops.rnn_cell                  test_trap[9-...]
10  libraries see the real TensorFlow               test_trap[10-...]
11  spawned children                                test_trap[11-...]; test_runner.py
12  pickles of Python 2, from text-mode files       test_traps_python.py, trap_12_and_14
13  line numbers after translation                  test_traps_python.py, trap_13
14  reload(sys), setdefaultencoding                 test_traps_python.py, trap_12_and_14
15  plt.show() without a display                    test_traps_python.py, trap_15
16  nothing is written to a source                  test_traps_python.py, trap_16
17  cross entropies by position                     test_trap[17-...]
18  gradient_override_map of Add                    test_trap[18-...]
19  type(x) is tf.Tensor                            test_trap[19-...]
20  how NumPy's scalars print                       test_traps_python.py, traps_20_21_and_22
21  NumPy 1's result types                          test_traps_python.py, traps_20_21_and_22
22  np.array of ragged rows                         test_traps_python.py, traps_20_21_and_22
23  oneDNN is said aloud, and the user's to switch  test_trap_23
24  --plot False                                    test_flags_before_app_run
25  100000 / 25 as a size; division from the future test_traps_python.py, trap_4_and_25
"""

import os
import textwrap

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import environment, state

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: name -> (files beside the script, the script, what it prints).
_TRAPS = {
    "1-own-modules": (
        {
            "keras.py": "WHO = 'mine'\n",
            "input_data.py": "from utils import WHO\n",
            "utils.py": "WHO = 'top'\n",
            "deep/__init__.py": "",
            "deep/utils.py": "WHO = 'deep'\n",
        },
        """
        import tensorflow as tf
        import keras, input_data
        from deep import utils
        print(keras.WHO, input_data.WHO, utils.WHO)
        """,
        "mine top deep\n",
    ),
    "2-names-of-a-script-and-11-spawned-children": (
        {},
        """
        import os, sys
        import tensorflow as tf
        def child():
            print(tf.__version__, type(tf.mul(2, 3)) is tf.Tensor, flush=True)
        if __name__ == "__main__":
            print(os.path.basename(__file__), sys.argv, sys.path[0] == os.getcwd(), flush=True)
            import multiprocessing
            started = multiprocessing.get_context("spawn").Process(target=child)
            started.start()
            started.join()
            print(started.exitcode)
        """,
        "script.py ['script.py'] True\n1.15.5 True\n0\n",
    ),
    "8-one-module-by-three-ways": (
        {},
        """
        import tensorflow as tf
        import tensorflow.contrib.slim as slim
        from tensorflow.contrib import slim as again
        print(slim is again is tf.contrib.slim)
        """,
        "True\n",
    ),
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


@pytest.mark.parametrize(
    "set_by_the_user, seeds, wanted",
    [(None, None, "1"), (None, "tf1", "0"), ("0", None, "0"), ("1", "tf1", "1")],
)
def test_trap_23_onednn(set_by_the_user, seeds, wanted, monkeypatch):
    """On, but for TF 1.15's own numbers, where the user says nothing; then children have it too."""
    monkeypatch.setenv("TF_USE_LEGACY_KERAS", "1")
    if set_by_the_user is None:
        monkeypatch.delenv("TF_ENABLE_ONEDNN_OPTS", raising=False)
    else:
        monkeypatch.setenv("TF_ENABLE_ONEDNN_OPTS", set_by_the_user)
    environment.prepare(seeds)
    assert os.environ["TF_ENABLE_ONEDNN_OPTS"] == wanted
    state.restore()


def test_gone_names_say_why(tf1_run, tmp_path):
    """Every row of what is gone raises its reason, as an AttributeError of the user's line."""
    (tmp_path / "asks.py").write_text(
        textwrap.dedent("""
        import importlib
        from tfgraphtools.compat.fixes import removed
        import tensorflow as tf
        lines = [line for line in removed.lines_of("TF") if not line.now]
        for row in map(removed.row_of, lines):
            if not row.name.startswith("tensorflow."):
                continue
            value = tf
            try:
                if ".python." in row.name:  # a module that only an import asks for
                    importlib.import_module(row.name)
                for part in row.name.split(".")[1:]:
                    value = getattr(value, part)
            except (AttributeError, ImportError) as error:
                assert str(error) == row.name + ": " + row.why, error
            else:
                raise SystemExit(row.name + " is there")
        print(hasattr(tf.data.experimental, "StatsOptions"))
        """)
    )
    done = tf1_run("asks.py")
    assert done.stdout == "False\n", done.stderr


@pytest.mark.slow
def test_the_estimator_says_what_to_install(tf1_run, tmp_path):
    (tmp_path / "asks.py").write_text("import tensorflow as tf\ntf.estimator.Estimator\n")
    done = tf1_run("asks.py", environment={"TFGRAPHTOOLS_CACHE": str(tmp_path / "none")})
    assert done.returncode == 1
    assert "legacy install" in done.stderr.splitlines()[-1]
    assert "tfgraphtools/" not in done.stderr, "frames of ours"
