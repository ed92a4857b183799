"""pandas: what user code passes and asks for as in pandas 1, by public names only.

names       removed names and modules
reading     arguments of read_csv and read_table
positional  arguments by position
arguments   removed arguments
attributes  removed methods and attributes
columns     results of columns and frames: numbers, dummies, positions
dates       frequencies by their letters, dates of several forms
chained     assignment through a column: ``df['a'][mask] = v``

What pandas computes otherwise since then, `doctor` reports: an older pandas is the remedy.
Each row says since which pandas it is needed; an older one is left as it is.
"""

from tfgraphtools.compat.engine.replacing import install_after_import
from tfgraphtools.compat.fixes.pandas import (
    arguments,
    attributes,
    chained,
    columns,
    dates,
    names,
    positional,
    reading,
)

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (
    *names.TABLES,
    reading.TABLE,
    positional.TABLE,
    arguments.TABLE,
    attributes.TABLE,
    columns.TABLE,
    dates.TABLE,
    chained.TABLE,
)

HELPERS = chained.HELPERS


def install(options):
    """Makes the public functions of pandas take what they took, once it is loaded."""
    for part in (arguments, dates, columns, positional):  # in this order they wrap one another
        install_after_import(*part.replacements())
