"""``tf_decorator.make_decorator`` with the signature that ``inspect.getargspec`` gave."""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _take_short_signatures():
    from tensorflow.python.util import tf_decorator, tf_inspect

    plain = tf_decorator.fullargspec_to_signature

    @functools.wraps(plain)
    def fullargspec_to_signature(fullargspec):
        if hasattr(fullargspec, "kwonlydefaults"):
            return plain(fullargspec)
        rows.used(_ROW)
        return plain(tf_inspect._convert_maybe_argspec_to_fullargspec(fullargspec))

    state.set_attribute(tf_decorator, plain.__name__, fullargspec_to_signature)


_ROW = Row(
    "tensorflow.python.util.tf_inspect.ArgSpec",
    "TF 2.13",
    "a decorator of TensorFlow takes the signature that getargspec gives",
    _take_short_signatures,
)

TABLE = Table("signatures of decorators", "patches", [_ROW])
