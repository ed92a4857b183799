"""h5py, PyYAML, gast, networkx, Numba and others: names, calls, and attributes of their objects."""

from tfgraphtools.compat.fixes.others import gast, h5py, networkx, numba, yaml

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (gast.TABLE, yaml.TABLE, *h5py.TABLES, *networkx.TABLES)


def install(options):
    """Changes these libraries when they are loaded."""
    h5py.install()
    numba.install()
