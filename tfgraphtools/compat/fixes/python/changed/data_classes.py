"""``@dataclass`` with a default that has no hash, such as another dataclass's object.

Python 3.11 refuses what it took until then: only lists, dicts and sets were refused.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made

_REFUSED = (list, dict, set)


@made(
    "dataclasses.dataclass",
    "Python 3.11",
    "a default may be an object without a hash",
    cannot="write field(default_factory=Options) for a default Options()",
)
def _dataclass(real, used):
    def is_shared(value):
        if isinstance(value, real.Field):
            value = value.default
        return type(value).__hash__ is None and not isinstance(value, _REFUSED)

    def decorated(cls, options):
        mine = vars(cls)
        names = [name for name in mine.get("__annotations__", ()) if is_shared(mine.get(name))]
        shared = {name: _default(mine[name], real) for name in names}
        for name, value in shared.items():
            used()
            _give(cls, name, value, real)
        made_class = real.dataclass(**options)(cls)
        for name, value in shared.items():
            setattr(made_class, name, value)
        return made_class

    def dataclass(cls=None, **options):
        return decorated(cls, options) if cls is not None else lambda cls: decorated(cls, options)

    return dataclass


def _default(value, real):
    return value.default if isinstance(value, real.Field) else value


def _give(cls, name, value, real):
    """Makes every object start with this same value."""
    field = vars(cls)[name] if isinstance(vars(cls)[name], real.Field) else real.field()
    field.default, field.default_factory = real.MISSING, lambda: value
    setattr(cls, name, field)


TABLE = Table("defaults of data classes", "calls", [_dataclass])
