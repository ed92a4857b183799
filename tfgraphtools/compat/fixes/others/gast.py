"""``gast.Num``, ``Str``, ``Bytes``, ``NameConstant``, ``Ellipsis``: kinds of ``gast.Constant``."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides

#: The classes of constants, and the types of their values.
_TYPES = {
    "Num": (int, float, complex),
    "Str": (str,),
    "Bytes": (bytes,),
    "NameConstant": (type(None), bool),
    "Ellipsis": (type(...),),
}


def _constants_of(name, types):
    """Returns the row of a class whose objects are the constants of some types."""

    def provide(gast):
        class Kind(type):
            def __instancecheck__(cls, node):
                return isinstance(node, gast.Constant) and type(node.value) in types

            def __call__(cls, value=..., **fields):
                for field in ("n", "s", "value"):
                    value = fields.get(field, value)
                return gast.Constant(value=value, kind=None)

        return Kind(name, (), {})

    why = f"is gast.Constant with a value of type {' or '.join(each.__name__ for each in types)}"
    cannot = "write gast.Constant"
    return provides("gast." + name, "gast 0.3", why, cannot=cannot)(provide)


TABLE = Table("names that left gast", "names", [_constants_of(*kind) for kind in _TYPES.items()])
