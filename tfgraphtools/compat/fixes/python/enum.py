"""The text of an enum's member, which Python 3.11 changed.

``"{}".format(Mode.TRAIN)`` of a ``class Mode(str, Enum)`` was its value, and ``str`` of an
IntEnum's member its name.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides


@provides(
    "enum.Enum",
    "Python 3.11",
    "format() of a member that is a str, too, gives its value",
    cannot="format member.value",
)
def _enum(real, used):
    class Enum(real.Enum):
        """``enum.Enum`` of Python 3.7."""

        def __format__(self, spec):
            kind = self._member_type_
            if kind is object:
                return format(str(self), spec)
            used()
            return kind.__format__(self._value_, spec)

    return _named(Enum)


@provides(
    "enum.IntEnum",
    "Python 3.11",
    "str() of a member gives its name, not its number",
    cannot="write member.name where the text of a member is printed",
)
def _int_enum(real, used):
    class IntEnum(real.IntEnum):
        """``enum.IntEnum`` of Python 3.7."""

        def __str__(self):
            used()
            return real.Enum.__str__(self)

        def __format__(self, spec):
            return int.__format__(self._value_, spec)

    return _named(IntEnum)


def _named(cls):
    """Returns the class under the name by which user code knows it."""
    cls.__module__, cls.__qualname__ = "enum", cls.__name__
    return cls


TABLE = Table("the texts of enums", "calls", [_enum, _int_enum])
