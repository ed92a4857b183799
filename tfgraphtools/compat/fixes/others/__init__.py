"""h5py, PyYAML, networkx, Numba and others: names, calls, and attributes of their objects."""

from tfgraphtools.compat.fixes.others import attributes, compiled, h5py_strings, names, networks

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (*names.TABLES, attributes.TABLE, h5py_strings.TABLE, *networks.TABLES)


def install(options):
    """Changes these libraries when they are loaded."""
    h5py_strings.install()
    compiled.install()
