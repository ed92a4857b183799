"""``yaml.load`` without a Loader."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of


@in_place_of("yaml.load", "PyYAML 6.0", "without a Loader it uses FullLoader, as PyYAML 5 did")
def _yaml_load(original, used, stream, Loader=None):
    if Loader is None:
        import yaml

        used()
        Loader = yaml.FullLoader
    return original(stream, Loader=Loader)


TABLE = Table("old calls of PyYAML", "calls", _yaml_load)
