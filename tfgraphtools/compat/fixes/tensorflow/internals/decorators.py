"""TensorFlow's decorators: the signature that ``inspect.getargspec`` gave, and deprecations."""

import functools

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@replaces(
    "tensorflow.python.util.tf_decorator:fullargspec_to_signature",
    name="tensorflow.python.util.tf_inspect.ArgSpec",
    since="TF 2.13",
    why="decorators of TensorFlow accept the signature that getargspec returns",
)
def _fullargspec_to_signature(original, fullargspec):
    from tensorflow.python.util import tf_inspect

    if hasattr(fullargspec, "kwonlydefaults"):
        return original(fullargspec)
    _fullargspec_to_signature.used()
    return original(tf_inspect._convert_maybe_argspec_to_fullargspec(fullargspec))


TABLE = replacing.table("signatures of decorators", _fullargspec_to_signature, kind="patches")


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
