"""Functions that are pickled by value, as joblib's and dask's workers get them.

cloudpickle rebuilds them with its own ``__builtins__``; those of user code call what only
the builtins of user code have.
"""

from tfgraphtools.compat.engine import after_import, state
from tfgraphtools.compat.engine.loading import user_builtins

_NAMES = ("cloudpickle.cloudpickle", "joblib.externals.cloudpickle.cloudpickle")


def install():
    """Makes cloudpickle rebuild functions as user code until `state.restore`."""
    for name in _NAMES:
        after_import.call(
            name,
            lambda module: state.set_attribute(module, "__builtins__", user_builtins.users()),
            "loading.pickling",
        )
