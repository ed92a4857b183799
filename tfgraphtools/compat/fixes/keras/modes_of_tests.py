"""The mode ``v2_funcgraph`` of Keras's own test cases, which is gone in tf_keras.

Tests of projects that extend Keras use ``keras_parameterized`` and ``testing_utils`` of
``tensorflow.python.keras``. In 1.15 a model was trained in eager execution by a Keras graph
(``experimental_run_tf_function=False``) or by ``tf.function``. tf_keras has the second alone, so
both modes run that one.
"""

import contextlib
import functools
import threading

from tfgraphtools.compat.engine.rows import Row, Table

_now = threading.local()


@contextlib.contextmanager
def experimental_run_tf_function_scope(value):
    """What `should_run_tf_function` answers within the scope."""
    before = getattr(_now, "value", None)
    _now.value = value
    try:
        yield
    finally:
        _now.value = before


def should_run_tf_function():
    """Whether the mode of the running test trains by ``tf.function``."""
    from tfgraphtools._tf import tf

    value = getattr(_now, "value", None)
    if value is None:
        raise ValueError("should_run_tf_function() has no answer outside of a test's mode.")
    return value and tf.executing_eagerly()


def run_all_keras_modes(
    test_or_class=None, config=None, always_skip_v1=False, always_skip_eager=False
):
    """Runs a test method, or each of a class, once in each of the four modes of 1.15."""
    from absl.testing import parameterized
    from tf_keras.src.testing_infra import test_combinations as plain

    from tfgraphtools._tf import tf

    modes = ["v2_function", "v2_funcgraph"]
    modes += [] if always_skip_eager else ["v2_eager"]
    modes += [] if always_skip_v1 or tf.__internal__.tf2.enabled() else ["v1_session"]
    tests = {
        "v2_function": plain._v2_function_test,
        "v2_funcgraph": plain._v2_function_test,
        "v2_eager": plain._v2_eager_test,
        "v1_session": functools.partial(_in_session, plain._v1_session_test, config),
    }

    def of_method(test):
        @parameterized.named_parameters(*(("_" + mode, mode) for mode in modes))
        @functools.wraps(test)
        def decorated(self, run_mode, *args, **kwargs):
            is_function = run_mode in ("v2_function", "v2_eager")
            with experimental_run_tf_function_scope(is_function):
                tests[run_mode](test, self, *args, **kwargs)

        return decorated

    return plain._test_or_class_decorator(test_or_class, of_method)


def _in_session(run, config, test, self, *args, **kwargs):
    run(test, self, config, *args, **kwargs)


_TESTS = "tensorflow.python.keras.testing_utils."

TABLES = (
    Table(
        "modes of Keras's test cases",
        "names",
        [
            Row(
                "tensorflow.python.keras.keras_parameterized.run_all_keras_modes",
                "TF 2.2",
                "has the mode v2_funcgraph, which trains as v2_function does",
                lambda real: run_all_keras_modes,
            ),
            Row(
                _TESTS + "should_run_tf_function",
                "TF 2.2",
                "whether the mode of a test trains by tf.function",
                lambda real: should_run_tf_function,
            ),
            Row(
                _TESTS + "experimental_run_tf_function_scope",
                "TF 2.2",
                "sets the result of should_run_tf_function",
                lambda real: experimental_run_tf_function_scope,
            ),
        ],
    ),
)
