"""Replaces a public function or method of a library for the calls of user code alone."""

import functools

from tfgraphtools.compat.engine import notices, state

#: Frames that may stand between user code and a function: those of rewritten statements.
_BETWEEN = ("tfgraphtools",)


def replace(owner, name, replacement):
    """Replaces ``owner.name`` until `state.restore`, for user code.

    The original runs for every other caller: an installed package, or the library itself.

    Args:
      owner: the module or class.
      name: its public function or method.
      replacement: called with the original and the arguments of the call.
    """
    assert not name.startswith("_") or name.endswith("__"), name
    original = getattr(owner, name)

    @functools.wraps(original)
    def function(*arguments, **options):
        if notices.is_called_by_user(_BETWEEN):
            return replacement(original, *arguments, **options)
        return original(*arguments, **options)

    state.set_attribute(owner, name, function)


def replace_all(owners, names, replacement):
    """Does the same for several names, separated by blanks; an owner may lack some."""
    for owner in owners:
        for name in names.split():
            if hasattr(owner, name):
                replace(owner, name, replacement)
