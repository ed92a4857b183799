"""``yaml.load`` without a Loader; and the names of constants that left gast."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import provides


@provides("yaml.load", "PyYAML 6.0", "without a Loader it uses FullLoader, as PyYAML 5 did")
def _yaml_load(real, used):
    def load(stream, Loader=None):
        if Loader is None:
            used()
        return real.load(stream, Loader=Loader or real.FullLoader)

    return load


TABLES = (
    *removed.tables_of("gast"),
    Table("old calls of PyYAML", "calls", [_yaml_load]),
)
