"""Names and calls that left h5py, PyYAML, gast and mock."""

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import made


@made(
    "h5py.File", "h5py 3.0", "without a mode it opens the file for reading and writing, if possible"
)
def _h5py_file(real, used):
    class File(real.File):
        def __init__(self, name, mode=None, *arguments, **options):
            if mode is not None:
                super().__init__(name, mode, *arguments, **options)
                return
            used()
            for mode in ("r+", "r", "a"):
                try:
                    super().__init__(name, mode, *arguments, **options)
                    return
                except OSError:
                    if mode == "a":
                        raise

    return File


@made("yaml.load", "PyYAML 6.0", "without a Loader it uses FullLoader, as PyYAML 5 did")
def _yaml_load(real, used):
    def load(stream, Loader=None):
        if Loader is None:
            used()
        return real.load(stream, Loader=Loader or real.FullLoader)

    return load


def _mock():
    try:
        import mock  # noqa: UP026
    except ImportError:
        from unittest import mock
    return mock


TABLES = (
    removed.gone_of("gast"),
    Table("old calls of h5py and PyYAML", "calls", [_h5py_file, _yaml_load]),
    Table(
        "modules that moved",
        "modules",
        [Row("mock", "Python 3.3", "mock is unittest.mock, if mock is not installed", _mock)],
    ),
)
