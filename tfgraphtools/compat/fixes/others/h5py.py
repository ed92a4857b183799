"""HDF5 files and the texts in them, as h5py 2 opened, read and wrote them.

h5py 2 knew from the file whether a text was ``str`` (UTF-8) or ``bytes`` (ASCII). h5py 3
reads every attribute as ``str`` and every data set as ``bytes``, and writes lists of
bytes with another type.
"""

import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.replacing import install_after_import
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import build
from tfgraphtools.compat.fixes.build import left, of, provides

ROW = Fix(
    "h5py.strings",
    "h5py 3.0",
    "strings in HDF5 files are str or bytes, as they were written: attrs[name].decode() works",
    cannot="h5py returns str for strings: remove decode()",
)


@provides(
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


TABLES = (
    Table("old calls of h5py", "calls", [_h5py_file]),
    Table(
        "strings and attributes of h5py",
        "listed",
        [
            ROW,
            left(
                "h5py.value",
                "h5py 3.0",
                "dataset[()]",
                of("h5py"),
                {"value": lambda dataset: dataset[()]},
                "h5py",
            ),
            left(
                "h5py.fid",
                "h5py 3.0",
                "file.fid is file.id",
                of("h5py"),
                {"fid": lambda file: file.id},
                "h5py",
            ),
        ],
    ),
)


def install():
    """Makes h5py read and write texts of user code as before, once it is loaded."""
    for function, names in (
        (_read_attribute, "AttributeManager.__getitem__"),
        (_read, "Dataset.__getitem__ Dataset.__array__"),
        (_set_attribute, "AttributeManager.__setitem__"),
        (_create_dataset, "Group.create_dataset"),
    ):
        install_after_import(*build.replacements(ROW, function, "h5py:" + names, through=None))


def _string_type(dtype):
    return sys.modules["h5py"].check_string_dtype(dtype)


def _read_attribute(original, self, name):
    value = original(self, name)
    if isinstance(value, str) or getattr(getattr(value, "dtype", None), "kind", "") == "O":
        kind = _string_type(self.get_id(name).dtype)
        if kind is not None and kind.encoding == "ascii":
            rows.used(ROW)
            return _each(value, lambda text: text.encode("utf-8", "surrogateescape"))
    return value


def _read(original, self, *arguments, **options):
    value = original(self, *arguments, **options)
    kind = _string_type(self.dtype)
    if kind is None or kind.length is not None or kind.encoding != "utf-8":
        return value
    rows.used(ROW)
    return _each(value, lambda text: text.decode("utf-8", "surrogateescape"))


def _set_attribute(original, self, name, value):
    original(self, name, _fixed_length(value))


def _create_dataset(original, self, name, shape=None, dtype=None, data=None, **options):
    if dtype is None:
        data = _fixed_length(data)
    return original(self, name, shape, dtype, data, **options)


def _each(value, function):
    """Returns the function of a text, or of every text of an array."""
    if isinstance(value, (str, bytes)):
        return function(value)
    result = value.copy()
    for place, text in enumerate(value.flat):
        if isinstance(text, (str, bytes)):
            result.flat[place] = function(text)
    return result


def _fixed_length(value):
    """Returns a list of bytes as an array, which is stored with a fixed length."""
    if isinstance(value, (list, tuple)) and value and all(type(text) is bytes for text in value):
        import numpy

        rows.used(ROW)
        return numpy.array(value)
    return value
