"""``testing_utils.should_run_tf_function``: the mode in which TF 1.15 tested Keras."""

import contextlib
import threading

from tfgraphtools.compat.engine.rows import Fix, Table

_mode = threading.local()  # `runs_functions`: what the scope says


@contextlib.contextmanager
def experimental_run_tf_function_scope(value):
    """Makes `should_run_tf_function` say `value` in eager execution; yields it."""
    before = getattr(_mode, "runs_functions", None)
    _mode.runs_functions = value
    try:
        yield value
    finally:
        _mode.runs_functions = before


def should_run_tf_function():
    """Tells whether models are trained by functions: in eager execution, as the scope says."""
    from tfgraphtools._tf import v1

    says = getattr(_mode, "runs_functions", None)
    return says is not False and v1.executing_eagerly()


TABLES = (
    Table(
        "modes of Keras's tests",
        "names",
        [
            Fix(
                "tensorflow.python.keras.testing_utils." + function.__name__,
                "TF 2.2",
                "says whether models are trained by functions; tf_keras always does so eagerly",
                lambda real, function=function: function,
            )
            for function in (experimental_run_tf_function_scope, should_run_tf_function)
        ],
    ),
)
