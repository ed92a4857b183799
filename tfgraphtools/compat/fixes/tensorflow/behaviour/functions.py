"""Results of ``tf.function`` calls, and signatures of TensorFlow's functions.

The call of a function without results gave its op in graph mode, which a program runs
or depends on: ``session.run(initialize())``. 2.x gives None, and the op stays in the graph.
"""

import functools

from tfgraphtools.compat.engine.rows import Row, Table

_CALLS = ("PartitionedCall", "StatefulPartitionedCall")


def result_or_op(call, used=None):
    """What `call()` gives; where that is nothing in graph mode, the op of the call that it made.

    Args:
      call: a function without arguments that calls a traced one.
      used: called where it is the op.
    """
    from tfgraphtools._tf import v1

    if v1.executing_eagerly():
        return call()
    graph = v1.get_default_graph()
    before = len(graph.get_operations())
    result = call()
    if result is not None:
        return result
    made = graph.get_operations()[before:]
    op = next((op for op in reversed(made) if op.type in _CALLS), None)
    if op is not None and used is not None:
        used()
    return op


@functools.lru_cache(maxsize=None)
def _kind(plain, used):
    """A class of traced functions whose calls without results give ops."""

    class Function(plain):
        def __call__(self, *arguments, **options):
            call = functools.partial(super().__call__, *arguments, **options)
            return result_or_op(call, used)

    Function.__name__, Function.__qualname__ = plain.__name__, plain.__qualname__
    Function.__module__ = plain.__module__
    return Function


def _function(real, used):
    plain = real.function

    def with_op(made):
        from tensorflow.python.eager.polymorphic_function import polymorphic_function

        if type(made) is polymorphic_function.Function:
            made.__class__ = _kind(polymorphic_function.Function, used)
        return made

    @functools.wraps(plain)
    def function(func=None, *arguments, **options):
        made = plain(func, *arguments, **options)
        if func is not None:
            return with_op(made)
        return lambda inner: with_op(made(inner))

    return function


#: Arguments of 2.x that functions of 1.15 have taken on as their last ones.
_ADDED = ("layout",)


def _getfullargspec(real, used):
    plain = real.getfullargspec

    @functools.wraps(plain)
    def getfullargspec(obj):
        spec = plain(obj)
        if not (getattr(obj, "__module__", None) or "").startswith("tensorflow."):
            return spec
        then = _as_then(spec)
        if then != spec:
            used()
        return then

    return getfullargspec


def _as_then(spec):
    """The arguments of a function of TensorFlow as TF 1.15 said them."""
    from tfgraphtools._tf import v1

    args, defaults = list(spec.args), list(spec.defaults or ())
    if defaults and args[-1] in _ADDED:
        del args[-1], defaults[-1]
    for place in range(-len(defaults), 0):
        if args[place] == "out_type" and defaults[place] is None:  # of tf.shape and tf.size
            defaults[place] = v1.int32
    return spec._replace(args=args, defaults=tuple(defaults) or None, annotations={})


TABLE = Table(
    "traced functions, and the arguments of ops",
    "calls",
    [
        Row(
            "tensorflow.function",
            "TF 2.0",
            "a call without results returns its op in graph mode; None in 2.x",
            _function,
        ),
        Row(
            "tensorflow.python.util.tf_inspect.getfullargspec",
            "TF 2.5",
            "TensorFlow's functions have the arguments of 1.15, without annotations",
            _getfullargspec,
        ),
    ],
)
