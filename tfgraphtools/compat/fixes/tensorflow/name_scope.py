"""Results under the name that the call gives, as in TF 1.15.

``tf.random_uniform(shape, name="z")`` made ``z:0``, by which scripts feed it or find it in a frozen
graph; 2.x makes ``z/RandomUniform:0`` alone.
"""

import inspect

from tfgraphtools.compat.seeds import counting


def named_result(original, used, *arguments, **options):
    """Calls a function whose result gets the name of the scope that it has opened."""
    from tfgraphtools._tf import v1

    result = original(*arguments, **options)
    if not isinstance(result, v1.Tensor) or v1.executing_eagerly():
        return result
    scope = _opened_scope(result.op)
    if scope is None:
        return result
    if has_name(original, arguments, options):
        used()
    with counting.paused(result.graph):
        return v1.identity(result, name=scope + "/")


def has_name(original, arguments, options):
    """Tells whether a call gives a name."""
    bound = inspect.signature(original).bind(*arguments, **options)
    return bound.arguments.get("name") is not None


def _opened_scope(op):
    """Returns the name of the scope that a call opened around its last op, or None."""
    outer = op.graph.get_name_scope()
    before = outer + "/" if outer else ""
    if not op.name.startswith(before):
        return None
    opened, _, inner_name = op.name[len(before) :].partition("/")
    return before + opened if inner_name else None
