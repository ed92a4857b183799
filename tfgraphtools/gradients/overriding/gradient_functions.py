"""Stable, readable names for gradient functions, in TF's registry that has no removal.

TF finds the gradient of an overridden op by a *name*, an attribute of the op,
in a registry of the process. That registry only grows, and a name with a
counter or a uuid in it can never be found again by another process. Here

- a function that a module holds goes by ``module.function``: a graph that was
  saved with it works in a fresh process as soon as the module has called
  `register_gradient` on it,
- the same function, or the same code over the same closure, goes by the same
  name however often it is used; numbers and strings of a closure are in its name,
- a closure is held weakly, its graphs hold it: when they are gone, its name is never another
  closure's, and a saved graph that is loaded then learns that the function is gone.
"""

import sys
import types
import weakref
import zlib
from typing import Any, Callable, Optional

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import (
    GradientFunctionError,
    UnknownGradientError,
    WrongGradientError,
    did_you_mean,
)

# The global state of this part: {registered name: a function that returns the
# gradient function, or None once that is gone}. An entry is never removed, and replaced only
# by a function that is sure to compute the same.
_functions = {}
_named_by_users = {}  # {registered name: function}, of `register_gradient(name=)`
_names = {}  # {name without a number: the names with it whose function is there, or may come back}
_counts = {}  # {name without a number: how many names it had}
_codes = {}  # {registered name: what `_code_of` its function is}

#: What to do about a closure that is gone.
GONE = (
    "Give the op another gradient with gradients.set_gradient, and use a function at module level "
    "for a graph that is copied or saved."
)

_IMMUTABLE = (int, float, complex, str, bytes, bool)
_LONGEST = 80  # characters of the values of a closure in its name

_CHECKED = "tfgraphtools.checked."  # and the name of the function whose results are checked


def register_gradient(
    function: Optional[Callable[..., Any]] = None, name: Optional[str] = None
) -> Any:
    """Registers a gradient function under a stable name, to be called when its module loads.

    `override_gradient` and `set_gradient` register what they are given by
    themselves. Call this as well, at module level, for a function that saved
    graphs use: a fresh process then finds it as soon as it imports the module.
    Does nothing if the function is registered already.

    Args:
      function: ``fn(op, *grads) -> gradients``, as for `tf.RegisterGradient`.
      name: the name to register; ``module.function`` if None.

    Returns:
      The function itself, so that this is a decorator, with or without ``name``.

    Example:
      >>> @gradients.register_gradient
      ... def five_times(op, grad):
      ...     return 5.0 * grad

    Raises:
      GradientFunctionError: the name belongs to another gradient function.
    """
    if function is None:
        return lambda decorated: register_gradient(decorated, name)
    if name is None:
        name_of(function)
        return function
    known = _functions.get(name)
    if known is not None and _are_same(known(), function):
        return function
    if _tf.gradient_is_registered(name):
        raise GradientFunctionError(
            f"register_gradient(name={name!r})",
            f"a name of its own for {function!r}",
            "a gradient function of that name in TensorFlow's registry",
            f"Choose another name, such as {_base_name(function)!r}.",
        )
    _add(name, function, weak=False)
    _named_by_users[name] = function
    return function


def name_of(function):
    """Returns the registered name of a gradient function, registering it on first use."""
    if not callable(function):
        raise GradientFunctionError(
            "a gradient function",
            "a function fn(op, *grads) or the name of a registered one",
            f"{function!r} of type {type(function).__name__}",
            "Pass the function itself.",
        )
    for name, named in _named_by_users.items():
        if named is function:
            return name
    values = _plain_values(function)
    base = _base_name(function) + _in_brackets(values)
    name = _name_again(base, function, values) or _new_name(base, function, values)
    if held(name) is None:
        _add(name, function, weak=not _is_importable(function))
    return name


def _name_again(base, function, values):
    """Returns the name of the same function, or of an equal one that is gone, or None."""
    for name in list(_names.get(base, ())):
        current, code = held(name), _codes[name]
        if _are_same(current, function):
            return name
        if current is None and code is None:
            _names[base].remove(name)
        elif current is None and values is not None and code[0] is function.__code__:
            if code[1] == repr(values):
                return name
    return None


def _new_name(base, function, values):
    name = base
    while name in _functions or _tf.gradient_is_registered(name):
        _counts[base] = _counts.get(base, 1) + 1
        name = f"{base}-{_counts[base]}"
    _names.setdefault(base, []).append(name)
    _codes[name] = _code_of(function, values)
    return name


def known_name(name, place):
    """Returns the name, after making sure that TF knows a gradient function by it."""
    if not _tf.gradient_is_registered(name):
        near = [
            registered
            for registered in _tf.registered_gradients()
            if registered.lower() == name.lower()
        ]
        next_step = did_you_mean(near[:1]) or (
            "Pass the function itself, or register it: "
            f"gradients.register_gradient(fn, name={name!r})."
        )
        raise UnknownGradientError(
            place, "the name of a registered gradient function", repr(name), next_step
        )
    return name


def held(name):
    """Returns the function now behind a name, or None; who keeps it keeps it from being gone."""
    return _functions[name]() if name in _functions else None


def is_gone(name):
    """Tells whether a name was that of a closure of this process that is there no longer."""
    unchecked = name[len(_CHECKED) :] if name.startswith(_CHECKED) else name
    return unchecked in _functions and held(unchecked) is None


def fitting_name(name, op):
    """Returns the name to tag an op with; if its dtype changes, results are checked.

    The plain name needs nothing of this package where the graph is loaded; but
    under ``{"Cast": "Identity"}`` a float64 gradient would reach a float32 tensor.
    """
    dtypes = {tensor.dtype.base_dtype for tensor in list(op.inputs) + list(op.outputs)}
    if len([dtype for dtype in dtypes if dtype.is_floating or dtype.is_complex]) < 2:
        return name
    restore(_CHECKED + name)
    return _CHECKED + name


def restore(name):
    """Tells whether TF knows the name, or this package makes it up by itself and now has."""
    unchecked = name[len(_CHECKED) :]
    if (
        name.startswith(_CHECKED)
        and name not in _functions
        and _tf.gradient_is_registered(unchecked)
    ):
        _add(name, _tf.gradient_function(unchecked), weak=False)
    return _tf.gradient_is_registered(name) and not is_gone(name)


def register_by_name(name, modules):
    """Registers ``module.function`` if one of the modules has that function; True if so."""
    for module in modules:
        function, prefix = module, module.__name__ + "."
        for part in name[len(prefix) :].split("."):
            function = getattr(function, part, None) if name.startswith(prefix) else None
        if isinstance(function, types.FunctionType) and name_of(function) == name:
            return True
    return False


def _base_name(function):
    inner = function
    while hasattr(inner, "func"):  # functools.partial
        inner = inner.func
    inner = getattr(inner, "__func__", inner)
    if not hasattr(inner, "__qualname__"):
        inner = type(inner)
    return f"{inner.__module__}.{inner.__qualname__}"


def _is_importable(function):
    """Tells whether the module of the function holds it by its name."""
    value = sys.modules.get(getattr(function, "__module__", None))
    for part in getattr(function, "__qualname__", "<none>").split("."):
        value = getattr(value, part, None)
    return value is function


def _add(name, function, weak):
    if weak:
        try:
            _functions[name] = weakref.ref(function)
        except TypeError:  # an object that cannot be referred to weakly
            _functions[name] = lambda: function
    else:
        _functions[name] = lambda: function
    if not _tf.gradient_is_registered(name):
        _tf.register_gradient(name, _checking(name))


def _are_same(a, b):
    """Tells whether two functions are sure to compute the same: one code over one closure."""
    if a is b or a is None or b is None:
        return a is b
    if isinstance(a, types.MethodType):
        return a == b
    if not (isinstance(a, types.FunctionType) and isinstance(b, types.FunctionType)):
        return False
    return (
        a.__code__ is b.__code__
        and _all_same(a.__defaults__ or (), b.__defaults__ or ())
        and _all_same(_cells(a), _cells(b))
        and not (a.__kwdefaults__ or b.__kwdefaults__)
    )


def _plain_values(function):
    """Returns [(name, value)] of a closure and of defaults; None if one is no number or string."""
    if not isinstance(function, types.FunctionType) or function.__kwdefaults__:
        return None
    names, code, defaults = [], function.__code__, function.__defaults__ or ()
    names += code.co_freevars
    names += code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
    values = list(_cells(function)) + list(defaults)
    is_plain = all(type(value) in _IMMUTABLE or value is None for value in values)
    return list(zip(names, values)) if is_plain else None


def _in_brackets(values):
    """Returns the values of a closure as they are in its name, which another process has too."""
    if not values:
        return ""
    shown = ", ".join(f"{name}={value!r}" for name, value in values)
    if len(shown) > _LONGEST:
        shown = f"{shown[:_LONGEST]}...{zlib.crc32(shown.encode()):08x}"
    return f"[{shown}]"


def _code_of(function, values):
    """Returns what is equal for functions that are sure to compute the same, or None."""
    return None if values is None else (function.__code__, repr(values))


def _cells(function):
    try:
        return [cell.cell_contents for cell in function.__closure__ or ()]
    except ValueError:  # a cell that is still empty is like no other
        return [object()]


def _all_same(values, others):
    """Tells whether values are the same; equal ones may be 0.0 and -0.0."""
    return len(values) == len(others) and all(
        a is b or (type(a) is type(b) and type(a) in _IMMUTABLE and repr(a) == repr(b))
        for a, b in zip(values, others)
    )


def _checking(name):
    """Returns the function for TF's registry: it calls and checks the one behind ``name``."""

    def gradient(op, *grads):
        function = _functions[name]()
        if function is None:
            raise UnknownGradientError(
                f"the gradient of op {op.name!r}",
                f"the function registered as {name!r}",
                "that it is gone: it was a closure, and the graphs that used it are gone",
                GONE,
            )
        inputs = list(op.inputs)  # TensorFlow's gradient of a loop adds inputs to the loop
        returned = function(op, *grads)
        returned = list(returned) if isinstance(returned, (list, tuple)) else [returned]
        _check(name, op, inputs, returned)
        return returned

    return gradient


def _check(name, op, inputs, returned):
    """Raises if the gradients cannot be those of these inputs of the op."""
    place = f"the gradient function {name!r} of op {op.name!r} ({op.type})"
    if len(returned) != len(inputs):
        raise WrongGradientError(
            place,
            f"{len(inputs)} gradients, one for each input",
            f"{len(returned)}",
            "Return a list in the order of the inputs, with None where there is no gradient.",
        )
    for index, (value, wanted) in enumerate(zip(returned, inputs)):
        if value is None:
            continue
        if not (hasattr(value, "dtype") and isinstance(value, (tf.Tensor, tf.IndexedSlices))):
            value = returned[index] = tf.convert_to_tensor(value, dtype=wanted.dtype.base_dtype)
        dtype = wanted.dtype.base_dtype
        resource = dtype == tf.resource
        if not resource and value.dtype.base_dtype != dtype:
            raise WrongGradientError(
                place,
                f"gradient {index} of dtype {dtype.name}, as its input {wanted.name!r}",
                value.dtype.base_dtype.name,
                f"Cast it: tf.cast(grad, op.inputs[{index}].dtype).",
            )
        if isinstance(value, tf.IndexedSlices) or resource:
            continue
        if not value.shape.is_compatible_with(wanted.shape):
            raise WrongGradientError(
                place,
                f"gradient {index} of shape {wanted.shape}, as its input {wanted.name!r}",
                f"shape {value.shape}",
                f"Sum over what the op broadcast, or reshape to tf.shape(op.inputs[{index}]).",
            )
