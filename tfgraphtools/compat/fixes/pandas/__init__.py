"""pandas: what user code passes and asks for as in pandas 1, by public names only.

rolling            functions of rolling windows; removed names
read_csv           arguments of read_csv and read_table
positional         arguments by position
dropped_arguments  removed arguments
dropped_methods    removed methods and attributes
before_1           those that pandas 0.20 to 0.25 had, and 1.0 has not
columns            results of columns and frames: numbers, dummies, positions
dates              frequencies by their letters, dates of several forms
frame_reductions   np.mean(frame), np.sum(frame): one number for each column
chained            assignment through a column: ``df['a'][mask] = v``

What pandas computes otherwise since then, `doctor` reports: an older pandas is the remedy.
Each row says since which pandas it is needed; an older one is left as it is.
"""

from tfgraphtools.compat.engine.replacing import install_after_import
from tfgraphtools.compat.fixes.pandas import (
    before_1,
    chained,
    columns,
    dates,
    dropped_arguments,
    dropped_methods,
    frame_reductions,
    positional,
    read_csv,
    rolling,
)

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (
    *rolling.TABLES,
    read_csv.TABLE,
    positional.TABLE,
    dropped_arguments.TABLE,
    dropped_methods.TABLE,
    before_1.TABLE,
    columns.TABLE,
    dates.TABLE,
    chained.TABLE,
    *frame_reductions.TABLES,
)

HELPERS = chained.HELPERS


def install(options):
    """Makes the public functions of pandas take what they took, once it is loaded."""
    for part in (
        dropped_arguments,
        dates,
        columns,
        positional,
    ):  # in this order they wrap one another
        install_after_import(*part.replacements())
