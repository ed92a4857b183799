"""``tf.function`` and ``defun``: what their calls give, and where variables are made.

The call of a function without results gave its op in graph mode, which a program runs
or depends on: ``session.run(initialize())``. 2.x gives None, and the op stays in the graph.

2.x's ``tf.function`` creates variables at its first call only and initializes them inside
a condition; ``defun`` of 1.x created them as the code around it does, outside of the traced graph,
and at any call. TensorFlow's own tracing, without tf.function around it, does so still.
"""

import functools
import weakref

from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import in_place_of

_CALLS = ("PartitionedCall", "StatefulPartitionedCall")


def _result_or_op(call, used=None):
    """Returns what `call()` gives; where that is None in graph mode, the op that it made.

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
    new_ops = graph.get_operations()[before:]
    op = next((op for op in reversed(new_ops) if op.type in _CALLS), None)
    if op is not None and used is not None:
        used()
    return op


@functools.lru_cache(maxsize=None)
def _class_with_op(original, used):
    """Returns a class of traced functions whose calls without results give ops."""

    class Function(original):
        def __call__(self, *arguments, **options):
            call = functools.partial(super().__call__, *arguments, **options)
            return _result_or_op(call, used)

    Function.__name__, Function.__qualname__ = original.__name__, original.__qualname__
    Function.__module__ = original.__module__
    return Function


@in_place_of(
    "tensorflow.function",
    "TF 2.0",
    "a call without results returns its op in graph mode; None in 2.x",
)
def _function(original, used, func=None, *arguments, **options):
    traced = original(func, *arguments, **options)
    if func is not None:
        return _with_op(traced, used)
    return lambda inner: _with_op(traced(inner), used)


def _with_op(traced, used):
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    if type(traced) is polymorphic_function.Function:
        traced.__class__ = _class_with_op(polymorphic_function.Function, used)
    return traced


class Defun:
    """A Python function, or a method, that is traced once for each kind of arguments."""

    def __init__(self, python_function, signature=None, autograph=True, features=None, relax=False):
        from tensorflow.core.function.polymorphism import function_cache
        from tensorflow.python.eager.polymorphic_function import autograph_util
        from tensorflow.python.eager.polymorphic_function import function_type_utils as types
        from tensorflow.python.eager.polymorphic_function import tracing_compilation as tracing

        self.python_function = python_function
        self.input_signature = None if signature is None else tuple(signature)
        self._how = dict(autograph=autograph, features=features, relax=relax)
        self._bound = weakref.WeakKeyDictionary()
        kind, defaults = types.make_function_type(python_function, self.input_signature)
        traced = python_function
        if autograph:
            traced = autograph_util.py_func_from_autograph(python_function, features)
        self._options = tracing.TracingOptions(
            traced,
            getattr(python_function, "__name__", "function"),
            polymorphic_type=kind,
            default_values=defaults,
            autograph=autograph,
            autograph_options=features,
            reduce_retracing=relax,
            function_cache=function_cache.FunctionCache(),
        )

    def __call__(self, *arguments, **options):
        from tensorflow.python.eager.polymorphic_function import function_type_utils as types
        from tensorflow.python.eager.polymorphic_function import tracing_compilation as tracing

        how = self._options
        inputs = types.canonicalize_function_inputs(
            arguments, options, how.polymorphic_type, how.default_values
        )
        return _result_or_op(lambda: tracing.call_function(inputs.args, inputs.kwargs, how))

    def get_concrete_function(self, *arguments, **options):
        """Returns the traced function for arguments of this kind."""
        from tensorflow.python.eager.polymorphic_function import tracing_compilation as tracing

        return tracing.trace_function(arguments, options, self._options)

    def __get__(self, instance, owner):
        if instance is None:
            return self
        if instance not in self._bound:
            method = self.python_function.__get__(instance, owner)
            bound = Defun(method, self.input_signature, **self._how)
            self._bound[instance] = _like(method, bound)
        return self._bound[instance]


def _like(function, traced):
    """Returns `traced` with the name and the signature of a function, as Keras asks for them."""
    from tensorflow.python.util import tf_decorator

    return tf_decorator.make_decorator(function, traced)


def _defun(real):
    def defun(
        func=None,
        input_signature=None,
        autograph=True,
        experimental_autograph_options=None,
        experimental_relax_shapes=False,
    ):
        """Compiles a function into a callable graph, as TF 1.15's defun."""
        how = (
            input_signature,
            autograph,
            experimental_autograph_options,
            experimental_relax_shapes,
        )

        def decorated(function):
            return _like(function, Defun(function, *how))

        return decorated if func is None else decorated(func)

    return defun


def _partitioned_call(real):
    """Takes a function of `Defun`, of which it knows the types of the results."""

    def partitioned_call(
        args, f, tout=None, executing_eagerly=None, config=None, executor_type=None
    ):
        from tensorflow.python.ops import gen_functional_ops
        from tensorflow.python.util import function_utils

        if tout is None:
            tout = tuple(result.type for result in f.definition.signature.output_arg)
        if config is None:
            config = function_utils.get_disabled_rewriter_config()
        kind = "stateful_partitioned_call" if f.stateful_ops else "partitioned_call"
        call = getattr(gen_functional_ops, kind)
        types = dict(args=args, Tout=tout, f=f)
        return _result_or_op(
            lambda: call(**types, config_proto=config, executor_type=executor_type or "") or None
        )

    return partitioned_call


def _defun_with_attributes(real):
    defun = _defun(real)

    def defun_with_attributes(func=None, input_signature=None, attributes=None, *how, **options):
        """Returns `defun`; the attributes of the function that it makes change no result."""
        return defun(func, input_signature, *how, **options)

    return defun_with_attributes


TABLES = (
    Table("traced functions", "calls", _function),
    Table(
        "functions of eager execution",
        "names",
        [
            Fix(
                "tensorflow.python.eager.function.defun",
                "TF 2.12",
                "traces a function that may create variables at every call, also in graph mode",
                _defun,
            ),
            Fix(
                "tensorflow.python.eager.function.defun_with_attributes",
                "TF 2.13",
                "defun; its attributes change no result",
                _defun_with_attributes,
            ),
            Fix(
                "tensorflow.python.ops.functional_ops.partitioned_call",
                "TF 2.13",
                "calls a function of Defun, and infers the types of its results",
                _partitioned_call,
            ),
        ],
    ),
)
