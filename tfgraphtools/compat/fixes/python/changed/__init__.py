"""What Python still has, and what took or gave something else up to Python 3.7.

open_modes      ``open(path, "rU")``
sums            ``sum`` of floats
enums           the text of a member
data_classes    defaults that have no hash
patterns        flags in the middle of a regular expression
coroutines      what asyncio took and had
finders         what finds modules by ``find_module``
"""

from tfgraphtools.compat.fixes.python.changed import (
    coroutines,
    data_classes,
    enums,
    finders,
    open_modes,
    patterns,
    sums,
)

TABLES = (
    open_modes.TABLE,
    sums.TABLE,
    enums.TABLE,
    data_classes.TABLE,
    patterns.TABLE,
    coroutines.CALLS,
    coroutines.ATTRIBUTES,
    finders.TABLE,
    finders.NAMES,
)
