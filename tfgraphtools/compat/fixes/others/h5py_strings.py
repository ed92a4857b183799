"""Texts in HDF5 files, as h5py 2 read and wrote them.

h5py 2 knew from the file whether a text was ``str`` (UTF-8) or ``bytes`` (ASCII). h5py 3
reads every attribute as ``str`` and every data set as ``bytes``, and writes lists of
bytes with another type.
"""

import functools

from tfgraphtools.compat.engine import after_import, rows, state
from tfgraphtools.compat.engine.rows import Row, Table

ROW = Row(
    "h5py.strings",
    "h5py 3.0",
    "strings in HDF5 files are str or bytes, as they were written: attrs[name].decode() works",
)

TABLE = Table("strings of h5py", "listed", [ROW])


def install():
    """Makes h5py read and write texts as before, once it is loaded."""
    if not rows.is_off(ROW.name):
        after_import.call("h5py", _as_in_h5py_2, ROW.name)


def _as_in_h5py_2(h5py):
    if int(h5py.version.version_tuple.major) < 3:
        return
    attributes, datasets = h5py.AttributeManager, h5py.Dataset
    reads = {
        (attributes, "__getitem__"): _attribute_read,
        (datasets, "__getitem__"): _dataset_read,
        (datasets, "__array__"): _dataset_read,
    }
    for (cls, name), read in reads.items():
        state.set_attribute(cls, name, read(h5py, getattr(cls, name)))
    plain_set = attributes.__setitem__
    plain_create = h5py.Group.create_dataset

    @functools.wraps(plain_set)
    def set_item(self, name, value):
        plain_set(self, name, _fixed_length(value))

    @functools.wraps(plain_create)
    def create_dataset(self, name, shape=None, dtype=None, data=None, **options):
        if dtype is None:
            data = _fixed_length(data)
        return plain_create(self, name, shape, dtype, data, **options)

    state.set_attribute(attributes, "__setitem__", set_item)
    state.set_attribute(h5py.Group, "create_dataset", create_dataset)


def _attribute_read(h5py, plain):
    @functools.wraps(plain)
    def getitem(self, name):
        value = plain(self, name)
        if isinstance(value, str) or getattr(getattr(value, "dtype", None), "kind", "") == "O":
            info = h5py.check_string_dtype(self.get_id(name).dtype)
            if info is not None and info.encoding == "ascii":
                rows.used(ROW)
                return _each(value, lambda text: text.encode("utf-8", "surrogateescape"))
        return value

    return getitem


def _dataset_read(h5py, plain):
    @functools.wraps(plain)
    def read(self, *arguments, **options):
        value = plain(self, *arguments, **options)
        info = h5py.check_string_dtype(self.dtype)
        if info is None or info.length is not None or info.encoding != "utf-8":
            return value
        rows.used(ROW)
        return _each(value, lambda text: text.decode("utf-8", "surrogateescape"))

    return read


def _each(value, function):
    """The function of a text, or of every text of an array."""
    if isinstance(value, (str, bytes)):
        return function(value)
    result = value.copy()
    for place, text in enumerate(value.flat):
        if isinstance(text, (str, bytes)):
            result.flat[place] = function(text)
    return result


def _fixed_length(value):
    """A list of bytes as an array, which is stored with a fixed length."""
    if isinstance(value, (list, tuple)) and value and all(type(one) is bytes for one in value):
        import numpy

        rows.used(ROW)
        return numpy.array(value)
    return value
