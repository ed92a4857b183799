"""Functions that TensorFlow's inner modules share with its API.

The rows of kind "calls" speak of names of the API: ``tf.maximum``. Contrib's modules and some
programs call the same functions as ``math_ops.maximum``, and get here what the API gives.
"""

import inspect

#: Modules that define such functions, and of which no row speaks.
DEFINING = tuple(
    "tensorflow.python.ops." + name
    for name in ("image_ops", "image_ops_impl", "linalg.linalg_impl", "special_math_ops")
)

#: last name -> names of the API of which rows of kind "calls" speak.
_called = {}


def register(name):
    """Notes the name of a row; returns whether it is one of the API's functions."""
    root, _, path = name.partition(".")
    if root != "tensorflow" or path.startswith(("python.", "contrib.")):
        return False
    _called.setdefault(name.rpartition(".")[2], []).append(name)
    return True


def forget():
    """Forgets all names."""
    _called.clear()


def may_be_shared(module, attribute):
    """Tells whether the attribute of an inner module has the name of a function of the API."""
    return module.startswith("tensorflow.python.") and _without_suffix(attribute) in _called


def api_function(attribute, value, defining, functions_of):
    """Returns user code's function for one of an inner module: the API's, if it is the same.

    TensorFlow defines some twice: ``math_ops.reduce_max_v1``, which is ``tf.reduce_max``, and
    ``math_ops.reduce_max``, which takes the first of its arguments.

    Args:
      attribute, value: the name of the function in the inner module, and it itself.
      defining: the inner module.
      functions_of: gives, for a name of the API, the real function and user code's.
    """
    for name in _called[_without_suffix(attribute)]:
        real, ours = functions_of(name)
        if _is_same(real, value):
            return ours()
        first = getattr(defining, attribute + "_v1", None)
        if first is not None and _is_same(real, first) and _takes_all_of(real, value):
            return ours()
    return value


def _is_same(function, other):
    """Tells whether two functions are one, without what TensorFlow's decorators put around it."""
    return function is other or inspect.unwrap(function) is inspect.unwrap(other)


def _without_suffix(attribute):
    return attribute[:-3] if attribute.endswith("_v1") else attribute


def _takes_all_of(function, other):
    """Tells whether the arguments of the other function are the first ones of this."""
    names, others = (list(inspect.signature(each).parameters) for each in (function, other))
    return names[: len(others)] == others
