"""What user code registers for its linear operators, where today's operators look for it.

1.15 kept functions by the classes of operators (``linear_operator_algebra``); today
``LinearOperator`` calls methods of its class.
"""

from tfgraphtools.compat.engine import state


def one(kind, key, function):
    """Makes ``operator.adjoint()`` (cholesky, inverse) of a class call a registered function."""
    if _is_of_users(function):
        state.set_attribute(key[0], "_linop_" + kind, lambda self: function(self), new=True)


def two(kind, key, function):
    """Makes ``left.matmul(right)`` (solve) of two classes call a registered function."""
    if not _is_of_users(function):
        return
    left_class, right_class = key
    name = "_linop_" + kind
    before = getattr(left_class, name)

    def method(self, left_operator, right_operator):
        if isinstance(right_operator, right_class):
            return function(left_operator, right_operator)
        return before(self, left_operator, right_operator)

    state.set_attribute(left_class, name, method, new=True)


def _is_of_users(function):
    """Not one of 1.15's own, which today's operators have as methods."""
    return not function.__module__.startswith("tensorflow.")
