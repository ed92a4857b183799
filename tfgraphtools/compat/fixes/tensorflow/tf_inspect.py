"""``tf_inspect``: the signatures of TensorFlow's functions."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of

#: Arguments of 2.x that functions of 1.15 have taken on as their last ones.
_ADDED = ("layout",)


@in_place_of(
    "tensorflow.python.util.tf_inspect.getfullargspec",
    "TF 2.5",
    "TensorFlow's functions have the arguments of 1.15, without annotations",
)
def _getfullargspec(original, used, obj):
    today = original(obj)
    if not (getattr(obj, "__module__", None) or "").startswith("tensorflow."):
        return today
    spec = _of_tf1(today)
    if spec != today:
        used()
    return spec


def _of_tf1(spec):
    """Returns the arguments of a function of TensorFlow as TF 1.15 said them."""
    from tfgraphtools._tf import v1

    args, defaults = list(spec.args), list(spec.defaults or ())
    if defaults and args[-1] in _ADDED:
        del args[-1], defaults[-1]
    for place in range(-len(defaults), 0):
        if args[place] == "out_type" and defaults[place] is None:  # of tf.shape and tf.size
            defaults[place] = v1.int32
    return spec._replace(args=args, defaults=tuple(defaults) or None, annotations={})


TABLES = (Table("arguments of TensorFlow's functions", "calls", _getfullargspec),)
