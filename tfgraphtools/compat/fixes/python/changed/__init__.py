"""What Python still has, and what took or gave something else up to Python 3.7.

open_modes      ``open(path, "rU")``
sums            ``sum`` of floats
enums           the text of a member
patterns        flags in the middle of a regular expression
finders         what finds modules by ``find_module``
"""

from tfgraphtools.compat.fixes.python.changed import (
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
    patterns.TABLE,
    finders.TABLE,
)
