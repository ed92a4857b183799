"""A warning about the first call that is not known to make as many ops as in TF 1.15.

Which things are known was measured (`measured`): functions of TensorFlow that a
user's code calls, and the gradients of ops. Contrib's code counts as the user's,
since it is that of TF 1.15. One line goes to stderr when a default seed is first
handed out in a graph that holds ops of an unknown thing: until then nothing differs.
"""

import inspect
import os
import sys

from tfgraphtools.compat.engine import quiet, state
from tfgraphtools.compat.engine.loading import own_code
from tfgraphtools.compat.fixes.tensorflow import ownership
from tfgraphtools.compat.seeds import counting, measured

#: Where the code is that is TensorFlow's, below a folder of installed packages.
_LIBRARIES = ("tensorflow", "tf_keras", "tf_slim", "keras")

#: Functions that only hand on a call, by their file.
_HAND_ON = (
    "traceback_utils.py",
    "dispatch.py",
    "deprecation.py",
    "contextlib.py",
    "base_layer.py",
)

#: Functions of ours that stand in for kernels of contrib: they make other ops.
_STAND_INS = "compat/contrib/ops"

#: The sentence about the first unknown thing, on the graph that holds it.
_ATTRIBUTE = "_tfgraphtools_unknown"

_has_warned = False


def install():
    """Watches the making of ops and gradients, and the seeds handed out, until `state.restore`."""
    global _has_warned
    from tensorflow.python.framework import ops

    _has_warned = False
    create, gradient_of = ops.Graph._create_op_internal, ops.get_gradient_function

    def create_op(self, *args, **kwargs):
        if _is_watched(self):
            _note_api(self)
        return create(self, *args, **kwargs)

    def get_gradient_function(op):
        function = gradient_of(op)
        if function is not None and _is_watched(op.graph):
            _note_gradient(op, function)
        return function

    state.set_attribute(ops.Graph, "_create_op_internal", create_op)
    state.set_attribute(ops, "get_gradient_function", get_gradient_function)
    counting.listen(_warn_at_seed)


def warn(sentence):
    """Says it; only the first time that there is something to say."""
    global _has_warned
    if not _has_warned:
        _has_warned = True
        quiet.say(f"tfgraphtools run --seeds=tf1: {sentence}.")


def _is_watched(graph):
    return not _has_warned and not hasattr(graph, _ATTRIBUTE) and ownership.is_users(graph)


def _note_api(graph):
    api, place = called_api(sys._getframe(2))
    is_same = measured.functions().get(api)
    if api is not None and not is_same:
        described = f"{api.replace(':', '.')} (called at {place})"
        _note(graph, described, is_same is False)


def _note_gradient(op, function):
    is_overridden = "_gradient_op_type" in op.node_def.attr
    is_same = measured.gradients().get(op.type)
    if is_overridden or is_same:
        return
    if not _is_library(inspect.unwrap(function).__code__.co_filename):
        return  # the gradient is the user's own: its calls are looked at one by one
    _, place = called_api(sys._getframe(2))
    described = f"the gradient of {op.type} ({op.name!r}, taken at {place})"
    _note(op.graph, described, is_same is False)


def _note(graph, described, is_different):
    difference = (
        f"{described} builds a different number of ops than in TF 1.15"
        if is_different
        else f"the number of ops that {described} builds was not compared with TF 1.15"
    )
    sentence = f"{difference}; later default seeds, and their random numbers, may differ"
    setattr(graph, _ATTRIBUTE, sentence)


def _warn_at_seed(graph):
    sentence = getattr(graph, _ATTRIBUTE, None)
    if sentence is not None:
        warn(sentence)


def called_api(frame):
    """Returns (the function of TensorFlow that user code called, where), from a frame inside it.

    (None, None) where no user code is on the stack.
    """
    api = None
    while frame is not None:
        code = frame.f_code
        if not _is_library(code.co_filename):
            if api is None or "importlib" in code.co_filename:
                return None, None
            return api, f"{os.path.basename(code.co_filename)}:{frame.f_lineno}"
        if not _hands_on(code.co_filename):
            api = _name(frame)
        frame = frame.f_back
    return None, None


def _hands_on(path):
    """Tells whether the code of this file only hands on the calls of others."""
    ours = own_code.is_own(path) and not own_code.is_own(path, _STAND_INS)
    return ours or "autograph" in path or os.path.basename(path) in _HAND_ON


def _is_library(path):
    if own_code.is_own(path, "compat") or "__autograph_generated" in path:
        return True
    if os.sep + "contrib" + os.sep in path:
        return False
    folder = os.sep + "site-packages" + os.sep
    _, is_installed, inside = path.rpartition(folder)
    return bool(is_installed) and inside.startswith(_LIBRARIES) or path.endswith("contextlib.py")


def _name(frame):
    """Returns module and function; of a method the class of its object."""
    code = frame.f_code
    module = frame.f_globals.get("__name__", "")
    if code.co_varnames[:1] == ("self",) and "self" in frame.f_locals:
        return f"{module}:{type(frame.f_locals['self']).__name__}.{code.co_name}"
    return f"{module}:{code.co_name}"
