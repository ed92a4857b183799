"""Functions that take or do something else than in 1.x."""

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.behaviour.shapes import ragged

_BY_POSITION = (
    "takes (logits, labels) by position, as before 1.0; 1.0 to 2.10 refuse positional arguments, "
    "and since 2.11 labels come first"
)


def _positional(function_name):
    def provide(real, used):
        function = getattr(real, function_name)

        def cross_entropy(*arguments, **options):
            if arguments or "_sentinel" in options:
                used()
            options.pop("_sentinel", None)
            if arguments and arguments[0] is None:  # 1.x: a first argument that must be None
                arguments = arguments[1:]
                options.update(zip(("labels", "logits"), arguments))
            else:
                options.update(zip(("logits", "labels", "name"), arguments))
            return function(**options)

        cross_entropy.__name__ = function_name
        cross_entropy.__doc__ = function.__doc__
        return cross_entropy

    return provide


def _sampled(function_name):
    """A sampled loss: of its third and fourth argument integers are the labels."""

    def provide(real, used):
        function = getattr(real, function_name)

        def loss(weights, biases, *arguments, **options):
            if len(arguments) > 1 and _is_whole(arguments[1]) and not _is_whole(arguments[0]):
                used()
                arguments = (arguments[1], arguments[0], *arguments[2:])
            return function(weights, biases, *arguments, **options)

        loss.__name__ = function_name
        loss.__doc__ = function.__doc__
        return loss

    return provide


def _is_whole(value):
    dtype = getattr(value, "dtype", None)
    return getattr(dtype, "is_integer", getattr(dtype, "kind", "") in ("i", "u"))


def _add(real, used):
    @ragged.of_two
    def add(x, y, name=None):
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import gen_math_ops

        if "Add" in ops.get_default_graph()._gradient_override_map:
            used()
        return gen_math_ops.add(x, y, name=name)

    return add


def _cond(real, used):
    def cond(
        pred,
        true_fn=None,
        false_fn=None,
        strict=False,
        name=None,
        fn1=None,
        fn2=None,
    ):
        if isinstance(pred, (bool, int)):
            used()
            pred = _constant(bool(pred))
        true_fn, false_fn = true_fn or fn1, false_fn or fn2
        return _plain_cond()(pred, true_fn, false_fn, strict=strict, name=name)

    return cond


def _plain_cond():
    from tfgraphtools._tf import v1

    return v1.cond


def _constant(value):
    from tfgraphtools._tf import v1

    return v1.constant(value)


_CROSS_ENTROPIES = (
    "softmax_cross_entropy_with_logits",
    "sparse_softmax_cross_entropy_with_logits",
    "sigmoid_cross_entropy_with_logits",
)

TABLE = Table(
    "functions whose meaning changed",
    "calls",
    [
        Row("tensorflow.nn." + name, "TF 1.0", _BY_POSITION, _positional(name))
        for name in _CROSS_ENTROPIES
    ]
    + [
        Row(
            "tensorflow.nn." + name,
            "TF 1.0",
            "takes (inputs, labels) by position, too, as before 1.0",
            _sampled(name),
        )
        for name in ("nce_loss", "sampled_softmax_loss")
    ]
    + [
        Row(
            name,
            "TF 2.6",
            "builds an op Add, which gradient_override_map({'Add': ...}) finds; 2.x builds AddV2",
            _add,
        )
        for name in ("tensorflow.add", "tensorflow.math.add")
    ]
    + [
        Row("tensorflow.cond", "TF 0.12", "takes a Python bool as the predicate, too", _cond),
    ],
)
