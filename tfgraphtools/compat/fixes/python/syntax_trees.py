"""Classes of syntax trees that stood for constants, of ``ast`` and of ``gast``."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made


def node_class(library, since, name, kinds, **others):
    """A class of ast, or of gast, that stood for constants of some types.

    Args:
      library, since: the module, and the version that dropped the class.
      name, kinds: the name of the class, and the types of its values.
      others: the other fields of a constant there.
    """

    def provide(real):
        class Meta(type):
            def __instancecheck__(cls, value):
                constant = getattr(value, "value", value)
                return isinstance(value, real.Constant) and type(constant) in kinds

            def __call__(cls, *arguments, **options):
                named = [options[key] for key in ("n", "s", "value") if key in options]
                return real.Constant(value=[*arguments, *named, ...][0], **others)

        return Meta(name, (), {})

    why = f"{library}.{name} is a kind of {library}.Constant"
    return made(f"{library}.{name}", since, why)(provide)


#: Classes of constants, and the types of their values.
NODES = {
    "Num": (int, float, complex),
    "Str": (str,),
    "Bytes": (bytes,),
    "NameConstant": (type(None), bool),
    "Ellipsis": (type(...),),
}


TABLE = Table(
    "classes of constants in syntax trees",
    "names",
    [node_class("ast", "Python 3.14", name, kinds) for name, kinds in NODES.items()],
)
