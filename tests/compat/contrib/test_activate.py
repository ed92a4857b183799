"""Deactivation forgets contrib, and leaves TensorFlow's own modules where they were."""

_CHECK = """
import sys
import tensorflow as real
from tfgraphtools import _tf, compat

ROOTS = ("tensorflow.contrib", "tensorflow.examples", "tensorflow_estimator")

def served():
    return sorted(name for name in sys.modules if name.startswith(ROOTS))

def use():
    with compat.activate():
        import tensorflow as tf
        from tensorflow.contrib import slim
        from tensorflow.examples.tutorials import mnist
        tf.contrib.layers.fully_connected, tf.estimator.Estimator  # loads tf_keras
        return slim, len(served())

before = dict(vars(real))
slim, many = use()
print(many > 50, served(), sorted(set(vars(real)) - set(before)))
print([name for name in before if getattr(real, name, None) is not before[name]])
print(real.compat.v1 is _tf.v1, real.compat.v1.logging is _tf.v1.logging)
try:
    import tensorflow.contrib
except ModuleNotFoundError as error:
    print(error.name)
again, many_again = use()
print(again is slim, many_again == many)
"""


def test_deactivate_forgets_contrib(this_server, legacy_cache, tmp_path):
    """Modules of contrib, and TF's own that a library imports by path (a second copy of them)."""
    (tmp_path / "check.py").write_text(_CHECK)
    environment = {"TFGRAPHTOOLS_CACHE": str(legacy_cache), "TF_USE_LEGACY_KERAS": "0"}
    done = this_server.run_python(tmp_path, "check.py", environment=environment)
    assert done.out.splitlines() == [
        "True [] []",
        "[]",
        "True True",
        "tensorflow.contrib",
        "False True",
    ], done.err[-3000:]
