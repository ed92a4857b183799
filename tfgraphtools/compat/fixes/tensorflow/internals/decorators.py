"""TensorFlow's decorators: the signature that ``inspect.getargspec`` gave, and deprecations."""

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
    "decorators of TensorFlow accept the signature that getargspec returns",
    _take_short_signatures,
)

TABLE = Table("signatures of decorators", "patches", [_ROW])


def _warning(name):
    """A decorator whose notice in the docstring begins with the word of 1.15."""

    def provide(real):
        plain = getattr(real, name)

        @functools.wraps(plain)
        def deprecated(*arguments, **options):
            decorate = plain(*arguments, **options)

            def decorated(function):
                found = decorate(function)
                notice = getattr(found, "__doc__", None)
                if notice and not isinstance(found, type):
                    found.__doc__ = notice.replace("\n\nDeprecated: ", "\n\nWarning: ", 1)
                return found

            return decorated

        return deprecated

    return provide


NOTICES = Table(
    "notices of deprecation",
    "names",
    [
        Row(
            "tensorflow.python.util.deprecation." + name,
            "TF 2.6",
            "the notice in the docstring begins with 'Warning:', as in 1.15",
            _warning(name),
        )
        for name in ("deprecated", "deprecated_args", "deprecated_arg_values")
    ],
)
