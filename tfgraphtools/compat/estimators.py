"""``tf.estimator``, which is a package of its own: served where one is installed."""

import importlib

from tfgraphtools.compat.rows import Row, Table

_API = "tensorflow_estimator.python.estimator.api._v1.estimator"


def _estimator(real):
    try:
        return importlib.import_module(_API)
    except ImportError:
        from tfgraphtools.compat.views import GoneError

        raise GoneError(
            "tensorflow.estimator left TensorFlow with 2.16. Run 'tfgraphtools legacy install' "
            "once: it brings TF 1.15's."
        )


TABLES = (
    Table(
        "the estimator",
        "names",
        [
            Row(
                "tensorflow.estimator",
                "TF 2.16",
                "TF 1.15's estimator, once 'tfgraphtools legacy install' has brought it",
                _estimator,
            )
        ],
    ),
)
