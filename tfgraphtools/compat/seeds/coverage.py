"""Names the first API used of which it is not known that it makes as many ops as in TF 1.15.

Which ones are known was measured (`covered.py`). An op belongs to the function
of TensorFlow that the user's code called; contrib's code counts as the user's,
since it is that of TF 1.15. One line goes to stderr when a default seed is first
handed out in a graph that holds ops of an unknown API: until then nothing differs.
"""

import os
import sys

from tfgraphtools.compat import state
from tfgraphtools.compat.seeds import counting
from tfgraphtools.compat.seeds.covered import COVERED

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

_ATTRIBUTE = "_tfgraphtools_unknown_api"

_said = False


def install():
    """Watches the making of ops, and the handing out of seeds, until `state.restore`."""
    global _said
    from tensorflow.python.framework import ops

    _said = False
    create = ops.Graph._create_op_internal

    def create_op(self, *args, **kwargs):
        if not _said and not hasattr(self, _ATTRIBUTE):
            _note(self)
        return create(self, *args, **kwargs)

    state.set_attribute(ops.Graph, "_create_op_internal", create_op)
    counting.listen(_warn)


def _note(graph):
    api, place = called_api(sys._getframe(2))
    if api is not None and api not in COVERED:
        setattr(graph, _ATTRIBUTE, (api, place))


def called_api(frame):
    """(the function of TensorFlow that user code called, where), from a frame inside it.

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
    """Whether the code of this file only hands on the calls of others."""
    ours = os.sep + "tfgraphtools" + os.sep in path
    return ours or "autograph" in path or os.path.basename(path) in _HAND_ON


def _is_library(path):
    if "__autograph_generated" in path:
        return True
    if os.sep + "contrib" + os.sep in path:
        return False
    folder = os.sep + "site-packages" + os.sep
    _, found, rest = path.rpartition(folder)
    is_ours = os.sep + os.path.join("tfgraphtools", "compat") + os.sep in path
    return is_ours or bool(found) and rest.startswith(_LIBRARIES) or path.endswith("contextlib.py")


def _name(frame):
    """Module and function; of a method the class of its object."""
    code = frame.f_code
    module = frame.f_globals.get("__name__", "")
    if code.co_varnames[:1] == ("self",) and "self" in frame.f_locals:
        return f"{module}:{type(frame.f_locals['self']).__name__}.{code.co_name}"
    return f"{module}:{code.co_name}"


def _warn(graph):
    global _said
    unknown = getattr(graph, _ATTRIBUTE, None)
    if unknown is None or _said:
        return
    _said = True
    api, place = unknown
    print(
        f"tfgraphtools run --seeds=tf1: it was not measured whether {api.replace(':', '.')} "
        f"(called at {place}) makes as many ops as in TF 1.15; default seeds after it, and "
        "their numbers, may be others.",
        file=sys.stderr,
    )
