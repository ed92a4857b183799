"""How a method or function of pandas is replaced by one around it."""

import functools

from tfgraphtools.compat.engine import state


def wrap(owner, name, change):
    """Replaces ``owner.name`` by ``change(owner.name)`` until `state.restore`."""
    plain = getattr(owner, name)
    state.set_attribute(owner, name, functools.wraps(plain)(change(plain)))
