"""pandas, h5py, PyYAML and others: names, calls, and attributes of their objects."""

from tfgraphtools.compat.fixes.others import attributes, h5py_strings, names

TABLES = (*names.TABLES, attributes.TABLE, h5py_strings.TABLE)


def install(options):
    """Changes these libraries when they are loaded."""
    h5py_strings.install()
