"""The text of an enum's member, which Python 3.11 changed.

``"{}".format(Mode.TRAIN)`` of a ``class Mode(str, Enum)`` was its value, and ``str`` of an
IntEnum's member its name. The classes stay Python's own; members of user code's classes answer.
"""

import functools
import sys

from tfgraphtools.compat.engine.replacing import callers, replaces, table
from tfgraphtools.compat.engine.rows import Fix

ENUM = Fix(
    "enum.Enum",
    "Python 3.11",
    "format() of a member that is a str, too, gives its value",
    cannot="format member.value",
)
INT_ENUM = Fix(
    "enum.IntEnum",
    "Python 3.11",
    "str() of a member gives its name, not its number",
    cannot="write member.name where the text of a member is printed",
)


def _is_users(member, *_):
    """Tells whether user code has defined the class of a member."""
    return _is_of_user(type(member))


@functools.lru_cache(maxsize=None)
def _is_of_user(cls):
    module = sys.modules.get(cls.__module__)
    return module is not None and callers.is_users(vars(module))


@replaces("enum:Enum.__format__", row=ENUM, when=_is_users)
def _format(original, self, spec):
    kind = self._member_type_
    if kind is object:
        return format(str(self), spec)
    _format.used()
    return kind.__format__(self._value_, spec)


@replaces("enum:IntEnum.__str__", row=INT_ENUM, when=_is_users)
def _str(original, self):
    _str.used()
    return f"{type(self).__name__}.{self._name_}"


@replaces("enum:IntEnum.__format__", row=INT_ENUM, when=_is_users)
def _int_format(original, self, spec):
    return int.__format__(self._value_, spec)


REPLACEMENTS = (_format, _str, _int_format)

TABLE = table("the texts of enums", *REPLACEMENTS)
