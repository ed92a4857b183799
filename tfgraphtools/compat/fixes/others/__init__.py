"""pandas, h5py, PyYAML and others: names, calls, and attributes of their objects."""

from tfgraphtools.compat.fixes.others import attributes, names

TABLES = (*names.TABLES, attributes.TABLE)
