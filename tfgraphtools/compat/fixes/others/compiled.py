"""Functions that Numba compiles see the real modules: it does not know the views of user code.

Their code is not rewritten either; see `engine.rewrite.compiled`.
"""

from tfgraphtools.compat.engine import after_import, views
from tfgraphtools.compat.fixes.pandas.wrapping import wrap


def install():
    """Changes Numba once its interpreter of functions is loaded."""
    after_import.call("numba.core.interpreter", _change, "numba.globals")


def _change(interpreter):
    for name in ("get_global_value", "get_closure_value"):
        wrap(interpreter.Interpreter, name, _real)


def _real(plain):
    return lambda self, name: views.real_of(plain(self, name))
