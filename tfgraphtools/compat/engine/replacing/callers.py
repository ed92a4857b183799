"""The caller of a library's function: user code, or another library.

A package written for TF1 counts as user code, and so does what runs in the namespace of either.
"""

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.engine.loading import dispatch, user_builtins

#: Modules that call what their caller gave them, so that their own caller is asked for. The tools
#: of this package act for their callers, too.
_ACT_FOR_OTHERS = (
    "tfgraphtools",
    *("abc", "collections", "concurrent", "contextlib", "copy", "copyreg", "dataclasses"),
    *("functools", "importlib", "multiprocessing", "pickle", "threading", "unittest"),
)

#: The builtins of user code, as a module and as a dictionary: its namespaces hold either one.
_users = _users_dictionary = object()

#: Whether modules that were loaded before compat was active may be user code.
_looks_at_running_code = False


def begin(running_code):
    """Starts a run, until `state.restore`.

    Args:
      running_code: whether modules that are loaded already may be user code.
    """
    global _users, _users_dictionary, _looks_at_running_code
    _users, _looks_at_running_code = user_builtins.users(), running_code
    _users_dictionary = vars(_users)
    state.at_restore(_end)


def _end():
    global _users, _users_dictionary, _looks_at_running_code
    _users = _users_dictionary = object()
    _looks_at_running_code = False


def is_users(namespace):
    """Tells whether code in a namespace, the globals of a function, is user code."""
    if user_builtins.are_users(namespace.get("__builtins__")):
        return True
    return _looks_at_running_code and dispatch.is_user_module(namespace)


def question(libraries=(), row=None):
    """Returns a function ``is_user(frame)`` that tells whether user code called a library.

    Args:
      libraries: the packages that may stand between the caller and the frame. The first frame
        outside of them is the caller.
      row: the name of the fix for which it is asked: a file may do without it.

    Returns:
      a function of the frame that called, ``sys._getframe(1)`` in the function that was called.
      It takes about 0.1 us for each frame up to the caller.
    """
    packages = frozenset(libraries).union(_ACT_FOR_OTHERS)
    is_between = {}  # name of a module -> whether its package is one of these

    def is_user(frame):
        while frame is not None:
            namespace = frame.f_globals
            in_force = namespace.get("__builtins__")
            if in_force is _users or in_force is _users_dictionary:
                return True
            if type(in_force) is user_builtins.Users:  # of a file that does without some fixes
                return row not in in_force.without
            name = namespace.get("__name__")
            passes = is_between.get(name)
            if passes is None:
                passes = is_between[name] = (name or "").partition(".")[0] in packages
            if not passes:
                return _looks_at_running_code and dispatch.is_user_module(namespace)
            frame = frame.f_back
        return False

    return is_user
