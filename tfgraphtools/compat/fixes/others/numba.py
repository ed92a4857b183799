"""Functions that Numba compiles see the real modules: it does not know the views of user code.

Their code is not rewritten either; see `engine.translate.numba_functions`.
"""

import functools

from tfgraphtools.compat.engine import after_import, state, views


def install():
    """Changes Numba once its interpreter of functions is loaded."""
    after_import.call("numba.core.interpreter", _change, "numba.globals")


def _change(interpreter):
    for name in ("get_global_value", "get_closure_value"):
        original = getattr(interpreter.Interpreter, name)
        state.set_attribute(interpreter.Interpreter, name, _of_real_modules(original))


def _of_real_modules(original):
    return functools.wraps(original)(lambda self, name: views.real_of(original(self, name)))
